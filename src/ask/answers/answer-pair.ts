import type { MoveTarget } from '../../core/model/move-to.ts';
import { judgePair } from '../../core/model/pair-answers.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type { DetailsOn } from './component-on.ts';
import type { PublishedIndex } from './published-index.ts';
import type { PageQuestion } from './read-question.ts';
import type { PairQuestion, PairSide } from './read-versions.ts';
import { resolveCandidates, searchCandidates, type Resolved } from './resolve.ts';
import { answerResolved, findNewestVersion, type AnsweredVersion } from './version-answer.ts';

/** Components that a text may mean. */
export interface Choices {
  readonly kind: 'choices';
  readonly choices: readonly Choice[];
}

export interface Choice {
  readonly component: string;
  readonly title: string;
  /** The question that names this component. */
  readonly question: string;
  readonly answer?: VersionAnswer;
}

/** `svc 2025.1 to 2026.3`: the question about a component, with the versions that a text names. */
export function writeQuestion(
  name: string,
  { version, to }: { readonly version?: string | undefined; readonly to?: string | undefined },
): string {
  const target = to === undefined ? '' : ` to ${to}`;
  return version === undefined ? name : `${name} ${version}${target}`;
}

/**
 * Whether the first component of a pair works with the others. Others without a version stand for their newest one; the first
 * without a version stands for its newest release that is stated to work with them.
 */
export async function answerPair(
  index: PublishedIndex,
  { sides }: PairQuestion,
): Promise<AnsweredVersion | Choices | PageQuestion> {
  const resolvedSides: Resolved[] = [];
  for (const side of sides) {
    const meanings = await listMeanings(index, side);
    if (meanings.length > 1) {
      return offerMeanings(sides, meanings);
    }

    resolvedSides.push(...meanings);
  }

  const [subject, ...others] = resolvedSides;
  if (!subject) {
    throw new QuestionError('unknown', 'No component of this index has this name.');
  }

  const partners: MoveTarget[] = [];
  const names: string[] = [];
  for (const { details, version = findNewestVersion(details) } of others) {
    if (version !== undefined) {
      partners.push({ component: details.component, version });
      names.push(`${details.title} ${version}`);
    }
  }

  const version = subject.version ?? findNewestCompatible(subject.details, partners);
  if (version === undefined || partners.length === 0) {
    return offerPartners(others.find((other) => other.version !== undefined) ?? subject);
  }

  const notes = [subject, ...others].map(({ note }) => note);
  if (subject.version === undefined) {
    notes.push(`It is the newest release that is stated to work with ${names.join(' and ')}.`);
  }

  const note = notes.filter((text) => text !== undefined).join(' ') || undefined;
  return answerResolved(index, { ...subject, version, note }, partners);
}

/** One question for each component that may be meant by the version without a name. */
function offerMeanings(sides: PairQuestion['sides'], meanings: readonly Resolved[]): Choices {
  const choices = meanings.map(({ details: { component, title } }): Choice => {
    const texts = sides.map((side) => writeQuestion(side.name ?? component, side));
    return { component, title, question: texts.join(' with ') };
  });
  return { kind: 'choices', choices };
}

/** The page that says what works with a component. */
function offerPartners({ details, version = '' }: Resolved): PageQuestion {
  const page = `${details.component}.html#works-with`;
  return { kind: 'page', page, text: `What works with ${details.title} ${version}`.trimEnd() };
}

/** The components and versions that a side may mean. A version without a name may be of any component that has it. */
async function listMeanings(index: PublishedIndex, side: PairSide): Promise<readonly Resolved[]> {
  const candidates = side.name === undefined ? await searchCandidates(index, side.version) : [side];
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
      others.every((other) => judgePair(details, version, other).answer === 'good'),
  )?.version;
}
