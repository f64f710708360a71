import { daysBetween, type Day } from '../core/model/dates.ts';
import { hasEnded, lastFreePhase } from '../core/model/phases.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import type { Reason } from '../core/schemas/published/reason.ts';
import { isInForceOn, soonDays } from '../core/model/states.ts';
import { listed, sentence } from '../core/text/text.ts';
import { behindInWords, rangeInWords, reasonInWords } from '../core/model/words.ts';
import type { JudgedLine, JudgedRelease, Judgement } from './judge.ts';
import { newestRelease } from '../core/model/move-to.ts';
import { describeInference, describePolicy } from './support.ts';

/** A label of a pull request, from facts about the version in use. */
export type PinLabel = 'unsupported' | 'support-ends' | 'deprecated' | 'security';

/** Facts for pull requests on versions in use. Every text stays true while a pull request is open. */
export interface PinFacts {
  /** Why support ends, in sentences; empty where the days say all. */
  readonly policy: string;
  /** Every release line, oldest first. */
  readonly lines: readonly PinnedLineFacts[];
  /** Grouped by equal facts; releases without facts are omitted. */
  readonly versions: readonly VersionFacts[];
}

/** Facts about all versions of a release line. */
export interface PinnedLineFacts {
  readonly line: string;
  /** `2026-10-08`, `between 2026-04-08 and 2026-10-08`; empty where no end is known. */
  readonly end: string;
  readonly isOver: boolean;
  /** The day by which support had ended. */
  readonly endedBy: Day | undefined;
  /** `27 releases and 2 years behind 4.5.0`; empty where an end is known, and for the latest line. */
  readonly behind: string;
  readonly labels: readonly PinLabel[];
}

/** Facts about single versions. */
export interface VersionFacts {
  readonly versions: readonly string[];
  /** The advisories that affect them, in a sentence, or empty. */
  readonly advisories: string;
  /** Why they are deprecated, in sentences, or empty. */
  readonly deprecated: string;
  readonly labels: readonly PinLabel[];
}

export function pinFacts(judgement: Judgement, { support }: Definition): PinFacts {
  const { lines, day, latest } = judgement;

  return {
    policy: policyInWords(support),
    lines: lines.map((line) => lineFacts(line, day, latest)),
    versions: versionFacts(judgement),
  };
}

function policyInWords(support: Definition['support']): string {
  switch (support?.policy) {
    case undefined:
    case 'none':
      return '';
    case 'dated':
      return describeInference(support);
    case 'ended':
      return `${endedInWords(support)} ${describeInference(support)}`.trim();
    default:
      return describePolicy(support);
  }
}

function endedInWords({
  until,
  deprecatedFrom,
  reason,
}: Extract<Definition['support'], { policy: 'ended' }>): string {
  const why = reason === undefined ? '' : sentence(reason);
  const isDeprecatedFirst =
    deprecatedFrom !== undefined && (until === undefined || deprecatedFrom <= until);

  return isDeprecatedFirst ? `${why} Deprecated from ${deprecatedFrom} on.`.trim() : why;
}

function lineFacts(line: JudgedLine, day: Day, latest: JudgedRelease | undefined): PinnedLineFacts {
  const end = lastFreePhase(line.phases);
  const { until, untilAtMost, isOver: isUndatedEnd } = end ?? {};

  if (!end || (until === undefined && untilAtMost === undefined && !isUndatedEnd)) {
    const behind = behindOf(line, latest);

    return {
      line: line.name,
      end: '',
      isOver: false,
      endedBy: undefined,
      behind,
      labels: [],
    };
  }

  const isOver = hasEnded(end, day) === true;
  const labels: PinLabel[] = [];

  if (isOver) {
    labels.push('unsupported');
  } else {
    if (daysBetween(day, (until ?? untilAtMost)!) <= soonDays) {
      labels.push('support-ends');
    }

    if (line.reason !== undefined && isInForceOn(line.reason, day)) {
      labels.push('deprecated');
    }
  }

  return {
    line: line.name,
    endedBy: isOver ? (untilAtMost ?? until) : undefined,
    end: rangeInWords({ from: until, atMost: untilAtMost }) || 'in the past',
    isOver,
    behind: '',
    labels,
  };
}

/** How far the newest release of a line is behind the latest of the component. */
function behindOf({ releases }: JudgedLine, latest: JudgedRelease | undefined): string {
  const { releasesBehind, daysBehind } = newestRelease(releases) ?? {};
  const behind = behindInWords(releasesBehind, daysBehind);

  return behind === '' || !latest ? '' : `${behind} ${latest.version}`;
}

function versionFacts({ releases, day }: Judgement): VersionFacts[] {
  const withFacts = releases
    .map((release) => {
      const facts = factsOfRelease(release, day);
      return facts.labels.length === 0 && facts.deprecated === ''
        ? undefined
        : { version: release.version, facts };
    })
    .filter((value) => value !== undefined);

  const alike = Map.groupBy(withFacts, ({ facts }) => JSON.stringify(facts));

  return Array.from(alike.values(), (group) => ({
    versions: group.map(({ version }) => version),
    ...group[0].facts,
  }));
}

function factsOfRelease(
  { reasons, advisories }: JudgedRelease,
  day: Day,
): Omit<VersionFacts, 'versions'> {
  const labels: PinLabel[] = [];

  if (reasons.some((reason) => isInForceOn(reason, day))) {
    labels.push('deprecated');
  }

  if (advisories.length > 0) {
    labels.push('security');
  }

  return {
    advisories: advisoriesInWords(advisories),
    deprecated: reasons.map((reason) => deprecationInWords(reason, day)).join(' '),
    labels,
  };
}

function deprecationInWords(reason: Reason, day: Day): string {
  const words = reasonInWords(reason, day);
  return reason.rule === 'definition' && isInForceOn(reason, day) ? `Deprecated: ${words}` : words;
}

/** Without "no fixed version is known", which may become false. */
function advisoriesInWords(advisories: JudgedRelease['advisories']): string {
  const affecting = advisories.map(({ id, severity, fixed }) => {
    const details = [severity, fixed && `fixed in ${listed(fixed, 3)}`].filter(Boolean).join('; ');
    return details === '' ? id : `${id} (${details})`;
  });

  return affecting.length === 0 ? '' : `Affected by ${listed(affecting, 3)}.`;
}
