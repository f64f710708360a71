/** Writes the sentences of a verdict. */
import { describeRange, isUnknown, type Day } from '../core/day.ts';
import {
  describeAffected,
  describeWay,
  findLatestEnd,
  markEstimated,
  stateLabels,
} from '../core/phrases.ts';
import type { Phase, Reason, Release } from '../core/schema/published.ts';
import { endSentence } from '../core/text.ts';
import { urgentReasons, type Move } from './move.ts';
import type { Support } from './support.ts';

/**
 * Describes until when a line is supported that has not ended: `until 2027-12-30`, `at least until 2027-12-30`, `until the next line`.
 */
function describeLastDay(line: Support): string | undefined {
  if (line.supportedUntil !== undefined) {
    const bound = line.supportedUntilAtMost === undefined ? '' : 'at least ';
    return `${bound}until ${line.supportedUntil}`;
  }

  return line.endsWithNextLine ? 'until the next line' : undefined;
}

/**
 * Returns the text that tables show for the end of a line's support: `until 2027-12-30`, `ended 2026-10-08`. For a line that is not released
 * yet: `from 2027-01-10 until 2028-01-31`.
 */
export function describeLineEnd(line: Support, beginsOn?: Day): string {
  const { state, isSupported, supportedUntil, supportedUntilAtMost } = line;
  if (beginsOn !== undefined) {
    return `from ${[beginsOn, describeLastDay(line)].filter(Boolean).join(' ')}`;
  }
  if (isSupported === true) {
    return describeLastDay(line) ?? 'no end announced';
  }
  if (state === 'may-have-ended') {
    return `ends by ${supportedUntilAtMost}, perhaps already`;
  }
  if (isSupported === undefined) {
    return stateLabels[state].toLowerCase();
  }
  if (supportedUntilAtMost !== undefined) {
    return `ended by ${supportedUntilAtMost}`;
  }

  return supportedUntil === undefined ? 'ended' : `ended ${supportedUntil}`;
}

/** Describes paid support in a sentence: `Paid support lasts until 2029-12-30.` */
export function describePaid(
  { until: from, untilAtMost: atMost }: Phase,
  isOver: boolean,
  isInferred: boolean | undefined,
): string {
  const range = { from, atMost };
  if (isUnknown(range)) {
    return `Paid support ${isOver ? 'has ended' : 'has no stated end'}.`;
  }

  const last = atMost === undefined ? 'lasts until' : 'ends';
  const words = `${isOver ? 'ended' : last} ${describeRange(range)}`;
  return `Paid support ${markEstimated(words, isInferred)}.`;
}

/** Lists the facts from which a verdict follows, in sentences. */
export function listGrounds(
  reasons: readonly Reason[],
  advisories: readonly string[],
  unproven: string | undefined,
): string[] {
  const grounds = reasons.map(({ text }) => endSentence(text));
  if (advisories.length > 0) {
    grounds.unshift(describeAffected(advisories));
  }
  if (unproven !== undefined) {
    grounds.unshift(unproven);
  }
  // Most of these lists have at most one element, so a set would be slower.
  return grounds.filter((ground, index) => grounds.indexOf(ground) === index);
}

/** Describes the state of a release or a line in a sentence. `name`: title and version. `reason`: why a release is deprecated. */
export function describeState(
  name: string,
  {
    state,
    isSupported,
    beginsOn,
  }: Pick<Release, 'state' | 'isSupported'> & { readonly beginsOn?: Day | undefined },
  line: Support,
  [reason]: readonly Reason[],
): string {
  const paid = line.paidSupport === undefined ? '' : ` ${line.paidSupport}`;
  switch (state) {
    case 'supported':
    case 'ends-soon':
      return `${name} is ${describeSupport(line)}.${paid}`;
    case 'may-have-ended': {
      const range = { from: line.supportedUntil, atMost: line.supportedUntilAtMost };
      return `${name} may be out of support: its support ends ${describeRange(range)}.${paid}`;
    }
    case 'ended':
      return `${name} ${describePast(line)}.${paid}`;
    case 'deprecated': {
      const supported = isSupported ? `, and ${describeSupport(line)}` : '';
      const cause = reason ? `: ${endSentence(reason.text)}` : '.';
      return `${name} is deprecated${supported}${cause}`;
    }
    case 'withdrawn':
      return `${name} was withdrawn.`;
    case 'no-promise':
      if (beginsOn !== undefined) {
        return `${name} is not released yet: its first day is ${beginsOn}.`;
      }
      return `No end of support is stated for ${name}.`;
  }
}

/** Returns `supported until 2027-12-30 (estimated), in phase security`. */
function describeSupport(line: Support): string {
  const day = describeLastDay(line);
  const end = day === undefined ? '' : ` ${day}`;
  const phase = line.phases.length > 1 && line.phase ? `, in phase ${line.phase}` : '';
  return `${markEstimated(`supported${end}`, line.isInferred)}${phase}`;
}

function describePast(line: Support): string {
  const { supportedUntilAtMost, isInferred } = line;
  const end = findLatestEnd(line);
  const bound = supportedUntilAtMost === undefined ? '' : ' at the latest';
  return end === undefined
    ? 'is no longer supported'
    : `was supported until ${markEstimated(end, isInferred)}${bound}`;
}

interface AdviceFacts extends Pick<Move, 'moveReason' | 'moveBy'>, Pick<Release, 'through'> {
  /** The release to move to, in words: `2026.3`, `Edge node 2.1.0`, `what you need of Orders 1.2 and Billing 3.0`. */
  readonly target: string | undefined;
  readonly isSplit: boolean;
  readonly version: string | undefined;
  readonly isBack: boolean;
  readonly latest: string | undefined;
  readonly isAffected: boolean;
  readonly isUnwatched: boolean;
  /** Whether the release unexpectedly lacks provenance. */
  readonly isUnproven: boolean;
  /** A newer supported line, if the index lists no release of it. */
  readonly supportedLine: string | undefined;
}

/** Describes what users should do. */
export function describeAdvice(facts: AdviceFacts): string {
  const { moveReason, target, through, moveBy, isBack } = facts;
  if (target) {
    const urgency = urgentReasons.includes(moveReason) ? ' now' : '';
    const deadline = moveBy === undefined ? urgency : ` by ${moveBy}`;
    const direction = isBack ? ' back' : '';
    const start = facts.isSplit ? 'It was split: move' : 'Move';
    return `${start}${direction} to ${target}${describeWay(through)}${deadline}.`;
  }
  if (moveReason !== undefined) {
    return facts.supportedLine === undefined
      ? 'There is nothing to move to yet.'
      : `Line ${facts.supportedLine} is supported, but the index lists no release of it.`;
  }

  if (facts.isAffected) {
    return `No version is free of known advisories yet${describeLatest(facts)}.`;
  }

  if (facts.isUnproven) {
    return `Check who published it first: ask its maintainers whether they did${describeLatest(facts)}.`;
  }

  const unchecked = facts.isUnwatched ? ' Advisories are not checked.' : '';
  return `No action is needed${describeLatest(facts)}.${unchecked}`;
}

function describeLatest({ version, latest }: AdviceFacts): string {
  if (latest === undefined) {
    return '';
  }

  return version === latest ? '; it is the latest version' : `; the latest version is ${latest}`;
}
