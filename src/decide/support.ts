import { addMonths, dayAfter, type Day } from '../core/model/dates.ts';
import { lastFreePhase, onlyPhase } from '../core/model/phases.ts';
import type { Phase } from '../core/schemas/definition/phase.ts';
import type { Reason } from '../core/schemas/published/reason.ts';
import type { StatedLine } from '../core/schemas/recorded/recorded.ts';
import type { SupportPolicy } from '../core/schemas/definition/support-policy.ts';
import type { SupportSource } from '../core/schemas/definition/support-source.ts';
import { countedInWords } from '../core/text/text.ts';
import { compareVersions, parseVersion } from '../core/model/version.ts';
import { phaseLabel, rangeInWords, type DayRange } from '../core/model/words.ts';
import { allowedVersions } from './admission.ts';
import { datedLines, type ReleaseLine } from './lines.ts';

/** A phase of a release line, with the reason for its end if it has one. */
export interface PlannedPhase extends Phase {
  readonly reason?: Reason | undefined;
}

/** The support of a release line by its policy. */
export interface LineSupport {
  /** In order; empty if the policy promises no support. */
  readonly phases: readonly PlannedPhase[];
  /** It has long-term support, now or from `ltsFrom` on. */
  readonly isLts?: true | undefined;
  readonly ltsFrom?: Day | undefined;
}

type NamedPhase = Pick<Phase, 'name' | 'paid'>;
type Planned<Length extends string> = NamedPhase & Readonly<Record<Length, number>>;
type Policy<Name extends SupportPolicy['policy']> = Extract<SupportPolicy, { policy: Name }>;

/** Finds the support of each line in `lines`. Independent of the day. */
export function supportBy(
  policy: SupportPolicy,
  lines: readonly ReleaseLine[],
  linesOfSources: readonly StatedLine[] = [],
): (line: ReleaseLine) => LineSupport {
  const isLts = ltsTest(policy);
  const phasesOf = phasesBy(policy, lines, isLts, linesOfSources);
  const statedLts = new Map(linesOfSources.map(({ line, lts }) => [line, lts]));

  return (line) => {
    const lts = policy.policy === 'stated' ? statedLts.get(line.name) : isLts(line);

    return {
      phases: phasesOf(line),
      isLts: lts === undefined ? undefined : true,
      ltsFrom: typeof lts === 'string' ? lts : undefined,
    };
  };
}

type LineTest = (line: ReleaseLine) => true | undefined;
type PhasesOf = (line: ReleaseLine) => PlannedPhase[];

function phasesBy(
  policy: SupportPolicy,
  lines: readonly ReleaseLine[],
  isLts: LineTest,
  linesOfSources: readonly StatedLine[],
): PhasesOf {
  switch (policy.policy) {
    case 'none':
      return () => [];
    case 'ended':
      return () => [ended(policy)];
    case 'term': {
      const usual = policy.phases ?? [{ name: onlyPhase, months: policy.months! }];

      return (line) => {
        const plan = (isLts(line) && policy.lts?.phases) ?? usual;

        // A term that begins on an unknown day has no known end.
        if ((line.began.atMost ?? line.began.from) === undefined) {
          return [];
        }

        return plan.map((phase) => plannedPhase(phase, termEnd(line, phase, plan.length === 1)));
      };
    }
    case 'latest-lines':
      return countedPhases(policy, lines, isLts);
    case 'dated':
      return datedPhases(datedLines(policy));
    case 'stated':
      // Until the source has answered, no promise is known.
      return linesOfSources.length === 0
        ? () => []
        : datedPhases(linesOfSources, statedBy(policy.source));
  }
}

/** Tests lines for long-term support. */
function ltsTest(policy: SupportPolicy): LineTest {
  const { lines } = ('lts' in policy && policy.lts) || { lines: [] };
  const isMatch =
    typeof lines === 'string' ? allowedVersions(lines) : (name: string) => lines.includes(name);

  return ({ name }) => isMatch(name) || undefined;
}

/** The host of a source of support, and the address of its page or document. */
function statedBy(source: SupportSource): { host: string; url: string | undefined } {
  const page =
    'url' in source
      ? source.url
      : (source.registryUrl ?? `https://endoflife.date/${source.product}`);

  return { host: new URL(page).host, url: page.startsWith('https:') ? page : undefined };
}

/** Why a phase ends, and its last day. Without a day, it is over. */
interface PhaseEnd {
  readonly text: string;
  readonly range: DayRange;
  readonly url?: string | undefined;
}

