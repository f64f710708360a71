import { addDays, findEarliest, type Day } from '../core/day.ts';
import { sha256 } from '../core/files.ts';
import { pick } from '../core/objects.ts';
import type { Definition } from '../core/schema/definition.ts';
import type { Component, Release } from '../core/schema/published.ts';
import type { Decision, Hold, Recorded, RecordedRelease } from '../core/schema/recorded.ts';
import { formatList } from '../core/text.ts';
import { compareNames, readVersion } from '../core/version.ts';
import { judgeOne } from '../judge/judge.ts';

export interface GateInput {
  component: string;
  definition: Definition;
  before: Recorded;
  after: Recorded;
  /** The ids of sources that have answered before, with the same definition. */
  settled: ReadonlySet<string>;
  /** Those that no run has used. */
  decisions: readonly Decision[];
  /** What waited after the last run. */
  held: readonly Hold[];
  day: Day;
}

/**
 * Lets new releases in at once, except those that can hardly be true. What sources take away waits for a person if readers would lose
 * their latest release, or a fifth of the releases in use, or if a source lists much less than before.
 */
export function passGate(input: GateInput) {
  const { before, decisions } = input;
  // An old decision has no kind, and lets through both.
  const losses = listVersions(
    decisions.filter(({ kind }) => kind !== 'outlier' && kind !== 'flood'),
  );
  const arrivals = listVersions(decisions.filter(({ kind }) => kind !== 'loss'));
  const held = holdArrivals(input, arrivals);
  const waiting = listVersions(held);
  const admitted = input.after.releases.filter(({ version }) => !waiting.has(version));
  const after = { ...input.after, releases: admitted };
  const kept = keepTaken(before, after, losses);
  const loss = kept && findLoss(input, kept, after, losses);
  return {
    /** The data to record. */
    recorded: loss ? kept : after,
    held: loss ? [...held, createHold(input, 'loss', loss)] : held,
    /** The ids of the decisions that were used. */
    accepted: decisions.map(({ id }) => id),
  };
}

function listVersions(items: readonly { versions?: string[] | undefined }[]): Set<string> {
  return new Set(items.flatMap(({ versions = [] }) => versions));
}

/** More new versions at once wait. */
const mostArrivals = 1000;

/** New versions that wait: each far above the recorded ones, or all of very many. What waits keeps its id when others come. */
function holdArrivals(input: GateInput, accepted: ReadonlySet<string>): Hold[] {
  const { before, after, settled } = input;
  const recorded = new Set(listNames(before.releases));
  // Further versions of a scheme that was accepted are as usual as it.
  const usual = [...recorded, ...accepted];
  const isOutlier = createOutlierTest(usual);
  const added = after.releases.filter(
    ({ version, sources }) =>
      !recorded.has(version) &&
      !accepted.has(version) &&
      // A first answer may list thousands.
      (isOutlier(version) || sources.every((id) => settled.has(id))),
  );

  // What a loss holds is recorded, and no arrival.
  const waiting = input.held.map((hold) => {
    const isOther = createOutlierTest([...usual, ...hold.versions]);
    return { hold, isOther, versions: new Set(hold.versions) };
  });
  // By what waits already, or by why a release waits anew.
  const groups = Map.groupBy(added, ({ version }): Hold | Hold['kind'] => {
    const kind = isOutlier(version) ? 'outlier' : 'flood';
    // Further versions of a scheme that waits wait with it.
    const own = waiting.find(
      ({ versions, isOther }) => versions.has(version) || (kind === 'outlier' && !isOther(version)),
    );
    return own?.hold ?? kind;
  });
  return [...groups].flatMap(([group, releases]): Hold | Hold[] => {
    if (typeof group === 'object') {
      // Those that are silent today wait on.
      const all = [...(group.releases ?? []), ...releases];
      const byVersion = new Map(all.map((each) => [each.version, each]));
      return { ...group, versions: [...byVersion.keys()], releases: [...byVersion.values()] };
    }
    if (group === 'flood' && releases.length <= mostArrivals) {
      return [];
    }

    const versions = listNames(releases);
    const reason =
      group === 'flood'
        ? `${versions.length} new versions at once`
        : `${versions[0]} is far above the recorded versions`;
    return { ...createHold(input, group, { versions, reason }), releases };
  });
}

