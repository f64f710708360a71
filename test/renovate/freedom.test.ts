import { afterAll, beforeAll, expect, test } from 'vitest';
import siteConfig from '../../site/site.json' with { type: 'json' };
import type { Lookup, Run } from './client.ts';
import { inOrder, runOverPins, type Pin } from './pins.ts';
import { changelogLinks } from './pull-request.ts';
import { daysAgo, serveComponents, type Recorded, type ServedSite } from './site.ts';

type Configuration = { packageRules?: object[]; [option: string]: unknown };
type Row = [what: string, own: Configuration, expected: Record<`${string} ${string}`, string[]>];

const ownRule = (rule: object) => ({
  packageRules: [{ matchDatasources: [`custom.${siteConfig.datasource}`], ...rule }],
});

/** Additions to the preset, and the proposals for each pin. */
const table: Row[] = [
  [
    'nothing but the preset',
    {},
    { 'calver 2025.3': ['2025.4', '2026.3'], 'tool 2.0.0': ['2.1.1', '3.0.0'] },
  ],
  [
    'an age of fourteen days, which only a valid fix may skip',
    { minimumReleaseAge: '14 days' },
    {
      'fixed 1.0': ['1.1'],
      'fixed-badly 1.0': [],
      'fixed-once 1.0': [],
      'fixed-by-itself 1.0': [],
      'calver 2025.3': ['2025.4', '2026.2'],
      'calver 2026.2': [],
      'tool 2.0.0': ['2.1.1', '3.0.0'],
    },
  ],
  [
    'one release line',
    ownRule({ allowedVersions: '/^2025\\./' }),
    { 'calver 2025.3': ['2025.4'], 'calver 2024.1': ['2025.4'], 'calver 2024.9': ['2025.4'] },
  ],
  [
    'only the newest',
    ownRule({ followTag: 'latest' }),
    { 'calver 2025.3': ['2026.3'], 'calver 2024.1': ['2026.3'] },
  ],
  [
    'a deprecated pin',
    {},
    { 'calver 2024.1': ['2026.3'], 'bad-head 3.4.1': [], 'bad-head 3.3.0': ['3.4.0'] },
  ],
  [
    'prereleases, which follow only a prerelease of the same version',
    {},
    {
      'candidates 1.8.0': ['1.9.0'],
      'candidates 2.0.0-rc-2': ['2.0.0-rc-10'],
      'only-candidates 1.0.0-alpha.1': ['1.0.0-beta.1'],
    },
  ],
  ['versions of six groups', {}, { 'many-groups 1.2.3.4.5.6': ['1.2.3.4.5.10'] }],
  ['a version without the v that others have', {}, { 'prefixed 1.9': ['v1.10'] }],
  [
    'suffixes: a variant of its own, a prerelease, and a counter',
    {},
    {
      'tool 2.1.0-alpine': [],
      'tool 2.1.0-acme1': [],
      'variants 1.0': ['1.2'],
      'variants v1.0-rc-1': ['1.2'],
      'counted 1.0+k3s1': ['1.0+k3s2'],
    },
  ],
  ['releases without a day', {}, { 'undated 1.0': ['1.1'] }],
  [
    'rollback of what does not exist',
    { rollbackPrs: true },
    {
      'calver 2024.1': ['2026.3'],
      'calver 2024.9': ['2026.3'],
      'bad-head 3.4.1': [],
      'ended 1.0': [],
    },
  ],
  [
    'an unlisted pin',
    {},
    {
      'calver 2024.1.9': ['2026.3'],
      'calver 2025.3.9': ['2025.4', '2026.3'],
      'bad-head 3.0': ['3.4.0'],
      'ended 0.1': [],
    },
  ],
  ['an ended component', {}, { 'ended 1.0': [], 'ended 2.0': [] }],
  [
    'a component that is replaced',
    {},
    {
      'replaced 1.0': ['tool@3.0.0'],
      'replaced 2.0': ['tool@3.0.0'],
      'renamed 1.0': ['1.1', 'tool@3.0.0'],
    },
  ],
  ['a jump from 9 to 2026', {}, { 'jump 9.0': ['9.1', '2026.1'] }],
];

let served: ServedSite;

beforeAll(async () => {
  served = await serveComponents(components);
});

afterAll(() => served?.close());

test.each(table)('Renovate proposes the expected versions with %s', async (_, own, expected) => {
  const run = await lookOnce(own);
  const lookups = run.lookups.filter(({ component, pin }) => `${component} ${pin}` in expected);

  expect(proposals(lookups)).toEqual(expected);
  expect(run.lookups.flatMap(({ warnings }) => warnings)).toEqual([]);
  expect(run.problems).toEqual([]);
});

test('the changelog of each proposed version and replacement is linked', async () => {
  const pins: Pin[] = [
    ['linked', '1.0'],
    ['templated', '1.0'],
    ['templated', '0.1'],
    ['calver', '2025.3'],
    ['replaced', '1.0'],
  ];
  const run = await look({ separateMultipleMinor: true }, pins);

  const links = await changelogLinks(run.branches);

  expect(Object.fromEntries(links)).toEqual({
    'linked 1.1': [`${served.origin}/linked.html#v1.1`],
    'linked 1.2': [`${served.origin}/linked.html#v1.2`],
    'linked 2.0': [`${served.origin}/linked.html#v2.0`],
    'templated 0.2': [`${served.origin}/templated.html#v0.2`],
    'templated 1.1': [`${served.origin}/templated.html#v1.1`],
    'templated 1.2': [`${served.origin}/templated.html#v1.2`],
    'calver 2025.3.1': [`${served.origin}/calver.html#v2025.3.1`],
    'calver 2025.4': [`${served.origin}/calver.html#v2025.4`],
    'calver 2026.3': [`${served.origin}/calver.html#v2026.3`],
    'replaced undefined': ['https://example.com/tool#3-0-0'],
  });
});

