import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Item } from '../../src/core/index/item.ts';
import { refusedKinds } from '../../src/core/lists/refused.ts';
import { readList } from '../../src/core/read-list.ts';
import { program } from '../harness/example.ts';

const names = new Map(
  ['svc', 'x', 'build agent', '@example/agent', 'pkg:maven/com.example/agent', 'n'.repeat(200)].map(
    (name) => [name, []],
  ),
);

/** `name` or package URL, version or range, digests. */
function summarise({ name, purl, version, range, digests = [] }: Item): string {
  const thing = name ?? (purl ? `${purl.type}:${purl.name}` : '?');
  return [thing, range ? `range ${range}` : (version ?? 'no version'), ...digests].join(' ');
}

async function read(text: string): Promise<string[]> {
  const { items, problems } = readList(text, names);
  return [...items.map(summarise), ...problems.map(({ message }) => message)];
}

const digest = `sha256:${'0f'.repeat(32)}`;

test.each([
  ['svc==v2025.1', 'svc 2025.1'],
  ['SVC 2025.1 # in production', 'svc 2025.1'],
  ['build agent 3.2', 'build agent 3.2'],
  ['svc latest', 'svc latest'],
  ['n'.repeat(200), `${'n'.repeat(200)} no version`],
  [`svc ${'1'.repeat(2000)}`, `svc ${'1'.repeat(996)}`],
  ['@example/agent@1.0', '@example/agent 1.0'],
  ['pkg:maven/com.example/agent@3.4?type=jar', 'maven:com.example/agent 3.4'],
  [`pkg:oci/agent@${encodeURIComponent(digest)}?tag=1.0`, `oci:agent 1.0 ${digest}`],
  [`pkg:oci/agent@${encodeURIComponent(digest)}`, `oci:agent ${digest} ${digest}`],
  [`registry.example.com/team/agent:1.0@${digest}`, `docker:team/agent 1.0 ${digest}`],
  ['com.example:agent:1.0', 'maven:com.example/agent 1.0'],
  ["svc==2025.1; (extra == 'x' and os_name != 'nt')", 'svc 2025.1'],
  // A colon behind a version is no part of it.
  ['svc@2025.1:', 'svc 2025.1'],
  ['    svc (2025.1)', 'svc 2025.1'],
  ['svc 2025.1 - in production since 2025', 'svc 2025.1'],
  // Cells without names of columns.
  ['"svc","2025.1","team a"', 'svc 2025.1'],
  ['Apache Tomcat; 9.0.1; ours', 'Apache Tomcat 9.0.1'],
  ['nokogiri (1.16.0 java, 1.15.5 x64-mingw-ucrt)', 'nokogiri 1.16.0|nokogiri 1.15.5'],
  // Several versions of a tool; what has no point may be anything.
  ['svc 2025.1 3 2026-01-31', 'svc 2025.1'],
  ['redis 7.0, svc 2025.1; x@1', 'redis 7.0|svc 2025.1|x 1'],
  ['svc, 2025.1, x', 'svc 2025.1'],
  // A name ends where a version begins, not with any number.
  ['svc2025.1', 'svc 2025.1'],
  ['svcv2025.1.3-rc1', 'svc 2025.1.3-rc1'],
  ['svc2==2025.1', 'svc2 2025.1'],
  ['svc2-binary 2.9.9', 'svc2-binary 2.9.9'],
  ['svc3.11 3.11.2', 'svc3.11 3.11.2'],
  ['x2-leaflet@2.7.1', 'x2-leaflet 2.7.1'],
  ['svc3.1-dev==3.1', 'svc3.1-dev 3.1'],
  ['svc:other:2025.1', 'maven:svc/other 2025.1'],
  ['string-width-cjs@npm:string-width@4.2.3', 'string-width 4.2.3'],
  ['flask ; python_version < "3.9"', 'flask no version'],
  // More than a name and a version may be anything.
  ['nginx/now 1.24.0-1 amd64', 'line 1: nginx/now 1.24.0-1 amd64'],
])('reads the line %j', async (line, expected) => {
  expect((await read(line)).join('|')).toBe(expected);
});

