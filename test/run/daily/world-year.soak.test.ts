import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { addDays, countDaysBetween, type Day } from '../../../src/core/model/dates.ts';
import {
  missingYear,
  readWorldYear,
  type ListChange,
  type WorldYear,
} from '../../harness/corpus.ts';
import { definition, readJsonIn, writeIn } from '../../harness/root.ts';
import { json } from '../../harness/imitated-upstream.ts';
import { serve, startUpstream } from '../../harness/upstream.ts';
import { commandsIn, openOperatedIndex } from '../../harness/operated-index.ts';
import { openReaderLog } from './reader-log.ts';

/* What the lists of 178 real products said on each day of a year, replayed through the daily run. */

const year = readWorldYear();
if (!year) {
  console.log(missingYear);
}

/** How long a person takes to decide. */
const daysToDecide = 3;

const nothing = { vanished: [], silentChanges: [], silentRemovals: [], late: [] };

const changes = year?.days ?? [];
const restless = new Set(changes.filter(isRestless).map(({ product }) => product));

/** Lists that only grow are read weekly, which is a third of the time. `held`: what waits at least once. */
const parts = [
  {
    part: 'lists that lost or changed versions',
    includes: (product: string) => restless.has(product),
    days: listRestlessDays(),
    held: [
      'amazon-rds-mysql',
      'apache-ant',
      'apache-hop',
      'apache-lucene',
      'bitcoin-core',
      'centreon',
      'chef-supermarket',
      'mongodb',
      'mule-runtime',
      'openzfs',
      'red-hat-openshift',
      'varnish',
      'vinyl-cache',
    ],
  },
  {
    part: 'lists that only grew',
    includes: (product: string) => !restless.has(product),
    days: new Set<Day>(),
    held: ['akeneo-pim', 'visionos'],
  },
];

test.skipIf(!year).each(parts)(
  'a year of real $part: nothing vanishes or moves silently, and what waits is named',
  async ({ includes, days, held }) => {
    const { from, to } = year!;
    const world = await openWorld(year!, includes);
    const index = openOperatedIndex(from, {
      releasesUrl: 'https://releases.example.org',
      staleAfterDays: 10,
    });
    const readers = openReaderLog(index.root.dir);
    const desk = openDesk(index);
    for (let day = from; day <= to; day = addDays(day, 1)) {
      index.setDay(day);
      world.setDay(day);
      if (countDaysBetween(from, day) % 7 !== 0 && !days.has(day) && !desk.isDue(day)) {
        continue;
      }
      if (world.newProducts.length > 0) {
        await index.asPerson('Add products', (folder) => {
          for (const product of world.newProducts.splice(0)) {
            writeIn(folder, `components/${product}.json`, world.definitionOf(product));
          }
        });
      }
      await desk.decide(day);

      const run = await index.run('daily --push --skip-publish');

      desk.read(day, run);
      readers.read(day, world.lists, desk.isHeld);
    }

    console.log([...desk.describe(), ...readers.describe()].join('\n'));

    const { vanished, silentChanges, silentRemovals, late } = readers;
    expect.soft({ vanished, silentChanges, silentRemovals, late }).toEqual(nothing);
    expect.soft(desk.withoutEffect).toEqual([]);
    expect.soft(desk.redWithoutNews).toEqual([]);
    expect.soft(desk.listComponents()).toEqual(held);
  },
  7_200_000,
);

/** Whether a list lost or changed a version, or got many at once. */
function isRestless({ removed, changed, added = {} }: ListChange): boolean {
  return removed !== undefined || changed !== undefined || Object.keys(added).length > 20;
}

/** The days on which lists did not only grow, and the day after a loss. */
function listRestlessDays(): ReadonlySet<Day> {
  // This one alternates between two lists on some 90 days.
  const others = changes.filter(({ product }) => product !== 'ubuntu').filter(isRestless);
  return new Set(
    others.flatMap(({ day, removed }) => (removed === undefined ? [day] : [day, addDays(day, 1)])),
  );
}

