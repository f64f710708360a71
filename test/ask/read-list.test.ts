import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Item } from '../../src/ask/item.ts';
import { readList } from '../../src/ask/read-list.ts';
import { program } from '../harness/example.ts';

const names = new Map(
  ['svc', 'x', 'build agent', '@example/agent', 'pkg:maven/com.example/agent'].map((name) => [
    name,
    [{ component: name }],
  ]),
);

/** Returns an item as text: `npm:agent 2.0 sha256:…`. */
function summarise({ name, purl, version, digests = [] }: Item): string {
  const thing = name ?? (purl ? `${purl.type}:${purl.name}` : '?');
  return [thing, version ?? 'no version', ...digests].join(' ');
}

function read(text: string): string[] {
  const { items, problems, fault = [] } = readList(text, names);
  return [...items.map(summarise), ...problems.map(({ message }) => message), ...[fault].flat()];
}

const digest = `sha256:${'0f'.repeat(32)}`;

const notSbom = 'is JSON, but none of CycloneDX, SPDX, syft or package-lock.json of npm 7';

/** If the second value is undefined, the line is reported as not read. */
test.each([
  ['svc 2025.1', 'svc 2025.1'],
  ['SVC\t2025.1 # in production', 'SVC 2025.1'],
  ['svc==v2025.1', 'svc v2025.1'],
  ['svc@2025.1', 'svc 2025.1'],
  ['svc @2025.1', 'svc 2025.1'],
  ['svc:2025.1', 'svc 2025.1'],
  ['svc: 2025.1', 'svc 2025.1'],
  ['- svc 2025.1', 'svc 2025.1'],
  ['* team/worker:3.1', 'docker:team/worker 3.1'],
  ['3. svc 2025.1', 'svc 2025.1'],
  ['svc 2025.1 (in production)', 'svc 2025.1'],
  ['FROM svc:2025.1', 'svc 2025.1'],
  ['FROM --platform=linux/amd64 a.b/team/worker:3.1-slim AS build', 'docker:team/worker 3.1-slim'],
  ['image: "svc:2025.1"', 'svc 2025.1'],
  ['- image: svc:2025.1', 'svc 2025.1'],
  ['FROM build', undefined],
  ['FROM svc:2025.1 x:1', undefined],
  ['build agent 3.2', 'build agent 3.2'],
  ['@example/agent@1.0', '@example/agent 1.0'],
  ['@other/agent 1.0', '@other/agent 1.0'],
  ['com.example:agent:1.0', 'maven:com.example/agent 1.0'],
  ['com.example:agent@1.0', 'com.example:agent 1.0'],
  // Distributions write an epoch before a version.
  ['svc 1:2025.1-2.el9', 'svc 1:2025.1-2.el9'],
  ['redis==7:7.0', 'redis 7:7.0'],
  // The word after a component's name may be a tag, so the line is read. The entry gets no verdict.
  ['svc latest', 'svc latest'],
  // A question is read only if it ends with a question mark and names something in the index.
  ['is svc 2025.1 still supported?', 'svc 2025.1'],
  ['- When does build agent 3.2 end?', 'build agent 3.2'],
  ['Build agent 3.2 LTS', 'Build agent 3.2'],
  ['svc lts', 'svc lts'],
  ['is other 1.0 still supported?', undefined],
  ['use svc 2025.1', undefined],
  ['svc ^4.0', 'svc ^4.0'],
  [`svc:1.0@${digest}`, `svc 1.0 ${digest}`],
  [`svc@${digest}`, `svc ${digest} ${digest}`],
  ['redis:stable', 'docker:redis stable'],
  ['a.b:5000/c/d:1.0', 'docker:c/d 1.0'],
  [`team/agent@${digest}`, `docker:team/agent ${digest} ${digest}`],
  ['pkg:npm/%40a/b@1.0?x=y', 'npm:@a/b 1.0'],
  ['pkg:npm/@a/b@1.0', 'npm:@a/b 1.0'],
  [`pkg:oci/agent@${encodeURIComponent(digest)}?tag=1.0`, `oci:agent 1.0 ${digest}`],
  // Lines without a version.
  ['svc', undefined],
  ['team/agent', undefined],
  ['nginx/1.24.0', undefined],
  ['nginx_1.24.0', undefined],
  ['pkg:npm/svc', undefined],
  ['svc/2025.1', undefined],
  ['svc-2025.1-1.el9.x86_64', undefined],
  ['redis latest', undefined],
  ['redis >=7', undefined],
  // Lines with more than one item.
  ['redis 7.0 up', undefined],
  ['svc 2025.1 x 1', undefined],
  ['svc Core 3.1', 'svc Core 3.1'],
  ['svc is a tool that somebody uses', undefined],
  ['left-pad Core 3.1', undefined],
  ['svc 2025.1, x 1', undefined],
  ['svc:2025.1;x', undefined],
  ['nginx:1.24.0, team/worker:3.1', undefined],
  ['nginx:1.24.0,x/team/worker:3.1', undefined],
  ["- ['a:1', 'b:2']", undefined],
  ['- ["a:1","b:2"]', undefined],
  ['pkg:npm/left-pad@1.3.0,nginx@1.24.0', undefined],
  ['pkg:npm/left-pad@1.3.0?a=b,nginx@1.24.0', undefined],
  ['svc==2025.1; python_version < "3.9"', undefined],
  [`svc==2025.1 --hash=${digest}`, undefined],
  ['celery[redis]==5.3.1', undefined],
  ['web-1 nginx:1.24.0', undefined],
  ['3 nginx:1.24.0', undefined],
  ['libc6:amd64 2.36-9', undefined],
  // Lines of other formats.
  ['├── svc@2025.1', undefined],
  ['"svc": "2025.1",', undefined],
  ['image: nginx:1.24.0', 'docker:nginx 1.24.0'],
  ['- image: nginx:1.24.0', 'docker:nginx 1.24.0'],
  ['FROM nginx:1.24.0', 'docker:nginx 1.24.0'],
  ['NGINX_VERSION: 1.24.0', undefined],
  ['version: 1.0', undefined],
  ['null', undefined],
  ['-   svc 2025.1', 'svc 2025.1'],
  ['svc 2025.1 - 2026.1', undefined],
  ['- {}', undefined],
  ['- -', undefined],
  ['n'.repeat(2000), undefined],
])('reads the list line %j as %j', (line, expected) => {
  expect(read(line)).toEqual([expected ?? `line 1: ${line.slice(0, 100)}`]);
});

