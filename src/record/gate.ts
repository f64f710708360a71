/**
 * The gate: it holds improbable new releases and large removals back from readers. A hold ends if a person accepts it or upstream corrects
 * it.
 */
import { addDays, findEarliest, type Day } from '../core/day.ts';
import { mapValues } from '../core/objects.ts';
import type { Component, Release } from '../core/schema/published.ts';
import { takingMarks, type Hold, type Recorded, type TakingMark } from '../core/schema/recorded.ts';
import { formatList, formatShare } from '../core/text.ts';
import { compareNames } from '../core/version.ts';
import { judgeOne } from '../judge/judge.ts';
import { omitUnadmitted } from '../judge/listed-releases.ts';
import { findDeciding, listShortened, withhold } from '../judge/withhold.ts';
import { holdArrivals } from './arrivals.ts';
import { createHold, type Admitted, type GateInput } from './holds.ts';
import { listLostStops } from './lost-stops.ts';
import { divideShortened, type ShortenedEnds } from './returned-ends.ts';

/**
 * Holds back changes that a person should judge first:
 * - improbable new releases
 * - removals, if readers would lose the latest release or a fifth of the releases in use
 * - removals, if a source lists far fewer releases than before
 * - the loss of a required stop
 *
 * `effective`: the data without held changes.
 */
export function passGate(input: GateInput) {
  const { definition } = input;
  const recorded = dropWithdrawnArrivals(input.after, input.held);
  const admitted: Admitted = {
    ...input,
    before: omitUnadmitted(definition, input.before),
    after: omitUnadmitted(definition, recorded),
    accepted: new Set(input.decisions.flatMap(({ versions = [] }) => versions)),
  };
  const arrivals = holdArrivals(admitted);
  const losses = holdLoss({ ...admitted, after: withhold(admitted.after, arrivals) });
  const held = [...arrivals, ...losses];
  return { recorded, held, effective: withhold(recorded, held) };
}