/** The lists as of a day, and a server of them. */
async function openWorld({ start, days }: WorldYear, includes: (product: string) => boolean) {
  const lists = new Map<string, Map<string, Day>>();
  const documents = new Map<string, ReturnType<typeof json>>();
  let today: Day;
  const upstream = await startUpstream(() => (request, response) => {
    response.setHeader('date', new Date(`${today}T04:23:00Z`).toUTCString());
    serve(documents)(request, response);
  });
  onTestFinished(() => upstream.close());

  const products = new Map<string, number>();

  function update(product: string) {
    const releases = Array.from(lists.get(product)!, ([version, releaseTimestamp]) => ({
      version,
      releaseTimestamp,
    }));
    documents.set(`/${product}.json`, json({ releases }));
    if (!products.has(product) && releases.length > 0) {
      products.set(product, products.size);
      world.newProducts.push(product);
    }
  }

  const world = {
    lists,
    /** Products with a list and without a definition yet. */
    newProducts: [] as string[],
    /** Every list as of that day. */
    setDay(day: Day) {
      today = day;
      for (const change of days) {
        if (change.day !== day || !includes(change.product)) {
          continue;
        }
        const list = lists.get(change.product) ?? new Map<string, Day>();
        lists.set(change.product, list);
        for (const version of change.removed ?? []) {
          list.delete(version);
        }
        for (const [version, at] of Object.entries({ ...change.changed, ...change.added })) {
          list.set(version, at);
        }
        update(change.product);
      }
    },
    /** Every third product states ends by its newest lines, the others none. */
    definitionOf: (product: string) =>
      definition({
        title: product,
        sources: [{ datasource: 'json', url: `${upstream.url}${product}.json` }],
        prereleases: true,
        support:
          products.get(product)! % 3 === 0
            ? { policy: 'latest-lines', count: 3 }
            : { policy: 'none' },
      }),
  };
  for (const [product, versions] of Object.entries(start)) {
    if (includes(product)) {
      lists.set(product, new Map(Object.entries(versions)));
      update(product);
    }
  }
  return world;
}

interface Held {
  readonly id: string;
  readonly component: string;
}

/** A person who is told by red runs, and types the printed command three days later in a clone. */
function openDesk(index: ReturnType<typeof openOperatedIndex>) {
  const holds = new Map<string, { component: string; days: Day[]; text: string }>();
  const due = new Map<string, Day>();
  const decided = new Set<string>();
  const redOn = new Map<string, Day>();
  const redRuns: Day[] = [];

  function readHeld() {
    const file = 'data/held.json';
    // Nothing has waited yet where it is absent.
    const { held } = existsSync(join(index.root.dir, file))
      ? readJsonIn<{ held: Held[] }>(index.root.dir, file)
      : { held: [] };
    return held.map((entry) => ({ ...entry, text: JSON.stringify(entry) }));
  }

  function readRed(day: Day, run: { readonly stdout: string; readonly stderr: string }): void {
    redRuns.push(day);
    const commands = commandsIn(run);
    const news = commands.flatMap(idsIn).filter((id) => {
      const last = redOn.get(id);
      return last === undefined || countDaysBetween(last, day) >= 7;
    });
    if (news.length === 0) {
      desk.redWithoutNews.push(`${day}: ${run.stderr}`);
    }
    for (const id of news) {
      redOn.set(id, day);
    }
    for (const command of commands) {
      if (!due.has(command) && idsIn(command).some((id) => !decided.has(id))) {
        due.set(command, addDays(day, daysToDecide));
      }
    }
  }

  const desk = {
    /** Commands that failed, and what waits although it was accepted. */
    withoutEffect: [] as string[],
    redWithoutNews: [] as string[],
    listComponents: () =>
      [...new Set(Array.from(holds.values(), ({ component }) => component))].sort(),
    isDue: (day: Day) => [...due.values()].some((on) => on <= day),
    /** Types the commands that are due, as they were printed, if what they answer still waits. */
    async decide(day: Day) {
      for (const [command, on] of due) {
        const ids = idsIn(command);
        if (on > day) {
          continue;
        }
        due.delete(command);
        if (!readHeld().some(({ id }) => ids.includes(id))) {
          continue;
        }
        const { status, stderr } = await index.asPerson(command, (folder) =>
          index.run(command, folder),
        );
        if (status !== 0) {
          desk.withoutEffect.push(`${day} ${command}: ${stderr}`);
        }
        for (const id of ids) {
          decided.add(id);
        }
      }
    },
    read(
      day: Day,
      run: { readonly status: number; readonly stdout: string; readonly stderr: string },
    ) {
      for (const { id, component, text } of readHeld()) {
        const { days = [] } = holds.get(id) ?? {};
        holds.set(id, { component, days: [...days, day], text });
        if (decided.has(id)) {
          desk.withoutEffect.push(`${day} ${id}: waits although it was accepted`);
        }
      }
      if (run.status !== 0) {
        readRed(day, run);
      }
    },
    /** Whether something of a component waits, or this version. */
    isHeld: (component: string, version = '') =>
      readHeld().some((held) => held.component === component && held.text.includes(version)),
    describe: () => [
      `${redRuns.length} red runs: ${redRuns.join(' ')}`,
      `${holds.size} holds:`,
      ...Array.from(holds, ([id, { days, text }]) => {
        const end = decided.has(id) ? 'accepted' : 'ended by itself';
        return `  ${days[0]} to ${days.at(-1)}, ${end}: ${text.slice(0, 500)}`;
      }),
    ],
  };
  return desk;
}

const idsIn = (command: string) => command.split(' ').slice(1);
