import { expect, test } from 'vitest';
import { datasourceNames } from '../../../src/core/datasources.ts';
import { describeProblems } from '../../../src/core/parse-document.ts';
import { Definition } from '../../../src/core/schema/written.ts';
import definitions from '../../fixtures/definitions.json' with { type: 'json' };

const page = 'https://example.com';
const findProblems = (document: unknown) => describeProblems(document, Definition);
const definition = {
  title: 'Agent',
  homepage: page,
  changelogUrl: page,
  sources: [{ datasource: 'npm', packageName: '@example/agent' }],
};
const bySource = (source: object) => ({ ...definition, sources: [source] });
const bySupport = (support: object) => ({ ...definition, support });
const phases = [
  { name: 'active', months: 12 },
  { name: 'security', months: 18 },
  { name: 'extended', months: 36, paid: true },
];

const byLines = (lines: object) => ({ policy: 'term', months: 18, lines });

test.each(definitions)('accepts a correct definition (%#)', (document) => {
  expect(findProblems(document)).toEqual([]);
});

const npmKeys = 'datasource, extractVersion, allowedVersions, onlyAdds, packageName, registryUrl';
const range =
  'expected a range: ">=1.2 <2", "1.2" for a line, "=1.2" for one version, "||" between alternatives';

test('rejects a definition that is empty or not an object', () => {
  const keys = ['title', 'homepage', 'changelogUrl', 'sources'];

  expect(findProblems([])).toEqual([
    'expected an object with title, homepage, changelogUrl, sources',
  ]);
  expect(findProblems({})).toEqual(keys.map((key) => `${key} is missing`));
});

test.each<[change: object, ...problems: string[]]>([
  [
    { homepage: 'http://example.com' },
    'homepage: expected an https: address without credentials or invisible characters; got "http://example.com"',
  ],
  [
    { changelogUrl: 'https://jane:secret@example.com/?key=secret' },
    'changelogUrl: expected an https: address without credentials or invisible characters; got "https://…@example.com/?…"',
  ],
  [
    { homepage: 'https://example.com?@evil.example/' },
    'homepage: expected an https: address without credentials or invisible characters; got "https://…@evil.example/"',
  ],
  [
    { homepage: 'https://example.com:99999/' },
    'homepage: expected an address with a valid host; got "https://example.com:99999/"',
  ],
  [
    {
      deprecated: [
        { versions: ['2.O.0'], reason: 'x' },
        { versions: '1.2+', reason: 'x' },
      ],
    },
    'deprecated[0].versions[0]: expected a version such as 2025.1: a letter takes the place of a digit, or it has an open end; got "2.O.0"',
    `deprecated[1].versions: ${range}; got "1.2+"`,
  ],
  [
    { releaseChangelogUrl: { template: page, since: 'latest' } },
    'releaseChangelogUrl.template: expected {version} or {versionDashed}; got "https://example.com"',
    'releaseChangelogUrl.since: expected a version such as 2025.1; got "latest"',
  ],
  [
    { advisories: [{ id: 'cve-1', affected: '<2' }] },
    'advisories[0].id: expected the id of a database, such as CVE-2026-1234, or one that begins with x_; got "cve-1"',
  ],
])(
  'the rejection of a definition names the expected and the actual value (%#)',
  (change, ...problems) => {
    expect(findProblems({ ...definition, ...change })).toEqual(problems);
  },
);

test.each<[change: object, problem: string]>([
  [
    { datasource: 'nmp' },
    `.datasource: expected one of ${datasourceNames.join(', ')}; got "nmp". Did you mean npm?`,
  ],
  [{ url: page }, `.url: npm does not have it; it has ${npmKeys}; got "https://example.com"`],
  [{ datasource: 'helm' }, '.registryUrl is missing: helm needs it'],
  [{ extractVersion: '^v(.+)$' }, '.extractVersion: expected a group (?<version>…); got "^v(.+)$"'],
  [
    { allowedVersions: '>=1 <2.O' },
    '.allowedVersions: expected /regex/, !/regex/ or a range of semver such as ">=1.2.0 <2.0.0"; got ">=1 <2.O"',
  ],
])('the rejection of a source names the expected and the actual value (%#)', (change, problem) => {
  const document = bySource({ datasource: 'npm', packageName: 'a', ...change });

  expect(findProblems(document)).toEqual([`sources[0]${problem}`]);
});

