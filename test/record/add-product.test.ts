import { expect, test } from 'vitest';
import { readProduct } from '../../src/record/add/read-product.ts';
import { findGrowth } from '../harness/growth.ts';

/** Reads the file of a product with four lines, a new one each year, and these lines of YAML. */
function read(
  lines: string,
  ends: readonly (string | boolean | null)[] = [null, null, null, null],
) {
  const cycles = ends.map(
    (end, index) =>
      `  - {releaseCycle: "4.${3 - index}", releaseDate: ${2025 - index}-02-01, eol: ${end}}`,
  );
  const text = `---\ntitle: Tool\n${lines}\nreleases:\n${cycles.join('\n')}\n---\n`;

  return readProduct({ name: 'tool', text, place: 'tool.md', day: '2025-06-01' });
}

test.each([
  ['# eol(x) = releaseDate(x+2)', { policy: 'latest-lines', count: 2 }],
  ['# - eol(X) = release(X + 3).', { policy: 'latest-lines', count: 3 }],
  ['# eol(x) = releaseDate(x+1) + 3 months', { policy: 'latest-lines', count: 1, months: 3 }],
  ['# eol(x) = releaseDate(x) + 1.5y', { policy: 'term', months: 18 }],
  [
    '# eoas(x) = releaseDate(x) + 6 months\n# eol(x) = releaseDate(x) + 1 year',
    {
      policy: 'term',
      phases: [
        { name: 'active', months: 6 },
        { name: 'security', months: 12 },
      ],
    },
  ],
  ['# eol(x) = releaseDate(x+2), except for the last minor', undefined],
  ['# eol(x) = max(releaseDate(x+1), latestReleaseDate(x))', undefined],
  ['# eol(x) = releaseDate(x) + 12 weeks', undefined],
  ['# eol(x) = releaseDate(x+1)\n# LTS: eol(x) = releaseDate(x) + 3 years', undefined],
])('the rule %j is the policy %j', (comment, policy) => {
  expect(read(comment).facts.support).toEqual(policy);
});

test('a rule that gives other ends for most lines is no policy, and the note names the ends', () => {
  const rule = '# eol(x) = releaseDate(x+1)';
  const equal = read(rule, [false, '2025-02-01', '2024-02-01', '2023-02-01']);
  const other = read(rule, [false, '2025-02-01', '2024-03-01', '2023-04-01']);

  expect(equal.notes).toEqual(['support: the rule at endoflife.date for "tool"']);
  expect(other.facts.support).toBeUndefined();
  expect(other.notes).toEqual([
    'support: as stated at endoflife.date for "tool"; its rule gives another end for 2 of 3 lines: 4.1 2024-03-01 (rule: 2024-02-01), 4.0 2023-04-01 (rule: 2023-02-01)',
  ]);
});

test.each<[(string | boolean | null)[]]>([
  [[null, null, null, null]],
  [[false, true, true, null]],
  [['2027-01-31', null, null, null]],
])('a rule is a policy for the ends %j, and the note says that no day was compared', (ends) => {
  const { facts, notes } = read('# eol(x) = releaseDate(x+1)', ends);

  expect(facts.support).toEqual({ policy: 'latest-lines', count: 1 });
  expect(notes).toEqual([
    'support: the rule at endoflife.date for "tool", but no day of an end could be compared',
  ]);
});

test.each([
  ['2026-01-31', '4.1 2026-01-31 (rule: 2024-02-01), 4.2 2025-03-01 (rule: 2025-02-01)'],
  [false, '4.1 supported (rule: 2024-02-01), 4.2 2025-03-01 (rule: 2025-02-01)'],
])(
  'a rule by which a line has ended that is supported until %j is no policy',
  (end, differences) => {
    const { facts, notes } = read('# eol(x) = releaseDate(x+1)', [null, '2025-03-01', end, true]);

    expect(facts.support).toBeUndefined();
    expect(notes).toEqual([
      expect.stringContaining(`its rule gives another end for 2 of 2 lines: ${differences}`),
    ]);
  },
);

/** The time to read these lines in microseconds. */
function measure(lines: string): number {
  const before = process.threadCpuUsage();
  read(lines);
  return process.threadCpuUsage(before).user;
}

// Work that grows with the square would take 64 times as long.
test.each([
  ['', 'eol ', ''],
  ['eol(x) = releaseDate(x+2)\n# ', 'eoas ', ''],
  ['eol = x', ' ', 'x'],
  ['eol = ', ' ', 'x\u2028x'],
  ['eol = release(x', ' ', 'x'],
  ['eol = release(x) + ', '1.', 'x'],
])(
  'a comment of %j, many %j and %j takes less than 30 times as long if it is eight times as long',
  async (start, part, end) => {
    const write = (length: number) => `# ${start}${part.repeat(length / part.length)}${end}`;

    expect(await findGrowth((length) => measure(write(length)), 8000)).toBeLessThan(30);
  },
);

test('an expression takes less than 30 times as long if it is eight times as long', async () => {
  const write = (length: number) =>
    `auto: {methods: [{npm: tool, regex: "${'['.repeat(length)}(?P<a>x)"}]}`;

  expect(await findGrowth((length) => measure(write(length)), 2000)).toBeLessThan(30);
});

test('a comment whose rule goes on behind 1,000 characters is no policy', () => {
  const rule = `# eol(x) = releaseDate(x+2)${' .'.repeat(500)}, except for the last minor`;

  expect(read(rule).facts.support).toBeUndefined();
});

