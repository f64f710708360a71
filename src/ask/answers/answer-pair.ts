import type { MoveTarget } from '../../core/model/move-to.ts';
import { judgePair } from '../../core/model/pair-answers.ts';
import { listStable } from '../plan/pairs.ts';
import { writeQuestion, type Choice, type Choices } from './choices.ts';
import { chooseComponent, searchCandidates } from './choose-component.ts';
import type { DetailsOn } from './component-on.ts';
import type { SearchableIndex } from '../search/open-search.ts';
import type { PairQuestion, PairSide } from './read-versions.ts';
import { describeUnread, type Resolved } from './resolve.ts';
import { answerResolved, findNewestVersion, type AnsweredVersion } from './version-answer.ts';

/** A page with the answer. */
export interface PageAnswer {
  readonly kind: 'page';
  readonly page: string;
  readonly text: string;
}

/**
 * Whether the first component of a pair works with the others. Others without a version stand for their newest one; the first
 * without a version stands for its newest release that is stated to work with them.
 */
export async function answerPair(
  index: SearchableIndex,
  { sides, unread }: PairQuestion,
): Promise<AnsweredVersion | Choices | PageAnswer> {
  const resolvedSides: Resolved[] = [];
  for (const side of sides) {
    const meanings = await listMeanings(index, side);
    if (meanings.length > 1) {
      return offerMeanings(sides, resolvedSides, meanings);
    }

    resolvedSides.push(...meanings);
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

  const names = partners.map((partner) => `${partner.component} ${partner.version}`);
  const notes = [
    ...[subject, ...others].map(({ note }) => note),
    subject.version === undefined &&
      `It is the newest release that is stated to work with ${names.join(' and ')}.`,
    unread && describeUnread(unread),
  ];
  const note = notes.filter(Boolean).join(' ') || undefined;
  return answerResolved(index, { ...subject, version, note }, partners);
}

/**
 * One question for each component that may be meant by the versions without a name. They are the last sides of a pair, behind the
 * resolved ones.
 */
function offerMeanings(
  sides: PairQuestion['sides'],
  resolvedSides: readonly Resolved[],
  meanings: readonly Resolved[],
): Choices {
  const named = resolvedSides.map(({ details, version }) => ({ name: details.component, version }));
  const allSides = [...named, ...sides.slice(named.length)];
  const choices = meanings.map(({ details: { component, title } }): Choice => {
    const texts = allSides.map((side) => writeQuestion({ ...side, name: side.name ?? component }));
    return { component, title, question: texts.join(' with ') };
  });
  return { kind: 'choices', choices };
}

/** The page that says what works with a component. */
function offerPartners({ details, version = '' }: Resolved, unread?: string): PageAnswer {
  const page = `${details.component}.html#works-with`;
  const text = `What works with ${details.title} ${version}`.trimEnd();
  return createPageAnswer(page, text, unread);
}

export function createPageAnswer(page: string, text: string, unread?: string): PageAnswer {
  return { kind: 'page', page, text: unread ? `${text}. ${describeUnread(unread)}` : text };
}

/**
 * The components and versions that a side may mean. A version without a name may be of any component that has it. Throws a
 * `QuestionError` for a version that no component has.
 */
async function listMeanings(index: SearchableIndex, side: PairSide): Promise<readonly Resolved[]> {
  const candidates = side.name === undefined ? await searchCandidates(index, side) : [side];
  const { choices } = await chooseComponent(index, candidates);
  return choices;
}

function findNewestCompatible(
  details: DetailsOn,
  others: readonly MoveTarget[],
): string | undefined {
  return listStable(details).findLast(({ version }) =>
    others.every((other) => judgePair(details, version, other).answer === 'good'),
  )?.version;
}
