import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ICAL from 'ical.js';
import { beforeAll, expect, test } from 'vitest';
import { computeDetailsOn } from '../../src/ask/answers/component-on.ts';
import { formatDay } from '../../src/core/model/dates.ts';
import type { DetailsFile } from '../../src/core/schemas/published/details-file.ts';
import { definition, readJsonIn } from '../harness/root.ts';
import { run } from '../harness/run.ts';
import { recordOn, rootOf, siteOf } from '../harness/site.ts';

const phases = [
  { name: 'active', months: 12 },
  { name: 'security', months: 18 },
  { name: 'extended', months: 36, paid: true },
];

/** On each day: the present phase, and its words at every interface. */
const days: [day: string, phase: string | undefined, words: string][] = [
  ['2026-04-08', 'active', 'until 2026-10-08, in phase active until 2026-04-08'],
  ['2026-04-09', 'security', 'until 2026-10-08, in phase security'],
  ['2026-10-08', 'security', 'until 2026-10-08, in phase security'],
  ['2026-10-09', 'extended', '2026-10-08, except in phase extended (paid) until 2028-04-08'],
  ['2028-04-09', undefined, '2026-10-08'],
];

let root: string;
let first: string;

beforeAll(async () => {
  root = rootOf({
    svc: {
      definition: definition({
        support: { policy: 'term', phases, lts: { lines: ['2024.4'], phases } },
      }),
      releases: [
        { version: '2024.4', releaseTimestamp: '2025-01-15' },
        { version: '2025.1', releaseTimestamp: '2025-04-08' },
      ],
    },
  });
  await recordOn(root, '2025-04-08');
  first = siteOf(root, '2025-04-08');
});

const textOf = (html: string) =>
  html
    .replaceAll(/<\/?time[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');

/** Pages write `8 Oct 2026`. */
function readable(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\d/g, formatDay);
}

test.each(days)('on %s, every interface names the phase %s', async (day, phase, words) => {
  const asOf = ['--root', root, '--as-of', day];
  const built = siteOf(root, day);
  const details = computeDetailsOn(readJsonIn<DetailsFile>(first, 'details/svc.json'), day);
  expect(details.lines[1]!.phase?.name).toBe(phase);
  expect(details.lines[0]).toMatchObject({ isLts: true });

  const page = textOf(readFileSync(join(built, 'svc.html'), 'utf8'));
  expect(page).toContain(readable(words.replace(/, (?:except )?in phase /, ' ')));
  expect(page).toContain(
    readable(
      'Phases of 2025.1: active until 2026-04-08, security until 2026-10-08, extended (paid) until 2028-04-08.',
    ),
  );
  const paid =
    '2025.1 was supported until 8 Oct 2026, except in phase extended (paid) until 8 Apr 2028.';
  expect(page.includes(paid)).toBe(phase === 'extended');

  const explained = await run(['explain', 'svc', '2025.1', ...asOf]);
  expect(explained.stdout).toContain(words);
  const ofAll = await run(['explain', 'svc', ...asOf]);
  expect(ofAll.stdout).toContain(words.replace(/^2/, 'was supported until 2'));

  const csv = await run(['search', '--csv', 'version:2025.1', ...asOf]);
  const [heading = '', row = ''] = csv.stdout.split('\n');
  const cells = row.replaceAll(/"[^"]*"/g, 'quoted').split(',');
  expect(cells[heading.split(',').indexOf('phase')]).toBe(phase ?? '');

  const table = await run(['search', 'version:2025.1', ...asOf]);
  expect(table.stdout).toContain(`2026-10-08${phase ? `, now in phase ${phase}` : '  '}`);

  const calendar = eventsOf(readFileSync(join(built, 'calendars/svc.ics'), 'utf8'));
  const next = calendar.find(({ line, on }) => line === '2025.1' && on >= day);
  expect(next?.phase).toBe(phase);

  const badge = readJsonIn<{ message: string }>(built, 'badges/svc.json').message;
  expect(badge).toBe(day <= '2026-10-08' ? `2025.1 (${phase})` : 'none supported');
});

/** The events of a calendar, as a calendar program reads them. */
function eventsOf(text: string): { uid: string; on: string; line: string; phase: string }[] {
  const calendar = new ICAL.Component(ICAL.parse(text));
  return calendar
    .getAllSubcomponents('vevent')
    .map((component) => new ICAL.Event(component))
    .map(({ uid, summary, startDate }) => {
      const [, line = '', phase = ''] = /(\d+\.\d+)[:,].*end of phase (\w+)/.exec(summary) ?? [];
      return { uid, on: startDate.toString(), line, phase };
    });
}

test('the calendar has each end of a phase once, by name', () => {
  const events = eventsOf(readFileSync(join(first, 'support.ics'), 'utf8'));
  const ofYear = events.filter(({ on }) => on.startsWith('2026'));

  expect(ofYear.map(({ on, uid }) => `${on} ${uid.split('@')[0]}`)).toEqual([
    '2026-01-15 svc/2024.4/end-of-active',
    '2026-07-15 svc/2024.4/end-of-support',
    '2026-04-08 svc/2025.1/end-of-active',
    '2026-10-08 svc/2025.1/end-of-support',
  ]);
  expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length);
});

test('endoflife.date has the last day of each phase', () => {
  const built = siteOf(root, '2026-10-08');

  expect(readJsonIn<object[]>(built, 'endoflife/api/svc.json')).toMatchObject([
    { support: '2026-04-08', eol: '2026-10-08', extendedSupport: '2028-04-08', lts: false },
    { cycle: '2024.4', lts: true },
  ]);
});

test('the picture draws a part for each phase, and names them in text', () => {
  const page = readFileSync(join(first, 'index.html'), 'utf8');
  const [row = ''] =
    page.match(/<li class="tone-ok"><span class="name">(?:(?!<li).)*? 2025\.1 .*?<\/li>/s) ?? [];

  expect(Array.from(row.matchAll(/<rect class="([^"]+)"/g), ([, kind]) => kind)).toEqual([
    'bar',
    'bar later-phase',
    'bar paid-phase',
  ]);
  expect(textOf(row)).toContain('2025.1 (security) until 8 Oct 2026');
  expect(textOf(row)).toContain(
    'Phases: active until 8 Apr 2026, security until 8 Oct 2026, extended (paid) until 8 Apr 2028.',
  );
  expect(textOf(page)).toContain('then extended (paid, not for everyone)');
});
