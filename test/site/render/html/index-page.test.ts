import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ICAL from 'ical.js';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../../../src/core/model/dates.ts';
import type { Definition } from '../../../../src/core/schemas/definition/definition.ts';
import type { RecordedRelease } from '../../../../src/core/schemas/recorded/recorded.ts';
import { renderIndexPage } from '../../../../src/site/render/html/index-page.ts';
import { fixtureDay as day } from '../../../harness/checkout.ts';
import { siteOfFixtureIndex } from '../../../harness/site.ts';
import { componentOf, site, summariesOf } from '../sites.ts';

const read = (out: string, path: string) => readFileSync(join(out, path), 'utf8');

type Listed = [title: string, about: Partial<Definition>, ...releases: RecordedRelease[]];

function indexOf(...listed: readonly Listed[]): string {
  const components = listed.map(([title, about, ...releases], index) =>
    componentOf(releases, { title, ...about }, { name: `tool-${index}`, day }),
  );
  return renderIndexPage({ ...site, day }, summariesOf(...components));
}

const one = { version: '1.0', releaseTimestamp: '2026-08-01' };
const term = { support: { policy: 'term', months: 18 } } as const;
const broken = { deprecated: [{ versions: ['1.0'], reason: 'Broken.' }] };

it('the index groups components by what they lack, sorted by end, then by title', () => {
  const html = indexOf(
    ['Term', term, one],
    ['Ends sooner', { support: { policy: 'ended', until: '2026-12-31' } }, one],
    ['Newest lines', { support: { policy: 'latest-lines', count: 2 } }, one],
    ['No day known', term, { version: '1.0' }],
    ['Listed b', {}, one],
    ['listed a', {}, one],
    ['Over', { support: { policy: 'ended', until: '2026-01-31' } }, one],
    ['Broken', broken, one],
    ['Broken undated', { ...term, ...broken }, { version: '1.0' }],
    ['Over without a day', { support: { policy: 'ended' } }, one],
    ['Empty', {}],
    ['First beta', { ...term, prereleases: true }, { ...one, version: '1.0-beta.1' }],
    ['Only a beta', { prereleases: true }, { ...one, version: '1.0-beta.1' }],
  );

  const groups = html.split('<tbody').slice(1);
  expect(
    groups.map((group) => {
      const heading = /scope="rowgroup"[^>]*>([^<]*)/.exec(group)?.[1] ?? 'With an end';
      const titles = Array.from(group.matchAll(/<bdi>([^<]*)/g), ([, title]) => title);
      return `${heading}: ${titles.join(', ')}`;
    }),
  ).toEqual([
    'With an end: Ends sooner, Term',
    'Supported until newer lines appear: Newest lines',
    'No end stated: listed a, Listed b, No day known',
    'No version to use: every release is deprecated or a prerelease: Broken, Broken undated, First beta, Only a beta',
    'No version to use: support has ended: Over, Over without a day',
    'No release known yet: Empty',
  ]);
});

it('components without an end are in the order of their titles, whatever the accents', () => {
  const titles = ['Zebra', 'Éclair', 'edge', '7-Zip', 'Ember'];
  const html = indexOf(...titles.map((title): Listed => [title, {}, one]));

  const rows = html.split('id="component-table"')[1]!.matchAll(/<bdi>(.*?)<\/bdi>/g);
  const sorted = ['7-Zip', 'Éclair', 'edge', 'Ember', 'Zebra'];
  expect(Array.from(rows, ([, title]) => title)).toEqual(sorted);
});

it('a long index has groups by letter, whatever the accents and the script', () => {
  const titles = ['Zeta', 'École', 'Echo', 'Яндекс', 'якорь', '日本語', '.NET'];
  const others = Array.from({ length: 100 }, (_, index) => `7-Zip ${index}`);

  const html = indexOf(...[...titles, ...others].map((title): Listed => [title, {}, one]));

  const groups = html.split('<tbody id="letter-').slice(1);
  expect(
    groups.map((group) => {
      const [, heading] = /scope="rowgroup"[^>]*>([^<]*)/.exec(group)!;
      return `${heading}: ${group.match(/<bdi>/g)!.length}`;
    }),
  ).toEqual(['Other: 1', '0–9: 100', 'E: 2', 'Z: 1', 'Я: 2', '日: 1']);
});

