/** Checks the home page, and the list "Needs action" on the home page and the status page. */
import { expect, test } from 'vitest';
import { judgeComponents, renderHtml } from '../../harness/components.ts';
import { loadExample } from '../../harness/example.ts';

const pages = renderHtml(loadExample());

test('the home page links to the release lines whose support ends this quarter', () => {
  expect(pages.get('index.html')).toContain('<a href="support.html">what ends this quarter</a>');
});

test('support.html lists the release lines whose support ends in the calendar quarter, the earliest end first', () => {
  const index = judgeComponents(
    {
      agent: {
        definition: {
          support: {
            policy: 'dated',
            lines: {
              '1': '2026-09-30',
              '2': '2026-12-31',
              '3': '2026-10-01',
              '4': '2027-01-01',
            },
            line: 1,
          },
        },
        releases: Object.fromEntries(
          ['1.0', '2.0', '3.0', '4.0'].map((version) => [version, '2026-01-01']),
        ),
      },
    },
    '2026-11-27',
  );
  const html = renderHtml(index).get('support.html')!;

  expect(html).toContain('whose support ends from 1 Oct 2026 to 31 Dec 2026');
  expect(Array.from(html.matchAll(/href="agent.html#line-(\d)"/g), ([, line]) => line)).toEqual([
    '3',
    '2',
  ]);
});

test('the home page shows the same new releases as the changes page', () => {
  const list = (html: string, form: RegExp) =>
    Array.from(html.matchAll(form), ([, place = '']) => place);
  const changes = list(pages.get('changes.html')!, /<a href="([^"]+)"><b>/g);
  const news = pages.get('index.html')!.split('id="new-releases"')[1]!.split('</section>')[0]!;

  expect(changes[0]).toBe('svc.html#v2026.3');
  expect(list(news, /<li><span><a href="([^"]+)"/g).sort()).toEqual(changes.slice(0, 5).sort());
});

test('the home page links to the release dates of container images only if the index lists images', () => {
  const sentence = 'release dates for container images</a>, so Renovate';
  const without = renderHtml(judgeComponents({ agent: { releases: { '1.0': '2026-01-01' } } }));

  expect(pages.get('index.html')).toContain(`<a href="use.html#image-days">${sentence}`);
  expect(pages.get('use.html')).toContain('id="image-days"');
  expect(without.get('index.html')).not.toContain(sentence);
});

test('the home page groups components by support state', () => {
  const ended = { policy: 'ended', until: '2026-01-31', reason: 'Its makers say so.' };
  const html = renderHtml(
    judgeComponents({
      agent: { releases: { '1.0': '2026-01-01' } },
      bundle: {},
      cache: { definition: { support: ended }, releases: { '1.0': '2025-01-01' } },
      daemon: { definition: { prereleases: true }, releases: { '1.0-rc.1': '2026-01-01' } },
      edge: { definition: { replacedBy: 'agent' } },
    }),
  ).get('index.html')!;
  const list = html.split('id="components"')[1]!.split('</section>')[0]!;
  const words = list.replaceAll(/<\/?(?:h3|li)>/g, '|').replaceAll(/<[^>]*>/g, '');

  expect(words.split(/[|\s]*\|[|\s]*/).slice(1, -1)).toEqual([
    'No end stated',
    'The agent 1.0',
    'The daemon 1.0-rc.1 prerelease',
    'No supported version',
    'The cache 1.0 ended',
    'No release known yet',
    'The bundle',
    'The edge replaced by The agent 1.0',
  ]);
});

const dated = { releaseTimestamp: '2026-01-01', timestampKind: 'published' };
test.each<[title: string, releases: object[], says: string | undefined]>([
  ['all releases', [{ version: '1.0', sources: [] }], 'People entered 1 of 1 release from'],
  [
    'some releases',
    [
      { version: '1.0', sources: [], ...dated },
      { version: '1.1', sources: ['npm:agent'], ...dated },
    ],
    'People entered 1 of 2 releases from the pages of their vendors.</p>',
  ],
  ['no releases', [{ version: '1.0', sources: ['npm:agent'] }], undefined],
])(
  'the home page says how many releases people entered if they entered %s',
  (_, releases, says) => {
    const entered = judgeComponents({ agent: { releases } });
    const page = renderHtml(entered).get('index.html')!;

    expect(page.includes('People entered')).toBe(says !== undefined);
    expect(page).toContain(says ?? '');
  },
);

test('the home page says when automatic recording of releases began', () => {
  expect(pages.get('index.html')).toContain(
    'People entered 333 of 335 releases from the pages of their vendors. Runs record new releases since <time datetime="2026-11-23">',
  );
});

