import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Item } from '../../src/core/index/item.ts';
import { readList } from '../../src/core/read-list.ts';
import { program } from '../harness/example.ts';

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
  ['svc==v2025.1', 'svc 2025.1'],
  ['SVC 2025.1 # in production', 'svc 2025.1'],
  ['build agent 3.2', 'build agent 3.2'],
  ['svc latest', 'svc latest'],
  ['n'.repeat(200), `${'n'.repeat(200)} no version`],
  [`svc ${'1'.repeat(2000)}`, `svc ${'1'.repeat(996)}`],
  ['@example/agent@1.0', '@example/agent 1.0'],
  ['pkg:maven/com.example/agent@3.4?type=jar', 'maven:com.example/agent 3.4'],
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

  expect(readList(list, names).problems).toEqual([]);
  expect(readList(`${list}svc 2026.1`, names)).toMatchObject({
    items: { length: 5000 },
    problems: ['what follows line 5000'],
  });
});

const readFixture = (name: string) =>
  readFileSync(join(program, `test/fixtures/lists/${name}.json`), 'utf8');
const ofSpdx = [
  ...[`npm:agent 2.0 ${digest}`, 'svc no version', 'x no version'],
  `${'a'.repeat(1000)} no version`,
];

test.each<[form: string, text: string, expected: string[]]>([
  [
    'CycloneDX',
    readFixture('cyclonedx'),
    ['app 1.0', `npm:agent 2.0 ${digest}`, 'npm:agent 2.0', '@example/part 0.1'],
  ],
  ['SPDX', readFixture('spdx'), ofSpdx],
  ['SPDX as GitHub wraps it', `{"sbom": ${readFixture('spdx')}}`, ofSpdx],
  [
    'package-lock.json',
    readFixture('package-lock'),
    ['npm:svc 2025.1', 'npm:@example/agent 1.0', 'npm:@example/agent 2.0'],
  ],
  [
    'npm ls --json',
    readFixture('npm-ls'),
    [
      ...['npm:svc 2025.1', 'npm:@example/agent 1.0', 'npm:packed 1.0'],
      ...['npm:deep 3.0', 'npm:svc 2.0'],
    ],
  ],
])('reads %s: each package by its package URL, and once', (_form, text, expected) => {
  const { items, problems } = readList(text, names);

  expect(items.map(summarise)).toEqual(expected);
  expect(problems).toEqual([]);
  expect(readList(text, names, 1).problems).toEqual(['what follows entry 1']);
});

test.each([
  ['{"bomFormat": "CycloneDX", "components": [', '"components": [', ']'],
  ['{"dependencies": {"a": ', '"dependencies": {"a": ', '}'],
])('entries within each other are read, however deep: %s', (start, more, end) => {
  let nested = '{}';
  for (let level = 20_000; level > 0; level -= 1) {
    nested = `{"name": "a", "version": "1.${level}", ${more}${nested}${end}}`;
  }

  expect(readList(`${start}${nested}${end}}`, names, Infinity).items).toHaveLength(20_000);
});

const bill =
  '{"bomFormat": "CycloneDX", "metadata": {"component": {"name": "app"}}, "components": ';

test.each([
  ['{"dependencies": {}, "packages": {"": {"version": "1.0"}}}', ['a document of another kind'], 0],
  ['{"bomFormat": ', ['Unexpected end of JSON input'], 0],
  [`${bill}[]}`, [], 0],
  [`${bill}[{"name": "svc"}]}`, [], 2],
])('of the document %s, this is not read: %j', (text, problems, count) => {
  const list = readList(text, names, 2);

  expect(list.problems).toEqual(problems);
  expect(list.items).toHaveLength(count);
});

test('a line that states nothing is a problem, of which 100 characters are shown', () => {
  const { items, problems } = readList(`# ours\n\nsvc 2025.1\n${'n'.repeat(201)}\n`, names);

  expect(items.map(summarise)).toEqual(['svc 2025.1']);
  expect(problems).toEqual([`line 4: ${'n'.repeat(100)}`]);
});

test('any text is read without an error', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), fc.webUrl()), (text) => {
      expect(() => readList(text, names)).not.toThrow();
    }),
  );
});
