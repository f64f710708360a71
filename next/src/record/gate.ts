import { hash } from 'node:crypto';
import { addDays, type Day } from '../core/day.ts';
import type { Component, Release } from '../core/schema/published.ts';
import type { Decision, Hold, Recorded, RecordedRelease } from '../core/schema/recorded.ts';
import { compareVersions, parseVersion } from '../core/version.ts';

interface GateInput {
  component: string;
  before: Recorded;
  after: Recorded;
  judge(recorded: Recorded, day: Day): Component;
  decisions: readonly Decision[];
  /** What waited after the last run. */
  held: readonly Hold[];
  day: Day;
}

/**
 * Lets new releases in at once. What sources take away waits for a person if readers would lose their latest release, or a fifth of
 * the releases in use. Returns the data to record.
 */
export function passGate(input: GateInput): { recorded: Recorded; held: Hold[] } {
  const { component, before, judge, decisions, day } = input;
  const own = decisions.filter((decision) => decision.component === component);
  const accepted = new Set(own.flatMap(({ versions = [] }) => versions));
  const held: Hold[] = [];

  const outliers = findOutliers(before, input.after, accepted);
  const after = omitVersions(input.after, outliers);
  if (outliers.length > 0) {
    held.push(
      createHold(input, 'outlier', outliers, `${outliers[0]} is far above the recorded versions`),
    );
  }

  const kept = keepTaken(before, after, accepted);
  if (kept) {
    const had = omitArrivals(before, after, day);
    // An end that moves close is lost before its day.
    for (const on of [day, addDays(day, 90)]) {
      const inUse = listInUse(judge(had, on));
      const loss = findLoss(inUse, judge(kept, on), judge(after, on), accepted);
      if (loss) {
        held.push(createHold(input, 'loss', loss.versions, loss.reason));
        return { recorded: kept, held };
      }
    }
  }
  return { recorded: after, held };
}

/** The data with all that is new, and with all that sources take away still there; undefined if they take nothing. */
function keepTaken(
  before: Recorded,
  after: Recorded,
  accepted: ReadonlySet<string>,
): Recorded | undefined {
  const earlier = new Map(before.releases.map((release) => [release.version, release]));
  let isChanged = JSON.stringify(before.lines) !== JSON.stringify(after.lines);

  const releases = after.releases.map((release) => {
    const former = earlier.get(release.version);
    if (!former || accepted.has(release.version) || !takesAway(former, release)) {
      return release;
    }

    isChanged = true;
    const { withdrawnSince: _, deprecated: __, isPrerelease: ___, ...values } = release;
    const { withdrawnSince, deprecated, isPrerelease } = former;
    return dropAbsent({ ...values, withdrawnSince, deprecated, isPrerelease });
  });

  const { lines: _, ...others } = after;
  const lines = before.lines ? { lines: before.lines } : {};
  return isChanged ? { ...others, releases, ...lines } : undefined;
}

/**
 * What readers had before any of the taken releases was missing: a source that lists another product adds its releases a day before
 * the old ones are withdrawn.
 */
function omitArrivals(before: Recorded, after: Recorded, day: Day): Recorded {
  const missingDays = after.releases
    .filter(({ withdrawnSince }) => withdrawnSince === day)
    .map(({ missingSince = day }) => missingSince);
  const since = missingDays.sort()[0] ?? day;
  return { ...before, releases: before.releases.filter(({ firstSeen = '' }) => firstSeen < since) };
}

function takesAway(former: RecordedRelease, release: RecordedRelease): boolean {
  return (
    (release.withdrawnSince !== undefined && former.withdrawnSince === undefined) ||
    (release.deprecated !== undefined && former.deprecated === undefined) ||
    (release.isPrerelease === true && former.isPrerelease !== true)
  );
}

interface Loss {
  versions: string[];
  reason: string;
}

