import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../../src/core/dates.ts';
import { copyOfFixtureIndex, definition, writeIn } from '../../harness/root.ts';
import { fixtureDay } from '../../harness/checkout.ts';
import { rootOf, siteOf, siteOfFixtureIndex, type TestComponent } from '../../harness/site.ts';

const read = (out: string, path: string) => readFileSync(join(out, path), 'utf8');

function component(title: string, about: object, ...releases: object[]): TestComponent {
  return { definition: definition({ title, ...about }), releases };
}

const support = (policy: string, more: object = {}) => ({ support: { policy, ...more } });
const one = { version: '1.0', releaseTimestamp: '2026-08-01' };

/** `Heading: title, title`, as they follow each other. */
function groupsOf(html: string): string[] {
  return html
    .split('<tbody')
    .slice(1)
    .map((group) => {
      const heading = /scope="rowgroup"[^>]*>([^<]*)/.exec(group)?.[1] ?? 'With an end';
      const titles = Array.from(group.matchAll(/<bdi>([^<]*)/g), ([, title]) => title);
      return `${heading}: ${titles.join(', ')}`;
    });
}

describe('the groups of the index', () => {
  const html = read(
    siteOf(
      rootOf({
        a: component('Term', support('term', { months: 18 }), one),
        b: component('Ends sooner', support('ended', { since: '2026-12-31' }), one),
        c: component('Newest lines', support('latest-lines', { count: 2 }), one),
        d: component('No day known', support('term', { months: 18 }), { version: '1.0' }),
        e: component('Listed b', {}, one),
        f: component('listed a', {}, one),
        g: component('Over', support('ended', { since: '2026-01-31' }), one),
        h: component('Broken', { deprecated: [{ versions: ['1.0'], reason: 'Broken.' }] }, one),
        i: component('Empty', {}),
        j: component('Only a beta', { prereleases: true }, { ...one, version: '1.0-beta.1' }),
      }),
      fixtureDay,
    ),
    'index.html',
  );

  it('have headings for what their components lack, and are sorted by end, then by title', () => {
    expect(groupsOf(html)).toEqual([
      'With an end: Ends sooner, Term',
      'Supported until newer lines appear: Newest lines',
      'No support period is stated: listed a, Listed b, No day known',
      'No version to use: every release is deprecated or a prerelease: Broken, Only a beta',
      'No version to use: support has ended: Over',
      'No release known yet: Empty',
    ]);
  });
});

it('the index marks components with a held change, and sums up all checks', () => {
  const html = read(siteOfFixtureIndex(), 'index.html');

  expect(html.match(/>on hold</g)).toHaveLength(1);
  expect(html).toContain('href="status.html#component-svc">on hold</a>');
  expect(html).toMatch(
    /4 of 7 components could not be checked\. 1 of 7 components awaits review\. <a href="status\.html">/,
  );
});

describe('the first end of support', () => {
  it.each([fixtureDay, '2026-12-31', '2027-02-01'])(
    'is the least that is stated, in the calendar, on the index and on its own page, on %s',
    (day) => {
      const out = siteOfFixtureIndex(day);
      const names = JSON.parse(read(out, 'index.json')) as string[];
      const stated = names.flatMap((name) => {
        const { lines } = JSON.parse(read(out, `details/${name}.json`)) as {
          lines: { supportedUntil?: string }[];
        };
        return lines.flatMap(({ supportedUntil }) =>
          supportedUntil !== undefined && supportedUntil > day ? supportedUntil : [],
        );
      });
      const calendar = new ICAL.Component(ICAL.parse(read(out, 'support.ics')));
      const events = calendar
        .getAllSubcomponents('vevent')
        .map((event) => new ICAL.Event(event).startDate.toString())
        .filter((on) => on > day);
      const first = (path: string, after: string) =>
        /<time datetime="([^"]+)"/.exec(read(out, path).split(after)[1]!)![1];

      const least = stated.sort()[0];
      expect(least).toBeDefined();
      expect(events.sort()[0]).toBe(least);
      expect(first('timeline.html', 'class="lead"')).toBe(least);
      expect(first('index.html', 'id="needs-action"')).toBe(least);
      const rows = read(out, 'index.html').split('id="ends-stated"')[1]!;
      expect(/class="when">.*?<time datetime="([^"]+)"/.exec(rows)![1]).toBe(least);
    },
  );
});

describe('the index from one day to the next', () => {
  it.each([
    ['2026-12-15', '2026-12-16', 'an end that is 90 days ahead is near'],
    ['2026-12-30', '2026-12-31', 'an end that has come is over'],
    ['2026-12-31', '2027-01-01', 'the window moves with the quarter'],
  ])('moves from %s to %s: %s', (one, other) => {
    const [before, after] = [one, other].map((day) => read(siteOfFixtureIndex(day), 'index.html'));

    expect(after).not.toBe(before);
  });
});

describe('the new releases of the index', () => {
  it('are the newest usable releases of each component, the newest day first', () => {
    const root = rootOf({
      often: component(
        'Often',
        {},
        { version: '1.0', releaseTimestamp: '2026-11-01' },
        { version: '1.1', releaseTimestamp: '2026-11-10' },
        { version: '2.0', releaseTimestamp: '2026-11-10' },
        { version: '2.1', releaseTimestamp: '2026-11-18', deprecated: 'Broken' },
      ),
      seldom: component(
        'Seldom',
        {},
        { version: '7', releaseTimestamp: '2026-11-12', timestampKind: 'observed' },
      ),
      unknown: component('Unknown', {}, { version: '3' }),
    });
    const list = read(siteOf(root, fixtureDay), 'index.html')
      .split('id="new-releases"')[1]!
      .split('</ul>')[0]!;
    const items = list.split('<li>').slice(1);

    expect(items.map((item) => item.replaceAll(/<[^>]*>/g, '').trim())).toEqual([
      'Seldom 7 ≤&nbsp;12 Nov 2026',
      'Often 2.0, 1.1 10 Nov 2026',
    ]);
    expect(items[1]).toContain('href="often.html#v2.0"');
  });
});

it('an index without components says so', () => {
  const html = read(siteOf(rootOf({}), fixtureDay), 'index.html');

  expect(html).toContain('There is no component yet.');
  expect(html).not.toContain('<table');
});

it('a row has one tick for each day with releases', () => {
  const root = copyOfFixtureIndex();
  const releases = Array.from({ length: 40 }, (_, index) => ({
    version: `1.${index}`,
    releaseTimestamp: addDays('2025-09-21', Math.floor(index / 2)),
  }));
  writeIn(root, 'data/dashboard-bundle.json', { releases });
  const row = read(siteOf(root, fixtureDay), 'index.html').split('data-component="dashboard-bundle"')[1]!;

  // 20 days, of which the first ten lie before the year and the quarter.
  expect(/<path d="([^"]*)"/.exec(row)![1]).toBe(`M20362 0v1${'m1-1v1'.repeat(9)}`);
});
