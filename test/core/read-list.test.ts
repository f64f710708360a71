import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readList, type Item } from '../../src/core/read-list.ts';

const names = new Map(
  ['svc', 'x', 'build agent', '@example/agent', 'com.example/agent', 'n'.repeat(200)].map(
    (name) => [name, []],
  ),
);

/** `name` or package URL, version, digests. */
function summarise({ name, purl, version, digests = [] }: Item): string {
  const thing = name ?? (purl ? `${purl.type}:${purl.name}` : '?');
  return [thing, version ?? 'no version', ...digests].join(' ');
}

const digest = `sha256:${'0f'.repeat(32)}`;

test.each([
  ['svc 2025.1', 'svc 2025.1'],
  ['svc==v2025.1', 'svc 2025.1'],
  ['SVC 2025.1 # in production', 'svc 2025.1'],
  ['build agent 3.2', 'build agent 3.2'],
  ['svc latest', 'svc latest'],
  ['x', 'x no version'],
  ['n'.repeat(200), `${'n'.repeat(200)} no version`],
  [`svc ${'1'.repeat(2000)}`, `svc ${'1'.repeat(996)}`],
  ['@example/agent@1.0', '@example/agent 1.0'],
  ['pkg:maven/com.example/agent@3.4?type=jar', 'maven:com.example/agent 3.4'],
  ['pkg:npm/agent', 'npm:agent no version'],
  [
    `pkg:oci/agent@${encodeURIComponent(digest)}?tag=1.0`,
    `oci:agent ${digest} ${digest}|oci:agent 1.0 ${digest}`,
  ],
  [`registry.example.com/team/agent:1.0@${digest}`, `docker:team/agent 1.0 ${digest}`],
  ['com.example:agent:1.0', 'com.example:agent 1.0'],
  ["svc==2025.1; (extra == 'x' and os_name != 'nt')", 'svc 2025.1'],
  [`- image: example/agent@${digest}`, `docker:example/agent ${digest} ${digest}`],
  ['image: svc:1.0', 'docker:svc 1.0'],
])('reads the line %j', (line, expected) => {
  const { items, problems } = readList(line, names);

  expect(items.map(summarise).join('|')).toBe(expected);
  expect(problems).toEqual([]);
});

test('a list is read up to a number of lines, and what is behind them is said', () => {
  const list = 'svc 2025.1\n'.repeat(5000);

  expect(readList(`${list}svc 2026.1`, names).items).toHaveLength(5000);
  expect(readList(`${list}svc 2026.1`, names).problems).toEqual(['what follows line 5000']);
  expect(readList(list, names).problems).toEqual([]);
  expect(readList('svc 2025.1\nsvc 2026.1', names, 1)).toMatchObject({
    items: [{ version: '2025.1' }],
    problems: ['what follows line 1'],
  });
});

test('reads the components of CycloneDX, also nested ones, each by its package URL', () => {
  const bill = {
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'app', version: '1.0' } },
    components: [
      {
        name: 'agent',
        version: '2.0',
        purl: 'pkg:npm/agent@2.0',
        hashes: [
          { alg: 'SHA-256', content: digest.slice(7).toUpperCase() },
          { alg: 'MD5', content: '0f' },
        ],
        components: [{ group: '@example', name: 'part', version: '0.1' }],
      },
      { name: 'agent', version: '2.0', purl: 'pkg:npm/agent@2.0' },
      { name: 5 },
    ],
  };

  expect(readList(JSON.stringify(bill), names).items.map(summarise)).toEqual([
    'app 1.0',
    `npm:agent 2.0 ${digest}`,
    '@example/part 0.1',
    'npm:agent 2.0',
  ]);
});

test('reads the packages of SPDX, also as GitHub wraps them', () => {
  const spdx = {
    spdxVersion: 'SPDX-2.3',
    packages: [
      {
        name: 'agent',
        versionInfo: '2.0',
        externalRefs: [
          { referenceType: 'cpe23Type', referenceLocator: 'cpe:2.3:a:agent' },
          { referenceType: 'purl', referenceLocator: 'pkg:npm/agent@2.0' },
        ],
        checksums: [{ algorithm: 'SHA256', checksumValue: digest.slice(7) }],
      },
      { name: 'svc', versionInfo: 'NOASSERTION' },
      { name: 'x', versionInfo: 'NONE' },
      { name: 'a'.repeat(1000) },
      { name: 'b'.repeat(1001) },
    ],
  };

  for (const document of [spdx, { sbom: spdx }]) {
    expect(readList(JSON.stringify(document), names).items.map(summarise)).toEqual([
      `npm:agent 2.0 ${digest}`,
      'svc no version',
      'x no version',
      `${'a'.repeat(1000)} no version`,
    ]);
  }
});

