import { isDeepStrictEqual } from 'node:util';
import { addDays, daysBetween, type Day } from '../../../core/model/dates.ts';
import { counted, listed } from '../../../core/text/text.ts';
import { compareVersions, parseVersion } from '../../../core/model/version.ts';
import { findReturns, findLossesOfData } from './data-losses.ts';
import { lookBack, type Lookback } from './lookback.ts';
import { isShare, measures, type Loss, type Measure, type StateChange } from './measures.ts';
import {
  isInUse,
  isUsable,
  readFacts,
  type ReaderLineFacts,
  type ReaderFacts,
  type ReaderReleaseFacts,
} from './reader-facts.ts';

/** What readers lose by a new state. The component waits if there is a reason. */
export interface Losses {
  /** Each consequence in words, equal on every day. */
  readonly items: readonly string[];
  /** The exceeded measures in words, at most one for each measure. */
  readonly reasons: readonly string[];
}

/** Both states on one day. */
interface Comparison {
  readonly was: ReaderFacts;
  readonly now: ReaderFacts;
  readonly day: Day;
  readonly daysAhead: number;
  /** The same policy counts the newest lines: a new line ends the support of the oldest. */
  readonly isByLatestLines: boolean;
}

/** Compares what readers have with what they would get: today, tomorrow and later, and with what they had. */
export function findLosses(change: StateChange): Losses {
  const losses: Loss[] = [];

  for (const daysAhead of measures.ahead) {
    const comparison = compareStates(change, daysAhead);
    const worse = worseReleases(comparison);

    losses.push(...lossesOfReleases(comparison, worse));

    if (daysAhead < measures.ends) {
      losses.push(...lossesOfEnds(comparison));
    }

    if (daysAhead === 0) {
      losses.push(...lossesOfAdvisories(comparison));
      losses.push(...earlierLosses(change, comparison, worse));
    }
  }

  if (!isDeepStrictEqual(change.before.data, change.after.data)) {
    losses.push(...findLossesOfData(change), ...findReturns(change));
  }

  const items = new Set<string>();
  const reasons = new Map<Measure, string>();

  for (const { measure, item, reason } of losses) {
    if (item !== undefined) {
      items.add(item);
    }

    if (reason !== undefined && !reasons.has(measure)) {
      reasons.set(measure, reason);
    }
  }

  return { items: [...items].sort(), reasons: [...reasons.values()] };
}

function compareStates({ name, before, after, day }: StateChange, daysAhead: number): Comparison {
  const on = addDays(day, daysAhead);
  const was = readFacts(name, before, on);
  const now = readFacts(name, after, on);
  const { support } = after.definition;
  const isByLatestLines =
    support?.policy === 'latest-lines' && isDeepStrictEqual(support, before.definition.support);

  return { was, now, day, daysAhead, isByLatestLines };
}

/** By version, the loss in words. */
type Worse = ReadonlyMap<string, string>;

/** The releases in use that change for the worse. */
function worseReleases(comparison: Comparison): Worse {
  const worse = new Map<string, string>();

  for (const [version, before] of comparison.was.releases) {
    const after = comparison.now.releases.get(version);
    const words = isInUse(before) ? worsening(before, after) : undefined;
    if (words !== undefined && !(after && isAllowed(before, after, comparison))) {
      worse.set(version, words);
    }
  }

  return worse;
}

function worsening(
  before: ReaderReleaseFacts,
  after: ReaderReleaseFacts | undefined,
): string | undefined {
  if (!after) {
    return 'no longer listed';
  }

  if (after.isDeprecated && !before.isDeprecated) {
    return 'deprecated';
  }

  if (after.isSupported === false && before.isSupported === true) {
    return 'no longer supported';
  }

  return before.isStable && !after.isStable ? 'a prerelease' : undefined;
}

/** The policy's own rule, or a stated end that moves within the measure and is still ahead. */
function isAllowed(
  before: ReaderReleaseFacts,
  after: ReaderReleaseFacts,
  comparison: Comparison,
): boolean {
  const { was, now, daysAhead, isByLatestLines } = comparison;

  if (after.isDeprecated && after.rule !== 'support policy') {
    return false;
  }

  if (isByLatestLines || daysAhead <= 1) {
    return isByLatestLines;
  }

  const from = was.lines.get(before.line)?.until;
  const to = now.lines.get(after.line)?.until;

  return from !== undefined && to !== undefined && daysBetween(to, from) <= measures.ends;
}

