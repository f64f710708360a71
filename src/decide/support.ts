import { addMonths, dayAfter, type Day } from '../core/model/dates.ts';
import { findLastFreePhase, onlyPhase } from '../core/model/phases.ts';
import { compareVersions, parseVersion } from '../core/model/version.ts';
import { describePhaseName, describeDayRange, type DayRange } from '../core/model/words.ts';
import { isStaticId, type SupportSource } from '../core/schemas/definition/source.ts';
import type { SupportPolicy } from '../core/schemas/definition/support-policy.ts';
import type { StatedLine } from '../core/schemas/recorded/recorded.ts';
import { capitalise, spellOutCount, endSentence } from '../core/text/wording.ts';
import {
  listDatedLines,
  describeOwnEnds,
  applyOwnEnd,
  listOwnEnds,
  planPhase,
  createPolicyReason,
  describeSource,
  type NamedPhase,
  type PhaseEnd,
  type PlannedPhase,
  type ReleaseLine,
} from './lines.ts';
import { createVersionFilter } from './releases.ts';

/** The support of a release line by its policy. */
export interface LineSupport {
  /** In order; empty if the policy states no end. */
  readonly phases: readonly PlannedPhase[];
  /** It has long-term support, now or from `ltsFrom` on. */
  readonly isLts?: true | undefined;
  readonly ltsFrom?: Day | undefined;
  /** Its end follows from an assumed rule. */
  readonly inferred?: true | undefined;
}

type Planned<Length extends string> = NamedPhase & Readonly<Record<Length, number>>;
type Policy<Name extends SupportPolicy['policy']> = Extract<SupportPolicy, { policy: Name }>;

/** Finds the support of each line in `lines`. Independent of the day. */
export function createSupportRule(
  policy: SupportPolicy,
  lines: readonly ReleaseLine[],
  linesOfSources: readonly StatedLine[] = [],
): (line: ReleaseLine) => LineSupport {
  const isLts = createLtsTest(policy);
  const computePhases = createPhaseRule(policy, lines, isLts, linesOfSources);
  const statedLts = new Map(linesOfSources.map(({ line, lts }) => [line, lts]));
  const ownEnds = new Map(listOwnEnds(policy).map((end) => [end.line, end]));
  const isInferred = findOrigin(policy).inferred !== undefined;

  return (line) => {
    const lts = policy.policy === 'stated' ? statedLts.get(line.name) : isLts(line);
    const ownEnd = ownEnds.get(line.name);
    const phases = computePhases(line);
    const hasEnd = findLastFreePhase(phases)?.reason !== undefined;
    return {
      phases: ownEnd ? applyOwnEnd(ownEnd, phases, describeRule(policy)) : phases,
      inferred: (isInferred && hasEnd && !ownEnd) || undefined,
      isLts: lts === undefined ? undefined : true,
      ltsFrom: typeof lts === 'string' ? lts : undefined,
    };
  };
}

/** The origin of the rule of a policy, if the policy states it. */
function findOrigin(policy: SupportPolicy): {
  url?: string | undefined;
  inferred?: string | undefined;
} {
  return policy.policy === 'none' || policy.policy === 'stated' ? {} : policy;
}

/** `inferred`, `by example.com`, `by the definition`. */
function describeOrigin(policy: SupportPolicy): string {
  const { url, inferred } = findOrigin(policy);
  return inferred === undefined ? describeSource(url) : 'inferred';
}

type LineTest = (line: ReleaseLine) => true | undefined;
type PhaseRule = (line: ReleaseLine) => PlannedPhase[];