const old = (...versions: string[]) =>
  versions.map((version) => ({ version, releaseTimestamp: daysAgo(400) }));

const advisory = { id: 'CVE-2026-1', affected: '<1.1', fixed: ['1.1'], severity: 'high' };
const fixedToday = [
  ...old('1.0'),
  ...['1.1', '1.2'].map((version) => ({ version, releaseTimestamp: daysAgo(0) })),
];

const components: Record<string, Recorded> = {
  'bad-head': {
    definition: { deprecated: [{ versions: ['3.4.1', '3.4.2'], reason: 'Loses data.' }] },
    releases: old('3.3.0', '3.4.0', '3.4.1', '3.4.2'),
  },
  calver: {
    definition: { deprecated: [{ versions: '<2025', reason: 'No longer supported.' }] },
    releases: [
      ...old('2024.1', '2024.2', '2024.3', '2025.1', '2025.2', '2025.3', '2025.3.1', '2025.4'),
      ...old('2026.1', '2026.2'),
      { version: '2026.3', releaseTimestamp: daysAgo(1) },
    ],
  },
  ended: { definition: { support: { policy: 'ended' } }, releases: old('1.0', '1.1', '2.0') },
  fixed: { definition: { advisories: [advisory] }, releases: fixedToday },
  'fixed-badly': {
    definition: { advisories: [advisory, { id: 'CVE-2026-2', affected: '=1.1' }] },
    releases: fixedToday,
  },
  'fixed-once': { releases: fixedToday },
  'fixed-by-itself': {
    definition: { sources: [{ datasource: 'osv', url: 'https://example.com/own.json' }] },
    releases: fixedToday,
    advisories: [{ ...advisory, source: 'osv:https://example.com/own.json' }],
  },
  jump: { releases: old('9.0', '9.1', '2026.1') },
  linked: {
    releases: [
      ...old('1.0', '1.2'),
      ...['1.1', '2.0'].map((version) => ({
        version,
        releaseTimestamp: daysAgo(300),
        changelogUrl: `https://example.com/linked/tag/v${version}`,
      })),
    ],
  },
  renamed: { definition: { replacedBy: 'tool' }, releases: old('1.0', '1.1') },
  replaced: {
    definition: { support: { policy: 'ended' }, replacedBy: 'tool' },
    releases: old('1.0', '2.0'),
  },
  templated: {
    definition: {
      releaseChangelogUrl: {
        template: 'https://example.com/templated#{versionDashed}',
        since: '1.0',
      },
    },
    releases: [
      ...old('0.1', '0.2', '1.0', '1.2'),
      {
        version: '1.1',
        releaseTimestamp: daysAgo(300),
        changelogUrl: 'https://example.com/news/{{one}}',
      },
    ],
  },
  candidates: {
    definition: { prereleases: true },
    releases: old('1.8.0', '1.9.0', '2.0.0-rc-2', '2.0.0-rc-10'),
  },
  'only-candidates': {
    definition: { prereleases: true },
    releases: old('1.0.0-alpha.1', '1.0.0-beta.1'),
  },
  'many-groups': { releases: old('1.2.3.4.5.6', '1.2.3.4.5.10', '1.2.3.4.5.10-jre') },
  undated: { releases: [{ version: '1.0' }, { version: '1.1' }] },
  counted: { releases: old('1.0+k3s1', '1.0+k3s2') },
  prefixed: { releases: old('v1.0', 'v1.1', '1.9', 'v1.10') },
  variants: { releases: old('1.0', '1.0-alpine', '1.1-alpine', '1.2') },
  tool: {
    definition: { releaseChangelogUrl: { template: 'https://example.com/tool#{versionDashed}' } },
    releases: old('1.0.0', '1.1.0', '2.0.0', '2.1.0', '2.1.1', '3.0.0'),
  },
};

const runs = new Map<string, Promise<Run>>();

/** Rows with the same configuration share a run. */
function lookOnce(own: Configuration): Promise<Run> {
  const key = JSON.stringify(own);
  const rows = table.filter(([, other]) => JSON.stringify(other) === key);
  const pins = [...new Set(rows.flatMap(([, , expected]) => Object.keys(expected)))];
  const run =
    runs.get(key) ??
    look(
      own,
      pins.map((pin) => pin.split(' ') as [string, string]),
    );
  runs.set(key, run);
  return run;
}

function look(own: Configuration, pins: readonly Pin[]): Promise<Run> {
  return runOverPins(pins, { origin: served.origin, datasource: siteConfig.datasource }, own);
}

/** In the order of versions, replacements last. */
function proposals(lookups: readonly Lookup[]): Record<string, string[]> {
  return Object.fromEntries(
    lookups.map(({ component, pin, proposed }) => [`${component} ${pin}`, inOrder(proposed)]),
  );
}