const ending = (count: number) => {
  const lines = Array.from({ length: count }, (_, line) => ({
    [`${line}.1`]: `2025-0${line + 1}-01`,
  }));
  const support = { policy: 'term', months: 22 };
  return {
    definition: { support },
    releases: Object.assign({}, ...lines) as Record<string, string>,
  };
};
const readRows = (html = '') =>
  Array.from(html.matchAll(/<li class="tone-[^]*?<\/li>/g), ([row]) =>
    row
      .replaceAll(/<p[ >]/g, ' $&')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );

test('the section "Needs action" of the home page names each component only once', () => {
  const many = Array.from({ length: 11 }, (_, number) => [`lone-${number}`, ending(1)] as const);
  const pages = renderHtml(judgeComponents({ agent: ending(4), ...Object.fromEntries(many) }));
  const [first, status] = [pages.get('index.html'), pages.get('status.html')];
  const rows = readRows(first!.slice(0, first!.indexOf('id="new-releases"')));

  expect(rows).toHaveLength(10);
  expect(rows[0]).toBe('The agent 4 lines 1.1 until 1 Dec 2026 0.1 ended.');
  expect(first).toContain('<a href="status.html#needs-action">All 15</a>');
  expect(readActions(status)).toHaveLength(15);
});

const readActions = (html = '') =>
  readRows(html.split('id="needs-action"')[1]!.split('</section>')[0]);

const day = '2026-11-27';
const term = { policy: 'dated', url: 'https://example.com/ends' };
test.each<[name: string, ends: Record<string, string>, first: string, all: number]>([
  [
    'both of two lines, and the next end',
    { '1.0': '2026-11-01', '1.1': '2027-01-06', '2.0': '2028-01-01' },
    'The agent 1.0, 1.1 1.1 until 6 Jan 2027 1.0 ended. Move to 2.0',
    2,
  ],
  [
    'the next end of many lines, not the end of the newest line',
    { '1.0': '2026-12-01', '1.1': '2027-01-06', '1.2': '2027-02-01', '2.0': '2028-01-01' },
    'The agent 3 lines 1.0 until 1 Dec 2026',
    3,
  ],
  [
    'the line that ended last if all have ended',
    { '1.0': '2026-09-20', '1.1': '2026-10-20', '1.2': '2026-11-20', '2.0': '2028-01-01' },
    'The agent 3 lines 1.2 ended 20 Nov 2026',
    3,
  ],
])('under "Needs action", the home page names %s', (_name, lines, expected, count) => {
  const support = {
    ...term,
    lines: Object.fromEntries(
      Object.entries(lines).map(([line, until]) => [line, { support: until }]),
    ),
  };
  const releases = Object.fromEntries(Object.keys(lines).map((line) => [line, '2025-01-01']));
  const html = renderHtml(judgeComponents({ agent: { definition: { support }, releases } }, day));

  expect(readActions(html.get('index.html'))[0]).toContain(expected);
  expect(readActions(html.get('status.html'))).toHaveLength(count);
});

const endOn = (ends: Record<string, string>, advisories: object[] = []) => {
  const lines = Object.entries(ends).map(([line, support]) => [line, { support }]);
  const releases = Object.keys(ends).map((line) => [line, '2025-01-01']);
  const support = { ...term, lines: Object.fromEntries(lines) };
  return {
    definition: { support, advisories },
    releases: Object.fromEntries(releases) as Record<string, string>,
  };
};

test('"Needs action" lists vulnerable lines first, lines that end soon next, and ended lines last', () => {
  const weak = { id: 'CVE-2026-1', affected: '1.3' };
  const html = renderHtml(
    judgeComponents(
      {
        agent: endOn({ '1.3': '2028-01-01', '2.0': '2028-06-01' }, [weak]),
        bundle: endOn({ '1.0': '2026-09-15', '2.0': '2028-01-01' }),
        cache: endOn({ '1.0': '2027-01-06', '2.0': '2028-01-01' }),
        daemon: endOn({ '1.0': '2026-11-20', '2.0': '2028-01-01' }),
        edge: endOn({ '1.0': '2026-12-01', '2.0': '2028-01-01' }),
      },
      day,
    ),
  );
  const expected = [
    'The agent 1.3 vulnerable Affected by CVE-2026-1. Move to 2.0 now.',
    'The edge 1.0 until 1 Dec 2026 Move to 2.0',
    'The cache 1.0 until 6 Jan 2027 Move to 2.0',
    'The daemon 1.0 ended 20 Nov 2026 Move to 2.0 now',
    'The bundle 1.0 ended 15 Sep 2026 Move to 2.0 now',
  ];

  expect(readActions(html.get('index.html'))).toEqual(expected);
  expect(readActions(html.get('status.html'))).toEqual(expected);
});

test.each<[name: string, ends: Record<string, string>, affected: string, expected: string[]]>([
  [
    'each of two vulnerable lines',
    { '1.3': '2028-01-01', '1.4': '2028-01-02', '2.0': '2028-06-01' },
    '<2.0',
    [
      'The agent 1.4, 1.3 vulnerable 1.4: Affected by CVE-2026-1. Move to 2.0 now. 1.3: Affected by CVE-2026-1. Move to 2.0 now.',
    ],
  ],
  [
    'a vulnerable line that ends soon, once',
    { '1.3': '2026-12-24', '2.0': '2028-06-01' },
    '<2.0',
    ['The agent 1.3 vulnerable, until 24 Dec 2026 Affected by CVE-2026-1. Move to 2.0 now.'],
  ],
  ['no vulnerable line that has ended', { '1.3': '2025-12-24', '2.0': '2028-06-01' }, '<2.0', []],
])('under "Needs action", the home page lists %s', (_name, ends, affected, expected) => {
  const judged = judgeComponents({ agent: endOn(ends, [{ id: 'CVE-2026-1', affected }]) }, day);
  const html = renderHtml(judged);

  expect(readActions(html.get('index.html'))).toEqual(expected);
});

test('"Needs action" lists a component without an end date only if its latest release is vulnerable', () => {
  const facts = (affected: string) => ({
    definition: { advisories: [{ id: 'CVE-2026-1', affected }] },
    releases: { '1.0': '2025-01-01', '2.0': '2026-01-01' },
  });
  const html = renderHtml(judgeComponents({ agent: facts('<2'), bundle: facts('2.0') }, day));

  expect(readActions(html.get('index.html')).map((row) => row.slice(0, 24))).toEqual([
    'The bundle 2.0 vulnerabl',
  ]);
});

test.each<[fault: string, advisories: object[], more: object]>([
  ['vulnerable', [{ id: 'CVE-2026-1', affected: '1.3' }], {}],
  ['no usable release', [], { deprecated: [{ versions: ['1.3'], reason: 'It loses data.' }] }],
])(
  'the legend names each colour in the picture, and a line is also marked with the words "%s"',
  (fault, advisories, more) => {
    const ends = endOn({ '1.3': '2028-01-01', '2.0': '2028-06-01' }, advisories);
    const agent = { ...ends, definition: { ...ends.definition, ...more } };
    const html = renderHtml(judgeComponents({ agent }, day));
    const listLegend = (page = '') =>
      Array.from(
        page.matchAll(/<li class="tone-(\w+)">\s*<svg class="key bar"[^]*?<\/svg>\s*([^<]*)/g),
        ([, tone, text]) => `${tone} ${text!.trim()}`,
      );

    for (const path of ['index.html', 'agent.html']) {
      const drawn = html.get(path)!.split('class="bars"')[1]!.split('class="legend"')[0]!;
      const tones = Array.from(
        drawn.matchAll(/<(?:li|details)[^>]*class="tone-(\w+)"/g),
        ([, tone]) => tone,
      );
      expect(new Set(tones), path).toEqual(new Set(['gone', 'ok']));
      expect(listLegend(html.get(path)), path).toEqual([
        'gone vulnerable, or no usable release',
        'ok supported',
      ]);
      expect(drawn, path).toMatch(new RegExp(`1\\.3.*<small>${fault}</small>`, 'i'));
    }
  },
);

test('"Needs action" leaves out the newest line of a component if the age of the line is unknown', () => {
  const releases = [
    { version: '1.0.0', releaseTimestamp: '2026-11-20', timestampKind: 'observed', sources: [] },
    { version: '2.0.0', releaseTimestamp: '2026-11-26', timestampKind: 'observed', sources: [] },
  ];
  const support = { policy: 'term', months: 2, line: 'semver' };
  const judged = judgeComponents({ agent: { definition: { support }, releases } }, day);
  const html = renderHtml(judged);

  expect(judged.components[0]!.lines.map(({ line, state }) => `${line} ${state}`)).toEqual([
    '1 may-have-ended',
    '2 may-have-ended',
  ]);
  expect(readActions(html.get('index.html'))).toEqual([
    'The agent 1 ends by 20 Jan 2027, perhaps already',
  ]);
  expect(html.get('agent.html')).toContain(
    '2 months from its first release, whose date the registry does not give (seen by',
  );
});