function createPhaseRule(
  policy: SupportPolicy,
  lines: readonly ReleaseLine[],
  isLts: LineTest,
  linesOfSources: readonly StatedLine[],
): PhaseRule {
  switch (policy.policy) {
    case 'none':
      return () => [];
    case 'ended':
      return () => [createEndedPhase(policy)];
    case 'term': {
      const usualPlan = policy.phases ?? [{ name: onlyPhase, months: policy.months! }];
      return (line) => {
        const plan = (isLts(line) && policy.lts?.phases) ?? usualPlan;

        // A term that begins on an unknown day has no known end.
        if ((line.began.atMost ?? line.began.from) === undefined) {
          return [];
        }

        return plan.map((phase) => planPhase(phase, computeTermEnd(line, phase, plan, policy)));
      };
    }
    case 'latest-lines':
      return createCountedRule(policy, lines, isLts);
    case 'dated':
      return createDatedRule(listDatedLines(policy), describeOrigin(policy), policy.url);
    case 'stated': {
      const { host, url } = findStatingSource(policy.source);
      return createDatedRule(linesOfSources, `by ${host}`, url);
    }
  }
}

/** Tests lines for long-term support. */
function createLtsTest(policy: SupportPolicy): LineTest {
  const { lines } = ('lts' in policy && policy.lts) || { lines: [] };
  const isMatch =
    typeof lines === 'string' ? createVersionFilter(lines) : (name: string) => lines.includes(name);
  return ({ name }) => isMatch(name) || undefined;
}

/** The host of a source of support, and the address of its page or document. */
function findStatingSource(source: SupportSource): { host: string; url: string | undefined } {
  const page =
    'url' in source
      ? source.url
      : (source.registryUrl ?? `https://endoflife.date/${source.product}`);
  return { host: new URL(page).host, url: page.startsWith('https:') ? page : undefined };
}

/** Every version may be deprecated before support ends. */
function createEndedPhase(policy: Policy<'ended'>): PlannedPhase {
  const { until, deprecatedFrom, url } = policy;
  const isOver = until === undefined ? true : undefined;
  const text = explainEnded(policy);
  return {
    name: onlyPhase,
    until,
    isOver,
    reason: createPolicyReason(text, deprecatedFrom, undefined, url),
  };
}

function explainEnded(policy: Policy<'ended'>): string {
  const { until, reason, url, inferred } = policy;
  const origin = describeOrigin(policy);
  if (reason !== undefined) {
    return (url ?? inferred) === undefined ? reason : `${capitalise(origin)}: ${reason}`;
  }

  return until === undefined ? 'Support has ended' : `End of support: ${until}, ${origin}`;
}

function computeTermEnd(
  line: ReleaseLine,
  phase: Planned<'months'>,
  plan: readonly Planned<'months'>[],
  policy: Policy<'term'>,
): PhaseEnd {
  const { from, atMost } = line.began;
  const addTerm = (day: Day | undefined) => day && addMonths(day, phase.months);
  const length = spellOutCount(phase.months, 'month');
  const term = plan.length === 1 ? length : `${length} of phase ${describePhaseName(phase)}`;
  const text = `${describeStart(line)}; ${term}, ${describeOrigin(policy)}`;
  return { text, range: { from: addTerm(from), atMost: addTerm(atMost) }, url: policy.url };
}

/** The first day of a line, and who states it. */
function describeStart({ began, releases }: ReleaseLine): string {
  if (began.atMost !== undefined) {
    return `${describeDayRange(began)}, observed`;
  }

  const { source = '' } =
    releases.find(({ releaseDay }) => releaseDay === began.from)?.recorded ?? {};
  return `${began.from}, by the ${isStaticId(source) ? 'definition' : 'vendor'}`;
}

/** Lines with long-term support are counted separately. */
function createCountedRule(
  policy: Policy<'latest-lines'>,
  lines: readonly ReleaseLine[],
  isLts: LineTest,
): PhaseRule {
  const { months } = policy;
  const grace = months === undefined ? '' : `, older ones for ${spellOutCount(months, 'month')}`;

  const createRule = (
    countedLines: readonly ReleaseLine[],
    plan: readonly Planned<'count'>[],
    kind: string,
  ) => {
    const phaseEnds = plan.map((phase) => {
      const text = `${describeLimit(phase, plan, kind)}${grace}, ${describeOrigin(policy)}`;
      return { phase, ends: computeCountEnds(countedLines, phase, { text, ...policy }) };
    });
    return (line: ReleaseLine) =>
      phaseEnds.map(({ phase, ends }) => planPhase(phase, ends.get(line)));
  };

  const phases = policy.phases ?? [{ name: onlyPhase, count: policy.count! }];
  const usualRule = createRule(lines, phases, '');
  const ltsRule =
    policy.lts && createRule(lines.filter(isLts), policy.lts.phases, ' with long-term support');
  return (line) => (isLts(line) && ltsRule?.(line)) ?? usualRule(line);
}