test.each([
  ['svc~=4.2.11', 'svc range ~=4.2.11'],
  ['svc>=1.0,<2.0', 'svc range >=1.0,<2.0'],
  ['svc (~> 2.0, < 3)', 'svc range ~> 2.0, < 3'],
  ['"svc": "^4.17.20",', 'svc range ^4.17.20'],
  ['svc==4.2.*', 'svc range 4.2.*'],
  ['svc *', 'svc range *'],
  ['svc 1.0 - 2.0', 'svc range 1.0 - 2.0'],
  ['svc 1.0 || 2.0', 'svc range 1.0 || 2.0'],
  ['com.example:agent:[1.0,2.0)', 'com.example:agent no version'],
  ['lodash@^4.0.0:', 'lodash range ^4.0.0'],
  ['requests >= 2', 'requests range >= 2'],
  ['pkg:npm/svc@%5E2025.1', 'npm:svc range ^2025.1'],
  ['pkg:maven/a/svc@[1.0,2.0)', 'maven:a/svc [1.0,2.0)'],
  ['pkg:npm/svc@2025.x', 'npm:svc 2025.x'],
  ['svc==1.0,<2', 'svc 1.0'],
])('of %j, a range is no version', async (line, expected) => {
  expect(await read(line)).toEqual([expected]);
});

test('options of pip, comments and separators are no entries; what states nothing and another list are problems', async () => {
  const list = `-r base.txt\n--index-url https://a.b/simple\n-e .\n// ours\n# ours\n---\n===\n\nsvc==2025.1 \\\n    --hash=${digest}\nversion: 1.0\nappVersion = 2.0\n${'n '.repeat(101)}\n-e git+https://a.b/c\n`;

  expect(await read(list)).toEqual([
    'svc 2025.1',
    'line 1: -r base.txt; give that file, too',
    'line 11: version: 1.0',
    'line 12: appVersion = 2.0',
    `line 13: ${'n '.repeat(50)}`,
    'line 14: -e git+https://a.b/c',
  ]);
});

const readFixture = (path: string) =>
  readFileSync(join(program, 'test/fixtures/lists', path), 'utf8');
const table = ['svc 2025.1', 'redis 7.0'];
const installed = ['express 4.18.2', 'semver 7.5.4', 'prettier 3.0.0'];
const gems = [
  ...['bigdecimal 3.1.3', 'json 2.7.1', 'json 2.6.3', 'nokogiri 1.16.0', 'nokogiri 1.15.5'],
  ...['rails 8.0.0', 'rails 6.1.7'],
];
const images = ['docker:nginx 1.24.0', 'docker:registry/team/worker 3.1', 'docker:redis 7.0'];
const ofSpdx = [
  ...[`npm:agent 2.0 ${digest}`, 'svc NOASSERTION', 'x NONE'],
  `${'a'.repeat(1000)} no version`,
  'name',
];

