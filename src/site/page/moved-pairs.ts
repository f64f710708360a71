import type { Answer } from '../../ask/answers/ask.ts';
import { readReplacement, type AnswerIndex } from '../../ask/answers/answer-index.ts';
import { answerVersion } from '../../ask/answers/version-answer.ts';
import { findGreatestTogether, type Position } from '../../ask/plan/pairs.ts';
import { judgePair, listPartners, type PairAnswer } from '../../core/model/pair-answers.ts';
import { answerLabels } from '../../core/model/pair-words.ts';
import { moveLabel } from '../../core/model/words.ts';

type Index = Pick<AnswerIndex, 'details'>;

/** A related component before and after a move, in words. */
interface MovedPair {
  readonly name: string;
  /** The versions of it that work before the move: `up to 2.1`, or `not stated`. */
  readonly before: string;
  readonly after: string;
  readonly effect: string;
  /** The source of a statement about the target and this component. The effect may have another reason. */
  readonly url?: string | undefined;
}

/** What a move to a version changes for each component that states something about this one, or the reverse. */
export interface MovedPairs {
  readonly version: string;
  readonly pairs: readonly MovedPair[];
}

/** The related components of an answer before and after its move; undefined without a move. */
export async function listMovedPairs(
  answer: Answer,
  index: Index,
): Promise<MovedPairs | undefined> {
  if (answer.kind !== 'version') {
    return undefined;
  }

  const { details, judged } = answer;
  // No upgrade may skip the stop.
  const version = (judged.stop?.release ?? judged.target)?.version;
  if (version === undefined) {
    return undefined;
  }

  const current = { details, version: judged.from };
  const next = { details, version };

  const pending = listPartners(details).map((name) => movePartner(index, name, current, next));
  const pairs = await Promise.all(pending);
  return { version, pairs: pairs.filter((pair) => pair !== undefined) };
}

/** The pair of a component; undefined if no release of it is stated to work before or after the move. */
async function movePartner(
  index: Index,
  component: string,
  current: Position,
  next: Position,
): Promise<MovedPair | undefined> {
  const partner = await index.details(component).catch(() => undefined);
  if (!partner) {
    // It may be too large for a page. The others are shown.
    return { name: component, before: '', after: '', effect: 'Its releases were not read' };
  }

  const before = findGreatestTogether(partner, [current]);
  const after = findGreatestTogether(partner, [next]);
  // The page does not know which version runs, so it takes the greatest one that works.
  const version = before ?? after;
  if (version === undefined) {
    return undefined;
  }

  const { answer, statements } = judgePair(next.details, next.version, { component, version });
  const hasNoVersionToUse = before !== undefined && !partner.latest;
  return {
    name: partner.title,
    before: describeLimit(before),
    after: describeLimit(after),
    url: statements.find(({ statement }) => statement.url !== undefined)?.statement.url,
    effect: hasNoVersionToUse
      ? answerVersion(partner, {
          version,
          replacement: await readReplacement(index, partner),
        }).advice
      : describeEffect(before, after, answer, next.version),
  };
}

function describeLimit(greatest: string | undefined): string {
  return greatest === undefined ? 'not stated' : `up to ${greatest}`;
}

/** `before`, `after`: the greatest releases that work before and after the move. */
function describeEffect(
  before: string | undefined,
  after: string | undefined,
  answer: PairAnswer,
  target: string,
): string {
  if (before === undefined) {
    return `New: works with ${target}`;
  }

  switch (answer) {
    case 'good':
      return 'Keeps working';
    case 'bad':
      return after === undefined
        ? `${before} does not work with ${target}`
        : `${moveLabel} ${after}`;
    default:
      return `${before}: ${answerLabels[answer].toLowerCase()}`;
  }
}