/** What readers lose by the second of two judgements of one day, if it needs a person. One decision covers all of it. */
function findLoss(
  inUse: ReadonlySet<string>,
  before: Component,
  after: Component,
  accepted: ReadonlySet<string>,
): Loss | undefined {
  const later = new Map(after.releases.map((release) => [release.version, release]));
  const worse = before.releases.filter(
    (release) => !accepted.has(release.version) && isWorse(release, later.get(release.version)),
  );
  const versions = worse.map(({ version }) => version);

  const lost = versions.filter((version) => inUse.has(version));
  if (lost.length >= 3 && lost.length >= inUse.size / 5) {
    return { versions, reason: `${lost.length} of ${inUse.size} releases in use would be lost` };
  }

  // A source may pull its greatest release, and only that.
  const latest = after.latest && parseVersion(after.latest);
  const fallen = worse.filter(
    ({ version, isDeprecated, isPrerelease }) =>
      !isDeprecated &&
      !isPrerelease &&
      !(latest && compareVersions(parseVersion(version)!, latest) < 0),
  );
  if (fallen.length > 1 || (fallen.length === 1 && !latest)) {
    const fall = `from ${fallen.at(-1)!.version} to ${after.latest ?? 'none'}`;
    return { versions, reason: `the latest release would fall ${fall}` };
  }
  return undefined;
}

function isWorse(before: Release, after: Release | undefined): boolean {
  if (!after || (after.isPrerelease && !before.isPrerelease)) {
    return true;
  }

  // New lines may end all others by a policy, and then hide that these are withdrawn.
  return after.isDeprecated && after.state !== before.state;
}

const newestLines = 3;

/** The supported releases. If no end is stated, those of the newest lines. */
function listInUse({ releases, lines }: Component): Set<string> {
  const newest = new Set(lines.slice(-newestLines).map(({ line }) => line));
  const inUse = releases.filter(
    ({ isDeprecated, state, line }) =>
      !isDeprecated && (state !== 'no-promise' || newest.has(line)),
  );
  return new Set(inUse.map(({ version }) => version));
}

/** A number is an outlier if it is so many times the greatest before it, and that is at least `leastMeasure`. */
const outlierFactor = 10;
const leastMeasure = 10;
/** Later numbers may be those of builds. */
const comparedNumbers = 3;

/** New versions with a number far above the recorded ones, such as a day or a build between versions. */
function findOutliers(before: Recorded, after: Recorded, accepted: ReadonlySet<string>): string[] {
  const known = new Set(before.releases.map(({ version }) => version));
  const greatest = findGreatestNumbers(before);

  const isFarAbove = (version: string) => {
    const numbers = listNumbers(version);
    return numbers.some((number, place) => {
      const anywhere = greatest.get(`${place}`) ?? Infinity;
      const measure = greatest.get(namePlace(numbers, place)) ?? anywhere;
      // Numbers of builds start anew in each line, and are high in each.
      return number > anywhere && number >= Math.max(measure, leastMeasure) * outlierFactor;
    });
  };
  const added = after.releases
    .map(({ version }) => version)
    .filter((version) => !known.has(version));
  return added.filter((version) => !accepted.has(version) && isFarAbove(version));
}

/** The greatest number at each place: behind the same numbers, and behind any. */
function findGreatestNumbers({ releases }: Recorded): Map<string, number> {
  const greatest = new Map<string, number>();
  for (const { version } of releases) {
    const numbers = listNumbers(version);
    for (const [place, number] of numbers.entries()) {
      for (const key of [namePlace(numbers, place), `${place}`]) {
        greatest.set(key, Math.max(number, greatest.get(key) ?? 0));
      }
    }
  }
  return greatest;
}

function namePlace(numbers: readonly number[], place: number): string {
  return `behind ${numbers.slice(0, place).join('.')}`;
}

function listNumbers(version: string): number[] {
  return parseVersion(version)!.groups.slice(0, comparedNumbers).map(Number);
}

function omitVersions(recorded: Recorded, versions: readonly string[]): Recorded {
  const omitted = new Set(versions);
  return {
    ...recorded,
    releases: recorded.releases.filter(({ version }) => !omitted.has(version)),
  };
}

/** The id is made of the versions alone: it is the same on every day, and another loss has another id. */
function createHold(
  { component, held, day }: GateInput,
  kind: Hold['kind'],
  versions: string[],
  reason: string,
): Hold {
  const digest = hash('sha256', [kind, ...versions].join(' ')).slice(0, 10);
  const id = `${component}-${digest}`;
  const former = held.find((hold) => hold.component === component && hold.kind === kind);
  return {
    id,
    component,
    kind,
    since: former?.since ?? day,
    reason,
    versions,
    command: `npx release-index accept ${id}`,
  };
}

function dropAbsent(release: { [K in keyof RecordedRelease]: RecordedRelease[K] | undefined }) {
  const entries = Object.entries(release).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as unknown as RecordedRelease;
}
