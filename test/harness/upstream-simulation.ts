import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { RecordedData } from '../../src/core/schemas/recorded.ts';
import { addDays, dayOf, type Day } from '../../src/core/dates.ts';
import { compareVersions, parseVersion } from '../../src/core/version.ts';
import { renderReleaseFile } from '../../src/site/render/component-json.ts';
import { again, gather, type AcceptanceResult } from './acceptance.ts';
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
  let result: AcceptanceResult | undefined;
  const latest: string[] = [];
  /** By version, the last day on which an answer that was accepted, at least in part, lacked it. */
  const lackedOn = new Map<string, Day | undefined>();
  let answeredOn: Day | undefined;
  for (let index = 0; index < days; index += 1) {
    const day = addDays(start, index);
    const where = `upstream ${seed} on ${day}`;
    const listed = upstream.live(day);
    result = result ? again(result, listed, { day }) : gather(listed, { recorded: [], day });
    const { releases, sources } = result;
    const source = sources.find(({ id }) => id === 'npm:x')!;
    if (source.kind === 'held') held += 1;

    for (const { version } of listed) if (!lackedOn.has(version)) lackedOn.set(version, answeredOn);
    if (source.kind !== 'failed' && source.taken) answeredOn = day;
    const judgement = judgeOn(day, releases);
    const published = JSON.parse(
      renderReleaseFile({ definition: { homepage: '', changelogUrl: '' }, judgement } as never),
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
  let result: AcceptanceResult | undefined;
  const days = [...byDay.keys()].sort();
  // A day without news is like the one before.
  for (const day of days) {
    for (const [version] of byDay.get(day)!) listed.push({ version, releaseTimestamp: `${day}T08:00:00Z` });
    result = result ? again(result, listed, { day }) : gather(listed, { recorded: [], day });
    if (result.sources.every(({ kind }) => kind === 'answered')) continue;
    held.push(`${day}: ${result.messages[0]}`);
    result = again(result, listed, { day, accept: true });
  }
  const span = days.length === 0 ? 0 : (Date.parse(days.at(-1)!) - Date.parse(days[0]!)) / 86_400_000;
  return { days: span + 1, held };
}

/** The dated releases of the index among the fixtures, by component. */
export function recordedHistories(): History[] {
  const folder = join(import.meta.dirname, '../fixtures/index/data');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const { releases } = RecordedData.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')));
      return releases.flatMap(({ version, releaseTimestamp }) =>
        releaseTimestamp === undefined ? [] : [[version, dayOf(releaseTimestamp)] as const],
      );
    });
}
