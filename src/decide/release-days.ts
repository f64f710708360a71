/** The days of releases: the recent ones, the days of a timetable, and the sources that state none. */
import {
  addDays,
  addMonths,
  startOfQuarter,
  newestFirst,
  cutDay,
  type Day,
} from '../core/model/dates.ts';
import { pick } from '../core/model/objects.ts';
import { findStatedDay } from '../core/model/states.ts';
import { removeAddress } from '../core/schemas/definition/source-ids.ts';
import type { SupportPolicy } from '../core/schemas/definition/support-policy.ts';
import { listSourcesListing, type RecordedRelease } from '../core/schemas/recorded/recorded.ts';
import { formatCount } from '../core/text/wording.ts';
import type { JudgedRelease, Judgement } from './judge.ts';

/** A release of the last half year, with its component. */
export interface RecentRelease extends Pick<
  JudgedRelease,
  'version' | 'isDeprecated' | 'line' | 'changelogUrl'
> {
  readonly component: string;
  readonly title: string;
  /** Its release day, or the day it was first seen. */
  readonly day: Day;
  readonly isObserved: boolean;
  /** Whether it is the first release of its line. */
  readonly opensLine: boolean;
  /** The first words of its release notes. */
  readonly notes: string;
}

/** Counted back from the newest release. */
const recentDays = 26 * 7;

/** Some products publish releases every few hours. */
const maxRecent = 60;

/** So many releases do not come on one day. */
const manyAtOnce = 10;

type DatedRelease = JudgedRelease & { readonly releaseDay: Day };

/**
 * The releases whose day says something about them. Where a registry states no days, many releases were first seen on one day: on
 * that day, the index first asked.
 */
export function listDatedReleases({ releases }: Pick<Judgement, 'releases'>): DatedRelease[] {
  const observed = releases.filter(({ timestampKind }) => timestampKind === 'observed');
  const byDay = Map.groupBy(observed, ({ releaseDay }) => releaseDay);
  return releases.filter(
    (release): release is DatedRelease =>
      release.releaseDay !== undefined &&
      (release.timestampKind !== 'observed' || byDay.get(release.releaseDay)!.length < manyAtOnce),
  );
}

/**
 * The releases of the half year before the newest one; newest day first, then the greatest version first. Counting back from a
 * release instead of today keeps the list unchanged on days without news.
 */
export function listRecentReleases(
  component: string,
  title: string,
  judgement: Judgement,
): RecentRelease[] {
  const firstReleases = new Set(judgement.lines.map(({ releases }) => releases[0]));

  const releases = listDatedReleases(judgement).map((release) => ({
    ...pick(release, ['version', 'isDeprecated', 'line', 'changelogUrl']),
    component,
    title,
    day: release.releaseDay,
    isObserved: release.timestampKind === 'observed',
    opensLine: firstReleases.has(release),
    notes: release.recorded.notes ?? '',
  }));
  releases.reverse().sort((a, b) => newestFirst(a.day, b.day));

  const [newest] = releases;
  if (!newest) {
    return [];
  }

  const from = addDays(newest.day, 1 - recentDays);
  return releases.slice(0, maxRecent).filter(({ day }) => day >= from);
}

/**
 * The recent releases of all components: newest day first, then by component, the greatest version first. Frequently released
 * components have only their newest.
 */
export function mergeRecentReleases(
  summaries: readonly { readonly recent: readonly RecentRelease[] }[],
): RecentRelease[] {
  return summaries.flatMap(({ recent }) => recent).sort((a, b) => newestFirst(a.day, b.day));
}

/** The release days since a year before this quarter, oldest first. The range moves once a quarter. */
export function listReleaseDays(judgement: Judgement): Day[] {
  const from = addMonths(startOfQuarter(judgement.day), -12);
  const days = listDatedReleases(judgement).map(({ releaseDay }) => releaseDay);
  return [...new Set(days)].filter((on) => on >= from).sort();
}

/** A source without release days. */
interface UndatedSource {
  /** The versions of its first answer: their days have no lower bound. */
  readonly versions: readonly string[];
  readonly message: string;
}

/** The sources that state no release day, unless the policy states the ends or counts the lines. */
export function findUndatedSources(
  releases: readonly RecordedRelease[],
  support: SupportPolicy | undefined,
): UndatedSource[] {
  if (support && support.policy !== 'none' && support.policy !== 'term') {
    return [];
  }

  const undated: UndatedSource[] = [];
  for (const id of new Set(releases.flatMap(listSourcesListing))) {
    const listed = releases.filter((release) => listSourcesListing(release).includes(id));
    const byDay = Map.groupBy(listed, findObservedDay);
    const [firstDay] = [...byDay.keys()].sort();
    if (firstDay === undefined || byDay.has(undefined)) {
      continue;
    }

    const versions = byDay.get(firstDay)?.map(({ version }) => version) ?? [];
    const message =
      `${removeAddress(id)} states no release days: no end of support can be computed for ` +
      `${formatCount(versions.length, 'release')} first seen on ${firstDay}, which may be older. Add a stated policy, or days`;
    undated.push({ versions, message });
  }
  return undated;
}

/** Undefined if a source states the day. */
function findObservedDay(release: RecordedRelease): Day | undefined {
  const { firstSeen, releaseTimestamp } = release;
  const isStated = findStatedDay(release) !== undefined;
  return isStated ? undefined : (firstSeen ?? (releaseTimestamp && cutDay(releaseTimestamp)));
}
