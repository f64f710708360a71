import { addDays, cutDay } from '../../../core/model/dates.ts';
import type { StatusFile } from '../../../core/schemas/published/status-file.ts';
import type { Component } from '../../../decide/component.ts';
import { statusDays } from './status-json.ts';

const msPerHour = 3_600_000;

/** The hours until a run recorded each recent release whose instant upstream states. */
export function listRecentDelays({ judgement: { releases, day }, journal }: Component): number[] {
  const from = addDays(day, -statusDays);
  const published = releases.filter(({ timestampKind }) => timestampKind === 'published');
  const instants = new Map(published.map((release) => [release.version, release.releaseTimestamp]));
  const delays: number[] = [];

  for (const { type, at, initial, version = '' } of journal) {
    const instant = instants.get(version);
    if (type === 'released' && !initial && cutDay(at) > from && instant !== undefined) {
      const hours = Math.round((Date.parse(at) - Date.parse(instant)) / msPerHour);
      delays.push(Math.max(0, hours));
    }
  }

  return delays;
}

/** The number of releases recorded in the period, with the median and the greatest delay. */
export function summariseDelays(delays: readonly number[]): StatusFile['delay'] {
  const sorted = delays.toSorted((a, b) => a - b);
  const [medianHours, worstHours] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted.at(-1)];
  if (medianHours === undefined || worstHours === undefined) {
    return undefined;
  }

  return { releases: sorted.length, medianHours, worstHours };
}