function lossesOfReleases(comparison: Comparison, worse: Worse): Loss[] {
  const { was, now, daysAhead } = comparison;
  const losses: Loss[] = [];
  const shorter = new Set(shorterLines(comparison).map(({ line }) => line));

  for (const [version, words] of worse) {
    // The end of its line says it, and stays the same while the days pass.
    const isByPolicy = now.releases.get(version)?.rule === 'support policy';
    if (!isByPolicy || !shorter.has(was.releases.get(version)!.line)) {
      losses.push({ measure: 'releases', item: `${version} ${words}` });
    }
  }

  const when = wordsAhead(daysAhead);
  const { latest, next, fallen } = fallOfLatest(comparison, worse);
  const isManyFallen = fallen.length > measures.latest.most;
  if (isManyFallen || (next === undefined && fallen.length > 0)) {
    const reason = `the latest release would fall from ${latest} to ${next ?? 'none'}${when}`;
    losses.push({ measure: 'latest', reason });
  }

  const lost = [...worse].filter(([version]) => isManyFallen || version !== fallen[0]);
  const inUse = [...was.releases.values()].filter(isInUse).length;

  if (isShare(lost.length, inUse)) {
    const names = lost.map(([version, words]) => `${version} ${words}`);
    const reason = `${lost.length} of ${counted(inUse, 'release')} in use would change for the worse${when} (${listed(names, 3)})`;
    losses.push({ measure: 'releases', reason });
  }

  return losses;
}

function wordsAhead(days: number): string {
  if (days === 0) {
    return '';
  }

  return days === 1 ? ' tomorrow' : ` within ${days} days`;
}

/** The usable releases above the next latest one that readers lose. */
function fallOfLatest({ was, now }: Comparison, worse: Worse) {
  const before = [...was.releases].filter(([, release]) => isUsable(release));
  const remaining = before.filter(([version]) => !worse.has(version));
  const present = [...now.releases].filter(([, release]) => isUsable(release));
  const [next] = [remaining.at(-1), present.at(-1)]
    .filter((release) => release !== undefined)
    .sort(([, a], [, b]) => compareVersions(b.parsed, a.parsed));
  const above = before.filter(
    ([, { parsed }]) => next === undefined || compareVersions(parsed, next[1].parsed) > 0,
  );
  const fallen = above.map(([version]) => version).filter((version) => worse.has(version));

  return { latest: before.at(-1)?.[0], next: next?.[0], fallen };
}

function lossesOfEnds(comparison: Comparison): Loss[] {
  const losses: Loss[] = [];
  const far: string[] = [];

  for (const { line, before, after } of shorterLines(comparison)) {
    const item = `line ${line} ends ${endInWords(after)} instead of ${endInWords(before)}`;
    losses.push({ measure: 'ends', item });

    if (isTooShort(before, after, comparison.day)) {
      far.push(item);
    }
  }

  if (far.length > 0) {
    losses.push({
      measure: 'ends',
      reason: `${counted(far.length, 'line')} would end too early (${listed(far, 2)})`,
    });
  }

  return losses;
}

interface ShorterLine {
  readonly line: string;
  readonly before: ReaderLineFacts;
  readonly after: ReaderLineFacts;
}

/** The lines with a release in use that end earlier. */
function shorterLines(comparison: Comparison): ShorterLine[] {
  const { was, now, isByLatestLines } = comparison;
  const shorter: ShorterLine[] = [];

  for (const [line, before] of isByLatestLines ? [] : was.lines) {
    const releases = [...was.releases].filter(([, release]) => release.line === line);

    // The line may have another name now.
    const newest = now.releases.get(releases.at(-1)?.[0] ?? '');
    const after = now.lines.get(newest?.line ?? line);
    const isOpen = before.isSupported !== false && releases.some(([, one]) => isInUse(one));
    if (isOpen && after && isShorter(before, after)) {
      shorter.push({ line, before, after });
    }
  }

  return shorter;
}

function isShorter(before: ReaderLineFacts, after: ReaderLineFacts): boolean {
  if (after.until === undefined) {
    return after.isSupported === false;
  }

  return before.until === undefined || after.until < before.until;
}

/** It ends at once, soon without a notice, or far earlier than stated. */
function isTooShort(before: ReaderLineFacts, after: ReaderLineFacts, day: Day): boolean {
  if (after.isSupported === false || after.until === undefined) {
    return true;
  }

  if (before.until === undefined) {
    return daysBetween(day, after.until) <= measures.ends;
  }

  return daysBetween(after.until, before.until) > measures.ends;
}

function endInWords({ until, isSupported }: ReaderLineFacts): string {
  return until ?? (isSupported === false ? 'at once' : 'on no stated day');
}

