import { expect, test } from 'vitest';
import { compactDetails } from '../../src/ask/compact-details.ts';
import { detailsOn } from '../../src/ask/details-on.ts';
import { addDays, type Day } from '../../src/core/dates.ts';
import { rowsOn } from '../../src/core/rows.ts';
import type { DetailsFile } from '../../src/core/schemas/published/details-file.ts';
import type { RecordedRelease } from '../../src/core/schemas/recorded.ts';
import { judgeRecorded } from '../../src/decide/judge-recorded.ts';
import { detailsOf } from '../../src/decide/details.ts';
import { openRoot } from '../../src/io/files/root.ts';
import { Definition } from '../../src/record/definition.ts';
import { loadComponents } from '../../src/site/load-component.ts';
import { checkout, fixtureDay, fixtureIndex } from '../harness/checkout.ts';
import { missingCorpus, readCorpus } from '../harness/corpus.ts';
import { randomFrom } from '../harness/random.ts';
import { definition as definitionWith } from '../harness/root.ts';

const phases = [
  { name: 'active', months: 6 },
  { name: 'security', months: 12 },
  { name: 'extended', months: 36, paid: true },
];
const policies = [
  { policy: 'term', months: 18 },
  { policy: 'term', phases, lts: { lines: '/0$/', phases } },
  { policy: 'latest-lines', count: 3 },
  {
    policy: 'dated',
    lines: { '1.0': '2027-01-31', '3.0': { active: '2027-02-01', security: '2028-01-01' } },
  },
  { policy: 'ended', since: '2027-03-01', deprecatedFrom: '2026-12-24' },
  { policy: 'ended', since: '2027-03-01' },
  { policy: 'none' },
];

/** Twenty days after the build. */
function laterDays(built: Day, random: () => number): Day[] {
  return Array.from({ length: 20 }, (_, index) =>
    addDays(built, 1 + Math.floor(random() * 60 * (index + 1))),
  );
}

/** The details without the states of the day of the build. */
function factsOf({ onBuildDay: _, releases, ...facts }: DetailsFile): string {
  return JSON.stringify({ ...facts, releases: releases.map(({ onBuildDay: _, ...release }) => release) });
}

/** Details and rows of one day, read on a later day, equal those of the later day. */
function expectSameOnLaterDays(
  name: string,
  built: Day,
  days: readonly Day[],
  detailsAt: (day: Day) => DetailsFile,
) {
  const early = detailsAt(built);
  for (const day of days) {
    const fresh = detailsAt(day);
    const about = `${name} on ${day}`;
    expect(factsOf(fresh), about).toBe(factsOf(early));
    const { latest, nextChangeOn, releases } = detailsOn(early, day);
    expect(fresh.onBuildDay, about).toEqual({
      ...(latest && { latest: latest.version }),
      ...(nextChangeOn !== undefined && { nextChangeOn }),
    });
    const states = releases.map(({ state, releasesBehind, daysBehind }) => ({
      state,
      ...(releasesBehind !== undefined && { releasesBehind }),
      ...(daysBehind !== undefined && { behind: `P${daysBehind}D` }),
    }));
    expect(JSON.stringify(fresh.releases.map(({ onBuildDay }) => onBuildDay)), about).toBe(
      JSON.stringify(states),
    );
    expect(rowsOn(compactDetails(early), day, {}), about).toEqual(rowsOn(compactDetails(fresh), day, {}));
  }
}

test('documents of the fixture index, read on a later day, equal a build of that day', () => {
  const root = openRoot(fixtureIndex, checkout);
  const days = laterDays(fixtureDay, randomFrom(38));
  const loaded = new Map(
    [fixtureDay, ...days].map((day) => [day, loadComponents(root, day).components.map(detailsOf)]),
  );
  const names = loaded.get(fixtureDay)!.map(({ component }) => component);

  expect(names.length).toBeGreaterThan(5);
  for (const name of names)
    expectSameOnLaterDays(name, fixtureDay, days, (day) =>
      loaded.get(day)!.find(({ component }) => component === name)!,
    );
});

const corpus = readCorpus();
if (!corpus) console.log(missingCorpus);

test.skipIf(corpus === undefined)(
  'documents of every product of the corpus say on a later day what a build of that day says',
  { timeout: 300_000 },
  () => {
    const random = randomFrom(2026);
    const built = '2026-11-21';
    const days = laterDays(built, random);
    for (const [place, [name, releases]] of [...corpus!].entries()) {
      const recorded = releases
        .filter(({ releaseTimestamp }) => releaseTimestamp <= built)
        .map(uncertain(random));
      const support = policies[place % policies.length]!;
      const definition = Definition.parse(
        definitionWith({
          support,
          deprecated: [{ versions: '>=1.0 <1.2', reason: 'Slow', since: '2027-01-15' }],
        }),
      );
      expectSameOnLaterDays(name, built, days, (day) =>
        detailsOf({
          ...judgeRecorded('product', definition, { releases: recorded }, day),
          journal: [],
          freshness: { state: 'static', failures: 0, troubles: [] },
        }),
      );
    }
    expect(corpus!.size).toBeGreaterThan(400);
  },
);

/** Some days are observed, with or without a lower bound; some releases are withdrawn or deprecated upstream. */
function uncertain(random: () => number) {
  return (release: { version: string; releaseTimestamp: string }): RecordedRelease => {
    const kind = Math.floor(random() * 8);
    const day = release.releaseTimestamp.slice(0, 10);
    if (kind === 0) return { ...release, timestampKind: 'observed', notListedOn: addDays(day, -40) };
    if (kind === 1) return { ...release, timestampKind: 'observed' };
    if (kind === 2) return { version: release.version, firstSeen: day };
    if (kind === 3) return { ...release, deprecated: 'Slow', deprecatedSince: addDays(day, 10) };
    if (kind === 4) return { ...release, withdrawnSince: day };
    return release;
  };
}