const readFixture = (path: string) =>
  readFileSync(join(program, 'test/fixtures/lists', path), 'utf8');
const table = ['svc 2025.1', 'redis 7.0'];
const component = (subject: string) =>
  `{"bomFormat": "CycloneDX", "metadata": {"component": ${subject}}}`;
const described = (more: string) =>
  `{"spdxVersion": "SPDX-2.3", "packages": [{"SPDXID": "a", "name": "svc", "versionInfo": "1.0"${more}}],
  "relationships": [{"relationshipType": "DESCRIBES", "relatedSpdxElement": "a"}]}`;
const rooted = (more: string) =>
  `{"@context": "https://spdx.org/rdf/3.0.1/spdx-context.jsonld", "@graph": [{"type": "software_Sbom", "rootElement": ["a"]},
  {"type": "software_Package", "spdxId": "a", "name": "svc", "software_packageVersion": "1.0"${more}}]}`;
const ofSpdx = [
  ...[`npm:agent 2.0 ${digest}`, 'svc NOASSERTION', 'x NONE'],
  `${'a'.repeat(1000)} no version`,
  // The name is too long, so it is dropped.
  '? no version',
];

test.each([
  ['# ours\n\n// and theirs\nsvc 2025.1\n\nredis 7.0', ...table],
  ['# ours\n\nOwner,Name,Version\nJane,svc,2025.1\n,redis,7.0\n,,', ...table],
  ['\uFEFF"Component";"Installed version"\r\nsvc;2025.1\r\n"redis";7.0\r\n', ...table],
  // A Markdown table, and a table without a version column.
  ['Name|Version\nsvc|2025.1', 'line 1: Name|Version', 'line 2: svc|2025.1'],
  ['Name,Owner\nsvc,Jane', 'line 1: Name,Owner', 'line 2: svc,Jane'],
  ['PURL\tName\npkg:npm/a@1.0\ta\n\tsvc', 'npm:a 1.0', 'line 3:  svc'],
  [
    'purl,version\npkg:npm/a,1.0\n"pkg:npm/a@1,pkg:npm/b@2",',
    'npm:a 1.0',
    'line 3: pkg:npm/a@1,pkg:npm/b@2 ',
  ],
  ['Image,Tag\nnginx,1.24.0\na/b:2,2\nc,', 'docker:nginx 1.24.0', 'docker:a/b 2', 'line 4: c '],
  ['Name,Image,Version\nweb,redis:7.0,1.0', 'docker:redis 7.0', 'web 1.0'],
  // A row without a version, and rows with a comma too many.
  ['Name,Version\nsvc,\nDoe, Jane,svc', 'line 2: svc ', 'line 3: Doe Jane svc'],
  ['Name,Version\nsvc,2025.1,9.0\nredis,7.0,', 'line 2: svc 2025.1 9.0', 'redis 7.0'],
  // Two columns could have the names, so the table is not read.
  [
    'Application,Name,Version\nShop,svc,2025.1',
    'line 1: Application,Name,Version',
    'line 2: Shop,svc,2025.1',
  ],
  ['svc,2025.1', 'line 1: svc,2025.1'],
  // The subject of an SBOM is an entry only if it is deployed, such as a container image.
  [component('{"type": "container", "name": "a/b:1.0"}'), 'docker:a/b 1.0'],
  [component('{"type": "container", "name": "redis", "version": "7.0"}'), 'docker:redis 7.0'],
  [
    component(
      `{"type": "container", "name": "a/b:1.0", "version": "${digest}", "purl": "pkg:oci/b@${digest}"}`,
    ),
    'docker:a/b 1.0',
  ],
  [component('{"type": "operating-system", "name": "svc", "version": "12"}'), 'svc 12'],
  [component('{"type": "application", "name": "svc", "version": "1"}')],
  [component('{"type": "library", "name": "svc", "version": "1"}')],
  [described('')],
  [described(', "primaryPackagePurpose": "OPERATING-SYSTEM"'), 'svc 1.0'],
  [rooted('')],
  [rooted(', "software_primaryPurpose": "container"'), 'docker:svc 1.0'],
  // Each SBOM format, recognised by its marker.
  [
    readFixture('cyclonedx.json'),
    ...[`npm:agent 2.0 ${digest}`, 'npm:agent 2.0', '@example/part 0.1', '? no version'],
  ],
  ['{"specFormat": "CycloneDX", "components": [{"purl": "pkg:npm/svc@2025.1"}]}', 'npm:svc 2025.1'],
  [readFixture('spdx.json'), ...ofSpdx],
  [`{"sbom": ${readFixture('spdx.json')}}`, ...ofSpdx],
  [
    readFixture('spdx-3.json'),
    ...['svc 2025.1', `npm:agent 2.0 ${digest}`, 'npm:other 3.0', 'bare NOASSERTION'],
  ],
  [
    '{"artifacts": [{"purl": "pkg:npm/svc@2025.1"}], "source": {"type": "image", "name": "redis", "version": "7.0"}, "schema": {"url": "https://a/syft/b.json"}}',
    ...['docker:redis 7.0', 'npm:svc 2025.1'],
  ],
  [
    readFixture('package-lock.json'),
    ...['npm:svc 2025.1', 'npm:@example/agent 1.0', 'npm:@example/agent 2.0'],
  ],
  // JSON that is not an SBOM is rejected as a whole.
  ['{"lockfileVersion": 1, "packages": {}}', notSbom],
  ['{"components": [], "schema": 7}', notSbom],
  ['{\n"name": "svc"\n}\n', notSbom],
  ['["svc 2025.1"]', notSbom],
  ['{"bomFormat": ', 'begins as JSON does, but is not JSON: Unexpected end of JSON input'],
  ['\n[{"name": "svc"}', expect.stringMatching(/^begins as JSON does, but is not JSON: /)],
  ['{"name": "svc"}\n{"name": "x"}', expect.stringContaining(' is not JSON: Unexpected non-white')],
])('reads the list %j', (text, ...expected) => {
  const lines = read(text);

  expect(lines.sort()).toEqual(expected.sort());
  // Windows line endings, PowerShell's BOM and line endings of old Macs do not change the result.
  expect(read(`\uFEFF${text.replaceAll('\n', '\r\n')}\r\n`).sort()).toEqual(lines);
  expect(read(text.replaceAll('\n', '\r')).sort()).toEqual(lines);
});

