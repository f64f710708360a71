/** The recorded history of the example goes on where it was: its files are read and written with the same values. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Day } from '../src/core/day.ts';
import type { CleEvent } from '../src/core/schema/cle.ts';
import type { Event } from '../src/core/schema/events.ts';
import { openData } from '../src/record/files.ts';
import { listEvents } from '../src/record/journal.ts';
import { listCleEvents } from '../src/site/documents/cle.ts';
import { readFiles } from './harness/components.ts';
import { exampleRoot } from './harness/example.ts';
import { createFolder } from './harness/index-folder.ts';
import { release, subjectOf } from './harness/judging.ts';

test('recorded data that is read and written again has the same bytes, and lines the same values', () => {
  const copy = createFolder();
  const [from, to] = [openData(exampleRoot), openData(copy)];
  for (const file of readdirSync(join(exampleRoot, 'components'))) {
    const name = file.slice(0, -5);
    to.writeRecorded(name, from.readRecorded(name));
    to.appendToJournal(name, from.readJournal(name));
  }
  to.writeFreshness(from.readFreshness());
  for (const run of from.readRuns()) {
    to.appendRun(run);
  }
  for (const decision of from.readDecisions()) {
    to.appendDecision(decision);
  }

  const recorded = readFiles(exampleRoot);
  const written = readFiles(copy);
  for (const [path, text] of written) {
    expect(readValues(path, text), path).toEqual(readValues(path, recorded.get(path)));
  }
  expect(written.size).toBeGreaterThan(30);
});

const readValues = (path: string, text = ''): unknown =>
  path.endsWith('.json')
    ? text
    : Array.from(text.matchAll(/.+/g), ([line]) => JSON.parse(line) as unknown);

/** What the lists of real products said in a year, day by day. */
interface World {
  from: Day;
  start: Record<string, Record<string, Day>>;
  days: { day: Day; product: string; added?: object; changed?: object; removed?: string[] }[];
}

const world = JSON.parse(
  gunzipSync(
    readFileSync(join(import.meta.dirname, 'fixtures/corpus/world-year.json.gz')),
  ).toString(),
) as World;
const news = Map.groupBy(world.days, ({ product }) => product);
/** Those with the most news, of short lists. */
const busiest = [...news.keys()]
  .filter((product) => Object.keys(world.start[product] ?? {}).length < 150)
  .sort((a, b) => news.get(b)!.length - news.get(a)!.length)
  .slice(0, 4);
const policies = [
  { policy: 'latest-lines', count: 2 },
  { policy: 'term', months: 9 },
] as const;

test.each(busiest)('the life cycle of %s tells each event once, and no other later', (product) => {
  const list = new Map(Object.entries(world.start[product] ?? {}));
  const journal: Event[] = [];
  let told: CleEvent[] = [];
  for (const [position, { day, added, changed, removed = [] }] of (
    news.get(product) ?? []
  ).entries()) {
    Object.entries({ ...added, ...changed }).forEach(([version, on]) =>
      list.set(version, on as Day),
    );
    removed.forEach((version) => list.delete(version));
    // Halfway, the policy changes: ends move.
    const support = policies[position < 20 ? 0 : 1];
    const releases = Array.from(list, ([version, on]) => release(version, `${on}T00:00:00Z`));
    const { definition, recorded: counted } = subjectOf(releases, { support });
    const at = `${day}T00:00:00.000Z`;
    const events = listEvents([{ component: product, definition, counted, journal }], day, at);
    journal.push(...(events.get(product) ?? []));

    const now = listCleEvents(journal);
    // Of all days together, a comparison of objects takes longer than all else.
    expect(JSON.stringify(now.slice(0, told.length))).toBe(JSON.stringify(told));
    told = now;
  }

  const ids = told.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  const exact = journal.filter(({ type, isObserved }) => type === 'released' && !isObserved);
  const first = told.filter(({ id, type }) => type === 'released' && id % 10 === 0);
  expect(first.map(({ id }) => id / 10)).toEqual(expect.arrayContaining(exact.map(({ id }) => id)));
  const withdrawn = told.flatMap((event) => (event.type === 'withdrawn' ? event.eventId : []));
  expect(new Set(withdrawn).size).toBe(withdrawn.length);
  expect(ids).toEqual(expect.arrayContaining(withdrawn));
});
