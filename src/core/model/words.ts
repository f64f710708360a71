import type { Phase } from '../schemas/definition/phase.ts';
import type { Reason } from '../schemas/published/reason.ts';
import type { Exploitation } from '../schemas/advisory.ts';
import { capitalise, formatCount, endSentence, isSentence } from '../text/wording.ts';
import type { Day, DayRange } from './dates.ts';
import { reasonsToGoBack, type UpgradeAdvice, type MoveTarget } from './move-to.ts';
import { findLastFreePhase, listNamedPhases, onlyPhase } from './phases.ts';
import { computeSupportOn, type LineState, type State } from './states.ts';

// Words for states, ends of support, reasons, advice and other facts, in this order, for pages, commands, tools and
// answers. Days are written YYYY-MM-DD; pages replace them by readable ones.

/** The one name of each state, on every page and in every answer. */
export const stateLabels: Readonly<Record<State, string>> = {
  supported: 'Supported',
  'ends-soon': 'Ends soon',
  'may-have-ended': 'May have ended',
  ended: 'Ended',
  deprecated: 'Deprecated',
  withdrawn: 'Withdrawn',
  'no-promise': 'No end stated',
  'not-listed': 'Not listed',
  'not-released': 'Not released',
  'unknown-line': 'Unknown line',
};

/** A state within a line of text, such as `ends soon`. */
export function nameState(state: State): string {
  return stateLabels[state].toLowerCase();
}

/** The tone of a state on a page, in a badge or a table. */
export const stateTones: Readonly<Record<State, 'ok' | 'soon' | 'over' | 'none'>> = {
  supported: 'ok',
  'ends-soon': 'soon',
  'may-have-ended': 'soon',
  ended: 'over',
  deprecated: 'over',
  withdrawn: 'over',
  'no-promise': 'none',
  'not-listed': 'none',
  'not-released': 'none',
  'unknown-line': 'none',
};

/** The tone where a version is in use: an end is marked more strongly. */
export function findTone(state: State): 'ok' | 'soon' | 'gone' | 'none' {
  const tone = stateTones[state];
  return tone === 'over' ? 'gone' : tone;
}

/** `2027-12-30`, `between 2027-10-01 and 2027-12-30`, `on or before 2027-12-30`; empty where nothing is known. */
export function describeDayRange({ from, atMost }: DayRange): string {
  if (atMost === undefined) {
    return from ?? '';
  }

  return from === undefined ? `on or before ${atMost}` : `between ${from} and ${atMost}`;
}

/** When a phase ends: `until 2027-12-30`, `at least until 2027-10-01`, `until 2027-12-30 at the latest`; empty where unknown. */
function describeUntil({ until, untilAtMost }: Pick<Phase, 'until' | 'untilAtMost'>): string {
  if (until !== undefined) {
    return `${untilAtMost === undefined ? '' : 'at least '}until ${until}`;
  }

  return untilAtMost === undefined ? '' : `until ${untilAtMost} at the latest`;
}

/** An end in words, marked where it rests on a rule that nobody states: `2027-12-30 (inferred)`; empty without an end. */
export function markInferred(end: string, isInferred: boolean | undefined): string {
  return isInferred && end !== '' ? `${end} (inferred)` : end;
}

/** `security`, `extended (paid)`. */
export function describePhaseName({ name, paid }: Pick<Phase, 'name' | 'paid'>): string {
  return paid ? `${name} (paid)` : name;
}

/** `security until 2026-10-08`. */
function describePhase(phase: Phase): string {
  return `${describePhaseName(phase)} ${describeUntil(phase)}`.trim();
}

/** `active until 2026-04-08, security until 2026-10-08`; empty for a line with one phase. */
export function describePhases(phases: readonly Phase[] | undefined): string {
  return listNamedPhases(phases).map(describePhase).join(', ');
}

interface LineInWords extends Pick<LineState, 'isSupported'> {
  readonly phase?: LineState['phase'];
  readonly phases?: readonly Phase[] | undefined;
  readonly undatedEnd?: string | undefined;
}

/** The present phase of a line with several, with its end unless support ends with it. */
export function describePresentPhase({ phase, phases }: LineInWords): string {
  if (!phase || listNamedPhases(phases).length === 0) {
    return '';
  }

  const end = findLastFreePhase(phases);
  const endsWithSupport = phase.until === end?.until && phase.untilAtMost === end?.untilAtMost;
  return endsWithSupport ? describePhaseName(phase) : describePhase(phase);
}

/** When the support of a line ends, ended or may have ended: `until 2027-12-30`, `ended 2025-12-30`. Empty where no end is known. */
export function describeEnd({ isSupported, phases, undatedEnd }: LineInWords): string {
  const end = findLastFreePhase(phases);
  if (!end) {
    return '';
  }

  const { until, untilAtMost } = end;
  switch (isSupported) {
    case true:
      return undatedEnd === undefined ? describeUntil(end) : 'until the next line';
    case undefined:
      return `may have ended, by ${untilAtMost} at the latest`;
    case false:
      return untilAtMost === undefined ? `ended ${until ?? ''}`.trim() : `ended by ${untilAtMost}`;
  }
}

/** The state by an end of support on a day, and the end in words, whatever the phases of its line. */
export function computeEndOn(end: Pick<Phase, 'until' | 'untilAtMost' | 'isOver'>, day: Day) {
  const phases = [{ ...end, name: onlyPhase }];
  const support = computeSupportOn({ phases }, day);
  return { state: support.state, words: describeEnd({ ...support, phases }) };
}

