import { renameSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { readSettings, requireDefinitions } from '../../src/core/read-definitions.ts';
import { accept } from '../../src/record/decisions.ts';
import {
  createCopies,
  listReleases,
  openRunning,
  type ListedRelease,
  type OperatedIndex,
} from '../harness/operated-index.ts';

const start = '2026-03-01';
const releases = listReleases(3);
const openCopy = createCopies(await openRunning(start, releases));

const yanked = releases.map((each, index) => ({ ...each, isDeprecated: index >= 6 }));
const far = { version: '20260302.0', releaseTimestamp: '2026-03-02' };
/** A release whose date is too early to be believed. */
const early = { version: '1.3.0', releaseTimestamp: '2025-06-01' };
const day = fc.record({
  // An empty list means that the source does not answer.
  list: fc.constantFrom<ListedRelease[]>(
    ...[[], releases, [...releases, early], yanked, [...releases, far], [...yanked, far, early]],
  ),
  accepts: fc.boolean(),
});
const days = fc.array(day, { minLength: 1, maxLength: 3 });

test('renaming a component changes only names: holds and decisions stay', async () => {
  let holds = 0;
  const lives = fc.asyncProperty(days, days, async (before, after) => {
    const [former, renamed] = [await live(false), await live(true)];
    holds += Number(/"kind"/.test(former));
    expect(renamed).toBe(former);

    /**
     * Runs all days, and returns the recorded data after each day. Writes the former name in place of the new name. A run with the renaming
     * must then give the same text as a run without it.
     */
    async function live(isRenamed: boolean): Promise<string> {
      const index = openCopy();
      const known = [];
      for (const [position, { list, accepts }] of [...before, ...after].entries()) {
        if (isRenamed && position === before.length) {
          rename(index, 'svc', 'runner');
        }
        known.push(readKnown(index));
        index.answers.set('svc', list);
        known.push(await index.record(addDays(start, position + 1)));
        const ids = accepts ? index.data.readHeld().map(({ id }) => id) : [];
        accept(index.data, ids, { by: 'Jane' });
      }
      return JSON.stringify([...known, readKnown(index)], undefined, 1).replaceAll('runner', 'svc');
    }
  });
  await fc.assert(lives, { numRuns: 8 });

  expect(holds).toBeGreaterThan(0);
});

/** Renames a component with the steps in RUNBOOK. */
function rename({ root, url, define }: OperatedIndex, from: string, to: string): void {
  for (const path of ['components/%.json', 'data/%.json', 'data/journal/%.ndjson']) {
    renameSync(join(root, path.replace('%', from)), join(root, path.replace('%', to)));
  }
  const sources = [{ datasource: 'json', url: `${url}/${from}.json` }];
  define(to, [], { title: from, sources, renamedFrom: [from] });
}

function readKnown({ root, data }: OperatedIndex) {
  const definitions = requireDefinitions(root, readSettings(root));
  const components = data.readComponents(definitions).results;
  return {
    components: components.map(({ definition: _, journal, ...facts }) => {
      return { ...facts, journal: journal.map(({ at: __, ...event }) => event) };
    }),
    freshness: data.readFreshness(undefined, definitions),
  };
}
