import { addDays, findEarliest, type Day } from '../core/day.ts';
import { sha256 } from '../core/files.ts';
import type { Definition } from '../core/schema/written.ts';
import type { Component, Release } from '../core/schema/published.ts';
import {
  takingMarks,
  type Decision,
  type Hold,
  type Recorded,
  type StatedLine,
  type TakingMark,
} from '../core/schema/recorded.ts';
import { mapValues } from '../core/objects.ts';
import { formatList } from '../core/text.ts';
import { compareNames, readVersion } from '../core/version.ts';
import { judgeOne } from '../judge/judge.ts';
import { omitUnadmitted } from '../judge/releases.ts';
import { listShortened, withhold } from '../judge/withhold.ts';

interface GateInput {
  component: string;
  definition: Definition;
  /** What counted until now: readers have it. */
  before: Recorded;
  /** What is recorded now: sources state it. */
  after: Recorded;
  /** The ids of sources that answered for the first time with their definition. */
  firstAnswers: ReadonlySet<string>;
  /** One of these states the ends of lines. */
  hasFirstEnds: boolean;
  /** Those that no run has used. */
  decisions: readonly Decision[];
  /** What waited after the last run. */
  held: readonly Hold[];
  day: Day;
}

/** What the definition admits: the rest reaches nobody. */
interface Admitted extends GateInput {
  /** The versions that a person let through. */
  accepted: ReadonlySet<string>;
}

/**
 * What of the recorded data waits for a person: new releases that can hardly be true, and what sources take away if readers would lose
 * their latest release, or a fifth of the releases in use, or if a source lists much less than before. `counted`: the rest.
 */
export function passGate(input: GateInput) {
  const { definition } = input;
  const recorded = forgetUncounted(input.after, input.held);
  const admitted: Admitted = {
    ...input,
    before: omitUnadmitted(definition, input.before),
    after: omitUnadmitted(definition, recorded),
    accepted: new Set(input.decisions.flatMap(({ versions = [] }) => versions)),
  };
  const arrivals = holdArrivals(admitted);
  const losses = holdLoss({ ...admitted, after: withhold(admitted.after, arrivals) });
  const held = [...arrivals, ...losses];
  return { recorded, held, counted: withhold(recorded, held) };
}

/** Without new versions that waited and that their makers took back: nobody was told of them. */
function forgetUncounted(recorded: Recorded, held: readonly Hold[]): Recorded {
  const arrivals = held.filter(({ kind }) => kind !== 'loss');
  if (arrivals.length === 0) {
    return recorded;
  }

  const waiting = new Set(arrivals.flatMap(({ versions }) => versions));
  const releases = recorded.releases.filter(
    ({ version, withdrawnSince }) => withdrawnSince === undefined || !waiting.has(version),
  );
  return { ...recorded, releases };
}

/** More new versions at once wait. */
const mostArrivals = 1000;

/** New versions that wait: each far above those that count, or all of very many. What waits keeps its id when others come. */
function holdArrivals(input: Admitted): Hold[] {
  const { before, after, firstAnswers, held, accepted } = input;
  const counted = new Set(listNames(before.releases));
  // Further versions of a scheme that was accepted are as usual as it.
  const usual = [...counted, ...accepted];
  const isOutlier = createOutlierTest(usual);
  const added = after.releases.filter(
    ({ version, sources }) =>
      !counted.has(version) &&
      !accepted.has(version) &&
      // A first answer may list thousands.
      (isOutlier(version) || !sources.some((id) => firstAnswers.has(id))),
  );

  const holds: Hold[] = [];
  let rest = listNames(added);
  for (const hold of held.filter(({ kind }) => kind !== 'loss')) {
    const waiting = new Set(hold.versions);
    // Further versions of a scheme that waits wait with it.
    const isOther = createOutlierTest([...usual, ...waiting]);
    const [joining, others] = partition(
      rest,
      (version) => waiting.has(version) || (isOutlier(version) && !isOther(version)),
    );
    if (joining.length > 0) {
      holds.push({ ...hold, versions: joining });
    }
    rest = others;
  }

  const [outliers, others] = partition(rest, isOutlier);
  if (outliers.length > 0) {
    const reason = `${outliers[0]} is far above the recorded versions`;
    holds.push(createHold(input, 'outlier', { versions: outliers, reason }));
  }
  if (others.length > 0 && rest.length > mostArrivals) {
    const reason = `${rest.length} new versions at once`;
    holds.push(createHold(input, 'flood', { versions: others, reason }));
  }
  return holds;
}

function listNames(releases: readonly { readonly version: string }[]): string[] {
  return releases.map(({ version }) => version);
}

function partition<T>(values: readonly T[], test: (value: T) => boolean): [T[], T[]] {
  return [values.filter(test), values.filter((value) => !test(value))];
}

