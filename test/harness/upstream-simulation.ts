import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { RecordedData } from '../../src/core/schemas/recorded.ts';
import { addDays, dayOf, type Day } from '../../src/core/dates.ts';
import { compareVersions, parseVersion } from '../../src/core/version.ts';
import { renderReleaseFile } from '../../src/site/render/component-json.ts';
import { openGatedIndex } from './gated-index.ts';
import { judgeOn } from './judging.ts';
import { LyingUpstream } from './lying-upstream.ts';

const start = '2026-06-01';
const fallDays = 14;

/** Lets upstreams lie for some days, and expects that nobody is misled. Returns how often an answer was held. */
export function expectNobodyMisled(upstreams: number, days: number): number {
  let held = 0;
  for (let seed = 1; seed <= upstreams; seed += 1) held += follow(new LyingUpstream(seed, start), days, seed);
  return held;
}

function follow(upstream: LyingUpstream, days: number, seed: number): number {
  let held = 0;
  const index = openGatedIndex({ sources: [{ datasource: 'npm', packageName: 'x' }] });
  const latest: string[] = [];
  /** By version, the last day on which an answer that was accepted, at least in part, lacked it. */
  const lackedOn = new Map<string, Day | undefined>();
  let answeredOn: Day | undefined;
  for (let count = 0; count < days; count += 1) {
    const day = addDays(start, count);
    const where = `upstream ${seed} on ${day}`;
    const listed = upstream.live(day);
    const today = index.run(day, { releases: listed });
    held += today.held.length;

    for (const { version } of listed) if (!lackedOn.has(version)) lackedOn.set(version, answeredOn);
    answeredOn = day;
    const judgement = judgeOn(day, today.data.releases);
    const published = JSON.parse(
      renderReleaseFile({ definition: { homepage: '', changelogUrl: '', sources: [] }, judgement } as never),
    ) as { releases: { version: string; releaseTimestamp?: string }[] };
    for (const { version, releaseTimestamp } of published.releases)
      if (releaseTimestamp !== undefined)
        expect(dayOf(releaseTimestamp) >= (lackedOn.get(version) ?? ''), `${version} of ${where}`).toBe(true);

    latest.push(judgement.latest?.version ?? '0');
    const now = parseVersion(latest.at(-1)!)!;
    const above = latest.slice(-fallDays).filter((text) => compareVersions(parseVersion(text)!, now) > 0);
    expect(
      new Set(above).size,
      `${[...new Set(above)].join(', ')} above ${now.text} of ${where}`,
    ).toBeLessThan(2);
  }
  return held;
}

/** Versions with the days they came out on. */
export type History = readonly (readonly [version: string, day: Day])[];

/** Replays an honest history from its first release on. Returns what was held, each time accepted by a person. */
export function replay(history: History): { days: number; held: string[] } {
  const byDay = Map.groupBy(history, ([, day]) => day);
  const held: string[] = [];
  const listed: { version: string; releaseTimestamp: string }[] = [];
  const index = openGatedIndex({ sources: [{ datasource: 'npm', packageName: 'x' }] });
  const days = [...byDay.keys()].sort();
  // A day without news is like the one before.
  for (const day of days) {
    for (const [version] of byDay.get(day)!) listed.push({ version, releaseTimestamp: `${day}T08:00:00Z` });
    const today = index.run(day, { releases: listed });
    for (const { id, reason } of today.held) {
      held.push(`${day}: ${reason}`);
      index.accept(id);
    }
    if (today.held.length > 0) index.run(day, { releases: listed });
  }
  const span = days.length === 0 ? 0 : (Date.parse(days.at(-1)!) - Date.parse(days[0]!)) / 86_400_000;
  return { days: span + 1, held };
}

/** The dated releases of the index among the fixtures, by component. */
export function recordedHistories(): History[] {
  const folder = join(import.meta.dirname, '../fixtures/index/data');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json') && file !== 'held.json')
    .map((file) => {
      const { releases } = RecordedData.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
      return releases.flatMap(({ version, releaseTimestamp }) =>
        releaseTimestamp === undefined ? [] : [[version, dayOf(releaseTimestamp)] as const],
      );
    });
}
