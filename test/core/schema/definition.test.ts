import { expect, test } from 'vitest';
import { describeProblems } from '../../../src/core/errors.ts';
import { Definition } from '../../../src/core/schema/definition.ts';

const page = 'https://example.com';
const definition = {
  title: 'Agent',
  homepage: page,
  changelogUrl: page,
  sources: [{ datasource: 'npm', packageName: '@example/agent' }],
};
const bySource = (...sources: object[]) => ({ ...definition, sources });
const bySupport = (support: object) => ({ ...definition, support });
const phases = [
  { name: 'active', months: 12 },
  { name: 'security', months: 18 },
  { name: 'extended', months: 36, paid: true },
];

test.each<[name: string, document: object]>([
  ['little', definition],
  [
    'everything',
    {
      $schema: '../site/schema/definition.json',
      ...definition,
      description: 'Connects builds.',
      aliases: ['Agent for npm', 'pkg:npm/%40example/agent'],
      sourceRepository: page,
      releaseChangelogUrl: { template: `${page}/#{versionDashed}`, since: '1.21' },
      prereleases: true,
      ignoreUpstreamDeprecation: true,
      deprecated: [
        {
          versions: ['3.4.1', '2.0.Final'],
          reason: 'It loses data.',
          url: page,
          since: '2026-01-31',
        },
        { versions: '>=1.2 <2 || =3.1', reason: 'Old.' },
      ],
      advisories: [
        {
          id: 'CVE-2026-1234',
          aliases: ['GHSA-a-b'],
          affected: '<2',
          fixed: ['2.0'],
          severity: 'high',
        },
      ],
      renamedFrom: ['old-agent'],
      replacedBy: 'new-agent',
    },
  ],
  [
    'each datasource',
    bySource(
      { datasource: 'maven', packageName: 'com.example:agent', registryUrl: page, onlyAdds: true },
      { datasource: 'docker', packageName: 'example/agent', rebuildsTags: true },
      { datasource: 'helm', packageName: 'agent', registryUrl: page, field: 'appVersion' },
      {
        datasource: 'github-tags',
        packageName: 'example/agent',
        extractVersion: '^v(?<version>.+)$',
      },
      { datasource: 'json', url: page, transform: '{"releases": items}' },
      {
        datasource: 'page',
        url: page,
        matchStrings: ['## (?<version>.+)'],
        allowedVersions: '/^\\d/',
      },
      { datasource: 'static', releases: [{ version: '1.0', releaseTimestamp: '2026-01-31' }] },
      { datasource: 'osv', trusted: true },
      { datasource: 'osv', url: 'http://127.0.0.1:80/osv.json' },
    ),
  ],
  ['no policy', bySupport({ policy: 'none', lines: { '2025.1': '2026-10-08' } })],
  ['a term', bySupport({ policy: 'term', months: 18, url: page, inferred: 'All ended so.' })],
  ['phases', bySupport({ policy: 'term', phases, lts: { lines: '/\\.4$/', phases } })],
  ['one group', bySupport({ policy: 'term', months: 3, line: 1, lts: { lines: ['24'], phases } })],
  ['latest lines', bySupport({ policy: 'latest-lines', count: 2, months: 6 })],
  [
    'counted phases',
    bySupport({
      policy: 'latest-lines',
      phases: [
        { name: 'active', count: 1 },
        { name: 'fixes', count: 3 },
      ],
    }),
  ],
  [
    'dated lines',
    bySupport({
      policy: 'dated',
      lines: { '24.04': '2029-04-30', '25.10': { active: '2026-01-01', pro: '2030-01-01' } },
      paid: ['pro'],
    }),
  ],
  ['an ended component', bySupport({ policy: 'ended', until: '2026-01-31', reason: 'Replaced.' })],
  [
    'stated lines',
    bySupport({ policy: 'stated', source: { datasource: 'endoflife-date', product: 'agent' } }),
  ],
  [
    'single lines',
    bySupport({
      policy: 'term',
      months: 18,
      lines: { '2025.1': { until: '2026-10-08', reason: 'Longer.', url: page } },
    }),
  ],
])('a definition with %s is accepted', (_name, document) => {
  expect(describeProblems(document, Definition)).toEqual([]);
});

const npmKeys = 'datasource, extractVersion, allowedVersions, onlyAdds, packageName, registryUrl';
const range =
  'expected a range: ">=1.2 <2", "1.2" for a line, "=1.2" for one version, "||" between alternatives';