/** Drops held new versions that upstream no longer lists. Readers never saw them. */
function dropWithdrawnArrivals(recorded: Recorded, held: readonly Hold[]): Recorded {
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

/** The removals that may be held. A hold has the fields `taken` and `lines`, too. */
interface Taking extends ShortenedEnds {
  /** Maps each mark to the versions that have this mark after the change, but not before. */
  taken: Record<TakingMark, string[]>;
}

const noMarks: Taking['taken'] = {
  withdrawnSince: [],
  deprecated: [],
  isPrerelease: [],
  malware: [],
};

/** Returns a hold if removals must be held. Otherwise returns an empty list. */
function holdLoss(admitted: Admitted): Hold[] {
  const input = { ...admitted, before: omitJunk(admitted) };
  const taking = omitYanks(input, listTaken(input));
  const loss = findLoss(input, taking);
  const lostStops = listLostStops(admitted);
  const versions = [...new Set([...(loss?.versions ?? []), ...lostStops.versions])];
  if (versions.length === 0) {
    return [];
  }

  const lost = new Set(loss?.versions);
  const taken = mapValues(taking.taken, (versions) => versions.filter((each) => lost.has(each)));
  // An earlier end of support is held only if it applies to the line of a lost release.
  const lines = taking.lines.filter(({ line }) => loss?.lines.has(line));
  const isReturn = isOnlyReturn({ taken, lines, returning: taking.returning }) || undefined;
  const reason = [loss?.reason, lostStops.reason].filter(Boolean).join('; ');
  const hold = createHold(input, 'loss', { versions: versions.sort(compareNames), reason });
  const stops = lostStops.versions.length > 0 ? [...lostStops.versions] : undefined;
  return [{ ...hold, taken, lines, stops, isReturn: stops ? undefined : isReturn }];
}

/** Tells whether ends of support return to what readers had, and nothing else is taken. */
function isOnlyReturn({ taken, lines, returning }: ShortenedEnds & Pick<Hold, 'taken'>): boolean {
  const areReturning = lines.length > 0 && lines.every((line) => returning.includes(line));
  return areReturning && Object.values(taken ?? {}).flat().length === 0;
}

/** A batch with fewer releases than this is never regarded as junk (see `omitJunk`). */
const leastJunk = 10;

/**
 * Returns `before`, but leaves out junk that disappears today. So the disappearance of junk is not a loss. Junk is a batch of at least ten
 * releases that were first seen on one day and disappear together. Example: a source with 35 releases also lists 60 others, but only on
 * Monday. The 60 are junk.
 */
function omitJunk({ component: name, definition, before, after, day }: Admitted): Recorded {
  const batches = listLeavingBatches(before, after);
  if (batches.length === 0) {
    return before;
  }

  // A batch with the latest release may be real, because a mirror may still serve last week's list.
  const { latest } = judgeOne({ name, definition, recorded: before }, day);
  const junk = new Set(
    batches.filter((versions) => !versions.some((version) => version === latest)).flat(),
  );
  return { ...before, releases: before.releases.filter(({ version }) => !junk.has(version)) };
}

/** Lists each batch of releases that disappears as a whole. No other release may disappear together with it. */
function listLeavingBatches(before: Recorded, after: Recorded): string[][] {
  const present = before.releases.filter(({ withdrawnSince }) => withdrawnSince === undefined);
  const listed = new Set(listNames(present));
  const leaving = after.releases.filter(
    ({ version, withdrawnSince }) => withdrawnSince !== undefined && listed.has(version),
  );
  // Releases that existed when the component was added are not junk.
  const began = findEarliest(before.releases.map(({ firstSeen }) => firstSeen));
  return [...Map.groupBy(leaving, ({ missingSince }) => missingSince).values()]
    .filter((together) => {
      const { firstSeen } = together[0]!;
      const batch = before.releases.filter((each) => each.firstSeen === firstSeen);
      // A part of a batch is not junk. A broken list may lack 600 of 700 releases that were first seen on one day.
      const isWhole =
        together.length === batch.length && together.every((each) => each.firstSeen === firstSeen);
      return isWhole && together.length >= leastJunk && firstSeen !== began;
    })
    .map(listNames);
}

/**
 * Removes new yanks from the removals, so that readers see the yanks although other removals are held. Example: 9 of 12 releases are held
 * as withdrawn, but readers see that 1.9.3 is yanked. Returns all removals in each of these cases:
 * - No other removals are held.
 * - The yanks alone must be held.
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
  const yanks: Taking = {
    taken: { ...noMarks, deprecated: yanked },
    lines: [],
    returning: [],
  };
  const after = withhold(input.after, [{ kind: 'loss', versions: [], ...rest }]);
  const isSmall = findLoss({ ...input, after }, yanks) === undefined;
  const hasLoss = losses.length > 0 || findLoss(input, rest) !== undefined;
  return isSmall && hasLoss ? rest : taking;
}

/** Lists what sources made worse: releases with a new mark, and ends of support that moved to an earlier date. */
function listTaken(input: Admitted): Taking {
  const { before, after, hasFirstEnds, accepted } = input;
  const formerReleases = new Map(before.releases.map((release) => [release.version, release]));
  const suspects = listSuspects(input);
  const taken = takingMarks.map((mark) => {
    const taking = after.releases.filter((release) => {
      const former = formerReleases.get(release.version);
      const isNew = former && release[mark] && !former[mark];
      // A hold would keep readers on malware, or on a version that the registry has locked. So both are left out.
      const isMalware = release.malware !== undefined && !suspects.has(release.version);
      return isNew && !accepted.has(release.version) && !release.isQuarantined && !isMalware;
    });
    return [mark, listNames(taking)];
  });
  return {
    taken: Object.fromEntries(taken),
    // A source of end dates that was added or redefined may give other ends of support than its predecessor. So the first answer of this
    // source is not compared with the recorded ends.
    ...divideShortened(input, hasFirstEnds ? [] : listShortened(before.lines, after.lines)),
  };
}

/**
 * Lists versions that may be called malware by mistake:
 * - all releases, if all are called malware (this happened to well-known packages)
 * - versions that are already held for this reason
 */
function listSuspects({ after: { releases }, held }: GateInput): Set<string> {
  const waiting = held.flatMap(({ taken }) => taken?.malware ?? []);
  const areAll = releases.every(({ malware }) => malware !== undefined);
  return new Set([...waiting, ...(areAll ? listNames(releases) : [])]);
}

/**
 * Returns `before` without new releases that may replace the withdrawn releases. A release is new if it was first seen when the first
 * withdrawn release went missing, or later. Example: a source switches to another product. It lists the new releases a day before the old
 * releases are withdrawn. If the new releases counted as releases in use, the loss would seem smaller.
 */
function omitArrivals(before: Recorded, after: Recorded, { taken }: Taking, day: Day): Recorded {
  const withdrawn = new Set(taken.withdrawnSince);
  const missing = after.releases.filter(({ version }) => withdrawn.has(version));
  const since = findEarliest(missing.map(({ missingSince }) => missingSince)) ?? day;
  return { ...before, releases: before.releases.filter(({ firstSeen = '' }) => firstSeen < since) };
}

interface Loss extends Pick<Hold, 'versions' | 'reason'> {
  /** The release lines whose ends of support are held together with these versions. */
  lines: ReadonlySet<string>;
}

/** Finds what readers would lose, if a person must decide about the loss. One decision covers the whole loss. */
function findLoss(
  { component: name, definition, before, after, accepted, day }: Admitted,
  taking: Taking,
): Loss | undefined {
  const { taken, lines } = taking;
  if (lines.length === 0 && Object.values(taken).flat().length === 0) {
    return undefined;
  }

  // The data with all additions, but without removals.
  const kept = withhold(after, [{ kind: 'loss', versions: [], ...taking }]);
  const earlier = omitArrivals(before, after, taking, day);
  // The change is also judged 90 days ahead. For readers, a line that is about to end is already lost.
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
  const deciding = Array.from(lineNames, (line) => findDeciding(kept.lines, line)?.line ?? []);
  return { versions, reason, lines: new Set(deciding.flat()) };
}

/** A component without the removals (`full`) and with them (`reduced`). */
interface Change {
  full: Component;
  reduced: Component;
  /** The releases in `full` whose state gets worse, except releases whose change was accepted. */
  worse: readonly Release[];
}

function listWorse(full: Component, reduced: Component, accepted: ReadonlySet<string>): Release[] {
  const byVersion = new Map(reduced.releases.map((release) => [release.version, release]));
  return full.releases.filter(
    (release) => !accepted.has(release.version) && isWorse(release, byVersion.get(release.version)),
  );
}

/** Says why a change is held. Undefined if the change is not held. */
function describeLoss(change: Change, inUse: ReadonlySet<string>): string | undefined {
  const { worse, reduced } = change;
  const lost = worse.filter(({ version }) => inUse.has(version)).length;
  if (isMuch(lost, inUse.size)) {
    return `${formatShare(lost, inUse.size)} releases in use would be lost${describeEnds(change)}`;
  }

  const { latest } = reduced;
  const fallen = worse.filter(
    ({ version, isDeprecated, isPrerelease }) =>
      !isDeprecated && !isPrerelease && (!latest || compareNames(version, latest) >= 0),
  );
  // A source may withdraw its greatest release without a hold, but not a second release at the same time.
  const greatest = fallen.at(-1);
  if (greatest && (fallen.length > 1 || !latest)) {
    const fall = `from ${greatest.version} to ${latest ?? 'none'}`;
    return `the latest release would fall ${fall}${describeEnds(change)}`;
  }
  return undefined;
}

/**
 * Tells whether a loss needs a person's decision: at least three releases, and at least a fifth of all. The gate and `publish` use this
 * rule.
 */
export function isMuch(lost: number, all: number): boolean {
  return lost >= 3 && lost * 5 >= all;
}

/**
 * Returns the ids of the advisories that call these versions malware, as the end of a sentence: `: malware by MAL-2026-1`. Empty if there
 * are no such advisories.
 */
function describeMalware({ releases }: Recorded, versions: string[]): string {
  const advisories = new Set(
    releases.flatMap(({ version, malware }) =>
      malware && versions.includes(version) ? malware.advisory : [],
    ),
  );
  return advisories.size > 0 ? `: malware by ${formatList([...advisories], 3)}` : '';
}

/**
 * A source causes a hold if it drops this many releases, and at least 3/5 of its releases. With 1/3 instead of 3/5, a year of real release
 * lists had four more holds.
 */
const leastCut = 10;

/**
 * Finds a source that dropped much of its release list. This is a loss even if none of these releases is supported, because readers have
 * pinned them.
 */
function findCut(before: Recorded, gone: string[]): Loss | undefined {
  const listed = before.releases.filter(({ withdrawnSince }) => !withdrawnSince);
  for (const source of new Set(listed.flatMap(({ sources }) => sources))) {
    const ofSource = listed.filter(({ sources }) => sources.includes(source));
    const lost = ofSource.filter(({ version }) => gone.includes(version)).length;
    if (lost >= leastCut && lost * 5 >= ofSource.length * 3) {
      const reason = `${source} no longer lists ${formatShare(lost, ofSource.length)} recorded releases`;
      return { versions: gone, reason, lines: new Set() };
    }
  }
  return undefined;
}

/**
 * Describes the ends of support that moved to an earlier date: `: 2025.1 ends on 2026-01-31, not 2026-06-30`. A person needs both dates to
 * judge a loss.
 */
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

  // A release that was already deprecated is worse only if its state changes. For example, a release that its support policy deprecates may
  // now also be withdrawn.
  return after.isDeprecated && after.state !== before.state;
}

const newestLines = 3;

/**
 * Lists the releases in use. A deprecated release is not in use. A release without a given end of support must be in one of the newest
 * lines.
 */
function listInUse({ releases, lines }: Component): Set<string> {
  const usable = lines.filter(({ latest }) => latest);
  const newest = new Set(usable.slice(-newestLines).map(({ line }) => line));
  const inUse = releases.filter(
    ({ isDeprecated, state, line }) =>
      !isDeprecated && (state !== 'no-promise' || newest.has(line)),
  );
  return new Set(listNames(inUse));
}
