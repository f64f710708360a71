/** Leaves changes out of the recorded data while they wait for a person's decision (holds). Readers do not see these changes. */
import type { Day } from '../core/day.ts';
import {
  takingMarks,
  type Hold,
  type Recorded,
  type RecordedRelease,
  type StatedLine,
} from '../core/schema/recorded.ts';
import { compareNames, keyLine } from '../core/version.ts';
import { findLastFree } from './support.ts';

/** The parts of a hold that say which changes to leave out. */
type Withheld = Pick<Hold, 'kind' | 'versions' | 'taken' | 'lines' | 'stops'>;

/**
 * Returns the recorded data as if the changes in these holds had not happened:
 * - New versions are left out.
 * - Marks that a hold delays, such as `withdrawnSince`, are removed.
 * - Lines that would end earlier keep their former ends.
 * - Required stops that would be lost stay stops.
 */
export function withhold(recorded: Recorded, holds: readonly Withheld[]): Recorded {
  if (holds.length === 0) {
    return recorded;
  }

  const arrivals = new Set(
    holds.flatMap(({ kind, versions }) => (kind === 'loss' ? [] : versions)),
  );
  const releases = recorded.releases.filter(({ version }) => !arrivals.has(version));
  const lines = holds.flatMap((hold) => hold.lines ?? []);
  return {
    ...recorded,
    releases: giveBack(releases, holds),
    lines: recorded.lines && keepLater(lines, recorded.lines),
  };
}

/** Removes the marks that wait for a person's decision, such as `withdrawnSince`, and marks the stops that would be lost (`isStop`). */
function giveBack(releases: RecordedRelease[], holds: readonly Withheld[]): RecordedRelease[] {
  const taken = takingMarks.map((mark) => ({
    versions: new Set(holds.flatMap((hold) => hold.taken?.[mark] ?? [])),
    // `isPrerelease` is set to false, not removed. Without `isPrerelease`, the suffix of the version could make the release a prerelease.
    unmarked: { [mark]: mark === 'isPrerelease' ? false : undefined },
  }));
  const stops = new Set(holds.flatMap((hold) => hold.stops ?? []));
  return releases.map((release) => {
    const waiting = taken.filter(({ versions }) => versions.has(release.version));
    const kept = waiting.reduce((each, { unmarked }) => ({ ...each, ...unmarked }), release);
    return stops.has(release.version) ? { ...kept, isStop: true } : kept;
  });
}

/**
 * Returns the lines that a source lists now (`stated`), without losses of support. If a line had a later end in `former`, the former line
 * is returned. If the source no longer lists a line, the former line is also returned.
 */
function keepLater(former: readonly StatedLine[], stated: readonly StatedLine[]): StatedLine[] {
  const lines = [...stated, ...listShortened(former, stated)];
  return [...new Map(lines.map((line) => [keyLine(line.line), line])).values()];
}

/** Lists the former lines whose end moved to an earlier day, or that the source no longer lists. */
export function listShortened(
  before: readonly StatedLine[] = [],
  after: readonly StatedLine[] = [],
): StatedLine[] {
  const lines = new Map(after.map((line) => [keyLine(line.line), line]));
  return before.filter((former) => {
    const line = lines.get(keyLine(former.line));
    return !line || findEnd(line) < findEnd(former);
  });
}

/**
 * Returns the end of a line, for comparisons. A line that ended on an unknown day ends before all others (''). A line without an end ends
 * after all others ('9999').
 */
export function findEnd({ phases }: StatedLine): Day {
  const { until, untilAtMost, isOver } = findLastFree(phases) ?? {};
  return isOver ? '' : (until ?? untilAtMost ?? '9999');
}

/**
 * Finds the listed line whose end of support decides about the line `name`. A listed line decides about itself. If a line is not listed, the
 * next newer listed line decides: `2.0` → `3.0`.
 */
export function findDeciding(
  stated: readonly StatedLine[] = [],
  name: string,
): StatedLine | undefined {
  const ordered = stated.toSorted((a, b) => compareNames(a.line, b.line));
  return ordered.find(({ line }) => compareNames(line, name) >= 0);
}