function listNames(releases: readonly { readonly version: string }[]): string[] {
  return releases.map(({ version }) => version);
}

/** The data with all that is new, and with all that sources take away still there; undefined if they take nothing. */
function keepTaken(
  before: Recorded,
  after: Recorded,
  accepted: ReadonlySet<string>,
): Recorded | undefined {
  const byVersion = new Map(before.releases.map((release) => [release.version, release]));
  const releases = after.releases.map((release): RecordedRelease => {
    const former = byVersion.get(release.version);
    if (!former || accepted.has(release.version) || !takesAway(former, release)) {
      return release;
    }

    return { ...release, ...pick(former, [...marks, 'deprecatedSince']) };
  });

  const isTaken =
    releases.some((release, index) => release !== after.releases[index]) ||
    JSON.stringify(before.lines) !== JSON.stringify(after.lines);
  return isTaken ? { ...after, releases, lines: before.lines } : undefined;
}

/**
 * What readers had before any of the taken releases was missing: a source that lists another product adds its releases a day before
 * the old ones are withdrawn.
 */
function omitArrivals(before: Recorded, after: Recorded, day: Day): Recorded {
  const taken = after.releases.filter(({ withdrawnSince }) => withdrawnSince === day);
  const since = findEarliest(taken.map(({ missingSince }) => missingSince)) ?? day;
  return { ...before, releases: before.releases.filter(({ firstSeen = '' }) => firstSeen < since) };
}

/** By each of these, readers lose a release. */
const marks = ['withdrawnSince', 'deprecated', 'isPrerelease'] as const;

function takesAway(former: RecordedRelease, release: RecordedRelease): boolean {
  return marks.some((mark) => release[mark] && !former[mark]);
}

type Loss = Pick<Hold, 'versions' | 'reason'>;

/** What readers would lose, if it needs a person. One decision covers all of it. */
function findLoss(
  { component: name, definition, before, day }: GateInput,
  kept: Recorded,
  after: Recorded,
  accepted: ReadonlySet<string>,
): Loss | undefined {
  const earlier = omitArrivals(before, after, day);
  // An end that moves close is lost before its day: as soon as its line would end soon.
  for (const on of [day, addDays(day, 90)]) {
    const judge = (recorded: Recorded) => judgeOne({ name, definition, recorded }, on);
    const full = judge(kept);
    const reduced = judge(after);
    const { latest } = reduced;
    const byVersion = new Map(reduced.releases.map((release) => [release.version, release]));
    const worse = full.releases.filter(
      (release) =>
        !accepted.has(release.version) && isWorse(release, byVersion.get(release.version)),
    );
    const versions = listNames(worse);
    const ends = describeEnds(full, reduced, worse);

    const inUse = listInUse(judge(earlier));
    const lost = versions.filter((version) => inUse.has(version));
    if (lost.length >= 3 && lost.length >= inUse.size / 5) {
      const reason = `${lost.length} of ${inUse.size} releases in use would be lost${ends}`;
      return { versions, reason };
    }

    // A source may pull its greatest release, and only that.
    const fallen = worse.filter(
      ({ version, isDeprecated, isPrerelease }) =>
        !isDeprecated && !isPrerelease && (!latest || compareNames(version, latest) >= 0),
    );
    const greatest = fallen.at(-1);
    if (greatest && (fallen.length > 1 || !latest)) {
      const fall = `from ${greatest.version} to ${latest ?? 'none'}`;
      return { versions, reason: `the latest release would fall ${fall}${ends}` };
    }
  }
  return findCut(before, kept, after);
}

/** So many releases of a source wait, if they are three fifths of it: in a year of real lists, a third held up four more changes. */
const leastCut = 10;

