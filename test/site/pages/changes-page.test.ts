import { expect, test } from 'vitest';
import { addDays } from '../../../src/core/day.ts';
import { parseQuery } from '../../../src/ask/query/parse.ts';
import { releaseFields } from '../../../src/ask/query/release-fields.ts';
import { judgeComponents, renderHtml, type Facts } from '../../harness/components.ts';

const at = '2026-11-20T06:00:00.000Z';
const released = (version: string, on: string) => ({ at, on, type: 'released', version });

type Journal = NonNullable<Facts['journal']>;

/** Renders the changes page of an index with one component and this journal. */
const renderChanges = (journal: Journal) =>
  renderHtml(judgeComponents({ svc: { definition: { title: 'Server' }, journal } })).get(
    'changes.html',
  )!;

/** Returns the visible text of each day on the changes page, with single spaces. */
const readDays = (html: string) =>
  Array.from(html.matchAll(/<section class="day"[^]*?<\/section>/g), ([day]) =>
    day
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );

test('the changes page lists ends of support before other changes of a day', () => {
  const html = renderChanges([
    released('1.0', '2026-11-20'),
    { at, on: '2026-11-20', type: 'withdrawn', version: '1.0' },
    { ...released('1.1', '2026-11-20'), isObserved: true },
    { at, on: '2026-11-20', type: 'support-ended', line: '1.0' },
    released('0.9', '2026-11-19'),
  ]);

  expect(readDays(html)).toEqual([
    '20 Nov 2026 Server 1.0 is no longer supported. Server 1.0 was withdrawn. Released Server 1.1 or before, 1.0',
    '19 Nov 2026 Released Server 0.9',
  ]);
  expect(html).toContain('<a href="svc.html#line-1.0">Server 1.0</a> is no longer supported.');
});

const days = (count: number, perDay: number) =>
  Array.from({ length: count * perDay }, (_, place) => {
    const on = addDays('2026-11-20', -Math.floor(place / perDay));
    return released(`1.${place}`, on);
  });

test.each<[name: string, journal: Journal, shown: number, since: string]>([
  ['14 days of a lively index', days(30, 5), 14, '7 Nov 2026'],
  ['40 changes of a quiet index', days(60, 1), 40, '12 Oct 2026'],
  ['whole days', days(20, 3), 14, '7 Nov 2026'],
  ['all changes of a young index', days(3, 1), 3, '18 Nov 2026'],
])('the changes page shows at least %s', (_name, journal, shown, since) => {
  const html = renderChanges(journal);

  expect(readDays(html)).toHaveLength(shown);
  expect(html.replaceAll(/<[^>]*>/g, '')).toContain(`was released since ${since}.`);
});

test('the changes page says how many changes of a busy day are left out', () => {
  expect(readDays(renderChanges(days(1, 250)))[0]).toMatch(/ 50 more changes$/);
});

test('the changes page links to a query for the releases of each month', () => {
  const html = renderChanges(days(30, 5));
  const rows = html.matchAll(/<span>(\w+ \d+)<\/span> <span class="side">(.*?)<\/span>/g);
  const months = Array.from(rows, ([, name, links = '']) => [
    name,
    ...Array.from(links.matchAll(/\?q=([^"]+)/g), ([, query = '']) => decodeURIComponent(query)),
  ]);

  expect(months.slice(0, 2)).toEqual([
    [
      'Nov 2026',
      'releaseTimestamp:[2026-11-01 to 2026-11-30]',
      '(supportedUntil:[2026-11-01 to 2026-11-30] or supportedUntilAtMost:[2026-11-01 to 2026-11-30]) isNewestOfLine',
    ],
    [
      'Oct 2026',
      'releaseTimestamp:[2026-10-01 to 2026-10-31]',
      '(supportedUntil:[2026-10-01 to 2026-10-31] or supportedUntilAtMost:[2026-10-01 to 2026-10-31]) isNewestOfLine',
    ],
  ]);
  for (const query of months.flatMap(([, ...queries]) => queries)) {
    expect(() => parseQuery(query!, releaseFields, Date.parse(at)), query).not.toThrow();
  }
});
