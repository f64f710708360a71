import { type Day, dayAfter } from '../core/model/dates.ts';
import { lastFreePhase, onlyPhase } from '../core/model/phases.ts';
import { compareVersions, parseVersion } from '../core/model/version.ts';
import type { DayRange } from '../core/model/words.ts';
import type { OwnEnd, Phase } from '../core/schemas/definition/phase.ts';
import type { SupportPolicy } from '../core/schemas/definition/support-policy.ts';
import type { Reason } from '../core/schemas/published/reason.ts';
import { listed } from '../core/text/wording.ts';

type NamedEnd = OwnEnd & { readonly line: string };

/** How many ends the description of a policy names. */
const mostNamed = 3;

/** The ends that a policy gives to single lines, in version order. */
export function listOwnEnds(policy: SupportPolicy): NamedEnd[] {
  const { lines = {} } = policy.policy === 'dated' ? {} : policy;
  const ends = Object.entries(lines).map(([line, end]) =>
    typeof end === 'string' ? { line, until: end } : { line, ...end },
  );
  return ends.sort((a, b) => compareVersions(parseVersion(a.line)!, parseVersion(b.line)!));
}

/** `2025.1 until 2026-12-31`; empty if no line has an end of its own. */
export function describeOwnEnds(policy: SupportPolicy): string {
  const ends = listOwnEnds(policy).map(({ line, until }) => `${line} until ${until}`);
  return ends.length === 0 ? '' : `By exception: ${listed(ends, mostNamed)}.`;
}

/** Who states something: `by example.com`, or the definition. */
export function sourceInWords(url: string | undefined): string {
  return `by ${url === undefined ? 'the definition' : new URL(url).host}`;
}

/**
 * The phases of a line with an end of its own. Phases before the last that is not paid end no later, and paid phases follow it only
 * if they end later. `rule`: the rule for all lines in words, where it gives the line no end.
 */
export function endAt(
  { until, reason, url }: OwnEnd,
  phases: readonly PlannedPhase[],
  rule: string,
): PlannedPhase[] {
  const free = lastFreePhase(phases) ?? { name: onlyPhase };
  const index = phases.indexOf(free);
  const cut = (day: Day | undefined) => (day !== undefined && day > until ? until : day);
  const before = phases
    .slice(0, Math.max(index, 0))
    .map((phase) => ({ ...phase, until: cut(phase.until), untilAtMost: cut(phase.untilAtMost) }));
  const paid = phases
    .slice(index + 1)
    .filter((phase) => (phase.untilAtMost ?? phase.until ?? until) > until);
  const terms = [free.reason?.text ?? rule, `${moveInWords(free, until)}, ${sourceInWords(url)}`];
  const sum = terms.filter(Boolean).join('; ');
  const text = reason === undefined ? sum : `${sum}: ${reason}`;
  return [...before, planPhase(free, { text, range: { from: until }, url }), ...paid];
}

/** `extended to 2026-12-31`, where the rule gives an earlier end. */
function moveInWords({ until, untilAtMost }: PlannedPhase, to: Day): string {
  const byRule = until ?? untilAtMost;
  if (byRule === undefined || byRule === to) {
    return `until ${to}`;
  }

  return `${to > byRule ? 'extended' : 'shortened'} to ${to}`;
}

/** A phase of a release line, with the reason for its end if it has one. */
export interface PlannedPhase extends Phase {
  readonly reason?: Reason | undefined;
}

export type NamedPhase = Pick<Phase, 'name' | 'paid'>;

/**
 * Why a phase ends, and its last day. Without a day, it is over. A text without a full stop is a sum of terms, each with its
 * origin; the end is its last term.
 */
export interface PhaseEnd {
  readonly text: string;
  readonly range: DayRange;
  readonly url?: string | undefined;
}

/** Its releases are deprecated from the day after. */
export function planPhase({ name, paid }: NamedPhase, end: PhaseEnd | undefined): PlannedPhase {
  const { from: until, atMost: untilAtMost } = end?.range ?? {};
  const isOver = end && until === undefined && untilAtMost === undefined ? true : undefined;
  const reason = end && policyReason(end.text, dayAfter(until), dayAfter(untilAtMost), end.url);
  return { name, until, untilAtMost, paid, isOver, reason };
}

/** A reason without a day applies to all days. */
export function policyReason(text: string, from?: Day, fromAtMost?: Day, url?: string): Reason {
  return { rule: 'support policy', text, from, fromAtMost, url };
}