test('the rejection of an unknown support policy names all known policies', () => {
  const [problem] = findProblems(bySupport({ policy: 'terms' }));

  const kinds = /^support\.policy: expected one of (.+); got "terms"\. Did you mean term\?$/.exec(
    problem!,
  )![1]!;
  expect(kinds.split(', ')).toEqual(
    expect.arrayContaining(['none', 'ended', 'term', 'latest-lines', 'dated', 'stated']),
  );
});

test.each<[support: object, problem: string]>([
  [{ policy: 'term', months: 3, phases }, ': expected either months or phases'],
  [{ policy: 'latest-lines', months: 3 }, ': expected either count or phases'],
  [
    { policy: 'latest-lines', months: 3, phases: [{ name: 'active', count: 1 }] },
    '.months: expected it only beside count; got 3',
  ],
  [
    { policy: 'term', phases: [phases[1], phases[0]] },
    '.phases[1]: expected more months than security (18), because months count from the first release of the line. For 12 months and then two more years, write 12 and 36',
  ],
  [
    {
      policy: 'term',
      phases: [
        { name: 'standard', months: 12 },
        { name: 'extended', months: 12, paid: true },
      ],
    },
    '.phases[1]: expected more months than standard (12), because months count from the first release of the line. For 12 months and then two more years, write 12 and 36',
  ],
  [
    {
      policy: 'latest-lines',
      phases: [
        { name: 'active', count: 2 },
        { name: 'security', count: 1 },
      ],
    },
    '.phases[1]: expected a count above that of active (2)',
  ],
  [
    { policy: 'latest-lines', phases: [1, 2].map((count) => ({ name: 'active', count })) },
    '.phases[1]: expected each phase once',
  ],
  [
    { policy: 'term', phases: [phases[2]] },
    '.phases[0]: expected paid phases after all others, of which there is at least one',
  ],
  [
    { policy: 'dated', lines: { '1.0': { active: '2026-02-01', fixes: '2026-01-01' } } },
    '.lines["1.0"].fixes: expected an end after that of active; got "2026-01-01"',
  ],
  [{ policy: 'dated', lines: {} }, '.lines: expected a line'],
  [
    byLines({ '2025.2': '2026-02-30' }),
    '.lines["2025.2"]: expected a day that exists; got "2026-02-30"',
  ],
  [
    byLines({ '2025.01': '2026-01-31' }),
    '.lines["2025.01"]: expected the name of a line, 2025.1; got "2026-01-31"',
  ],
  [
    { policy: 'term', months: 18, line: 'semver', lines: { '3.2': '2026-01-31' } },
    '.lines["3.2"]: expected the name of a line, 3; got "2026-01-31"',
  ],
  [
    { policy: 'none', line: 'semver', lines: { '0.3.1': '2026-01-31' } },
    '.lines["0.3.1"]: expected the name of a line, 0.3; got "2026-01-31"',
  ],
  [{ policy: 'none', line: 'major' }, '.line: expected one of 1, 2, semver; got "major"'],
  [
    { policy: 'dated', lines: { '24.04': '2029-04-30', '24.4': '2029-04-30' } },
    '.lines["24.4"]: expected each line once; got "2029-04-30"',
  ],
  [{ polcy: 'dated', lines: {} }, '.policy: unknown key "polcy"; did you mean policy?'],
  [
    {
      policy: 'stated',
      source: { datasource: 'endoflife-date', product: 'a' },
      paid: ['extended'],
    },
    ': unknown key "paid"; known keys: policy, source, lines, line, until',
  ],
  [
    {
      policy: 'dated',
      lines: { '1.0': { active: '2026-01-01', extended: '2027-01-01' } },
      paid: ['extended', 'extneded'],
    },
    '.paid[1]: expected a phase of its lines; got "extneded"',
  ],
])(
  'the rejection of a support policy names the expected and the actual value (%#)',
  (support, problem) => {
    expect(findProblems(bySupport(support))).toEqual([`support${problem}`]);
  },
);
