import { countDaysBetween, findEarliestDay, type Day } from '../../core/model/dates.ts';
import { computeStates, type ComponentOn } from '../../core/model/states.ts';
import type { Catalogue } from '../../core/query/selection.ts';
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

/** `supported/<component>.json`: the latest release of each line that is certainly supported, oldest first. */
export function listSupportedVersions({ lines }: Pick<DetailsOn, 'lines'>): string[] {
  return lines
    .filter(({ isSupported }) => isSupported)
    .map(findLatest)
    .filter((version) => version !== undefined);
}

/** The version of the latest release of a line, if it has one. */
export function findLatest({ releases }: PublishedLineOn): string | undefined {
  return releases.findLast(({ isLatestOfLine }) => isLatestOfLine)?.version;
}

/** The digests of a release with their sources, but without commits: the digest of a tag in a repository is a commit id. */
export function listDigests({
  digests = {},
}: PublishedReleaseOn): [source: string, digest: string][] {
  const pairs: [string, string][] = [];
  for (const [source, artifacts] of Object.entries(digests)) {
    const isRepository = /^(?:git|github|gitlab)-/.test(source);
    for (const digest of Object.values(artifacts).flatMap((texts) => texts.split(' '))) {
      if (!isRepository || !digest.startsWith('sha1:')) {
        pairs.push([source, digest]);
      }
    }
  }
  return pairs;
}

// Facts that an answer lacks because a source did not answer, or because the index was built too long ago.

/** The sources of a component that have not answered: those of releases and ends of support, and those of advisories. */
export interface UnansweredSources {
  readonly releases?: SilentSources | undefined;
  readonly advisories?: SilentSources | undefined;
}

/**
 * `held`: each of them has answered, and its answer waits for review. `failed`: with the oldest day of their last valid answers,
 * which is absent if one of them never answered.
 */
export type SilentSources =
  { readonly kind: 'held' } | { readonly kind: 'failed'; readonly lastAnswered?: Day | undefined };

/** The gaps in what is known of a component: sources without an answer, and a build that is too old. */
export interface Silence extends UnansweredSources {
  /** The day of the build, if it is too long ago: since then no source has answered. */
  readonly builtOn?: Day | undefined;
}

/** Finds the gaps in what is known of a component on a day. */
export function findSilence(status: StatusFile, component: string, day: Day): Silence {
  const unanswered = findUnanswered(status.components[component]?.troubles);
  return { ...unanswered, builtOn: isTooOld(status, day) ? status.asOf : undefined };
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
  if (failed.length === 0) {
    return { kind: 'held' };
  }

  const days = failed.map(({ lastAnswered }) => lastAnswered);
  const hasNeverAnswered = days.includes(undefined);
  return { kind: 'failed', lastAnswered: hasNeverAnswered ? undefined : findEarliestDay(...days) };
}

/** The freshness of a component on a day: `live` becomes `stale` if its last check is older than the site tolerates. */
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
export function describeStaleness(status: StatusFile, day: Day): string | undefined {
  return isTooOld(status, day)
    ? `This index was last updated on ${status.asOf}; newer releases may be missing.`
    : undefined;
}

function isTooOld({ asOf, staleAfterDays }: StatusFile, day: Day): boolean {
  return countDaysBetween(asOf, day) > staleAfterDays;
}
