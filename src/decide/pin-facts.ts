import type { Day } from '../core/model/dates.ts';
import { findLastFreePhase } from '../core/model/phases.ts';
import { computeSupportOn, isInForceOn } from '../core/model/states.ts';
import { findNewestRelease } from '../core/model/version.ts';
import { describeLag, describeDayRange, describeReason } from '../core/model/words.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import type { SupportPolicyOf } from '../core/schemas/definition/support-policy.ts';
import type { Reason } from '../core/schemas/published/reason.ts';
import type { Advisory } from '../core/schemas/advisory.ts';
import { formatList, endSentence } from '../core/text/wording.ts';
import { describeKnownFacts } from './advisories.ts';
import type { JudgedLine, JudgedRelease, Judgement } from './judge.ts';
import { describeInference, describePolicy } from './policy-sentences.ts';

/** Facts for pull requests, about versions in use and proposed versions. Every text stays true while a pull request is open. */
export type PinFacts = ReturnType<typeof collectPinFacts>;

/** Facts about all versions of a release line. */
export type PinnedLineFacts = ReturnType<typeof computeLineFacts>;

export function collectPinFacts(judgement: Judgement, { support }: Definition) {
  const { lines, day, latest } = judgement;
  return {
    /** Why support ends, in sentences; empty where the days say all. */
    policy: describePolicyShort(support),
    /** Every release line, oldest first. */
    lines: lines.map((line) => computeLineFacts(line, day, latest)),
    /** Grouped by equal facts; releases without facts are omitted. */
    versions: listVersionFacts(judgement),
  };
}

function describePolicyShort(support: Definition['support']): string {
  switch (support?.policy) {
    case undefined:
    case 'none':
      return '';
    case 'dated':
      return describeInference(support);
    case 'ended':
      return [...explainEnded(support), describeInference(support)].filter(Boolean).join(' ');
    default:
      return describePolicy(support);
  }
}

/** The reason, and the first day of deprecation if that is no later than the end of support. */
function explainEnded({ until, deprecatedFrom, reason }: SupportPolicyOf<'ended'>): string[] {
  const sentences = reason === undefined ? [] : [endSentence(reason)];
  if (deprecatedFrom !== undefined && (until === undefined || deprecatedFrom <= until)) {
    sentences.push(`Deprecated from ${deprecatedFrom} on.`);
  }

  return sentences;
}

function computeLineFacts(
  { name: line, phases, releases }: JudgedLine,
  day: Day,
  latest: JudgedRelease | undefined,
) {
  const phase = findLastFreePhase(phases);

  // Each known end has a reason.
  if (!phase?.reason) {
    return { line, end: '', lag: describeLineLag(releases, latest) };
  }

  const { until, untilAtMost, reason } = phase;
  const support = judgeSupport(phases, day);
  return {
    line,
    /** Absent where no end is known. */
    support,
    /** `2026-10-08`, `between 2026-04-08 and 2026-10-08`; empty where no day is known. */
    end: describeDayRange({ from: until, atMost: untilAtMost }),
    /** Whether its versions are deprecated although support is not over. */
    isDeprecated: support !== 'over' && isInForceOn(reason, day),
    /** `27 releases and 2 years behind 4.5.0`, where no end is known; empty for the latest line. */
    lag: '',
  };
}

/** Whether support has ended, ends within 90 days or has perhaps ended, or ends later. */
function judgeSupport(phases: JudgedLine['phases'], day: Day): 'over' | 'soon' | 'later' {
  const { state } = computeSupportOn({ phases }, day);
  if (state === 'ended') {
    return 'over';
  }

  return state === 'supported' ? 'later' : 'soon';
}

/** How far the newest of some releases is behind the latest of the component. */
function describeLineLag(
  releases: readonly JudgedRelease[],
  latest: JudgedRelease | undefined,
): string {
  const { releasesBehind, daysBehind } = findNewestRelease(releases) ?? {};
  const lag = describeLag(releasesBehind, daysBehind);
  return lag === '' || !latest ? '' : `${lag} ${latest.version}`;
}

/** The facts of releases that have some, each with the versions that have them in common. */
function listVersionFacts({ releases, day }: Judgement) {
  const releasesWithFacts = releases
    .map((release) => ({ release, facts: computeReleaseFacts(release, day) }))
    .filter(({ facts }) => Object.values(facts).some(Boolean));
  const groups = Map.groupBy(releasesWithFacts, ({ facts }) => JSON.stringify(facts));
  return Array.from(groups.values(), (group) => ({
    versions: group.map(({ release }) => release.version),
    ...group[0].facts,
  }));
}

/** Facts about a single version: texts, empty where nothing is known. */
function computeReleaseFacts({ reasons, advisories, fixes }: JudgedRelease, day: Day) {
  const { withdrawn = [], deprecated = [] } = Object.groupBy(reasons, ({ rule }) =>
    rule === 'withdrawn' ? 'withdrawn' : 'deprecated',
  );
  const fixNames = fixes.map(({ fixed: _, ...advisory }) => nameAdvisory(advisory));

  return {
    /** The advisories that affect it: `CVE-2026-1 (high; fixed in 2025.2)`. */
    affected: formatList(advisories.map(nameAdvisory), 3),
    /** The advisories that it fixes while none affects it: `CVE-2026-1 (high)`. */
    fixes: advisories.length === 0 ? formatList(fixNames, 3) : '',
    /** Since when upstream lists it no more, in sentences. */
    withdrawn: withdrawn.map((reason) => describeReason(reason, day)).join(' '),
    /** Why it is deprecated, or will be, in sentences. */
    deprecated: deprecated.map((reason) => describeDeprecation(reason, day)).join(' '),
    isDeprecated: reasons.some((reason) => isInForceOn(reason, day)),
  };
}

/** Names the verdict before a reason of the definition, which may be any sentence; the others name it themselves. */
function describeDeprecation(reason: Reason, day: Day): string {
  const words = describeReason(reason, day);
  return reason.rule === 'definition' && isInForceOn(reason, day) ? `Deprecated: ${words}` : words;
}

function nameAdvisory(advisory: Advisory): string {
  const facts = describeKnownFacts(advisory);
  return facts === '' ? advisory.id : `${advisory.id} (${facts})`;
}
