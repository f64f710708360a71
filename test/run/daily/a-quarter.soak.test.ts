import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays, type Day } from '../../../src/core/model/dates.ts';
import type { ReleaseFile } from '../../../src/core/schemas/published/release-documents.ts';
import type { RecordedRelease } from '../../../src/core/schemas/recorded/recorded.ts';
import { readJsonIn } from '../../harness/root.ts';
import { openOperatedWorld, takeStep, type OperatedWorld } from './operated-world.ts';
import { incidents } from './quarter-incidents.ts';

/* What may happen to an index, day by day: see the table of incidents. */

const start: Day = '2026-01-05';
const days = 97;
const components = Array.from(
  { length: 12 },
  (_, index) => `lib-${String(index + 1).padStart(2, '0')}`,
);
const mostFalseHolds = 2;

test(`12 components live through ${days} days with ${incidents.length} incidents`, async () => {
  const world = await openOperatedWorld(start, components);
  const { index, packageOf } = world;
  const readers = openReaders(world);
  const holds = new Set<string>();
  const falseHolds: string[] = [];

  for (let count = 0; count < days; count += 1) {
    const day = addDays(start, count);
    const today = incidents.filter((incident) => incident.day === count);
    world.setDay(day);
    packageOf(components[count % components.length]!).publish(day);
    for (const step of today.flatMap(({ steps }) => steps)) {
      await takeStep(world, step);
    }

    const run = await world.run(day);

    if (!run) {
      continue;
    }
    const errors = run.stderr.split('\n').filter((line) => line.startsWith('error'));
    const where = `day ${count}, ${today.map(({ happens }) => happens).join('; ')}\n${errors.join('\n')}`;
    const red = listRed(count);
    expect.soft(run.status, where).toBe(red.length > 0 ? 1 : 0);
    for (const says of red.flatMap((incident) => incident.red!.says)) {
      expect
        .soft(`${run.stdout}\n${run.stderr}`.includes(says), `${where}\nsays ${says}`)
        .toBe(true);
    }

    const expected = today.flatMap((incident) => incident.holds ?? []);
    for (const [id, component] of world.waiting()) {
      if (!holds.has(id) && !expected.includes(component) && !expected.includes('*')) {
        falseHolds.push(`${day} (day ${count}): ${id}`);
      }
      holds.add(id);
    }
    const isPublished = today.every(({ stops }) => !stops);
    readers.read(count, isPublished);
  }

  console.log(`${holds.size} holds, false: ${falseHolds.join(', ') || 'none'}`);
  expect.soft(falseHolds.length, falseHolds.join('\n')).toBeLessThanOrEqual(mostFalseHolds);
  expect.soft(readers.wrong).toEqual([]);
  expect.soft(readers.late).toEqual([]);
  expectAllRecorded(world);
  expect(index.git('status', '--porcelain')).toBe('');
}, 1_800_000);

/** The incidents for which the run of a day is red. */
function listRed(day: number) {
  return incidents.filter(({ day: first, red, stops }) => {
    const isAgain = stops === undefined && (day - first) % 7 === 0 && day < (red?.until ?? 0);
    return red !== undefined && (day === first || (day > first && isAgain));
  });
}

/** Compares what is published with what upstreams really did. */
function openReaders({ served, packageOf, isWell }: OperatedWorld) {
  const before = new Map<string, Map<string, ReleaseFile['releases'][number]>>();
  const [wrong, late]: [string[], string[]] = [[], []];

  function readComponent(name: string, day: number, isPublished: boolean) {
    if (!existsSync(join(served, `${name}.json`))) {
      return;
    }
    const { history } = packageOf(name);
    const deprecated = incidents
      .filter((incident) => incident.day <= day)
      .flatMap((incident) => incident.deprecates ?? []);
    const { releases } = readJsonIn<ReleaseFile>(served, `${name}.json`);
    const now = new Map(releases.map((release) => [release.version, release]));
    const say = (version: string, text: string) =>
      wrong.push(`day ${day}: ${name} ${version} ${text}`);

    for (const { version, releaseTimestamp = '', isDeprecated } of releases) {
      const released = history.get(version);
      const told = before.get(name)?.get(version)?.releaseTimestamp;
      if (released === undefined) {
        say(version, 'was never released');
      } else if (releaseTimestamp < released) {
        say(version, `is of ${releaseTimestamp}, before ${released}`);
      }
      if (
        told !== undefined &&
        told !== releaseTimestamp &&
        !releaseTimestamp.startsWith(released!)
      ) {
        say(version, `moved from ${told} to ${releaseTimestamp}`);
      }
      if (
        isDeprecated &&
        !deprecated.includes(name) &&
        !deprecated.includes(`${name} ${version}`)
      ) {
        say(version, 'is deprecated');
      }
    }
    for (const version of before.get(name)?.keys() ?? []) {
      if (!now.has(version)) {
        say(version, 'vanished');
      }
    }
    before.set(name, now);
    const missing = [...history.keys()].filter((version) => !now.has(version));
    if (isPublished && isWell(name) && missing.length > 0) {
      late.push(`day ${day}: ${name} ${missing.join(' ')}`);
    }
  }

  return {
    wrong,
    late,
    read(day: number, isPublished: boolean) {
      for (const name of [...components, 'lib-13']) {
        readComponent(name, day, isPublished);
      }
    },
  };
}

/** Each version that upstreams published is recorded, and no line of a journal was changed. */
function expectAllRecorded({ index, packageOf }: OperatedWorld): void {
  for (const name of components) {
    const { releases } = readJsonIn<{ releases: RecordedRelease[] }>(
      index.root.dir,
      `data/${name}.json`,
    );
    expect
      .soft(releases.map(({ version }) => version).sort(), name)
      .toEqual([...packageOf(name).history.keys()].sort());
  }
}