test('reads an SBOM whose components are nested 20,000 levels deep', () => {
  let nested = '{}';
  for (let level = 20_000; level > 0; level -= 1) {
    nested = `{"name": "a", "version": "1.${level}", "components": [${nested}]}`;
  }
  const sbom = `{"bomFormat": "CycloneDX", "components": [${nested}]}`;

  expect(readList(sbom, names).items).toHaveLength(20_001);
});

test.each(['# ours\n\nsvc 2025.1', '# ours\nname,version\nsvc,2025.1'])(
  'the list reader gives each entry its line number: %j',
  (list) => {
    expect(readList(list, names).items).toMatchObject([{ line: 3 }]);
  },
);

test('reads an SBOM with values of any type without an error', () => {
  const value = fc.jsonValue();
  const keys = [
    'name',
    'group',
    'version',
    'type',
    'purl',
    'hashes',
    'externalRefs',
    'components',
    'software_primaryPurpose',
    'SPDXID',
  ];
  const fields = fc.record(Object.fromEntries(keys.map((key) => [key, value])));
  fc.assert(
    fc.property(fields, value, (entry, other) => {
      const lists = {
        components: [entry, other],
        metadata: { component: entry },
        relationships: [other],
        '@graph': [entry, other],
        source: other,
      };
      readList(JSON.stringify({ bomFormat: 'CycloneDX', ...lists }), names);
      readList(
        JSON.stringify({
          lockfileVersion: 3,
          packages: { 'node_modules/a': other, 'node_modules/b': entry },
        }),
        names,
      );
    }),
  );
});
