import { daysBetween, type Day } from '../../core/dates.ts';
import { onlyPhase } from '../../core/phases.ts';
import { counted, listed } from '../../core/text.ts';
import { compareVersions, parseVersion } from '../../core/version.ts';
import type { JournalState } from '../journal/fold-journal.ts';
import type { Memory } from './memory.ts';
import type { LineStanding, ReleaseStanding, Standing } from './standing.ts';

/** The loss of readers by a change. A loss within all measures needs no review. */
export interface Loss {
  /** One text per loss. The same loss always has the same text. */
  readonly items: readonly string[];
  /** The exceeded measures, in words. */
  readonly exceeded: readonly string[];
}

/**
 * Limits of losses that need no review; CONTRACT.md shows them as a table. `days`: how far to look back in the journal; 0 for
 * this change only. `part`: of the releases in use, or of the remaining support.
 */
export const measures = {
  latest: { days: 14, releases: 1 },
  share: [
    { days: 0, part: 1 / 5 },
    { days: 30, part: 1 / 5 },
    { days: 365, part: 1 / 2 },
  ],
  fewest: 3,
  ends: [{ days: 0 }, { days: 30 }, { days: 365, part: 1 / 4 }],
  endDays: 90,
  /** An advisory that is at most so old may replace a withdrawn one. */
  takeOverDays: 30,
} as const;

/** Compares two judged states of one day. Losses that the journal has already announced are not due to this change. */
export function lossOf(before: Standing, after: Standing, memory: Memory, day: Day): Loss {
  const worse = worseReleases(before, after, memory);
  const [ends, ofEnds] = shorterLines(before, after, memory);
  const cleared = clearedReleases(before, after, memory);
  return {
    items: [...worse.values(), ...ends, ...cleared],
    exceeded: [
      ...fallOfLatest(before, after, memory, worse),
      ...shareOfReleases(before, memory, worse, day),
      ...ofEnds,
      ...(cleared.length > 0
        ? [`${counted(cleared.length, 'finding')} of advisories would vanish`]
        : []),
    ],
  };
}

/** By version, in words. */
type Worse = ReadonlyMap<string, string>;

function worseReleases(before: Standing, after: Standing, { said }: Memory): Worse {
  const worse = [...before.releases].flatMap(([version, { isInUse, isStable }]) => {
    const now = after.releases.get(version);
    if (!isInUse || (now?.isInUse && now.isStable >= isStable)) {
      return [];
    }
    const known = said.versions.get(version);
    if (!known?.isListed || known.verdict !== undefined) {
      return [];
    }
    if (now?.isInUse && known.values.isPrerelease === 'true') {
      return [];
    }
    return [[version, worseItem(version, after)] as const];
  });
  return new Map(worse);
}

function worseItem(version: string, { releases }: Standing): string {
  const now = releases.get(version);
  if (!now) {
    return `${version} no longer listed`;
  }
  return `${version} ${now.isInUse ? 'a prerelease' : 'deprecated'}`;
}

/** Pulling or deprecating the latest release is accepted once; a second time within the look-back is held. */
function fallOfLatest(before: Standing, after: Standing, memory: Memory, worse: Worse): string[] {
  const { latest } = before;
  if (latest === undefined || after.latest === latest || worse.size === 0) {
    return [];
  }
  const to = after.latest === undefined ? undefined : after.releases.get(after.latest)?.parsed;
  const isAbove = ({ parsed }: Pick<ReleaseStanding, 'parsed'>) =>
    to === undefined || compareVersions(parsed, to) > 0;
  if (!isAbove(before.releases.get(latest)!)) {
    return [];
  }
  const { days, releases: most } = measures.latest;
  const present = [...before.releases.values()].filter(
    ({ isInUse, isStable }) => isInUse && isStable,
  );
  const fallen = memory.recentFalls(days).flatMap((version) => {
    const isBack = before.releases.get(version)?.isInUse && !worse.has(version);
    const parsed = isBack ? undefined : parseVersion(version);
    return parsed ? { parsed } : [];
  });
  if (to !== undefined && [...present, ...fallen].filter(isAbove).length <= most) {
    return [];
  }
  return [`the latest release would fall from ${latest} to ${after.latest ?? 'none'}`];
}

function shareOfReleases(before: Standing, memory: Memory, worse: Worse, day: Day): string[] {
  if (worse.size === 0) {
    return [];
  }
  for (const { days, part } of measures.share) {
    const { inUse, earlier } = days === 0 ? presentUse(before) : pastUse(before, memory, days, day);
    const lost = new Set([...worse.keys(), ...earlier]);
    const all = new Set([...inUse, ...worse.keys()]).size;
    if (lost.size < measures.fewest || lost.size < all * part) {
      continue;
    }
    const when = earlier.length === 0 ? '' : ` within ${days} days`;
    const names = listed([...worse.values()], 5);
    return [
      `${lost.size} of ${counted(all, 'release')} in use would change for the worse${when} (${names})`,
    ];
  }
  return [];
}