/** `Only the newest 6 release lines are supported`. */
function describeLimit(
  phase: Planned<'count'>,
  plan: readonly Planned<'count'>[],
  kind: string,
): string {
  const limit = phase.count;
  const noun = limit === 1 ? 'release line' : `${limit} release lines`;
  const [is, has] = limit === 1 ? ['is', 'has'] : ['are', 'have'];
  const promise =
    plan.length === 1 ? `${is} supported` : `${has} phase ${describePhaseName(phase)}`;
  return `Only the newest ${noun}${kind} ${promise}`;
}

/** The end of the phase of a line, for lines with enough newer ones. */
function computeCountEnds(
  lines: readonly ReleaseLine[],
  { count: limit }: Planned<'count'>,
  {
    text,
    url,
    months = 0,
  }: Pick<PhaseEnd, 'text' | 'url'> & { readonly months?: number | undefined },
): Map<ReleaseLine, PhaseEnd> {
  // The earliest and the latest possible first days of the newer lines, in order.
  const [earliest, latest]: [Day[], Day[]] = [[], []];
  const ends = new Map<ReleaseLine, PhaseEnd>();

  for (const line of lines.toReversed()) {
    const { isOpen, began } = line;
    const atMost = latest[limit - 1];
    const from = earliest[limit - 1];
    if (atMost !== undefined) {
      ends.set(line, { text, range: addMonthsToRange(from, atMost, months), url });
    }
    if (!isOpen) {
      continue;
    }

    earliest.push(began.from ?? unknownEarliest);
    earliest.sort();
    latest.push(began.atMost ?? began.from ?? unknownLatest);
    latest.sort();
  }

  return ends;
}

/** `months`: how long support goes on after the day. */
function addMonthsToRange(from: Day | undefined, atMost: Day, months: number): DayRange {
  if (atMost === unknownLatest) {
    return {};
  }

  const addTo = (day: Day | undefined) => day && addMonths(day, months);
  if (from === atMost) {
    return { from: addTo(from) };
  }

  return { from: from === unknownEarliest ? undefined : addTo(from), atMost: addTo(atMost) };
}

const unknownEarliest = '0000-01-01';
const unknownLatest = '9999-12-31';

/**
 * An unlisted line ends with the next newer listed line. Lines older than all listed lines have ended. Nothing is known about
 * lines newer than all listed lines.
 */
function createDatedRule(
  statedLines: readonly StatedLine[],
  origin: string,
  url?: string,
): PhaseRule {
  const lines = statedLines
    .map(({ line, phases }) => ({ name: line, phases, parsed: parseVersion(line)! }))
    .sort((a, b) => compareVersions(a.parsed, b.parsed));

  return ({ name }) => {
    const line = parseVersion(name)!;
    const next = lines.find(({ parsed }) => compareVersions(parsed, line) >= 0);
    if (!next) {
      return [];
    }

    const isListed = compareVersions(next.parsed, line) === 0;
    const older = `${name} is older than ${next.name}`;
    if (!isListed && next === lines[0]) {
      const text = `${older}, the oldest release line whose end of support is stated.`;
      return [planPhase({ name: onlyPhase }, { text, range: {}, url })];
    }

    return next.phases.map((phase) => {
      const { until, untilAtMost, isOver } = phase;
      if (until === undefined && untilAtMost === undefined && !isOver) {
        return phase;
      }

      const range = { from: until, atMost: untilAtMost };
      const end = describeDayRange(range) || 'in the past';
      const promise = next.phases.length === 1 ? 'support' : `phase ${describePhaseName(phase)}`;

      // Between two listed lines: a line does not outlive the next newer one.
      const text = isListed
        ? `End of ${promise} of ${name}: ${end}, ${origin}`
        : `${older}. End of ${promise} of ${next.name}: ${end}, ${origin}`;
      return planPhase(phase, { text, range, url });
    });
  };
}