/** Another advisory of at least the same severity may replace one. */
function lossesOfAdvisories({ was, now }: Comparison): Loss[] {
  const losses: Loss[] = [];

  for (const [version, before] of was.releases) {
    const after = now.releases.get(version);
    const present = [...(after?.affectedBy.values() ?? [])];

    for (const [id, severity] of after ? before.affectedBy : []) {
      const isCovered = present.some((other) => other >= severity);
      if (!after!.affectedBy.has(id) && !isCovered) {
        losses.push({ measure: 'advisories', item: `${version} no longer affected by ${id}` });
      }
    }
  }

  if (losses.length > 0) {
    const reason = `${counted(losses.length, 'finding')} of advisories would vanish`;
    losses.push({ measure: 'advisories', reason });
  }

  return losses;
}

/** What is lost now adds up with the losses that the journal has. */
function earlierLosses(change: StateChange, comparison: Comparison, worse: Worse): Loss[] {
  const shorter = shorterLines(comparison);
  if (worse.size === 0 && shorter.length === 0) {
    return [];
  }

  const { journal, day, acceptedOn } = change;
  const losses: Loss[] = [];

  for (const { days, part } of measures.earlier) {
    const lookback = lookBack(journal, day, days, acceptedOn);

    if (worse.size > 0) {
      losses.push(...earlierLossesOfReleases(comparison, worse, lookback, { days, part }));
    }

    const far = shorter.filter((line) => isShortenedSince(line, lookback, days));

    if (far.length > 0) {
      const names = far.map(({ line }) => line);
      const reason = `${counted(far.length, 'line')} would lose more than ${measures.ends} days within ${days} days (${listed(names, 5)})`;
      losses.push({ measure: 'ends', reason });
    }
  }

  return losses;
}

function earlierLossesOfReleases(
  comparison: Comparison,
  worse: Worse,
  lookback: Lookback,
  { days, part }: { days: number; part: number },
): Loss[] {
  const { inUse, ends } = lookback;
  const losses: Loss[] = [];
  const lost = new Set(worse.keys());

  for (const [version, { line }] of inUse) {
    if (isLostSince(version, ends.get(line), comparison)) {
      lost.add(version);
    }
  }

  const all = new Set([...inUse.keys(), ...worse.keys()]).size;
  if (isShare(lost.size, all, part)) {
    const reason = `${lost.size} of ${counted(all, 'release')} in use would have changed for the worse within ${days} days`;
    losses.push({ measure: 'releases', reason });
  }

  // Over a year, greater versions come and go.
  if (days === measures.earlier[0].days) {
    losses.push(...earlierFalls(comparison, worse, lookback, lost));
  }

  return losses;
}

/** Upstream may pull or deprecate its greatest version once. */
function earlierFalls(
  comparison: Comparison,
  worse: Worse,
  { inUse, fallen: earlier }: Lookback,
  lost: ReadonlySet<string>,
): Loss[] {
  const { latest, next, fallen } = fallOfLatest(comparison, worse);
  const limit = parseVersion(next ?? '');

  const above = [...lost].filter((version) => {
    const parsed = parseVersion(version);
    const isStable = inUse.get(version)?.isStable ?? true;

    return parsed && isStable && (!limit || compareVersions(parsed, limit) > 0);
  });

  const { most, days } = measures.latest;
  const from = addDays(comparison.day, -days);
  const again = fallen.filter((version) => (earlier.get(version) ?? '') > from);
  if (fallen.length === 0 || above.length + again.length <= most) {
    return [];
  }

  const reason = `the latest release would fall from ${latest} to ${next ?? 'none'}, again within ${measures.earlier[0].days} days`;

  return [{ measure: 'latest', reason }];
}

/** A line that has reached the end which it had announced is no loss. */
function isLostSince(
  version: string,
  announced: Day | undefined,
  { now, day, isByLatestLines }: Comparison,
): boolean {
  const release = now.releases.get(version);
  if (!release) {
    return true;
  }

  if (!release.isDeprecated) {
    return false;
  }

  const isByPolicy = release.rule === 'support policy';

  return !isByPolicy || (!isByLatestLines && announced !== undefined && announced > day);
}

/** Over a year, it also has to be half of what the line had left. */
function isShortenedSince({ line, after }: ShorterLine, lookback: Lookback, days: number): boolean {
  const { ends, from } = lookback;
  const endBefore = ends.get(line);
  if (endBefore === undefined || after.until === undefined) {
    return false;
  }

  const lost = daysBetween(after.until, endBefore);
  const isRecent = days === measures.earlier[0].days;

  return lost > measures.ends && (isRecent || lost > daysBetween(from, endBefore) / 2);
}