/** The support of a line in a sentence behind its name: `is supported until 2027-12-30, in phase security`. */
export function describeSupport(line: LineInWords): string {
  const phase = describePresentPhase(line);
  if (phase === '') {
    return describeSupportVerb(line);
  }

  return `${describeSupportVerb(line)}, ${line.phase?.paid ? 'except in' : 'in'} phase ${phase}`;
}

function describeSupportVerb(line: LineInWords): string {
  const end = findLastFreePhase(line.phases);
  if (!end) {
    return 'has no stated end of support';
  }

  const { until, untilAtMost } = end;
  switch (line.isSupported) {
    case true:
      return `is supported ${describeEnd(line)}`.trim();
    case undefined:
      return `may be out of support: it ends ${describeDayRange({ from: until, atMost: untilAtMost })}`;
    case false: {
      // Once even the latest possible day has passed, the earliest says nothing.
      const pastEnd = describeUntil(untilAtMost === undefined ? { until } : { untilAtMost });
      return pastEnd === '' ? 'is no longer supported' : `was supported ${pastEnd}`;
    }
  }
}

/**
 * Why the support of a line ends. A text without a full stop is a sum of terms with their origins, and gets the end as its last
 * term, unless it names that day or no day is known.
 */
export function describeLineReason(line: LineInWords & { readonly reason: Reason }): string {
  const { reason, isSupported, phases } = line;
  const { until, untilAtMost } = findLastFreePhase(phases) ?? {};
  const day = untilAtMost ?? until;
  if (isSentence(reason.text) || day === undefined || reason.text.includes(day)) {
    return endSentence(reason.text);
  }

  const subject = isSupported ? 'supported' : 'support';
  return capitalise(`${reason.text}; ${subject} ${describeEnd(line)}.`);
}

/**
 * The terms of a sum, each with its origin: `18 months`, `inferred`. Documents publish the sum as one text. Empty for a sentence, and
 * where no term has an origin.
 */
export function splitTerms(
  reason: Pick<Reason, 'text'> | undefined,
): { term: string; origin: string }[] {
  if (!reason || isSentence(reason.text)) {
    return [];
  }

  const terms = reason.text.split('; ').map((part) => {
    const [, term = part, origin = ''] = /^(.*), (by .*|inferred|observed)$/.exec(part) ?? [];
    return { term, origin };
  });
  return terms.some(({ origin }) => origin !== '') ? terms : [];
}

/**
 * A reason with its day, in a sentence. A text that names the day is left unchanged, and so is that of a support policy, the only
 * reason whose day may have two bounds.
 */
export function describeReason({ rule, text, from }: Reason, day: Day): string {
  const sentence = endSentence(text);
  if (rule === 'support policy' || from === undefined || sentence.includes(from)) {
    return sentence;
  }

  return from <= day ? `${sentence} Since ${from}.` : `Deprecated from ${from} on: ${sentence}`;
}

/** The words before a version to move to, on pages, in plans and in calendars. */
export const moveLabel = 'Move to';

/** `Move to 2025.3, then to 2026.3 by 2026-12-31`, `Move to 2026.2 now`; empty if there is nothing to move to. */
export function describeMove(
  advice: UpgradeAdvice & { readonly isBack?: boolean },
  nameTarget: (target: MoveTarget) => string,
): string {
  const { moveTo, goal, isBack } = advice;
  if (!moveTo) {
    return '';
  }

  const label = isBack ? 'Move back to' : moveLabel;
  const then = goal ? `, then to ${nameTarget(goal)}` : '';
  return `${label} ${nameTarget(moveTo)}${then}${describeDeadline(advice)}`;
}

function describeDeadline({ moveBy, moveReason }: UpgradeAdvice): string {
  if (moveBy !== undefined) {
    return ` by ${moveBy}`;
  }

  return moveReason !== undefined && reasonsToGoBack.includes(moveReason) ? ' now' : '';
}

/** `31 releases and 2 years behind`, `4 releases behind`; empty for the latest, and where the number is unknown. */
export function describeLag(releases: number | undefined, days: number | undefined): string {
  if (!releases) {
    return '';
  }

  const time = days ? ` and ${describeDuration(days)}` : '';
  return `${formatCount(releases, 'release')}${time} behind`;
}

/** `20 days`, `5 months`, `2 years`: rounded down, in years of 365 days. */
export function describeDuration(days: number): string {
  const years = days / 365;
  if (years >= 2) {
    return formatCount(Math.floor(years), 'year');
  }

  return days > 60 ? formatCount(Math.floor(years * 12), 'month') : formatCount(days, 'day');
}

/** Says that no source of advisories is configured, or that none has answered. `subject`: `svc`, `4 of 5`; empty next to a name. */
export function describeUnknownAdvisories(subject = ''): string {
  return `Advisories: not known${subject === '' ? '' : ` for ${subject}`}.`;
}

/** `exploited since 2026-11-03, fix due by 2026-11-24`; empty where neither is known. */
export function describeExploitation({ exploitedSince, dueBy }: Exploitation): string {
  const parts = [
    exploitedSince && `exploited since ${exploitedSince}`,
    dueBy && `fix due by ${dueBy}`,
  ];
  return parts.filter(Boolean).join(', ');
}
