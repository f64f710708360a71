import { expect, test } from 'vitest';
import { addDays, toDay, type Day } from '../../src/core/day.ts';
import type { Hold } from '../../src/core/schema/recorded.ts';
import { keyVersion, parseVersion } from '../../src/core/version.ts';
import { accept } from '../../src/record/decisions.ts';
import { readCorpus } from '../harness/corpus.ts';
import { openOperatedIndex } from '../harness/operated-index.ts';

interface Change {
  day: Day;
  product: string;
  added?: Record<string, Day>;
  changed?: Record<string, Day>;
  removed?: string[];
}

/** The real release lists of some products in one year. `start` has each product's list on the first day, `days` has all later changes. */
interface World {
  from: Day;
  to: Day;
  start: Record<string, Record<string, Day>>;
  days: Change[];
}

const world = readCorpus<World>('world-year');
const changes = Map.groupBy(world.days, ({ product }) => product);
const products = [...new Set([...Object.keys(world.start), ...changes.keys()])].sort();
/** The number of days after which a person accepts a hold. */
const patience = 3;
const mostHolds = 12;

test(`a simulated year with real release lists loses no release (products: ${products.length})`, async () => {
  const holds: Hold[] = [];
  const faults: string[] = [];
  for (const [position, product] of products.entries()) {
    const support = position % 3 === 2 ? { policy: 'latest-lines', count: 3 } : undefined;
    holds.push(...(await live(product, support, faults)));
  }

  expect(faults).toEqual([]);
  expect(holds.length, JSON.stringify(holds)).toBeLessThanOrEqual(mostHolds);
}, 3_600_000);

/**
 * Simulates a product, and returns all holds. Runs only on these days:
 * - the first day
 * - each day on which the product's list changed
 * - each day after a removal
 * - each day on which a person accepts a hold
 */
async function live(
  product: string,
  support: object | undefined,
  faults: string[],
): Promise<Iterable<Hold>> {
  const index = await openOperatedIndex();
  index.define(product, [], { prereleases: true, support });
  index.commit('Define');
  const news = Map.groupBy(changes.get(product) ?? [], ({ day }) => day);
  const list = new Map(Object.entries(world.start[product] ?? {}));
  const holds = new Map<string, Hold>();
  const fail = (version: string, problem: string) =>
    faults.push(`${product} ${version} ${problem}`);
  const readDays = () =>
    new Map(
      index.data
        .readRecorded(product)
        .releases.map(({ version, releaseTimestamp = '' }) => [version, toDay(releaseTimestamp)]),
    );

  for (let day = world.from; day <= world.to; day = addDays(day, 1)) {
    const due = index.data.readHeld().filter(({ since }) => addDays(since, patience) === day);
    const today = news.get(day) ?? [];
    const wasRemoved = news.get(addDays(day, -1))?.some(({ removed }) => removed);
    if (day !== world.from && today.length === 0 && due.length === 0 && !wasRemoved) {
      continue;
    }

    for (const { added, changed, removed = [] } of today) {
      Object.entries({ ...added, ...changed }).forEach(([version, on]) => list.set(version, on));
      removed.forEach((version) => list.delete(version));
    }
    index.answers.set(
      product,
      Array.from(list, ([version, releaseTimestamp]) => ({ version, releaseTimestamp })),
    );
    due.forEach(({ id }) => accept(index.data, [id], { by: 'Jane' }));
    const before = readDays();
    await index.record(day);

    const held = index.data.readHeld();
    held.forEach((hold) => holds.set(hold.id, hold));
    const ids = held.map(({ id }) => id);
    due
      .filter(({ id }) => ids.includes(id))
      .forEach(({ id }) => fail(id, 'is still held after the decision'));
    const now = readDays();
    const waited = new Set(
      Array.from(holds.values(), (hold) => (hold.kind === 'loss' ? [] : hold.versions)).flat(),
    );
    for (const [version, on] of before) {
      // A held version that upstream withdrew is forgotten.
      if (waited.has(version) && !list.has(version) && !now.has(version)) {
        continue;
      }
      // A run may begin before midnight and see a release from after midnight. The release date then moves one day later.
      if (now.get(version) !== on && now.get(version) !== addDays(on, 1)) {
        fail(version, `moved on ${day} to ${now.get(version)}`);
      }
    }
    const ranks = rankAll([...now.keys(), ...held.flatMap(({ versions }) => versions)]);
    for (const version of list.keys()) {
      if (rank(version) !== undefined && !ranks.has(rank(version))) {
        fail(version, `is not known on ${day}`);
      }
    }
  }

  const withdrawals = index.data.readJournal(product).filter(({ type }) => type === 'withdrawn');
  // An empty list means that the source failed. Then the recorded releases are not withdrawn, and are not checked here.
  const accounted = rankAll([
    ...list.keys(),
    ...withdrawals.map(({ version = '' }) => version),
    ...index.data.readHeld().flatMap(({ versions }) => versions),
  ]);
  for (const version of list.size > 0 ? readDays().keys() : []) {
    if (!accounted.has(rank(version))) {
      fail(version, 'was removed silently');
    }
  }
  return holds.values();
}

function rank(version: string): string | undefined {
  const parsed = parseVersion(version);
  return parsed && keyVersion(parsed);
}

function rankAll(versions: readonly string[]) {
  return new Set(versions.map(rank));
}
