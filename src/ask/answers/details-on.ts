import { countDaysBetween, findEarliestDay, type Day } from '../../core/model/dates.ts';
import { findLastFreePhase } from '../../core/model/phases.ts';
import { computeStates, type ComponentOn } from '../../core/model/states.ts';
import { describeSupport } from '../../core/model/words.ts';
import type { Catalogue } from '../../core/query/catalogue.ts';
import { listRows, addUsualValues } from '../../core/query/rows.ts';
import type {
  DetailsFile,
  PublishedLine,
  PublishedRelease,
} from '../../core/schemas/published/details-file.ts';
import type {
  ComponentStatus,
  PublishedTrouble,
  StatusFile,
} from '../../core/schemas/published/status-file.ts';

type Release = Omit<PublishedRelease, 'isPrerelease'> & {
  readonly isPrerelease: boolean;
};
type Line = Omit<PublishedLine, 'releases'> & {
  readonly releases: readonly Release[];
};
type StatesOn = ComponentOn<Line, Release>;

type Head = Omit<
  DetailsFile,
  'lines' | 'releases' | 'sources' | 'onBuildDay' | 'isSeenWhenReleased'
>;

/** A component with its states on a day. */
export interface DetailsOn extends Head, StatesOn {}
/** A published release with its state on a day. */
export type PublishedReleaseOn = StatesOn['releases'][number];
export type PublishedLineOn = StatesOn['lines'][number];

/** Adds the states on a day to the facts in the `details/` document of a component. */
export function computeDetailsOn(
  { onBuildDay: _, isSeenWhenReleased, sources, ...details }: DetailsFile,
  day: Day,
): DetailsOn {
  const releases = details.releases.map((release): Release => ({
    ...addUsualValues(release, { isSeenWhenReleased }),
    sources: release.sources ?? sources,
  }));
  const byLine = Map.groupBy(releases, ({ line }) => line);
  const lines = details.lines.map((line) => ({ ...line, releases: byLine.get(line.line) ?? [] }));
  return { ...details, ...computeStates<Release, Line>(lines, day) };
}

/** The releases of a component as query rows. */
export function listDetailRows(
  details: DetailsOn,
  freshness?: ComponentStatus['state'],
): Catalogue {
  return listRows({ ...details, policy: details.support.policy, freshness });
}

/** Sources of a component without an answer; empty if every source has answered. */
export interface UnansweredSources {
  /** Sources that list releases or state ends. */
  readonly releases?: SilentSources | undefined;
  readonly advisories?: SilentSources | undefined;
  /** The day of the build, where it is too old: since then no source has answered. */
  readonly builtOn?: Day | undefined;
}

export interface SilentSources {
  /** The oldest day of a last sound answer; absent where one has never answered. */
  readonly lastAnswered?: Day | undefined;
  /** Whether an answer waits for review. */
  readonly isHeld: boolean;
}

/** `troubles`: as in the status of a component. */
export function findUnanswered(troubles: readonly PublishedTrouble[] = []): UnansweredSources {
  const byTopic = Map.groupBy(troubles, ({ source }) =>
    /^(?:osv|exploited)\b/.test(source) ? 'advisories' : 'releases',
  );
  return {
    releases: findSilentSources(byTopic.get('releases')),
    advisories: findSilentSources(byTopic.get('advisories')),
  };
}

function findSilentSources(troubles?: readonly PublishedTrouble[]): SilentSources | undefined {
  if (!troubles) {
    return undefined;
  }

  const failed = troubles.filter(({ kind }) => kind === 'failed');
  const days = failed.map(({ lastAnswered }) => lastAnswered);
  const lastAnswered = days.includes(undefined) ? undefined : findEarliestDay(...days);
  return { lastAnswered, isHeld: failed.length === 0 };
}

/** The freshness of a component on a day: an index that was not built again for too long has nothing live. */
export function computeFreshnessOn(
  { components, staleAfterDays }: StatusFile,
  component: string,
  day: Day,
): ComponentStatus['state'] | undefined {
  const { state, lastChecked } = components[component] ?? {};
  const isOld = lastChecked !== undefined && countDaysBetween(lastChecked, day) > staleAfterDays;
  return state === 'live' && isOld ? 'stale' : state;
}

/** A warning if the index was built too long ago. */
export function describeStaleness(
  { asOf, staleAfterDays }: StatusFile,
  day: Day,
): string | undefined {
  if (countDaysBetween(asOf, day) <= staleAfterDays) {
    return undefined;
  }

  return `This index was last updated on ${asOf}; newer releases may be missing.`;
}

/** `supported/<component>.json`: the latest release of each line that is certainly supported, oldest first. */
export function listSupportedVersions({ lines }: Pick<DetailsOn, 'lines'>): string[] {
  return lines
    .filter(({ isSupported }) => isSupported)
    .map(findLatest)
    .filter((version) => version !== undefined);
}

/** The lines that are or may be supported, newest first, as a Markdown table with the command that prints it in a comment. */
export function renderSupportedLines({ lines }: DetailsOn, command: string): string[] {
  const rows = lines
    .filter(({ isSupported, phases }) => isSupported ?? findLastFreePhase(phases) !== undefined)
    .map((line) => {
      const support = describeSupport(line).replaceAll('|', '&#124;');
      const origin = line.inferred ? ' (inferred)' : '';
      return `| ${line.line} | ${findLatest(line) ?? ''} | ${support}${origin} |`;
    })
    .reverse();
  const table = ['| Release line | Latest | Support |', '| --- | --- | --- |', ...rows];
  return [
    ...(rows.length > 0 ? table : ['No release line is known to be supported.']),
    '',
    `<!-- ${command} -->`,
  ];
}

function findLatest({ releases }: PublishedLineOn): string | undefined {
  return releases.findLast(({ isLatestOfLine }) => isLatestOfLine)?.version;
}
