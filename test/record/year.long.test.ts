import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { addDays, toDay, type Day } from '../../src/core/day.ts';
import type { Hold, RecordedRelease } from '../../src/core/schema/recorded.ts';
import { parseVersion, rankKey } from '../../src/core/version.ts';
import { accept } from '../../src/record/decisions.ts';
import { openOperatedIndex, type OperatedIndex } from '../harness/operated-index.ts';

interface Change {
  day: Day;
  product: string;
  added?: Record<string, Day>;
  changed?: Record<string, Day>;
  removed?: string[];
}

/** What the lists of real products said, day by day. */
interface World {
  from: Day;
  to: Day;
  start: Record<string, Record<string, Day>>;
  days: Change[];
}

const corpus = join(import.meta.dirname, '../fixtures/corpus/world-year.json.gz');
const world = JSON.parse(gunzipSync(readFileSync(corpus)).toString()) as World;
const changes = Map.groupBy(world.days, ({ product }) => product);
const products = [...new Set([...Object.keys(world.start), ...changes.keys()])].sort();
/** A person accepts what waits after so many days. */
const patience = 3;
const mostHolds = 12;

interface FollowedHold extends Hold {
  acceptedOn?: Day;
  endedOn?: Day;
}

/** A year of one product. */
interface Life {
  product: string;
  index: OperatedIndex;
  list: Map<string, Day>;
  recorded: Map<string, RecordedRelease>;
  holds: FollowedHold[];
  /** In sentences. */
  faults: string[];
}

test(`a real year of ${products.length} products: nothing vanishes, moves silently or comes late`, async () => {
  const holds: FollowedHold[] = [];
  const faults: string[] = [];
  let days = 0;
  for (const [position, product] of products.entries()) {
    const support = position % 3 === 2 ? { policy: 'latest-lines', count: 3 } : undefined;
    const life = await begin(product, support);
    days += await live(life);
    holds.push(...life.holds);
    faults.push(...life.faults, ...listSilentRemovals(life));
  }

  console.log(`${days} runs, ${holds.length} holds`);
  expect(faults).toEqual([]);
  expect(holds.length, JSON.stringify(holds, undefined, 2)).toBeLessThanOrEqual(mostHolds);
}, 3_600_000);

async function begin(product: string, support: object | undefined): Promise<Life> {
  const index = await openOperatedIndex();
  index.define(product, [], { prereleases: true, support });
  index.commit('Define');
  const list = new Map(Object.entries(world.start[product] ?? {}));
  return { product, index, list, recorded: new Map(), holds: [], faults: [] };
}

/** Runs all days on which something changed, those after removals, and those on which a person decides. */
async function live(life: Life): Promise<number> {
  const own = Map.groupBy(changes.get(life.product) ?? [], ({ day }) => day);
  const days = new Set([world.from]);
  for (const { day, removed } of [...own.values()].flat()) {
    days.add(day);
    if (removed) {
      days.add(addDays(day, 1));
    }
  }

  for (let day = world.from; day <= world.to; day = addDays(day, 1)) {
    const due = life.holds.filter(
      ({ since, endedOn }) => endedOn === undefined && addDays(since, patience) === day,
    );
    if (due.length > 0) {
      days.add(day);
    }
    if (days.has(day)) {
      await liveDay(life, own.get(day) ?? [], due, day);
    }
  }
  return days.size;
}

async function liveDay(
  life: Life,
  news: readonly Change[],
  due: readonly FollowedHold[],
  day: Day,
): Promise<void> {
  const { product, index, list, faults } = life;
  for (const { added, changed, removed = [] } of news) {
    Object.entries({ ...added, ...changed }).forEach(([version, on]) => list.set(version, on));
    removed.forEach((version) => list.delete(version));
  }
  index.answers.set(
    product,
    Array.from(list, ([version, releaseTimestamp]) => ({ version, releaseTimestamp })),
  );
  for (const hold of due) {
    // The command of the first report.
    accept(index.data, [hold.id], 'Jane');
    hold.acceptedOn = day;
  }

  await index.record(day);

  const held = index.data.readHeld();
  for (const hold of held.filter(({ id }) => life.holds.every((each) => each.id !== id))) {
    life.holds.push({ ...hold });
  }
  for (const hold of life.holds) {
    if (held.every(({ id }) => id !== hold.id)) {
      hold.endedOn ??= day;
    }
  }
  faults.push(...due.filter(({ endedOn }) => endedOn !== day).map(({ id }) => `${id} goes on`));
  faults.push(...compare(life, held, day));
}

/** What the day recorded, beside what was recorded before, and beside the list. */
function compare(life: Life, held: readonly Hold[], day: Day): string[] {
  const { product, index, list } = life;
  const faults: string[] = [];
  const recorded = new Map(
    index.data.readRecorded(product).releases.map((release) => [release.version, release]),
  );
  const corrected = index.data
    .readJournal(product)
    .filter(({ type, field, on }) => type === 'corrected' && field === 'day' && on === day)
    .map(({ version }) => version);
  for (const [version, { releaseTimestamp = '' }] of life.recorded) {
    const now = recorded.get(version)?.releaseTimestamp;
    if (now === undefined) {
      faults.push(`${product} ${version} vanished on ${day}`);
    } else if (toDay(now) !== toDay(releaseTimestamp) && !corrected.includes(version)) {
      faults.push(`${product} ${version} moved silently on ${day}`);
    }
  }

  const ranks = new Set(Array.from(recorded.keys(), rank));
  const waiting = held.flatMap(({ versions }) => versions);
  for (const version of list.keys()) {
    if (rank(version) !== undefined && !ranks.has(rank(version)) && !waiting.includes(version)) {
      faults.push(`${product} ${version} is not known on ${day}`);
    }
  }
  life.recorded = recorded;
  return faults;
}

/** Versions that are listed no more, neither withdrawn nor waiting. What an empty list held is not known to be gone. */
function listSilentRemovals({ product, index, list, recorded }: Life): string[] {
  const listed = new Set(Array.from(list.keys(), rank));
  const waiting = index.data.readHeld().flatMap(({ versions }) => versions);
  const told = new Set(
    index.data
      .readJournal(product)
      .filter(({ type }) => type === 'withdrawn')
      .map(({ version }) => version),
  );
  const gone = Array.from(recorded.keys()).filter((version) => !listed.has(rank(version)));
  return list.size === 0
    ? []
    : gone
        .filter((version) => !told.has(version) && !waiting.includes(version))
        .map((version) => `${product} ${version} was removed silently`);
}

function rank(version: string): string | undefined {
  const parsed = parseVersion(version);
  return parsed && rankKey(parsed);
}