/** Its releases are deprecated from the day after. */
function plannedPhase({ name, paid }: NamedPhase, end: PhaseEnd | undefined): PlannedPhase {
  const { from: until, atMost: untilAtMost } = end?.range ?? {};
  const isOver = end && until === undefined && untilAtMost === undefined ? true : undefined;
  const reason = end && because(end.text, dayAfter(until), dayAfter(untilAtMost), end.url);

  return { name, until, untilAtMost, paid, isOver, reason };
}

/** A reason without a day applies to all days. */
function because(text: string, from?: Day, fromAtMost?: Day, url?: string): Reason {
  return { rule: 'support policy', text, from, fromAtMost, url };
}

/** Every version may be deprecated before support ends. */
function ended(policy: Policy<'ended'>): PlannedPhase {
  const { until, deprecatedFrom, reason = describePolicy(policy) } = policy;
  const isOver = until === undefined ? true : undefined;

  return { name: onlyPhase, until, isOver, reason: because(reason, deprecatedFrom) };
}

function termEnd(
  { name, began }: ReleaseLine,
  phase: Planned<'months'>,
  isOnly: boolean,
): PhaseEnd {
  const { from, atMost } = began;
  const after = (day: Day | undefined) => day && addMonths(day, phase.months);
  const length = countedInWords(phase.months, 'month');
  const start = startInWords(began);
  const text = isOnly
    ? `${name} has ${length} of support from ${start}.`
    : `Phase ${phaseLabel(phase)} of ${name} ends ${length} after ${start}.`;

  return { text, range: { from: after(from), atMost: after(atMost) } };
}

function startInWords({ from, atMost }: DayRange): string {
  if (atMost === undefined) {
    return from!;
  }

  return from === undefined ? `${atMost} at the latest` : `a day ${rangeInWords({ from, atMost })}`;
}

/** Lines with long-term support are counted separately. */
function countedPhases(
  policy: Policy<'latest-lines'>,
  lines: readonly ReleaseLine[],
  isLts: LineTest,
): PhasesOf {
  const counted = (
    among: readonly ReleaseLine[],
    plan: readonly Planned<'count'>[],
    isLong: boolean,
  ) => {
    const isOnly = plan.length === 1;

    const ended = plan.map((phase) => ({
      phase,
      ends: outnumbered(among, phase, isOnly, isLong),
    }));

    return (line: ReleaseLine) =>
      ended.map(({ phase, ends }) => plannedPhase(phase, ends.get(line)));
  };

  const usual = counted(lines, policy.phases ?? [{ name: onlyPhase, count: policy.count! }], false);
  const long = policy.lts && counted(lines.filter(isLts), policy.lts.phases, true);

  return (line) => (isLts(line) && long?.(line)) ?? usual(line);
}

/** Why the phase of a line has ended, for lines with enough newer ones. */
function outnumbered(
  lines: readonly ReleaseLine[],
  phase: Planned<'count'>,
  isOnly: boolean,
  isLong: boolean,
): Map<ReleaseLine, PhaseEnd> {
  const limit = phase.count;

  const newest = countedInWords(
    limit,
    isLong ? 'release line with long-term support' : 'release line',
  );

  const [is, has] = limit === 1 ? ['is', 'has'] : ['are', 'have'];
  const promise = isOnly ? `${is} supported` : `${has} phase ${phaseLabel(phase)}`;
  const text = `Only the newest ${newest} ${promise}.`;

  // The earliest and the latest possible first days of the newer lines, up to the limit.
  const [earliest, latest]: [Day[], Day[]] = [[], []];
  const ends = new Map<ReleaseLine, PhaseEnd>();

  for (const line of lines.toReversed()) {
    const { isOpen, began } = line;
    const atMost = latest[limit - 1];
    const from = earliest[limit - 1];

    if (atMost !== undefined) {
      ends.set(line, { text, range: rangeBetween(from, atMost) });
    }

    if (!isOpen) {
      continue;
    }

    insertDay(earliest, began.from ?? unknownEarliest, limit);
    insertDay(latest, began.atMost ?? began.from ?? unknownLatest, limit);
  }

  return ends;
}

function rangeBetween(from: Day | undefined, atMost: Day): DayRange {
  if (atMost === unknownLatest) {
    return {};
  }

  if (from === atMost) {
    return { from };
  }

  return { from: from === unknownEarliest ? undefined : from, atMost };
}

const unknownEarliest = '0000-01-01';
const unknownLatest = '9999-12-31';

/** Inserts a day in order, and keeps the earliest days up to the limit. */
function insertDay(days: Day[], day: Day, limit: number): void {
  const place = days.findIndex((other) => other > day);

  days.splice(place === -1 ? days.length : place, 0, day);
  days.splice(limit);
}