/** The lines whose support one more line would end. */
export function findEndingWithNextLine(
  policy: SupportPolicy,
  lines: readonly ReleaseLine[],
): ReadonlySet<ReleaseLine> {
  if (policy.policy !== 'latest-lines' || policy.months !== undefined) {
    return new Set();
  }

  const createEndTest = (allLines: readonly ReleaseLine[]) => {
    const computeSupport = createSupportRule(policy, allLines);
    return (line: ReleaseLine) =>
      findLastFreePhase(computeSupport(line).phases)?.reason !== undefined;
  };

  const endsThen = createEndTest([...lines, { name: '', releases: [], isOpen: true, began: {} }]);
  const endsNow = createEndTest(lines);
  return new Set(lines.filter((line) => endsThen(line) && !endsNow(line)));
}

/** Describes a support policy independent of the day: its rule, the lines with an end of their own, and why it is inferred. */
export function describePolicy(policy: SupportPolicy = { policy: 'none' }): string {
  const parts = [`${describeRule(policy)}.`, describeOwnEnds(policy), describeInference(policy)];
  return parts.filter(Boolean).join(' ');
}

/** Why the index assumes a rule; empty for stated rules. */
export function describeInference(policy: SupportPolicy): string {
  const { inferred } = findOrigin(policy);
  return inferred === undefined ? '' : `Inferred: ${endSentence(inferred)}`;
}

/** The rule for all lines, without a full stop. Long-term support with its own phases adds a second sentence. */
function describeRule(policy: SupportPolicy): string {
  switch (policy.policy) {
    case 'none':
      return 'No end of support is stated';
    case 'ended':
      return describeEnd(policy);
    case 'term': {
      const { months, phases = [], lts } = policy;
      const rule =
        months === undefined
          ? `The phases of a release line, in months from its first release: ${describePlanned(phases)}`
          : `A release line is supported for ${spellOutCount(months, 'month')} from its first release`;
      return lts
        ? `${rule}. With long-term support, in months: ${describePlanned(lts.phases)}`
        : rule;
    }
    case 'latest-lines': {
      const { count, phases = [], lts, months } = policy;
      const subject =
        count === 1 ? 'Only the newest release line is' : `The newest ${count} release lines are`;
      const grace =
        months === undefined ? '' : `, and older ones for ${spellOutCount(months, 'month')}`;
      const rule =
        count === undefined
          ? `The phases of the newest release lines: ${describePlanned(phases)}`
          : `${subject} supported${grace}`;
      return lts
        ? `${rule}. Of those with long-term support: ${describePlanned(lts.phases)}`
        : rule;
    }
    case 'dated':
      return 'The support of each release line ends on a stated day';
    case 'stated':
      return `The support of each release line ends as ${findStatingSource(policy.source).host} states`;
  }
}

/** `active until 12, security until 18` months, or `active for 1, security for 3` lines. */
function describePlanned(phases: readonly (Planned<'months'> | Planned<'count'>)[]): string {
  return phases
    .map(
      (phase) =>
        `${describePhaseName(phase)} ${'months' in phase ? `until ${phase.months}` : `for ${phase.count}`}`,
    )
    .join(', ');
}

function describeEnd({ until, deprecatedFrom }: Policy<'ended'>): string {
  const ends =
    until === undefined
      ? 'Support of this component has ended'
      : `End of support of this component: ${until}`;
  if (deprecatedFrom === undefined) {
    return `${ends}. Every release is deprecated`;
  }

  return deprecatedFrom === dayAfter(until)
    ? ends
    : `${ends}. Every release is deprecated from ${deprecatedFrom} on`;
}
