/** The sentences of a verdict, as of its day. */
import { describeRange } from '../core/day.ts';
import { stateLabels } from '../core/words.ts';
import type { Line, MoveTarget, Reason, Release, State } from '../core/schema/published.ts';
import { endSentence } from '../core/text.ts';

type LineInWords = Pick<
  Line,
  'supportedUntil' | 'supportedUntilAtMost' | 'phases' | 'phase' | 'isInferred' | 'endsWithNextLine'
>;

/** `until 2027-12-30 (inferred), in phase security`; empty where no end is known. */
function describeEnd(line: LineInWords): string {
  const { supportedUntil: from, supportedUntilAtMost: atMost, phases, phase, isInferred } = line;
  const end = from ?? atMost;
  const day =
    atMost !== undefined && from !== undefined ? `at least until ${from}` : `until ${end}`;
  const mark = isInferred ? ' (inferred)' : '';
  const words =
    end === undefined ? (line.endsWithNextLine ? ' until the next line' : '') : ` ${day}${mark}`;
  return phases.length > 1 && phase !== undefined ? `${words}, in phase ${phase}` : words;
}

/** The end of a line for tables: `until 2027-12-30`, `ended 2026-10-08`. */
export function describeLineEnd(
  line: LineInWords & { state: State; isSupported: boolean | undefined },
): string {
  const {
    supportedUntil: from,
    supportedUntilAtMost: atMost,
    state,
    isSupported,
    endsWithNextLine,
  } = line;
  const end = from ?? atMost;
  if (isSupported === true) {
    return end !== undefined
      ? from !== undefined && atMost !== undefined
        ? `at least until ${from}`
        : `until ${end}`
      : endsWithNextLine
        ? 'until the next line'
        : 'no end announced';
  }
  if (state === 'may-have-ended') {
    return `may have ended, by ${atMost} at the latest`;
  }
  if (isSupported === false) {
    return atMost === undefined ? `ended ${from ?? ''}`.trim() : `ended by ${atMost}`;
  }

  return stateLabels[state].toLowerCase();
}

/** The facts that a verdict follows from. */
export function listGrounds(
  reasons: readonly Reason[],
  advisories: readonly string[] = [],
): string[] {
  const affected = advisories.length > 0 ? [`Affected by ${advisories.join(', ')}.`] : [];
  return [...new Set([...affected, ...reasons.map(({ text }) => endSentence(text))])];
}

/** The state of a release or a line, called `name`. */
export function describeState(
  name: string,
  {
    state,
    isSupported,
    reasons = [],
  }: Pick<Release, 'state' | 'isSupported'> & Partial<Pick<Release, 'reasons'>>,
  line: LineInWords,
): string {
  const { supportedUntil: from, supportedUntilAtMost: atMost } = line;
  switch (state) {
    case 'supported':
    case 'ends-soon':
      return `${name} is supported${describeEnd(line)}.`;
    case 'may-have-ended':
      return `${name} may be out of support: it ends ${describeRange({ from, atMost })}.`;
    case 'ended':
      return from === undefined && atMost === undefined
        ? `${name} is no longer supported.`
        : `${name} was supported until ${atMost ?? from}${line.isInferred ? ' (inferred)' : ''}${atMost === undefined ? '' : ' at the latest'}.`;
    case 'deprecated': {
      const supported = isSupported ? `, and supported${describeEnd(line)}` : '';
      const [reason] = reasons;
      return `${name} is deprecated${supported}${reason ? `: ${endSentence(reason.text)}` : '.'}`;
    }
    case 'withdrawn':
      return `${name} was withdrawn.`;
    case 'no-promise':
      return `No end of support is stated for ${name}.`;
  }
}

interface AdviceFacts {
  readonly version: string;
  readonly moveReason?: string | undefined;
  readonly moveTo?: MoveTarget | undefined;
  readonly moveBy?: string | undefined;
  readonly isBack: boolean;
  readonly latest: string | undefined;
  readonly isUnwatched: boolean;
  readonly nameComponent: (component: string) => string;
}

/** What to do. */
export function describeAdvice(facts: AdviceFacts): string {
  const { version, moveReason, moveTo, moveBy, isBack, latest, isUnwatched } = facts;
  if (moveTo) {
    const isUrgent =
      moveReason === 'withdrawn' || moveReason === 'affected' || moveReason === 'deprecated';
    const deadline = moveBy === undefined ? (isUrgent ? ' now' : '') : ` by ${moveBy}`;
    return `Move ${isBack ? 'back ' : ''}to ${facts.nameComponent(moveTo.component)}${moveTo.version}${deadline}.`;
  }
  if (moveReason !== undefined) {
    return 'There is nothing to move to yet.';
  }

  const newest =
    latest === undefined
      ? ''
      : version === latest
        ? '; it is the latest version'
        : `; the latest version is ${latest}`;
  return `Nothing is due${newest}.${isUnwatched ? ' Advisories: not known.' : ''}`;
}
