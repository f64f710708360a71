import { dayAfter, findStatedDay } from '../core/model/dates.ts';
import { describePhaseName, describeDayRange } from '../core/model/words.ts';
import type { Phase } from '../core/schemas/definition/phase.ts';
import type { SupportSource } from '../core/schemas/definition/source.ts';
import { isStaticId } from '../core/schemas/definition/source-ids.ts';
import type { SupportPolicy, SupportPolicyOf } from '../core/schemas/definition/support-policy.ts';
import type { StatedLine } from '../core/schemas/recorded/recorded.ts';
import { capitalise, endSentence, formatList, spellOutMonths } from '../core/text/wording.ts';
import { type ReleaseLine, listOwnEnds } from './lines.ts';

/** A phase that ends some months after the first release of a line, or when there are `count` newer lines. */
export type PolicyPhase<Length extends string> = Pick<Phase, 'name' | 'paid'> &
  Readonly<Record<Length, number>>;

/** The phases of the lines that a policy counts together: those with long-term support, or the others. */
export interface CountedPlan {
  readonly phases: readonly PolicyPhase<'count'>[];
  readonly isLts: boolean;
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

/** Maximum number of ends in the description of a policy. */
const maxEnds = 3;

/** `2025.1 until 2026-12-31`; empty if no line has an end of its own. */
function describeOwnEnds(policy: SupportPolicy): string {
  const ends = listOwnEnds(policy).map(({ line, until }) => `${line} until ${until}`);
  return ends.length === 0 ? '' : `By exception: ${formatList(ends, maxEnds)}.`;
}

/** The rule for all lines, without a full stop. Long-term support with its own phases, and ended support, may add a second sentence. */
export function describeRule(policy: SupportPolicy): string {
  switch (policy.policy) {
    case 'none':
      return 'No end of support is stated';
    case 'ended':
      return describeEnded(policy);
    case 'term':
      return describeTerm(policy);
    case 'latest-lines':
      return describeCount(policy);
    case 'dated':
      return 'The support of each release line ends on a stated day';
    case 'stated':
      return `The support of each release line ends as ${findStatingSource(policy.source).host} states`;
  }
}

function describeTerm({ months, phases = [], lts }: SupportPolicyOf<'term'>): string {
  const rule =
    months === undefined
      ? `The phases of a release line, in months from its first release: ${describePlan(phases)}`
      : `A release line is supported for ${spellOutMonths(months)} from its first release`;
  return lts ? `${rule}. With long-term support, in months: ${describePlan(lts.phases)}` : rule;
}

function describeCount({
  count,
  months,
  phases = [],
  lts,
}: SupportPolicyOf<'latest-lines'>): string {
  const subject =
    count === 1 ? 'Only the newest release line is' : `The newest ${count} release lines are`;
  const grace = months === undefined ? '' : `, and older ones for ${spellOutMonths(months)}`;
  const rule =
    count === undefined
      ? `The phases of the newest release lines: ${describePlan(phases)}`
      : `${subject} supported${grace}`;
  return lts ? `${rule}. Of those with long-term support: ${describePlan(lts.phases)}` : rule;
}

/** `active until 12, security until 18` months, or `active for 1, security for 3` lines. */
function describePlan(phases: readonly (PolicyPhase<'months'> | PolicyPhase<'count'>)[]): string {
  return phases
    .map((phase) => {
      const length = 'months' in phase ? `until ${phase.months}` : `for ${phase.count}`;
      return `${describePhaseName(phase)} ${length}`;
    })
    .join(', ');
}

function describeEnded({ until, deprecatedFrom }: SupportPolicyOf<'ended'>): string {
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

/** The origin of the rule of a policy, if the policy states it. */
export function findOrigin(
  policy: SupportPolicy,
): Pick<SupportPolicyOf<'term'>, 'url' | 'inferred'> {
  return policy.policy === 'none' || policy.policy === 'stated' ? {} : policy;
}

/** `inferred`, `by example.com`, `by the definition`. */
export function describeOrigin(policy: SupportPolicy): string {
  const { url, inferred } = findOrigin(policy);
  return inferred === undefined ? describeSource(url) : 'inferred';
}

/** `by example.com`; without an address, `by the definition`. */
export function describeSource(url: string | undefined): string {
  return `by ${url === undefined ? 'the definition' : new URL(url).host}`;
}

/** The host of a source of support, and the address of its page or document. */
export function findStatingSource(source: SupportSource) {
  const page =
    'url' in source
      ? source.url
      : (source.registryUrl ?? `https://endoflife.date/${source.product}`);
  return { host: new URL(page).host, url: page.startsWith('https:') ? page : undefined };
}

/** Why the support of a whole component ends. */
export function explainEnd(policy: SupportPolicyOf<'ended'>): string {
  const { until, reason, url, inferred } = policy;
  const origin = describeOrigin(policy);
  if (reason !== undefined) {
    const sentence = endSentence(reason);
    return (url ?? inferred) === undefined ? sentence : `${capitalise(origin)}: ${sentence}`;
  }

  return until === undefined ? 'Support has ended' : `End of support: ${until}, ${origin}`;
}

/** `2025-04-08, by the vendor; 18 months, by example.com`. */
export function explainTerm(
  line: ReleaseLine,
  phase: PolicyPhase<'months'>,
  plan: readonly PolicyPhase<'months'>[],
  policy: SupportPolicyOf<'term'>,
): string {
  const length = spellOutMonths(phase.months);
  const term = plan.length === 1 ? length : `${length} of phase ${describePhaseName(phase)}`;
  return `${describeStart(line)}; ${term}, ${describeOrigin(policy)}`;
}

/** The first day of a line, and who states it. */
function describeStart({ began, releases }: ReleaseLine): string {
  const first = releases.find(
    (release) => !release.isPrerelease && findStatedDay(release) === began.from,
  );
  if (began.atMost !== undefined || !first) {
    return `${describeDayRange(began)}, observed`;
  }

  const { source = '' } = first.recorded;
  return `${began.from}, by the ${isStaticId(source) ? 'definition' : 'vendor'}`;
}

/** `Only the newest 6 release lines are supported, older ones for 3 months, by example.com`. */
export function explainCount(
  phase: PolicyPhase<'count'>,
  { phases, isLts }: CountedPlan,
  policy: SupportPolicyOf<'latest-lines'>,
): string {
  const { months } = policy;
  const noun = phase.count === 1 ? 'release line' : `${phase.count} release lines`;
  const lines = isLts ? `${noun} with long-term support` : noun;
  const [is, has] = phase.count === 1 ? ['is', 'has'] : ['are', 'have'];
  const promise =
    phases.length === 1 ? `${is} supported` : `${has} phase ${describePhaseName(phase)}`;
  const grace = months === undefined ? '' : `, older ones for ${spellOutMonths(months)}`;
  return `Only the newest ${lines} ${promise}${grace}, ${describeOrigin(policy)}`;
}

/** `End of support of 2025.1: 2026-12-31, by example.com`. */
export function explainStatedEnd(
  { line, phases }: StatedLine,
  phase: Phase,
  origin: string,
): string {
  const end = describeDayRange({ from: phase.until, atMost: phase.untilAtMost }) || 'in the past';
  const promise = phases.length === 1 ? 'support' : `phase ${describePhaseName(phase)}`;
  return `End of ${promise} of ${line}: ${end}, ${origin}`;
}