it('of twelve months, those with ends lead to them', () => {
  const html = indexOf(
    ...Array.from({ length: 13 }, (_, index): Listed => {
      const until = index < 8 ? '2026-12-20' : '2027-02-20';
      return [`Tool ${index}`, { support: { policy: 'ended', until } }, one];
    }),
  );

  const [, strip = ''] = /<ol class="strip">([^]*?)<\/ol>/.exec(html) ?? [];
  const links = Array.from(strip.matchAll(/ href="#([^"]*)"/g), ([, id]) => id!);
  expect(strip.match(/<li>/g)).toHaveLength(12);
  expect(links).toEqual(['month-2026-12', 'month-2027-02']);
  expect(links.filter((id) => !html.includes(` id="${id}"`))).toEqual([]);
});

it('the first example is about the next end of a part of a component, on its last day as well', () => {
  const ended: Listed = ['Whole', { support: { policy: 'ended', until: day } }, one];
  const dated = (until: string): Listed => [
    'Part',
    { support: { policy: 'dated', lines: { '1.0': until } } },
    one,
  ];

  expect(indexOf(ended, dated(day))).toContain('Part 1.0');
  expect(indexOf(ended, dated(addDays(day, -1)))).not.toMatch(/(?:Part|Whole) 1\.0/);
});

it('the index states each end in the list and in the picture', () => {
  const html = indexOf(
    ['Ends sooner', { support: { policy: 'ended', until: '2026-12-31' } }, one],
    ['Term', term, one],
  );

  const ends = ['data-until="2026-12-31"', 'data-until="2028-02-01"'];
  expect(html.match(/data-until="[^"]+"/g)).toEqual([...ends, ...ends]);
  expect(html).not.toContain('>Support</th>');
});

it.each([
  [13, 0, { rows: 12, hidden: 0 }, '1 more end within 90 days. <a'],
  [13, 2, { rows: 12, hidden: 0 }, '1 more end within 90 days. <a'],
  [8, 8, { rows: 8, hidden: 0 }, '<p class="note"><a href="support.ics"'],
  [2, 12, { rows: 5, hidden: 3 }, '<p class="note"><a href="support.ics"'],
])(
  'of %i ends within 90 days and %i later ones, the first page shows or counts each',
  (due, later, rows, words) => {
    const ends = (month: string, count: number) =>
      Array.from({ length: count }, (_, index): Listed => [
        `Tool ${month} ${index}`,
        { support: { policy: 'ended', until: `${month}-${index + 11}` } },
        one,
      ]);

    const html = indexOf(...ends('2026-12', due), ...ends('2027-06', later));

    const list = html.split('id="needs-action"')[1]!.split('</section>')[0]!;
    expect({
      rows: list.match(/<li class="tone/g)!.length,
      hidden: list.match(/<li[^>]* hidden>/g)?.length ?? 0,
    }).toEqual(rows);
    expect(list).toContain(words);
  },
);

describe('an end of which only the latest possible day is known', () => {
  const fixed = (title: string, until: string): Listed => [
    title,
    { support: { policy: 'ended', until } },
    one,
  ];
  const observed = { ...one, timestampKind: 'observed' } as const;
  const open: Listed = ['Open', { support: { policy: 'term', months: 24 } }, observed];

  it('needs action, since it may have passed', () => {
    const html = indexOf(fixed('Later', '2027-12-31'), open);

    const [first = '', second = ''] = html.split('id="needs-action"')[1]!.split('</li>');
    expect(first).toMatch(/<li class="tone-soon"><span><a [^>]*><bdi>Open<.*>may have ended, by /);
    expect(second).toMatch(/<li class="tone-ok" hidden><span><a [^>]*><bdi>Later</);
    expect(html).not.toContain('Nothing ends');
  });

  it('is the first example until that day, and needs another end for a question about ends', () => {
    const alone = indexOf(['First', {}, one], open);
    const withAnother = indexOf(['Later', term, one], open);

    const first = '<a href="?q=Open 1.0">Open 1.0</a>';
    expect(alone).toContain(`Try: ${first} <a href="?q=released this year">`);
    expect(withAnother).toContain(`Try: ${first} <a href="?q=ends within 90 days">`);
  });

  it('is in the present month of twelve', () => {
    const others = Array.from({ length: 12 }, (_, index) => fixed(`Later ${index}`, '2027-12-31'));

    const html = indexOf(...others, open);

    const strip = html.split('<ol class="strip">')[1]!.split('</ol>')[0]!;
    const links = Array.from(strip.matchAll(/ href="#([^"]*)"/g), ([, id]) => id);
    expect(links).toEqual([`month-${day.slice(0, 7)}`]);
    expect(html.match(/<summary><h3>2028</)).toBeNull();
  });
});

describe('the first end of support', () => {
  it.each([day, '2026-12-31'])(
    'is the least that is stated, in the calendar and on the index, on %s',
    (day) => {
      const out = siteOfFixtureIndex(day);
      const names = JSON.parse(read(out, 'index.json')) as string[];
      const stated = names.flatMap((name) => {
        const { lines } = JSON.parse(read(out, `details/${name}.json`)) as {
          lines: { supportedUntil?: string }[];
        };
        return lines.flatMap(({ supportedUntil }) =>
          supportedUntil !== undefined && supportedUntil >= day ? supportedUntil : [],
        );
      });
      const calendar = new ICAL.Component(ICAL.parse(read(out, 'support.ics')));
      const events = calendar
        .getAllSubcomponents('vevent')
        .map((event) => new ICAL.Event(event).startDate.toString())
        .filter((on) => on >= day);
      const first = (path: string, after: string) =>
        /<time datetime="([^"]+)"/.exec(read(out, path).split(after)[1]!)![1];

      const least = stated.sort()[0];
      expect(least).toBeDefined();
      expect(events.sort()[0]).toBe(least);
      expect(first('index.html', 'id="supported"')).toBe(least);
    },
  );
});