const npmRegistry = 'https://npm.example.org';

test.each<[form: string, document: object, expected: string[]]>([
  [
    'package-lock.json',
    {
      packages: {
        '': { name: 'app', version: '1.0' },
        'packages/part': { name: 'svc', version: '9.9' },
        'node_modules/svc': { version: '2025.1' },
        'node_modules/part': { resolved: 'packages/part', link: true },
        'node_modules/alias': { name: '@example/agent', version: '1.0' },
        'node_modules/@a/b/node_modules/@example/agent': { version: '2.0' },
        'node_modules/c/node_modules/@example/agent': { version: '2.0' },
      },
      dependencies: { other: { version: '1.0' } },
    },
    ['npm:svc 2025.1', 'npm:@example/agent 1.0', 'npm:@example/agent 2.0'],
  ],
  [
    'npm ls --json',
    {
      dependencies: {
        svc: { version: '2025.1' },
        alias: {
          ...{ version: '1.0', resolved: `${npmRegistry}/@example%2fagent/-/agent-1.0.tgz` },
          dependencies: { deep: { version: '3.0', dependencies: { svc: { version: '2.0' } } } },
        },
        folder: { version: '1.0', resolved: 'file:../folder' },
        packed: { version: '1.0', resolved: 'file:../packed.tgz' },
        optional: {},
        missing: { required: '^1.0', missing: true },
        range: '^1.0',
      },
    },
    [
      ...['npm:svc 2025.1', 'npm:@example/agent 1.0', 'npm:deep 3.0', 'npm:svc 2.0'],
      'npm:packed 1.0',
    ],
  ],
])('reads %s as packages of npm', (_form, document, expected) => {
  const { items, problems } = readList(JSON.stringify(document), names);

  expect(items.map(summarise)).toEqual(expected);
  expect(problems).toEqual([]);
  expect(readList(JSON.stringify(document), names, 1).problems).toEqual(['what follows entry 1']);
});

test.each([
  ['{"bomFormat": "CycloneDX", "components": [', '"name": "a", "components": [', ']'],
  ['{"dependencies": {"a": ', '"dependencies": {"a": ', '}'],
])('of entries within each other, 101 levels are read: %s', (start, more, end) => {
  let nested = '{}';
  for (let level = 5000; level > 0; level -= 1) {
    nested = `{"version": "1.${level}", ${more}${nested}${end}}`;
  }

  expect(readList(`${start}${nested}${end}}`, names).items).toHaveLength(101);
});

test.each([
  ['{"dependencies": {}, "packages": {"": {"version": "1.0"}}}', 'a document of another kind'],
  ['{"bomFormat": ', 'Unexpected end of JSON input'],
])('refuses the document %s', (text, problem) => {
  expect(readList(text, names)).toEqual({ items: [], problems: [problem] });
});

test('a bill without entries states nothing, and one of as many entries as are read is read whole', () => {
  const metadata = { component: { name: 'app', version: '1.0' } };
  const bill = { bomFormat: 'CycloneDX', metadata, components: [] as object[] };
  expect(readList(JSON.stringify(bill), names)).toEqual({ items: [], problems: [] });

  bill.components.push({ name: 'svc', version: '1.0' });
  const { items, problems } = readList(JSON.stringify(bill), names, 2);
  expect([items.map(summarise), problems]).toEqual([['app 1.0', 'svc 1.0'], []]);
});

test('a line that states nothing is a problem, of which 100 characters are shown', () => {
  const { items, problems } = readList(`# ours\n\nsvc 2025.1\n${'n'.repeat(201)}\n`, names);

  expect(items.map(summarise)).toEqual(['svc 2025.1']);
  expect(problems).toEqual([`line 4: ${'n'.repeat(100)}`]);
});

test('any text is read without an error', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.webUrl()), (text) => {
      const { items, problems } = readList(text, names);
      expect(items.length + problems.length).toBeGreaterThanOrEqual(0);
    }),
  );
});
