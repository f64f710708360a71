import { existsSync, mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../src/core/model/dates.ts';
import { buildSite } from '../../src/site/build-site.ts';
import { readLastWaits } from '../../src/io/files/recorded-files.ts';
import { listComponents, openRoot } from '../../src/io/files/root.ts';
import { openAccepted } from '../../src/record/gate/last-good-files.ts';
import { recordJournal } from '../../src/record/journal/record-journal.ts';
import { loadComponent } from '../../src/site/load-component.ts';
import { checkout, fixtureDay, fixtureIndex } from './checkout.ts';
import { makeRoot, temporaryFolder, writeIn } from './root.ts';
import { sharedFolder } from './shared-folder.ts';

/** The files of one component, before they are written. */
export interface TestComponent {
  definition: object;
  releases?: readonly object[];
  freshness?: object;
  /** What waits for a person since the last run. */
  waits?: object;
}

/** The line of a run that recorded nothing but what waits. */
export function runWith(waits: readonly object[]): object {
  const at = '2026-11-19T05:00:00.000Z';

  return {
    ...{ id: 'abcdefghijklm', asOf: '2026-11-19', at, startedAt: at, finishedAt: at },
    ...{ program: '1.0.0', node: '24.0.0', requested: ['daily'] },
    ...{ components: 1, asked: 0, events: 0, waits },
  };
}

/** A root that has these components. */
export function rootOf(components: Readonly<Record<string, TestComponent>>): string {
  const files = Object.entries(components).flatMap(
    ([name, { definition, releases, freshness }]) => [
      [`components/${name}.json`, definition],
      ...(releases ? [[`data/${name}.json`, { releases }]] : []),
      ...(freshness ? [[`data/freshness/${name}.json`, freshness]] : []),
    ],
  );
  const waits = Object.values(components).flatMap((component) => component.waits ?? []);
  const root = makeRoot(Object.fromEntries(files) as Record<string, object>);
  if (waits.length > 0) {
    writeIn(root, 'data/runs/2026.ndjson', `${JSON.stringify(runWith(waits))}\n`);
  }
  return root;
}

/** Records on each of these days what the index says then, as the daily run does. */
export async function recordOn(root: string, ...days: readonly Day[]): Promise<void> {
  const opened = openRoot(root, checkout);
  const { names } = listComponents(opened);
  for (const day of days) {
    recordJournal({
      root: opened,
      day,
      components: new Map(names.map((name) => [name, loadComponent(opened, name, day).component])),
      now: new Date(0),
      run: {
        id: '0123456789abc',
        startedAt: new Date(0).toISOString(),
        requested: ['record'],
        program: '1.0.0',
        node: '24.0.0',
        components: names.length,
        asked: 0,
      },
    });
  }
}

/** Builds the site of a root, from nothing. Returns its folder; throws with all findings where something is broken. */
export function siteOf(
  root: string,
  day: Day = fixtureDay,
  baseUrl?: string,
  folder = temporaryFolder(),
): string {
  const out = join(folder, 'dist');
  const opened = openRoot(root, checkout);
  buildSite({
    root: openAccepted(opened, readLastWaits(opened)),
    out,
    day,
    ...(baseUrl !== undefined && { baseUrl }),
  });
  return out;
}

const ofFixtureIndex = new Map<Day, string>();

/** The folder of the site of the frozen index of the fixtures. All tests of a run share it, so nobody writes in it. */
export function siteOfFixtureIndex(day: Day = fixtureDay): string {
  const known = ofFixtureIndex.get(day) ?? sharedSite(day);
  ofFixtureIndex.set(day, known);
  return known;
}

/** The site that a worker of this run has built; builds it if there is none. */
function sharedSite(day: Day): string {
  const shared = process.env[sharedFolder];
  if (shared === undefined) {
    return siteOf(fixtureIndex, day);
  }
  const folder = join(shared, `fixture-${day}`);
  if (!existsSync(folder)) {
    const built = mkdtempSync(`${folder}-`);
    siteOf(fixtureIndex, day, undefined, built);
    try {
      renameSync(built, folder);
    } catch {
      // Another worker built it meanwhile.
      return join(built, 'dist');
    }
  }
  return join(folder, 'dist');
}