it('the new releases are the newest usable ones of each component, the newest day first', () => {
  const html = indexOf(
    [
      'Often',
      {},
      { version: '1.0', releaseTimestamp: '2026-11-01' },
      { version: '1.1', releaseTimestamp: '2026-11-10' },
      { version: '2.0', releaseTimestamp: '2026-11-10' },
      { version: '2.1', releaseTimestamp: '2026-11-18', deprecated: 'Broken' },
    ],
    ['Seldom', {}, { version: '7', releaseTimestamp: '2026-11-12', timestampKind: 'observed' }],
    ['Unknown', {}, { version: '3' }],
  );
  const list = html.split('id="new-releases"')[1]!.split('</ul>')[0]!;
  const items = list.split('<li>').slice(1);

  expect(items.map((item) => item.replaceAll(/<[^>]*>/g, '').trim())).toEqual([
    'Seldom 7 ≤ 12 Nov 2026',
    'Often 2.0, 1.1 10 Nov 2026',
  ]);
  expect(items[1]).toContain('href="tool-0.html#v2.0"');
});

it('the picture for a wiki says what it is to whoever does not see it', () => {
  expect(read(siteOfFixtureIndex(), 'support.svg')).toContain('aria-label="Support timeline of ');
});

it('an index without a policy asks for no support', () => {
  const html = indexOf(['Listed', {}, one]);

  expect(html).toContain('>Which version do you run?</label>');
  expect(html).toMatch(/<p class="lead">[^<]+<\/p>/);
  expect(html).not.toContain('>ends within 90 days</a>');
  expect(indexOf(['Term', term, one])).toContain('>Is your version still supported?</label>');
});

it('releases that were all first seen on the day of the first question are no news', () => {
  const seen = Array.from({ length: 12 }, (_, index) => ({
    version: `1.${index}`,
    releaseTimestamp: '2026-11-18',
    timestampKind: 'observed' as const,
  }));
  const html = indexOf(['Undated', {}, ...seen]);

  expect(html).toContain('No release day is known.');
  expect(html).not.toContain('class="ticks"');
});

it('a row has one tick for each day with releases', () => {
  const releases = Array.from({ length: 40 }, (_, index) => ({
    version: `1.${index}`,
    releaseTimestamp: addDays('2025-09-21', Math.floor(index / 2)),
  }));

  // 20 days, of which the first ten lie before the year and the quarter.
  const marks = Array.from({ length: 10 }, (_, index) => `M${20_362 + index} 0v1`);
  expect(indexOf(['Tool', {}, ...releases])).toContain(`<path d="${marks.join('')}"`);
});

it('a page names the picture of its card by an absolute address', () => {
  expect(indexOf(['Listed', {}, one])).toContain(
    '<meta property="og:image" content="https://releases.example.com/assets/card.png">',
  );
});