/** Each kind that `use.html` names, and what is read of it. */
const kinds: readonly [kind: string, text: string, ...expected: string[]][] = [
  ['name 1.2.3', 'svc 2025.1\nredis 7.0', ...table],
  ['requirements.txt', '-i https://a.b\nsvc[all]==2025.1\nredis==7.0', ...table],
  ['.tool-versions', 'svc 2025.1 2024.3\nredis 7.0 # ours', ...table.toSpliced(1, 0, 'svc 2024.3')],
  ['pkg:npm/…', 'pkg:npm/svc@2025.1', 'npm:svc 2025.1'],
  ['npm ls', readFixture('npm-ls.txt'), '@example/agent 1.0', ...table],
  ['pnpm ls', readFixture('tools/pnpm-ls.txt'), ...installed, 'fsevents 2.3.3'],
  ['yarn list', readFixture('tools/yarn-list.txt'), ...installed, 'accepts 1.3.8'],
  ['bun pm ls', readFixture('tools/bun-pm-ls.txt'), ...installed],
  [
    'pnpm ls --json',
    readFixture('tools/pnpm-ls.json'),
    ...[...installed, 'fsevents 2.3.3'].map((each) => `npm:${each}`),
  ],
  ['gem list', readFixture('tools/gem-list.txt'), ...gems],
  ['docker ps', readFixture('tools/docker-ps.txt'), ...images],
  ['cargo tree', readFixture('cargo-tree.txt'), ...table],
  [
    'gradle dependencies',
    readFixture('gradle-dependencies.txt'),
    'maven:com.example/agent 2.0',
    'maven:org.other/lib 3.0',
    'maven:org.other/b 4.0',
  ],
  [
    'mvn dependency:list',
    readFixture('mvn-dependency-list.txt'),
    'maven:com.example/agent 2.0',
    'maven:org.other/lib 3.0',
  ],
  [
    'Dockerfile',
    readFixture('Dockerfile'),
    'docker:svc 2025.1',
    'docker:c/d 1.0',
    'docker:e no version',
  ],
  ['docker compose config --images', 'a/b:1.0\nredis:7.0', 'docker:a/b 1.0', 'docker:redis 7.0'],
  ['registry.example.com/team/image:20.1', 'a.b:5000/c/d:1.0', 'docker:c/d 1.0'],
  [
    'image:',
    readFixture('compose.yaml'),
    'docker:a/b 1.0',
    'docker:svc 2.0',
    'docker:d no version',
  ],
  ['a,b', '# ours\n\nOwner,Name,Version\nJane,svc,2025.1\n,redis,7.0\n,,', ...table],
  [
    'a;b',
    '\uFEFF"Component";"Installed version"\r\nsvc;2025.1\r\n"redis";^7\r\n',
    'svc 2025.1',
    'redis range ^7',
  ],
  ['a\tb', 'PURL\tName\npkg:npm/a@1.0\ta\n\tsvc', 'npm:a 1.0', 'svc no version'],
  ['| a | b |', '| Name | Version |\n| :-- | --- |\n| svc | 2025.1 |\n| redis | 7.0 |', ...table],
  ['pip list', 'Package Version\n------- -------\nsvc     2025.1\nredis 7.0 /src', ...table],
  ['docker images', readFixture('docker-images.txt'), 'docker:a/b 1.0', 'docker:c no version'],
  ['npm outdated', 'Package  Current  Wanted  Latest\nsvc   2025.1  2025.2 2026.1', 'svc 2025.1'],
  [
    'helm dependency list',
    'NAME\tVERSION\tREPOSITORY\tSTATUS\nsvc \t2025.1\thttps://a\tok',
    'svc 2025.1',
  ],
  [
    'package-lock.json',
    readFixture('package-lock.json'),
    ...['npm:svc 2025.1', 'npm:@example/agent 1.0', 'npm:@example/agent 2.0'],
  ],
  [
    'npm ls --json',
    readFixture('npm-ls.json'),
    ...['npm:svc 2025.1', 'npm:@example/agent 1.0', 'npm:packed 1.0'],
    ...['npm:deep 3.0', 'npm:svc 2.0'],
  ],
  ['Cargo.lock', readFixture('Cargo.lock'), 'cargo:svc 2025.1'],
  ['poetry.lock', readFixture('poetry.lock'), 'pypi:svc 2025.1'],
  ['uv.lock', readFixture('uv.lock'), 'pypi:svc 2025.1'],
  ['Gemfile.lock', readFixture('Gemfile.lock'), 'gem:svc 2025.1', 'gem:redis 7.0'],
  ['composer.lock', readFixture('composer.lock'), 'composer:a/svc v2025.1', 'composer:b/c 1.0'],
  [
    'gradle.lockfile',
    readFixture('gradle.lockfile'),
    'maven:org.other/lib Hoxton.SR1',
    'maven:com.example/agent 2.0',
  ],
  [
    'go.mod',
    readFixture('go.mod'),
    'example.com/a 1.0.0',
    'example.com/B 2.0.0+incompatible',
    'example.com/e 4.1.0',
  ],
  ['go list -m all', 'example.com/own\nexample.com/a v1.0.0', 'example.com/a 1.0.0'],
  [
    'CycloneDX',
    readFixture('cyclonedx.json'),
    ...[`npm:agent 2.0 ${digest}`, 'npm:agent 2.0', '@example/part 0.1', 'name'],
  ],
  [
    'CycloneDX 2',
    '{"specFormat": "CycloneDX", "specVersion": "2.0", "components": [{"name": "x", "purl": "pkg:npm/svc@2025.1"}]}',
    'npm:svc 2025.1',
  ],
  ['SPDX 2', readFixture('spdx.json'), ...ofSpdx],
  ['SPDX 2', `{"sbom": ${readFixture('spdx.json')}}`, ...ofSpdx],
  [
    'SPDX 3',
    readFixture('spdx-3.json'),
    ...['svc 2025.1', `npm:agent 2.0 ${digest}`, 'npm:other 3.0', 'bare NOASSERTION'],
  ],
  [
    'syft',
    '{"artifacts": [{"name": "svc", "version": "2025.1", "purl": "pkg:npm/svc@2025.1"}], "schema": {"url": "https://a/syft/b.json"}}',
    'npm:svc 2025.1',
  ],
  [
    'pip list --format json',
    '[{"name": "svc", "version": "2025.1"}, {"name": "redis", "version": "7.0"}]',
    ...table,
  ],
];