/**
 * An unlisted line ends with the next newer listed line. Lines older than all listed lines have ended. Nothing is known about
 * lines newer than all listed lines.
 */
function datedPhases(phaseDays: readonly StatedLine[], by?: ReturnType<typeof statedBy>): PhasesOf {
  const as = by ? `, as ${by.host} states` : '';
  const all = phaseDays
    .map(({ line, phases }) => ({ name: line, phases, parsed: parseVersion(line)! }))
    .sort((a, b) => compareVersions(a.parsed, b.parsed));
  const only = { name: onlyPhase };

  return ({ name }) => {
    const line = parseVersion(name)!;
    const next = all.find(({ parsed }) => compareVersions(parsed, line) >= 0);
    if (!next) {
      return [];
    }

    const isOwn = compareVersions(next.parsed, line) === 0;
    const older = `${name} is older than ${next.name}`;

    if (!isOwn && next === all[0]) {
      const text = `${older}, the oldest release line whose end of support is stated.`;
      return [plannedPhase(only, { text, range: {} })];
    }

    return next.phases.map((phase) => {
      const { until, untilAtMost, isOver } = phase;
      if (until === undefined && untilAtMost === undefined && !isOver) {
        return phase;
      }

      const range = { from: until, atMost: untilAtMost };
      const end = rangeInWords(range) || 'in the past';
      const promise = next.phases.length === 1 ? 'support' : `phase ${phaseLabel(phase)}`;

      // Between two listed lines: a line does not outlive the next newer one.
      const text = isOwn
        ? `End of ${promise} of ${name}${as}: ${end}.`
        : `${older}. End of ${promise} of ${next.name}${as}: ${end}.`;

      return plannedPhase(phase, { text, range, url: by?.url });
    });
  };
}

/** The lines whose support one more line would end. */
export function endingWithNextLine(
  policy: SupportPolicy,
  lines: readonly ReleaseLine[],
): ReadonlySet<ReleaseLine> {
  if (policy.policy !== 'latest-lines') {
    return new Set();
  }

  const endsAmong = (all: readonly ReleaseLine[]) => {
    const supportOf = supportBy(policy, all);
    return (line: ReleaseLine) => lastFreePhase(supportOf(line).phases)?.reason !== undefined;
  };

  const endsThen = endsAmong([...lines, { name: '', releases: [], isOpen: true, began: {} }]);
  const endsNow = endsAmong(lines);

  return new Set(lines.filter((line) => endsThen(line) && !endsNow(line)));
}

/** Describes a support policy independent of the day. Long-term support with its own phases adds a second sentence. */
export function describePolicy(policy: SupportPolicy = { policy: 'none' }): string {
  switch (policy.policy) {
    case 'none':
      return 'No promise: nobody states how long a release is supported.';
    case 'ended':
      return describeEnd(policy);
    case 'term': {
      const { months, phases = [], lts } = policy;

      const rule =
        months === undefined
          ? `The phases of a release line, in months from its first release: ${planned(phases)}.`
          : `A release line is supported for ${countedInWords(months, 'month')} from its first release.`;

      return lts ? `${rule} With long-term support, in months: ${planned(lts.phases)}.` : rule;
    }
    case 'latest-lines': {
      const { count, phases = [], lts } = policy;
      const newest =
        count === 1 ? 'Only the newest release line is' : `The newest ${count} release lines are`;

      const rule =
        count === undefined
          ? `The phases of the newest release lines: ${planned(phases)}.`
          : `${newest} supported.`;

      return lts ? `${rule} Of those with long-term support: ${planned(lts.phases)}.` : rule;
    }
    case 'dated':
      return 'The support of each release line ends on a stated day.';
    case 'stated':
      return `The support of each release line ends as ${statedBy(policy.source).host} states.`;
  }
}

/** `active until 12, security until 18` months, or `active for 1, security for 3` lines. */
function planned(phases: readonly (Planned<'months'> | Planned<'count'>)[]): string {
  return phases
    .map(
      (phase) =>
        `${phaseLabel(phase)} ${'months' in phase ? `until ${phase.months}` : `for ${phase.count}`}`,
    )
    .join(', ');
}

function describeEnd({ until, deprecatedFrom }: Policy<'ended'>): string {
  const ends =
    until === undefined
      ? 'Support of this component has ended.'
      : `End of support of this component: ${until}.`;

  if (deprecatedFrom === undefined) {
    return `${ends} Every release is deprecated.`;
  }

  return deprecatedFrom === dayAfter(until)
    ? ends
    : `${ends} Every release is deprecated from ${deprecatedFrom} on.`;
}