/** What sources take away, as in a hold. */
interface Taking {
  taken: Record<TakingMark, string[]>;
  lines: StatedLine[];
}

/** What sources take away that waits. Ends that come closer wait only with the releases that they end. */
function holdLoss(input: Admitted): Hold[] {
  const taking = listTaken(input);
  const loss = findLoss(input, taking);
  if (!loss) {
    return [];
  }

  const lost = new Set(loss.versions);
  const taken = mapValues(taking.taken, (versions) => versions.filter((each) => lost.has(each)));
  const lines = taking.lines.filter(({ line }) => loss.lines.has(line));
  return [{ ...createHold(input, 'loss', loss), taken, lines }];
}

/**
 * Marks that readers did not have, and ends that came closer. A first end takes nothing, nor does that of another source. What a registry
 * itself has locked, and what is malware, counts at once: to wait would keep readers on it.
 */
function listTaken(input: Admitted): Taking {
  const { before, after, hasFirstEnds, accepted } = input;
  const formerReleases = new Map(before.releases.map((release) => [release.version, release]));
  const suspects = listSuspects(input);
  const taken = takingMarks.map((mark) => {
    const taking = after.releases.filter((release) => {
      const former = formerReleases.get(release.version);
      const isNew = former && release[mark] && !former[mark];
      const isMalware = release.malware !== undefined && !suspects.has(release.version);
      return isNew && !accepted.has(release.version) && !release.isQuarantined && !isMalware;
    });
    return [mark, listNames(taking)];
  });
  return {
    taken: Object.fromEntries(taken),
    lines: hasFirstEnds ? [] : listShortened(before.lines, after.lines),
  };
}

/** What is called malware with all other releases, as well-known packages were by mistake; and what waits for that reason. */
function listSuspects({ after: { releases }, held }: GateInput): Set<string> {
  const waiting = held.flatMap(({ taken }) => taken?.malware ?? []);
  const areAll = releases.every(({ malware }) => malware !== undefined);
  return new Set([...waiting, ...(areAll ? listNames(releases) : [])]);
}

/**
 * What readers had before any of the taken releases was missing: a source that lists another product adds its releases a day before
 * the old ones are withdrawn.
 */
function omitArrivals(before: Recorded, after: Recorded, { taken }: Taking, day: Day): Recorded {
  const withdrawn = new Set(taken.withdrawnSince);
  const missing = after.releases.filter(({ version }) => withdrawn.has(version));
  const since = findEarliest(missing.map(({ missingSince }) => missingSince)) ?? day;
  return { ...before, releases: before.releases.filter(({ firstSeen = '' }) => firstSeen < since) };
}

interface Loss extends Pick<Hold, 'versions' | 'reason'> {
  /** The lines of these versions. */
  lines: ReadonlySet<string>;
}

/** What readers would lose, if it needs a person. One decision covers all of it. */
function findLoss(
  { component: name, definition, before, after, accepted, day }: Admitted,
  taking: Taking,
): Loss | undefined {
  const { taken, lines } = taking;
  if (lines.length === 0 && Object.values(taken).flat().length === 0) {
    return undefined;
  }

  // With all that is new, and with all that sources take away still there.
  const kept = withhold(after, [{ kind: 'loss', versions: [], ...taking }]);
  const earlier = omitArrivals(before, after, taking, day);
  // An end that moves close is lost before its day: as soon as its line would end soon.
  const changes = [day, addDays(day, 90)].map((on) => {
    const judge = (recorded: Recorded) => judgeOne({ name, definition, recorded }, on);
    const [full, reduced] = [judge(kept), judge(after)];
    const worse = listWorse(full, reduced, accepted);
    const reason = describeLoss({ full, reduced, worse }, listInUse(judge(earlier)));
    return { worse, reason };
  });
  const loss = changes.find((change) => change.reason !== undefined)?.reason;
  if (loss === undefined) {
    return findCut(before, taken.withdrawnSince);
  }

  const lost = changes.flatMap(({ worse }) => worse);
  const versions = [...new Set(listNames(lost))].sort(compareNames);
  const lineNames = new Set(lost.map(({ line }) => line));
  const reason = `${loss}${describeMalware(after, taken.malware)}`;
  return { versions, reason, lines: listDeciding(kept.lines, lineNames) };
}

/** A component without what sources take away, and with it. */
interface Change {
  full: Component;
  reduced: Component;
  /** The releases of `full` that get worse, without those that a person let go. */
  worse: readonly Release[];
}

function listWorse(full: Component, reduced: Component, accepted: ReadonlySet<string>): Release[] {
  const byVersion = new Map(reduced.releases.map((release) => [release.version, release]));
  return full.releases.filter(
    (release) => !accepted.has(release.version) && isWorse(release, byVersion.get(release.version)),
  );
}

