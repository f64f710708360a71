import type { MoveTarget } from '../../core/model/move-to.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import type { DetailsOn } from './details-on.ts';
import type { Candidate, NonEmpty } from './match-names.ts';
import type { PageQuestion } from './read-question.ts';
import type { PublishedIndex } from './published-index.ts';
import { resolveCandidates, searchCandidates, type Resolved } from './resolve.ts';
import {
  answerWithPairs,
  describePairAnswer,
  findNewestVersion,
  type AnsweredVersion,
} from './version-answer.ts';

/**
 * Whether the first component works with the others. Of a component without a version, it judges the newest release that is
 * stated to work with them.
 */
export async function answerPair(
  index: PublishedIndex,
  candidates: NonEmpty<Candidate>,
): Promise<AnsweredVersion | PageQuestion> {
  const meanings = await Promise.all(candidates.map((each) => listMeanings(index, each)));
  const [subject, ...others] = meanings.flat();
  if (!subject) {
    throw new QuestionError('unknown', 'No component of this index has this name.');
  }

  const [partner = subject] = others;
  const name = `${partner.details.title} ${partner.version}`;
  const partners = others.map(({ details, version = findNewestVersion(details) ?? '' }) => {
    return { component: details.component, version };
  });
  const version = subject.version ?? findNewestCompatible(subject.details, partners);
  if (version === undefined || others.length === 0) {
    const page = `${partner.details.component}.html#works-with`;
    return { kind: 'page', page, text: `What works with ${name}` };
  }

  const notes = [subject, ...others].map(({ note }) => note);
  if (subject.version === undefined) {
    notes.push(`It is the newest release that is stated to work with ${name}.`);
  }

  const note = notes.filter((text) => text !== undefined).join(' ') || undefined;
  return answerWithPairs(index, { ...subject, version, note }, partners);
}

/** The components that a side of a pair may mean: a version without a name means those that have it. */
async function listMeanings(
  index: PublishedIndex,
  candidate: Candidate,
): Promise<readonly Resolved[]> {
  const { name, version = '' } = candidate;
  const candidates = name === '' ? await searchCandidates(index, version) : [candidate];
  const result = await resolveCandidates(index, candidates);
  return 'resolved' in result ? [result.resolved] : result.choices;
}

function findNewestCompatible(
  details: DetailsOn,
  others: readonly MoveTarget[],
): string | undefined {
  return details.releases.findLast(
    ({ version, isPrerelease, state }) =>
      !isPrerelease &&
      state !== 'withdrawn' &&
      others.every((other) => describePairAnswer(details, version, other).answer === 'good'),
  )?.version;
}