test.each(kinds)('reads %s', async (_kind, text, ...expected) => {
  const told = await read(text);

  expect(told.sort()).toEqual(expected.sort());
  // As Windows and PowerShell write it.
  expect((await read(`\uFEFF${text.replaceAll('\n', '\r\n')}\r\n`)).sort()).toEqual(told);
});

test.each(Object.entries(refusedKinds))(
  'refuses %s as a whole, with a command',
  async (kind, [command]) => {
    const text = readFixture(`refused/${kind.replaceAll(' ', '-')}`);

    expect(await read(text)).toEqual([`${kind} is not read; give the list of "${command}"`]);
  },
);

test('the page on the use of an index names each kind that is read', () => {
  const page = readFileSync(join(program, 'site/templates/use-lists.hbs'), 'utf8');
  const [, section = ''] = /<table class="kinds">([^]*?)<\/table>/.exec(page)!;
  const named = Array.from(section.matchAll(/<(code|kbd)>(.*?)<\/\1>/g), ([, , kind]) => kind!);

  expect(named.sort()).toEqual([...new Set(kinds.map(([kind]) => kind))].sort());
});

test.each([
  ['{"dependencies": {}, "packages": {"": {"version": "1.0"}}}'],
  ['{"bomFormat": ', 'Unexpected end of JSON input'],
  ['{"specFormat": "CycloneDX", "specVersion": "3.0", "parts": [{}]}'],
  ['{"bomFormat": "CycloneDX", "components": []}'],
  ['[{"name": "svc"}, {"id": 1, "tag": 2}]', 'svc', 'id,tag'],
  ['{"dependencies": {"svc": {"range": "1"}}}', 'svc'],
])('of the document %s, what is not read is said: %j', async (text, ...problems) => {
  expect(await read(text)).toEqual(problems);
});

test.each([
  ['{"bomFormat": "CycloneDX", "components": [', '"components": [', ']'],
  ['{"dependencies": {"a": ', '"dependencies": {"a": ', '}'],
])('entries within each other are read, however deep: %s', async (start, more, end) => {
  let nested = '{}';
  for (let level = 20_000; level > 0; level -= 1) {
    nested = `{"name": "a", "version": "1.${level}", ${more}${nested}${end}}`;
  }

  expect(readList(`${start}${nested}${end}}`, names).items).toHaveLength(20_000);
});

test('an entry has the number of its line, also in a table and in a lock file', async () => {
  const lists = [
    '# ours\n\nsvc 2025.1',
    '# ours\nname,version\nsvc,2025.1',
    'a\n\n[[package]]\nname = "svc"\nversion = "1"\nsource = "registry+a"',
  ];

  for (const list of lists) {
    expect(readList(list, names).items).toMatchObject([{ line: 3 }]);
  }
});

test('any text is read without an error', async () => {
  const address = fc.string().map((path) => `https://example.com/${path}`);
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json(), address), async (text) => {
      readList(text, names);
    }),
  );
});