/** A broken page cuts off releases that no line in use has, but that readers have pinned. */
function findCut(before: Recorded, kept: Recorded, after: Recorded): Loss | undefined {
  // Both have the same releases, in one order.
  const gone = listNames(
    after.releases.filter(
      ({ withdrawnSince }, index) => withdrawnSince !== kept.releases[index]!.withdrawnSince,
    ),
  );
  const listed = before.releases.filter(({ withdrawnSince }) => !withdrawnSince);
  for (const source of new Set(listed.flatMap(({ sources }) => sources))) {
    const own = listed.filter(({ sources }) => sources.includes(source));
    const lost = own.filter(({ version }) => gone.includes(version)).length;
    if (lost >= leastCut && lost * 5 >= own.length * 3) {
      const reason = `${source} no longer lists ${lost} of ${own.length} recorded releases`;
      return { versions: gone, reason };
    }
  }
  return undefined;
}

/** The ends that came closer, with both days: without them nobody can judge a loss. */
function describeEnds(before: Component, after: Component, worse: readonly Release[]): string {
  const ends = after.lines.flatMap(({ line, supportedUntil: to }) => {
    const from = before.lines.find((each) => each.line === line)?.supportedUntil;
    const isEarlier = to !== undefined && (from === undefined || to < from);
    const isAffected = worse.some((release) => release.line === line);
    return isEarlier && isAffected ? `${line} ends on ${to}, not ${from ?? 'without end'}` : [];
  });
  return ends.length > 0 ? `: ${formatList(ends, 3)}` : '';
}

function isWorse(before: Release, after: Release | undefined): boolean {
  if (!after || (after.isPrerelease && !before.isPrerelease)) {
    return true;
  }

  // Not only newly deprecated: new lines may end all others by a policy, and then hide that these are withdrawn.
  return after.isDeprecated && after.state !== before.state;
}

const newestLines = 3;

/** The supported releases. If no end is stated, those of the newest lines. */
function listInUse({ releases, lines }: Component): Set<string> {
  const usable = lines.filter(({ latest }) => latest);
  const newest = new Set(usable.slice(-newestLines).map(({ line }) => line));
  const inUse = releases.filter(
    ({ isDeprecated, state, line }) =>
      !isDeprecated && (state !== 'no-promise' || newest.has(line)),
  );
  return new Set(listNames(inUse));
}

/** An outlier is so many times the greatest number before it, and so much above it. */
const measure = 10;
/** Later numbers may be those of builds. */
const comparedNumbers = 3;

/** Whether a version has a number far above the recorded ones, such as a day or a build between versions. */
function createOutlierTest(versions: readonly string[]): (version: string) => boolean {
  // By place, which is a number, and by the numbers before it, which are a text.
  const greatest = new Map<number | string, number>();
  for (const { number, behind, place } of versions.flatMap(listNumbers)) {
    for (const key of [behind, place]) {
      greatest.set(key, Math.max(number, greatest.get(key) ?? 0));
    }
  }

  return (version) =>
    listNumbers(version).some(({ number, behind, place }) => {
      const ofAll = greatest.get(place) ?? Infinity;
      // Numbers of builds start anew in each line, and are high in each.
      const bound = greatest.get(behind) ?? ofAll;
      return number > ofAll && number >= bound * measure && number >= bound + measure;
    });
}

/** The first numbers, each with its place, and with the numbers that it is behind. */
function listNumbers(version: string) {
  const { groups } = readVersion(version);
  return groups.slice(0, comparedNumbers).map((group, index) => ({
    number: Number(group),
    behind: groups.slice(0, index).join('.'),
    place: index,
  }));
}

/** The id is made of the versions alone: it is the same on every day, and another loss has another id. */
function createHold(
  { component, held, day }: GateInput,
  kind: Hold['kind'],
  { versions, reason }: Loss,
): Hold {
  const digest = sha256([kind, ...versions].join(' ')).slice(0, 10);
  const id = `${component}-${digest}`;
  const since = held.find((hold) => hold.id === id)?.since ?? day;
  const command = `npx release-index accept ${id}`;
  return { id, component, kind, since, reason, versions, command };
}
