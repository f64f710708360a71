import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addDays, type Day } from '../../src/dates.ts';
import type { Definition } from '../../src/model/definition.ts';
import type { RecordedRelease } from '../../src/model/recorded.ts';
import { loadComponent } from '../../src/site/load-component.ts';
import { listComponents, openRoot } from '../../src/store/root.ts';
import { checkout, fixtureDay, fixtureIndex } from '../harness/checkout.ts';
import { pastOf } from '../../src/policy/past.ts';
import { departures, dailySite, type DailySite } from '../harness/change-law.ts';
import { merge } from '../harness/merging.ts';
import { drawing, LivingUpstream } from '../harness/upstream-life.ts';
import { componentOf } from '../render/sites.ts';

const start: Day = '2026-01-10';
const days = 90;
const seeds = Array.from({ length: 6 }, (_, index) => index + 1);

const policies: Record<string, Partial<Definition>> = {
  'no policy': {},
  'a list of deprecations': {
    deprecated: [
      { versions: ['1.1.0', '1.2.3', '1.4.4'], reason: 'Broken' },
      { versions: '<1.3', reason: 'Too old', since: addDays(start, 45) },
    ],
  },
  'a term': { support: { policy: 'term', months: 1 } },
  'a term of long lines': { support: { policy: 'term', months: 2, line: 1 } },
  'the newest two lines': { support: { policy: 'latest-lines', count: 2 } },
  'the newest line': { support: { policy: 'latest-lines', count: 1 }, ignoreUpstreamDeprecation: true },
  'stated days': {
    support: {
      policy: 'dated',
      lines: { '1.2': addDays(start, 20), '1.4': addDays(start, 40), '1.9': addDays(start, 99) },
    },
  },
  'an end': { support: { policy: 'ended', since: addDays(start, 30) } },
  'an end that is announced': {
    support: { policy: 'ended', deprecatedFrom: addDays(start, 35), since: addDays(start, 60) },
  },
};

/** Recorded by hand before anything was gathered. */
const recordedByHand: readonly RecordedRelease[] = [
  { version: '0.1' },
  { version: '0.2', releaseTimestamp: '2024-05-01' },
  { version: '1.0', releaseTimestamp: addDays(start, -20), timestampKind: 'observed' },
];

/** What is recorded, day after day, of a component that is gathered every day. */
function lifeOf(seed: number): (readonly [Day, readonly RecordedRelease[]])[] {
  const upstream = new LivingUpstream(drawing(seed));
  // Some components begin with what a person wrote; some are added while the index runs.
  let recorded = seed % 3 === 0 ? recordedByHand : [];
  const firstAsked = addDays(start, seed % 4 === 1 ? 30 : 1);
  return Array.from({ length: days }, (_, index) => {
    const day = addDays(start, index);
    const answers = upstream.live(day);
    if (day >= firstAsked) recorded = merge(recorded, answers, { day, sources: ['npm:x', 'npm:y'] }).releases;
    return [day, recorded] as const;
  });
}

/** Compares the site of each day with that of the day before. */
function departuresOf(life: Iterable<readonly [Day, DailySite]>): string[] {
  let before: DailySite | undefined;
  return Array.from(life).flatMap(([day, site]) => {
    const departed = before ? departures(before, site, day) : [];
    before = site;
    return departed;
  });
}

describe('the changes of a day are the difference between its site and that of the day before', () => {
  const lives = seeds.map(lifeOf);

  it.each(Object.entries(policies))('under %s, whatever upstream does', (_, definition) => {
    const found = lives.map((life) =>
      departuresOf(
        life.map(([day, recorded]) => [day, dailySite(componentOf(recorded, definition, { day }))]),
      ),
    );

    expect(found).toEqual(seeds.map(() => []));
  });

  // RELEASE_INDEX_ROOT names another index to look through, for instance that of the checkout.
  it('in an index of every policy, each day of three years', () => {
    const root = openRoot(resolve(process.env['RELEASE_INDEX_ROOT'] ?? fixtureIndex), checkout);
    const { names } = listComponents(root);
    const found = names.map((name) => {
      const { definition, judgement } = loadComponent(root, name, fixtureDay).component!;
      const { releases } = pastOf(judgement.releases);
      return departuresOf(
        Array.from({ length: 3 * 365 }, (_, index) => {
          const day = addDays(fixtureDay, index - 3 * 365);
          const recorded = releases.flatMap(({ enteredOn, states }) =>
            enteredOn > day ? [] : states.findLast(({ from }) => from <= day)!.release.recorded,
          );
          return [day, dailySite(componentOf(recorded, definition, { name, day }))] as const;
        }),
      );
    });

    expect(found).toEqual(names.map(() => []));
  });
});
