/** What of the recorded data waits for a person: new releases, and what sources take from readers. */
import { addDays, findEarliest, type Day } from '../core/day.ts';
import type { Component, Release } from '../core/schema/published.ts';
import {
  takingMarks,
  type Hold,
  type Recorded,
  type StatedLine,
  type TakingMark,
} from '../core/schema/recorded.ts';
import { mapValues } from '../core/objects.ts';
import { formatList } from '../core/text.ts';
import { compareNames } from '../core/version.ts';
import { judgeOne } from '../judge/judge.ts';
import { omitUnadmitted } from '../judge/releases.ts';
import { listShortened, withhold } from '../judge/withhold.ts';
import { holdArrivals } from './arrivals.ts';
import { createHold, type Admitted, type GateInput } from './holds.ts';

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

function listNames(releases: readonly { readonly version: string }[]): string[] {
  return releases.map(({ version }) => version);
}

/** What sources take away, as in a hold. */
interface Taking {
  taken: Record<TakingMark, string[]>;
  lines: StatedLine[];
}

const noMarks: Taking['taken'] = {
  withdrawnSince: [],
  deprecated: [],
  isPrerelease: [],
  malware: [],
};

/** What sources take away that waits. Ends that come closer wait only with the releases that they end. */
function holdLoss(admitted: Admitted): Hold[] {
  const input = { ...admitted, before: omitJunk(admitted) };
  const taking = omitYanks(input, listTaken(input));
  const loss = findLoss(input, taking);
  if (!loss) {
    return [];
  }

  const lost = new Set(loss.versions);
  const taken = mapValues(taking.taken, (versions) => versions.filter((each) => lost.has(each)));
  const lines = taking.lines.filter(({ line }) => loss.lines.has(line));
  return [{ ...createHold(input, 'loss', loss), taken, lines }];
}

/** A batch of so many releases may be junk. */
const leastJunk = 10;

/**
 * What readers had, without the junk that leaves today: it is neither lost nor counted. Junk is a batch of at least ten releases, first
 * seen on one day, that leaves together and alone. For example, a source of 35 releases lists 60 others, too, on Monday, and its own 35
 * again from Tuesday on: the 60 are junk. These are not:
 * - what the component began with;
 * - a batch with the latest release: it may be true, while a mirror serves the list of last week;
 * - a part of a batch: a broken page may cut off 600 of 700 releases that were first seen on the second day.
 */
function omitJunk({ component: name, definition, before, after, day }: Admitted): Recorded {
  const batches = listLeavingBatches(before, after);
  if (batches.length === 0) {
    return before;
  }

  const { latest } = judgeOne({ name, definition, recorded: before }, day);
  const junk = new Set(
    batches.filter((versions) => !versions.some((version) => version === latest)).flat(),
  );
  return { ...before, releases: before.releases.filter(({ version }) => !junk.has(version)) };
}

/** The versions of each batch that leaves as a whole, without any other release. */
function listLeavingBatches(before: Recorded, after: Recorded): string[][] {
  const present = before.releases.filter(({ withdrawnSince }) => withdrawnSince === undefined);
  const listed = new Set(listNames(present));
  const leaving = after.releases.filter(
    ({ version, withdrawnSince }) => withdrawnSince !== undefined && listed.has(version),
  );
  const began = findEarliest(before.releases.map(({ firstSeen }) => firstSeen));
  return [...Map.groupBy(leaving, ({ missingSince }) => missingSince).values()]
    .filter((together) => {
      const { firstSeen } = together[0]!;
      const batch = before.releases.filter((each) => each.firstSeen === firstSeen);
      const isWhole =
        together.length === batch.length && together.every((each) => each.firstSeen === firstSeen);
      return isWhole && together.length >= leastJunk && firstSeen !== began;
    })
    .map(listNames);
}

/**
 * Without new yanks that would not wait by themselves: a removal that waits must not hide them. For example, 9 of 12 releases wait as
 * withdrawn, and upstream yanks 1.9.3: readers learn of it on that day, and the hold goes on with the 9.
 */
function omitYanks(input: Admitted, taking: Taking): Taking {
  const losses = input.held.filter(({ kind }) => kind === 'loss');
  const waiting = new Set(losses.flatMap(({ taken }) => taken?.deprecated ?? []));
  const { deprecated } = taking.taken;
  const yanked = deprecated.filter((version) => !waiting.has(version));
  if (yanked.length === 0) {
    return taking;
  }

  const former = deprecated.filter((version) => waiting.has(version));
  const rest: Taking = { ...taking, taken: { ...taking.taken, deprecated: former } };
  const yanks: Taking = { taken: { ...noMarks, deprecated: yanked }, lines: [] };
  const after = withhold(input.after, [{ kind: 'loss', versions: [], ...rest }]);
  const isSmall = findLoss({ ...input, after }, yanks) === undefined;
  const hasLoss = losses.length > 0 || findLoss(input, rest) !== undefined;
  return isSmall && hasLoss ? rest : taking;
}

/**
 * New marks (withdrawn, deprecated, prerelease, malware) and earlier ends of support. Not the first end of a line or ends from a new source:
 * they take nothing away. Not locked versions or malware: a hold would keep readers on them.
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
 * What readers had before the first taken release went missing. If a source switches to another product, the new releases appear a day
 * before the old ones are withdrawn.
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
    return findCut(earlier, taken.withdrawnSince);
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

/** A source has to drop so many releases, and 3/5 of them. With 1/3, a year of real lists had four more holds. */
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
