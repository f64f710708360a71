/** What counts of the recorded data while some of it waits for a person. */
import type { Day } from '../core/day.ts';
import {
  takingMarks,
  type Hold,
  type Recorded,
  type RecordedRelease,
  type StatedLine,
} from '../core/schema/recorded.ts';
import { keyLine } from '../core/version.ts';
import { findLastFree } from './support.ts';

/** What a hold says about the data that does not count. */
type Withheld = Pick<Hold, 'kind' | 'versions' | 'taken' | 'lines'>;

/** The recorded data without what waits: new versions that are held, and what was taken from readers. */
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

/** The releases without the marks that wait. */
function giveBack(releases: RecordedRelease[], holds: readonly Withheld[]): RecordedRelease[] {
  const taken = takingMarks.map((mark) => ({
    versions: new Set(holds.flatMap((hold) => hold.taken?.[mark] ?? [])),
    // Its form may say that it is a prerelease.
    unmarked: { [mark]: mark === 'isPrerelease' ? false : undefined },
  }));
  return releases.map((release) => {
    const waiting = taken.filter(({ versions }) => versions.has(release.version));
    return waiting.reduce((kept, { unmarked }) => ({ ...kept, ...unmarked }), release);
  });
}

/** The stated lines; of one that has ended later before, or is no longer stated, as it was. */
function keepLater(former: readonly StatedLine[], stated: readonly StatedLine[]): StatedLine[] {
  const lines = [...stated, ...listShortened(former, stated)];
  return [...new Map(lines.map((line) => [keyLine(line.line), line])).values()];
}

/** The lines, as they were, that ended later before or are no longer stated. */
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

/** The day of the end, to be compared: before all days if it is over, after all if none is stated. */
function findEnd({ phases }: StatedLine): Day {
  const { until, untilAtMost, isOver } = findLastFree(phases) ?? {};
  return isOver ? '' : (until ?? untilAtMost ?? '9999');
}
