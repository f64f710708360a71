import { addDays, type Day } from '../core/dates.ts';
import type { Finding } from '../core/schemas/finding.ts';
import type { StatusFile } from '../core/schemas/published/status-file.ts';
import type { Run } from '../core/schemas/journal.ts';
import type { Component } from '../decide/component.ts';
import { listRuns } from '../io/files/journal.ts';
import type { Root } from '../io/files/root.ts';

/** How far the status of the index looks back. */
const daysBack = 90;

/** The runs of the last days, newest first. */
export function recentRuns(root: Root, day: Day): { runs: Run[]; findings: Finding[] } {
  const from = addDays(day, -daysBack);
  const { runs, findings } = listRuns(root);
  return { runs: runs.filter(({ asOf }) => from < asOf && asOf <= day).reverse(), findings };
}

/** For each release of the last days whose instant upstream states: the hours after which a run recorded it. */
export function recentDelays({ judgement: { releases, day }, journal }: Component): number[] {
  const from = addDays(day, -daysBack);
  const stated = new Map(
    releases.flatMap(({ version, releaseTimestamp, timestampKind }) =>
      releaseTimestamp !== undefined && timestampKind === 'published' ? [[version, releaseTimestamp]] : [],
    ),
  );
  return journal.flatMap(({ type, at, version = '', initial }) => {
    const instant = stated.get(version);
    if (type !== 'released' || initial || instant === undefined || at.slice(0, 10) <= from) return [];
    return Math.max(0, Math.round((Date.parse(at) - Date.parse(instant)) / 3_600_000));
  });
}

export function summariseDelays(delays: readonly number[]): StatusFile['delay'] {
  const sorted = delays.toSorted((a, b) => a - b);
  const [medianHours, worstHours] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted.at(-1)];
  if (medianHours === undefined || worstHours === undefined) return undefined;
  return { releases: sorted.length, medianHours, worstHours };
}