test('a rule for lines of three digit groups is no policy', () => {
  const cycle = '{releaseCycle: 4.1.2, releaseDate: 2025-01-01, eol: false}';
  const text = `---\ntitle: Tool\n# eol(x) = releaseDate(x+1)\nreleases:\n  - ${cycle}\n---\n`;
  const { facts } = readProduct({ name: 'tool', text, place: 'tool.md', day: '2025-06-01' });

  expect(facts).not.toHaveProperty('support');
});

test('an unquoted version keeps its zeros', () => {
  const cycle = '{releaseCycle: 08, releaseDate: 2025-01-01, eol: false, latest: 08.04}';
  const text = `---\ntitle: Tool\nreleases:\n  - ${cycle}\n---\n`;

  expect(readProduct({ name: 'tool', text, place: 'tool.md', day: '2025-06-01' }).latest).toBe(
    '08.04',
  );
});

const plain = String.raw`^v?(?<version>[1-9]\d*\.\d+(?:\.\d+){0,2})$`;
test.each([
  [
    '{git: "https://github.com/example/tool.git"}',
    [{ datasource: 'github-tags', packageName: 'example/tool', extractVersion: plain }],
  ],
  [
    '{git: "https://gitlab.com/example/sub/tool.git"}',
    [{ datasource: 'gitlab-tags', packageName: 'example/sub/tool', extractVersion: plain }],
  ],
  [
    '{git: "https://git.example.com/tool.git"}',
    [
      {
        datasource: 'git-tags',
        packageName: 'https://git.example.com/tool.git',
        extractVersion: plain,
      },
    ],
  ],
  [
    `{npm: tool, regex: '^beta$|v(?P<version>[0-9.]+)$'}`,
    [
      {
        ...{ datasource: 'npm', packageName: 'tool' },
        extractVersion: '^(?:^beta$|v(?<version>(?:[0-9.]+))$)',
      },
    ],
  ],
  ['{npm: "@example/tool"}', [{ datasource: 'npm', packageName: '@example/tool' }]],
  [
    String.raw`{github_releases: example/tool, regex: '^go(?P<major>[1-9]\d*)\.(?P<minor>\d+)\.?(?P<patch>\d+)?$'}`,
    [
      {
        datasource: 'github-releases',
        packageName: 'example/tool',
        extractVersion: String.raw`^go(?<version>(?:[1-9]\d*)\.(?:\d+)(?:\.(?:\d+))?)$`,
      },
    ],
  ],
  // Python begins to match at the start of a tag.
  [
    String.raw`{github_releases: example/tool, regex: 'rel/(?P<major>\d+)\.(?P<minor>\d+)'}`,
    [
      {
        datasource: 'github-releases',
        packageName: 'example/tool',
        extractVersion: String.raw`^(?:rel/(?<version>(?:\d+)\.(?:\d+)))`,
      },
    ],
  ],
  [
    String.raw`{github_releases: example/tool, regex: '^v(?P<a>\d+)\.(?P<b>\d+)(?:\+security-(?P<c>\d+))?$', template: '{{a}}.{{b}}{%if c %}+security-{{c}}{%endif%}'}`,
    [
      {
        datasource: 'github-releases',
        packageName: 'example/tool',
        extractVersion: String.raw`^v(?<version>(?:\d+)\.(?:\d+)(?:\+security-(?:\d+))?)$`,
      },
    ],
  ],
  // Their version is 18.1, the tag has REL_18_1: a version is never rewritten.
  [
    String.raw`{git: "https://github.com/example/tool.git", regex: '^REL_(?P<major>\d+)_(?P<minor>\d+)$'}`,
    [],
  ],
  // Its group cannot be around the version alone.
  [
    String.raw`{git: "https://github.com/example/tool.git", regex: '^(?:v(?P<major>\d+))\.(?P<minor>\d+)$'}`,
    [],
  ],
  // A group within another is no number of its own: what is between them is in no version.
  [
    String.raw`{git: "https://github.com/example/tool.git", regex: '^v(?P<major>\d+(?:-(?P<minor>\d+))?)$'}`,
    [],
  ],
  ['{git: "https://github.com/example/tool.git", regex_exclude: "^v5"}', []],
  ['{distrowatch: tool}', []],
])('%s is read by %j', (method, sources) => {
  const product = read(`auto:\n  methods:\n    - ${method}`);

  expect(product.sources).toEqual(sources);
  expect(product.notes.some((note) => note.startsWith('sources: '))).toBe(sources.length === 0);
});

test('a method with an address or an expression of another form is left out', () => {
  const methods = ['git: {toString: 1}', 'npm: tool, regex: {toString: 1}', 'git: 1'];
  const { sources, notes } = read(
    `auto: {methods: [${methods.map((method) => `{${method}}`).join(', ')}]}`,
  );

  expect(sources).toEqual([]);
  expect(notes[0]).toBe('sources: no datasource reads its list of releases (git, npm)');
});

test('names of lines and versions are texts, also where YAML would read a number', () => {
  const cycle = 'releases:\n- {releaseCycle: 1.10, latest: 1.10, eol: 2020-01-31}\n';
  const text = `---\ntitle: 8\n${cycle}---\n`;
  const { facts, latest } = readProduct({ name: 'tool', text, place: 'a.md', day: '2025-06-01' });

  expect({ facts, latest }).toEqual({ facts: { title: '8' }, latest: '1.10' });
});

test('a package URL that is too long for an alias is left out', () => {
  const purls = ['pkg:npm/tool', `pkg:npm/${'x'.repeat(200)}`, 'pkg:npm/tool@1'];
  const { facts } = read(`identifiers: ${JSON.stringify(purls.map((purl) => ({ purl })))}`);

  expect(facts.aliases).toEqual(['pkg:npm/tool']);
});