test.each<[document: unknown, ...problems: string[]]>([
  [[], 'expected object'],
  [{}, ...['title', 'homepage', 'changelogUrl', 'sources'].map((key) => `${key}: expected it`)],
  [{ ...definition, titel: 'Agent' }, 'unknown key "titel"; did you mean title?'],
  [{ ...definition, title: 'two\nlines' }, 'title: expected one line of text; got "two\\nlines"'],
  [
    { ...definition, homepage: 'http://example.com' },
    'homepage: expected an https: address without credentials; got "http://example.com"',
  ],
  [
    { ...definition, changelogUrl: 'https://jane:secret@example.com/?key=secret' },
    'changelogUrl: expected an https: address without credentials; got "https://…@example.com/?…"',
  ],
  [
    { ...definition, homepage: 'https://example.com:99999/' },
    'homepage: expected an address with a valid host; got "https://example.com:99999/"',
  ],
  [
    bySource({ datasource: 'nmp', packageName: 'a' }),
    'sources[0].datasource: expected one of npm, maven, pypi, docker, helm, github-releases, github-tags, gitlab-releases, gitlab-tags, git-tags, nuget, crate, rubygems, go, json, page, static, osv; got "nmp"',
  ],
  [
    bySource({ datasource: 'npm', packageName: 'a', url: page }),
    `sources[0].url: npm does not have it; it has ${npmKeys}; got "https://example.com"`,
  ],
  [
    bySource({ datasource: 'helm', packageName: 'a' }, { datasource: 'endoflife-date' }),
    'sources[0].registryUrl: expected it for helm',
    expect.stringMatching(
      /^sources\[1\]\.datasource: expected one of npm, .*; got "endoflife-date"$/,
    ),
  ],
  [
    bySource({ datasource: 'npm', packageName: 'a', extractVersion: '^v(.+)$' }),
    'sources[0].extractVersion: expected a group (?<version>…); got "^v(.+)$"',
  ],
  [
    bySource({ datasource: 'npm', packageName: 'a', allowedVersions: '>=1 <2.O' }),
    'sources[0].allowedVersions: expected /regex/, !/regex/ or a range of semver such as ">=1.2.0 <2.0.0"; got ">=1 <2.O"',
  ],
  [
    {
      ...definition,
      deprecated: [
        { versions: ['2.O.0'], reason: 'x' },
        { versions: '1.2+', reason: '' },
      ],
    },
    'deprecated[0].versions[0]: expected a version such as 2025.1: a letter takes the place of a digit, or it has an open end; got "2.O.0"',
    `deprecated[1].versions: ${range}; got "1.2+"`,
    'deprecated[1].reason: expected one line of text; got ""',
  ],
  [
    { ...definition, releaseChangelogUrl: { template: page, since: 'latest' } },
    'releaseChangelogUrl.template: expected {version} or {versionDashed}; got "https://example.com"',
    'releaseChangelogUrl.since: expected a version such as 2025.1; got "latest"',
  ],
  [
    bySupport({ policy: 'terms', months: 3 }),
    'support.policy: expected one of none, ended, term, latest-lines, dated, stated; got "terms"',
  ],
  [bySupport({ policy: 'term', months: '18' }), 'support.months: expected number; got "18"'],
  [bySupport({ policy: 'term', months: 0 }), 'support.months: expected at least 1; got 0'],
  [bySupport({ policy: 'term' }), 'support: expected either months or phases'],
  [bySupport({ policy: 'term', months: 3, phases }), 'support: expected either months or phases'],
  [bySupport({ policy: 'latest-lines', months: 3 }), 'support: expected either count or phases'],
  [
    bySupport({ policy: 'latest-lines', months: 3, phases: [{ name: 'active', count: 1 }] }),
    'support.months: expected it only beside count; got 3',
  ],
  [
    bySupport({ policy: 'term', phases: [phases[1], phases[0]] }),
    'support.phases[1]: expected an end after that of security',
  ],
  [
    bySupport({ policy: 'term', phases: [phases[0], { ...phases[1], name: 'active' }] }),
    'support.phases[1]: expected each phase once',
  ],
  [
    bySupport({ policy: 'term', phases: [phases[2]] }),
    'support.phases[0]: expected paid phases after all others, of which there is at least one',
  ],
  [
    bySupport({ policy: 'dated', lines: { '1.0': { active: '2026-02-01', fixes: '2026-01-01' } } }),
    'support.lines["1.0"].fixes: expected an end after that of active; got "2026-01-01"',
  ],
  [bySupport({ policy: 'dated', lines: {} }), 'support.lines: expected a line'],
  [
    bySupport({
      policy: 'term',
      months: 3,
      lines: { '2025.01': '2026-01-31', '2025.2': '2026-02-30' },
    }),
    'support.lines["2025.2"]: expected a day that exists; got "2026-02-30"',
    'support.lines["2025.01"]: expected the name of a line, 2025.1; got "2026-01-31"',
  ],
  [
    bySupport({ policy: 'dated', lines: { '24.04': '2029-04-30', '24.4': '2029-04-30' } }),
    'support.lines["24.4"]: expected each line once; got "2029-04-30"',
  ],
  [
    bySupport({ policy: 'stated', source: { datasource: 'endoflife-date' } }),
    'support.source.product: expected it',
  ],
  [
    bySupport({
      policy: 'stated',
      source: { datasource: 'endoflife-date', product: 'agent', url: page },
    }),
    'support.source: unknown key "url"; known are datasource, product, registryUrl',
  ],
  [
    bySupport({
      policy: 'stated',
      source: { datasource: 'json', url: page, transform: '$', product: 'agent' },
    }),
    'support.source: unknown key "product"; known are datasource, url, transform',
  ],
  [
    bySource({ datasource: 'json', url: page, product: 'agent' }),
    expect.stringMatching(/^sources\[0\]: unknown key "product"; known are datasource, /),
  ],
  [
    bySupport({
      policy: 'stated',
      source: { datasource: 'endoflife-date', product: 'agent' },
      paid: ['extended'],
    }),
    'support: unknown key "paid"; known are policy, source, lines, line',
  ],
  [
    bySupport({
      policy: 'dated',
      lines: { '1.0': { active: '2026-01-01', extended: '2027-01-01' }, '1.1': '2028-01-01' },
      paid: ['extended', 'extneded'],
    }),
    'support.paid[1]: expected a phase of its lines; got "extneded"',
  ],
  [
    bySupport({ policy: 'stated', source: { datasource: 'npm' } }),
    'support.source.datasource: expected one of endoflife-date, json; got "npm"',
  ],
  [
    { ...definition, advisories: [{ id: 'cve-1', affected: '<2' }] },
    'advisories[0].id: expected the id of a database, such as CVE-2026-1234, or one that begins with x_; got "cve-1"',
  ],
])('a definition is refused with what was expected and got: %#', (document, ...problems) => {
  expect(describeProblems(document, Definition)).toEqual(problems);
});
