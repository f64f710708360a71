import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ICAL from 'ical.js';
import { afterAll, expect, test } from 'vitest';
import { addDays, addMonths, type Day } from '../../src/core/model/dates.ts';
import { readJournal } from '../../src/io/files/recorded-files.ts';
import { openRoot } from '../../src/io/files/root.ts';
import { checkout } from '../harness/checkout.ts';
import { randomFrom } from '../harness/random.ts';
import { definition, makeRoot, readJsonIn, removeTemporaryFolders } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';
import { recordOn, siteOf } from '../harness/site.ts';

// An end is the last day with support: on the day before and on the day itself it is supported, on the day after it has ended.

const product = { datasource: 'endoflife-date', product: 'tool' } as const;
const source = 'support endoflife-date:tool';

/** The parts of a component whose line 1.0 ends on a day, by each policy that can state it. */
interface Ending {
  readonly support: object;
  readonly releases: readonly object[];
  readonly lines?: readonly object[];
}

function endingOn(end: Day): Readonly<Record<string, Ending>> {
  const began = addMonths(end, -18);
  const first = { version: '1.0', releaseTimestamp: began };
  const both = [first, { version: '2.0', releaseTimestamp: addDays(end, -20) }];

  return {
    term: { support: { policy: 'term', months: 18 }, releases: both },
    newest: {
      support: { policy: 'latest-lines', count: 1 },
      releases: [first, { version: '2.0', releaseTimestamp: end }],
    },
    dated: { support: { policy: 'dated', lines: { '1.0': end } }, releases: both },
    stated: {
      support: { policy: 'stated', source: product },
      releases: both,
      lines: [{ line: '1.0', phases: [{ name: 'support', until: end }], source }],
    },
    ended: {
      support: { policy: 'ended', until: end, deprecatedFrom: addDays(end, 1) },
      releases: [first],
    },
  };
}

function rootEndingOn(end: Day): string {
  const files = Object.entries(endingOn(end)).flatMap(([name, { support, ...data }]) => [
    [`components/${name}.json`, definition({ title: name, support })],
    [`data/${name}.json`, data],
  ]);

  return makeRoot(Object.fromEntries(files) as Record<string, object>);
}

afterAll(removeTemporaryFolders);

// A day that every 18th month before it has, in a leap year, at the end of a year, and two others.
const random = randomFrom(71);
const ends = [
  '2028-02-28',
  '2026-12-28',
  ...[0, 0].map(() => addDays('2026-03-01', Math.floor(random() * 28))),
];

test.each([...new Set(ends)])(
  'support runs on its last day, %s, and has ended on the day after, at every door',
  async (end) => {
    const root = rootEndingOn(end);
    const names = Object.keys(endingOn(end));

    for (const day of [-1, 0, 1].map((days) => addDays(end, days))) {
      await recordOn(root, day);
      const out = siteOf(root, day);
      const isOver = day > end;
      const run = async (...args: string[]) =>
        (await runHere([...args, '--root', root, '--as-of', day])).stdout;

      const selected = async (query: string) =>
        (JSON.parse(await run('search', query, '--json')) as { component: string }[])
          .map(({ component }) => component)
          .sort();

      const sorted = names.toSorted();
      // On the day before it, the release that ends a line is not out.
      const stated = day < end ? sorted.filter((name) => name !== 'newest') : sorted;

      expect(await selected('version:1.0 isSupported:true')).toEqual(isOver ? [] : sorted);
      expect(await selected('version:1.0 isDeprecated:true')).toEqual(isOver ? sorted : []);
      expect(await selected('version:1.0 state:ended')).toEqual(isOver ? sorted : []);
      expect(await selected('version:1.0 state:ends-soon')).toEqual(isOver ? [] : stated);
      expect(await selected('version:1.0 supportLeft:0d')).toEqual(day === end ? sorted : []);
      expect(await selected(`version:1.0 supportedUntil:${end}`)).toEqual(stated);

      const report = JSON.parse(
        await run('scan', ...names.map((name) => `${name}@1.0`), '--policy', 'supported', '--json'),
      ) as { results: { status: string }[]; plan: { steps: { component: string; by?: Day }[] } };
      const status = isOver ? 'unsatisfied' : 'satisfied';
      expect(report.results.map((result) => result.status)).toEqual(names.map(() => status));
      expect(report.plan.steps.map(({ by }) => by)).toEqual(
        stated.filter((name) => name !== 'ended').map(() => (isOver ? undefined : end)),
      );

      for (const name of stated) {
        const words = isOver ? `was supported until ${end}` : `is supported until ${end}`;
        const { releases } = readJsonIn<{ releases: { isDeprecated: boolean }[] }>(
          out,
          `${name}.json`,
        );
        const [cycle] = readJsonIn<{ eol: unknown }[]>(out, `endoflife/api/${name}.json`).slice(-1);
        const page = readFileSync(join(out, `${name}.html`), 'utf8');
        const calendar = readFileSync(join(out, `calendars/${name}.ics`), 'utf8');
        const events = new ICAL.Component(ICAL.parse(calendar))
          .getAllSubcomponents('vevent')
          .map((event) => new ICAL.Event(event).startDate.toString());

        expect(await run('explain', name, '1.0')).toContain(`${name} 1.0 ${words}.`);
        expect(releases[0]!.isDeprecated).toBe(isOver);
        expect(readJsonIn<string[]>(out, `supported/${name}.json`).includes('1.0')).toBe(!isOver);
        expect(cycle!.eol).toBe(end);
        expect(events).toContain(end);
        expect(page).toContain(`data-until="${end}"`);
        expect(page).toContain(`${isOver ? 'ended' : 'until'} <time datetime="${end}"`);
      }
    }

    const events = readJournal(openRoot(root, checkout), 'term').value!.values;
    const told = events.map(({ at, type, on }) => [type, on, at.slice(0, 10)]);
    expect(told).toContainEqual(['support-ended', end, addDays(end, 1)]);
    expect(told).toContainEqual(['deprecated', addDays(end, 1), addDays(end, 1)]);
  },
);
