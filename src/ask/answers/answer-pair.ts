import type { MoveTarget } from '../../core/model/move-to.ts';
import type { NonEmpty } from '../../core/model/objects.ts';
import { judgePair } from '../../core/model/pair-answers.ts';
import { QuestionError } from '../../core/query/question-error.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type { DetailsOn } from './component-on.ts';
import { isNonEmpty } from './match-names.ts';
import type { PublishedIndex } from './published-index.ts';
import type { PairQuestion, PairSide } from './read-versions.ts';
import { describeUnread, resolveCandidates, searchCandidates, type Resolved } from './resolve.ts';
import { answerResolved, findNewestVersion, type AnsweredVersion } from './version-answer.ts';

/** Components that a text may mean. */
export interface Choices {
  readonly kind: 'choices';
  readonly choices: readonly Choice[];
}

/** A page with the answer. */
export interface PageAnswer {
  readonly kind: 'page';
  readonly page: string;
  readonly text: string;
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
  { sides, unread }: PairQuestion,
): Promise<AnsweredVersion | Choices | PageAnswer> {
  const resolvedSides: Resolved[] = [];
  for (const side of sides) {
    const meanings = await listMeanings(index, side);
    if (meanings.length > 1) {
      return offerMeanings(sides, meanings);
    }

    resolvedSides.push(meanings[0]);
  }

  // Each side has one meaning now, and a pair has at least one side.
  const subject = resolvedSides[0]!;
  const others = resolvedSides.slice(1);
  const partners: MoveTarget[] = [];
  for (const { details, version = findNewestVersion(details) } of others) {
    if (version !== undefined) {
      partners.push({ component: details.component, version });
    }
  }

  const version = subject.version ?? findNewestCompatible(subject.details, partners);
  if (version === undefined || partners.length === 0) {
    // Its page lists what works with the version in the question.
    const versioned = others.find((other) => other.version !== undefined);
    return offerPartners(versioned ?? subject, unread);
  }

  const isNewest = subject.version === undefined;
  const names = partners.map((partner) => `${partner.component} ${partner.version}`);
  const notes = [
    ...[subject, ...others].map(({ note }) => note),
    isNewest && `It is the newest release that is stated to work with ${names.join(' and ')}.`,
    unread && describeUnread(unread),
  ];
  const note = notes.filter(Boolean).join(' ') || undefined;
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
function offerPartners({ details, version = '' }: Resolved, unread?: string): PageAnswer {
  const page = `${details.component}.html#works-with`;
  const text = `What works with ${details.title} ${version}`.trimEnd();
  return { kind: 'page', page, text: unread ? `${text}. ${describeUnread(unread)}` : text };
}

/**
 * The components and versions that a side may mean. A version without a name may be of any component that has it. Throws a
 * `QuestionError` for a version that no component has.
 */
async function listMeanings(index: PublishedIndex, side: PairSide): Promise<NonEmpty<Resolved>> {
  const candidates = side.name === undefined ? await searchCandidates(index, side.version) : [side];
  const result = await resolveCandidates(index, candidates);
  const meanings = 'resolved' in result ? [result.resolved] : result.choices;
  if (!isNonEmpty(meanings)) {
    const missing = side.name === undefined ? `a version ${side.version}` : `the name ${side.name}`;
    throw new QuestionError('unknown', `No component of this index has ${missing}.`);
  }

  return meanings;
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