function presentUse(before: Standing) {
  const inUse = [...before.releases]
    .filter(([, release]) => release.isInUse)
    .map(([version]) => version);
  return { inUse, earlier: [] };
}

/** Releases that went out of use since then. A line that reached its announced end is no loss. */
function pastUse(before: Standing, memory: Memory, days: number, day: Day) {
  const { start, inUse } = memory.recall(days);
  const earlier = [...inUse].filter((version) => {
    const release = before.releases.get(version);
    if (!release) {
      return true;
    }
    if (release.isInUse) {
      return false;
    }
    if (release.rule !== 'support policy') {
      return true;
    }
    const said = saidEnd(start, release.line);
    return said !== undefined && said > day;
  });
  return { inUse: [...inUse], earlier };
}

function shorterLines(
  before: Standing,
  after: Standing,
  memory: Memory,
): [items: string[], exceeded: string[]] {
  const items: string[] = [];
  const exceeded: string[] = [];
  for (const [line, was] of before.lines) {
    const now = sameLine(line, before, after);
    if (memory.said.versions.size === 0 || !was.isSupported || !now || !isShorter(was, now)) {
      continue;
    }
    if (isSaidEnd(memory.said, line, now)) {
      continue;
    }
    const item = `line ${line} ends ${endInWords(now)} instead of ${endInWords(was)}`;
    items.push(item);
    const isFar = measures.ends.some(({ days, ...rest }) => {
      if (!now.isSupported) {
        return true;
      }
      const period = memory.recall(days);
      const from = days === 0 ? was.until : saidEnd(period.start, line);
      if (from === undefined || now.until === undefined) {
        return false;
      }
      const lost = daysBetween(now.until, from);
      const left = daysBetween(period.from, from);
      return lost > measures.endDays && (!('part' in rest) || lost > left * rest.part);
    });
    if (isFar) {
      exceeded.push(item);
    }
  }
  return [items, exceeded.length > 5 ? [listed(exceeded, 5)] : exceeded];
}

/** The line, even if renamed, that now has the newest release of a former line; undefined if the release is not listed. */
function sameLine(line: string, before: Standing, after: Standing): LineStanding | undefined {
  const newest = [...before.releases].findLast(([, release]) => release.line === line);
  const now = newest && after.releases.get(newest[0]);
  return now && after.lines.get(now.line);
}

/** A first announcement of a future end is no loss. */
function isShorter(was: LineStanding, now: LineStanding): boolean {
  if (!now.isSupported) {
    return true;
  }
  return was.until !== undefined && now.until !== undefined && now.until < was.until;
}

function endInWords({ until, isSupported }: LineStanding): string {
  return until ?? (isSupported ? 'on no stated day' : 'at once');
}

/** Whether the journal already states this end, for instance if an edit was recorded before it was committed. */
function isSaidEnd(
  said: JournalState,
  line: string,
  { until, isSupported }: LineStanding,
): boolean {
  if (until !== undefined) {
    return saidEnd(said, line) === until;
  }
  const ends = [...said.ends].filter(([key]) => key.startsWith(`${line}/`));
  return !isSupported && ends.length > 0 && ends.every(([, { isEnded }]) => isEnded);
}

/** The end of support in the journal: the end of the last free phase. */
function saidEnd({ ends }: JournalState, line: string): Day | undefined {
  let said: Day | undefined;
  for (const [key, { until: from, untilAtMost, phases }] of ends) {
    const until = from ?? untilAtMost;
    const [name, phase = onlyPhase] = key.split('/');
    const isPaid = phases?.some((label) => label === `${phase} (paid)`);
    if (name === line && !isPaid && until !== undefined && (said === undefined || until > said)) {
      said = until;
    }
  }
  return said;
}

/** A new advisory of at least the same severity may replace another. */
function clearedReleases(before: Standing, after: Standing, { said, isNew }: Memory): string[] {
  return [...before.releases].flatMap(([version, was]) => {
    const now = after.releases.get(version);
    if (!now || !said.versions.has(version)) {
      return [];
    }
    return [...was.affectedBy]
      .filter(
        ([id, severity]) =>
          said.advisories.has(id) &&
          !now.affectedBy.has(id) &&
          ![...now.affectedBy].some(
            ([other, itsSeverity]) =>
              other !== id && itsSeverity >= severity && isNew(other, measures.takeOverDays),
          ),
      )
      .map(([id]) => `${version} no longer affected by ${id}`);
  });
}