/** Why a change waits for a person; undefined if it does not. */
function describeLoss(change: Change, inUse: ReadonlySet<string>): string | undefined {
  const { worse, reduced } = change;
  const lost = worse.filter(({ version }) => inUse.has(version)).length;
  if (isMuch(lost, inUse.size)) {
    return `${lost} of ${inUse.size} releases in use would be lost${describeEnds(change)}`;
  }

  const { latest } = reduced;
  const fallen = worse.filter(
    ({ version, isDeprecated, isPrerelease }) =>
      !isDeprecated && !isPrerelease && (!latest || compareNames(version, latest) >= 0),
  );
  // A source may pull its greatest release, and only that.
  const greatest = fallen.at(-1);
  if (greatest && (fallen.length > 1 || !latest)) {
    const fall = `from ${greatest.version} to ${latest ?? 'none'}`;
    return `the latest release would fall ${fall}${describeEnds(change)}`;
  }
  return undefined;
}

/** Whether so many releases at once are lost that a person is asked, in the gate and before a publication. */
export function isMuch(lost: number, all: number): boolean {
  return lost >= 3 && lost * 5 >= all;
}

/** The advisories by which these versions are malware. */
function describeMalware({ releases }: Recorded, versions: string[]): string {
  const advisories = new Set(
    releases.flatMap(({ version, malware }) =>
      malware && versions.includes(version) ? malware.advisory : [],
    ),
  );
  return advisories.size > 0 ? `: malware by ${formatList([...advisories], 3)}` : '';
}

/** The stated lines by which these lines end: their own, or the next newer ones. */
function listDeciding(
  stated: readonly StatedLine[] = [],
  names: ReadonlySet<string>,
): ReadonlySet<string> {
  const ordered = stated.toSorted((a, b) => compareNames(a.line, b.line));
  const find = (name: string) => ordered.find(({ line }) => compareNames(line, name) >= 0);
  return new Set(Array.from(names, find).flatMap((line) => line?.line ?? []));
}

/** So many releases of a source wait, if they are three fifths of it: in a year of real lists, a third held up four more changes. */
const leastCut = 10;

/** A broken page cuts off releases that no line in use has, but that readers have pinned. */
function findCut(before: Recorded, gone: string[]): Loss | undefined {
  const listed = before.releases.filter(({ withdrawnSince }) => !withdrawnSince);
  for (const source of new Set(listed.flatMap(({ sources }) => sources))) {
    const ofSource = listed.filter(({ sources }) => sources.includes(source));
    const lost = ofSource.filter(({ version }) => gone.includes(version)).length;
    if (lost >= leastCut && lost * 5 >= ofSource.length * 3) {
      const reason = `${source} no longer lists ${lost} of ${ofSource.length} recorded releases`;
      return { versions: gone, reason, lines: new Set() };
    }
  }
  return undefined;
}

/** The ends that came closer, with both days: without them nobody can judge a loss. */
function describeEnds({ full, reduced, worse }: Change): string {
  const ends = reduced.lines.flatMap(({ line, supportedUntil: to }) => {
    const from = full.lines.find((each) => each.line === line)?.supportedUntil;
    const isEarlier = to !== undefined && (from === undefined || to < from);
    const isAffected = worse.some((release) => release.line === line);
    const former = from === undefined ? ' (no end before)' : `, not ${from}`;
    return isEarlier && isAffected ? `${line} ends on ${to}${former}` : [];
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
  /** By place, and by line. */
  const greatest = new Map<number | string, number>();
  for (const { value, place, line } of versions.flatMap(listNumbers)) {
    [place, line].forEach((key) => greatest.set(key, Math.max(value, greatest.get(key) ?? 0)));
  }

  return (version) =>
    listNumbers(version).some(({ value, place, line }) => {
      const ofAll = greatest.get(place) ?? Infinity;
      // Numbers of builds start anew in each line, and are high in each.
      const bound = greatest.get(line) ?? ofAll;
      return value > ofAll && value >= bound * measure && value >= bound + measure;
    });
}

/** The first numbers, each with its place, and with the numbers before it as its line. */
function listNumbers(version: string) {
  const { groups } = readVersion(version);
  return groups.slice(0, comparedNumbers).map((group, place) => ({
    value: Number(group),
    place,
    line: groups.slice(0, place).join('.'),
  }));
}

/** The id is made of the versions with which it began: a loss that grows keeps it, and another loss has another one. */
function createHold(
  { component, held, day }: GateInput,
  kind: Hold['kind'],
  { versions, reason }: Pick<Hold, 'versions' | 'reason'>,
): Hold {
  const digest = sha256([kind, ...versions].join(' ')).slice(0, 10);
  const former = held.find(
    (hold) => hold.kind === kind && hold.versions.some((version) => versions.includes(version)),
  );
  const { id, since } = former ?? { id: `${component}-${digest}`, since: day };
  const command = `npx release-index accept ${id}`;
  return { id, component, kind, since, reason, versions, command };
}
