import { expect, test } from 'vitest';
import {
  describeResults,
  searchByQuery,
  searchByQueryOrDays,
} from '../../../src/ask/search/search-releases.ts';

const shared = { component: 'svc', title: 'Server' };
const rows = [
  { version: '1.0', advisory: ['CVE-2026-1'], isVulnerable: true, isSupported: false },
  { version: '1.1', advisory: ['CVE-2026-1'], isVulnerable: true, isSupported: true },
  { version: '1.2', isVulnerable: false, isSupported: true },
];
const index = {
  catalogue: async () => rows.map((row) => ({ lineFields: shared, releaseFields: row })),
};

test.each([
  ['advisory:CVE-2026-1', ['1.0', '1.1']],
  ['advisory:"CVE-2026-1"', ['1.0', '1.1']],
  ['advisory:CVE-2026-1 -isSupported', ['1.0']],
  ['isSupported -advisory:CVE-2026-1', ['1.2']],
])(
  'the first release without an advisory is found by the advisory alone: %s',
  async (query, of) => {
    const { releases, notes } = await searchByQuery(index, query, '2026-11-23');

    expect(releases.map(({ version }) => version)).toEqual(of);
    expect(notes).toEqual(['Server 1.2 is the first later release without it.']);
  },
);

test('a question about days is one in any case', async () => {
  const today = '2026-11-23';
  const [lower, upper] = await Promise.all(
    ['released this year', 'Released This Year'].map((text) =>
      searchByQueryOrDays(index, text, today),
    ),
  );

  expect(upper).toEqual(lower);
  expect(upper?.notes).toEqual(['Nothing is known to be released from 2026-01-01 to 2026-12-31.']);
});

test.each([
  ['2026-03-01', 'ended in march 2026', '2026-03-01 to 2026-03-31'],
  ['2026-01-01', 'ended this year', '2026-01-01 to 2026-12-31'],
])('on %s, what %s has no earlier days than asked', async (day, text, days) => {
  const nothing = { catalogue: async () => [] };

  const { notes } = await searchByQueryOrDays(nothing, text, day);

  expect(notes).toEqual([`Nothing ends from ${days}.`]);
});

test('an answer to what has ended on days to come says that nothing of it has', async () => {
  const ending = [{ version: '1.0', supportedUntil: '2026-12-08' }];
  const ends = {
    catalogue: async () => ending.map((row) => ({ lineFields: shared, releaseFields: row })),
  };
  const [ended, toEnd] = await Promise.all(
    ['ended next month', 'ends next month'].map((text) =>
      searchByQueryOrDays(ends, text, '2026-11-23'),
    ),
  );

  expect(ended).toEqual({ ...toEnd, notes: ['None of these has ended yet.'] });
  expect(toEnd).toMatchObject({ total: 1, notes: [] });
});

test('names the first release of each line without an advisory', async () => {
  const advisory = ['CVE-2026-1'];
  const affectedTwice = [
    { version: '1.0', advisory },
    { version: '1.1' },
    { version: '2.0', advisory },
    { version: '2.1' },
  ];
  const both = {
    catalogue: async () => affectedTwice.map((row) => ({ lineFields: shared, releaseFields: row })),
  };
  const { notes } = await searchByQuery(both, 'advisory:CVE-2026-1', '2026-11-23');

  expect(notes).toContain('Server 1.1, 2.1 are the first later releases without it.');
});

test.each([
  ['1.3', 'Server 1.3 is the first later release without it.'],
  ['1.1', 'No later release of Server without it is known.'],
])('names no withdrawn release as one without an advisory, up to %s', async (last, note) => {
  const releases = [
    { version: '1.0', advisory: ['CVE-2026-1'], isWithdrawn: true },
    { version: '1.1', isWithdrawn: true },
    { version: '1.3' },
  ].filter(({ version }) => version <= last);
  const withdrawn = {
    catalogue: async () => releases.map((row) => ({ lineFields: shared, releaseFields: row })),
  };
  const { notes } = await searchByQuery(withdrawn, 'advisory:CVE-2026-1', '2026-11-23');

  expect(notes[0]).toBe(note);
});

test('names a release without an advisory that affects the last release again', async () => {
  const advisory = ['CVE-2026-1'];
  const again = [{ version: '1.0', advisory }, { version: '1.1' }, { version: '2.0', advisory }];
  const twice = {
    catalogue: async () => again.map((row) => ({ lineFields: shared, releaseFields: row })),
  };
  const { notes } = await searchByQuery(twice, 'advisory:CVE-2026-1', '2026-11-23');

  expect(notes.slice(0, 2)).toEqual([
    'Server 1.1 is the first later release without it.',
    'Server 2.0 is affected again, and no later release without it is known.',
  ]);
});

test.each([
  ['-component:*', ['Nothing matches -component:*.']],
  [
    '-isSupported isVulnerable version:1.1',
    ['Each term selects something, and no release has them all.'],
  ],
  ['(isVulnerable version:1.2) or (isVulnerable version:9)', []],
  [
    'version:9 or nothing',
    ['Nothing matches version:9.', 'No component, title or version contains "nothing".'],
  ],
  ['"no such"', ['No component, title or version contains "no such".']],
  ['exploitedSince:>2026-01-01', ['Nothing matches exploitedSince:>2026-01-01.']],
  ...['CVE-2026-9', '"CVE-2026-9"'].map((id): [string, string[]] => [
    `advisory:${id}`,
    ['No source here names CVE-2026-9; its vendor or osv.dev may know it.'],
  ]),
  ['advisory:""', ['Nothing matches advisory:"".']],
  ['advisory:CVE-2025-*', ['Nothing matches advisory:CVE-2025-*.']],
  [
    '-isSupported:* or !isSupported:*',
    ['Nothing matches -isSupported:*.', 'Nothing matches !isSupported:*.'],
  ],
])('says why nothing matches %s', async (query, expected) => {
  const { notes } = await searchByQuery(index, query, '2026-11-23');

  expect(notes).toEqual(expected);
});

test.each([
  ['component:svc nothing', ['Nothing of svc matches nothing.']],
  ['component:svc advisory:CVE-2026-9', ['Nothing of svc matches advisory:CVE-2026-9.']],
  ['component:edge isSupported', ['Nothing matches component:edge.']],
  ['component:edge advisory:CVE-2026-1', ['Nothing matches component:edge.']],
])(
  'the reason for no match of %s is of the one component that was read',
  async (query, expected) => {
    const ofSvc = {
      catalogue: async (component?: string) => (component === 'svc' ? index.catalogue() : []),
    };
    const { notes } = await searchByQuery(ofSvc, query, '2026-11-23');

    expect(notes).toEqual(expected);
  },
);

test('the number of results includes releases that were left out', async () => {
  const [whole, cut] = await Promise.all([
    searchByQuery(index, 'component:svc', '2026-11-23'),
    searchByQuery(index, 'component:svc', '2026-11-23', 1),
  ]);

  expect(describeResults(whole)).toBe('3 releases of 1 component.');
  expect(describeResults(cut)).toBe('3 releases.');
});
