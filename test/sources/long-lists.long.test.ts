/**
 * Checks that two lists of a megabyte or more are combined in seconds, for example versions and retractions. Comparing each pair of entries
 * would exceed the time limit of the tests.
 */
import { expect, test } from 'vitest';
import { formatRange } from '../../src/sources/affected-range.ts';
import { checkAnswer } from '../../src/sources/read-releases.ts';
import { go } from '../../src/sources/registries/go.ts';
import { ask, askRegistry, withUpstream } from '../harness/ask-source.ts';
import { text } from '../harness/upstream.ts';

/** Creates parts and joins them, until the text has this number of megabytes. */
function fill(megabytes: number, create: (index: number) => string, separator = '\n'): string {
  const parts: string[] = [];
  for (let length = 0; length < megabytes * 2 ** 20;) {
    parts.push(create(parts.length));
    length += parts.at(-1)!.length + separator.length;
  }
  return parts.join(separator);
}

test.each([
  ['all versions', '[v0.0.0, v9.0.0]', (count: number) => count],
  ['one version', 'v1.0.7', () => 1],
  ['a version that is not listed', 'v9.0.0', () => 0],
])('go reads a thousand retractions of %s', async (_, retracted, countFound) => {
  const folder = '/example.com/agent/@v';
  const list = fill(4, (index) => `v1.0.${index}`);
  const newest = list.slice(list.lastIndexOf('\n') + 1);
  const mod = `module example.com/agent\n${fill(1, () => `retract ${retracted} // Lost.`)}`;
  const documents = { [`${folder}/list`]: text(list), [`${folder}/${newest}.mod`]: text(mod) };
  const { result } = await withUpstream({ documents }, (registryUrl, context) =>
    go.list({ packageName: 'example.com/agent', registryUrl }, context),
  );

  const { releases } = result;
  const found = releases.filter(({ deprecated }) => deprecated === 'Lost.');
  expect(releases.length).toBeGreaterThan(300_000);
  expect(found.length).toBe(countFound(releases.length));
});

test.each([
  ['above', (comment: string) => `${comment}\nretract [v0.0.0, v9.0.0]`],
  ['above the block of', (comment: string) => `${comment}\nretract (\n[v0.0.0, v9.0.0]\n)`],
])(
  'go reads a comment of several megabytes %s a retraction of all versions',
  async (_, retract) => {
    const folder = '/example.com/agent/@v';
    const list = fill(1, (index) => `v1.0.${index}`);
    const newest = list.slice(list.lastIndexOf('\n') + 1);
    const mod = `module example.com/agent\n${retract(`// ${fill(8, () => 'Lost.', ' ')}`)}`;
    const documents = { [`${folder}/list`]: text(list), [`${folder}/${newest}.mod`]: text(mod) };
    const { result } = await withUpstream({ documents }, (registryUrl, context) =>
      go.list({ packageName: 'example.com/agent', registryUrl }, context),
    );
    const { releases } = checkAnswer(result, '2026-06-30');

    expect(releases.length).toBeGreaterThan(90_000);
    expect(releases[0]?.deprecated).toMatch(/^Lost\. .*…$/);
  },
);

/** Writes `1.1.1.1.1.1` with zeros before each group. */
function spell(index: number): string {
  const zeros = [...String(index).padStart(6, '0')];
  return zeros.map((count) => `${'0'.repeat(Number(count))}1`).join('.');
}

test.each([
  ['300,000 spellings', 300_000, (index: number) => `"${spell(index)}"`],
  [
    '400,000 entries with files',
    400_000,
    () => `{"version":"1.0","files":{"a":"${'a'.repeat(64)}"}}`,
  ],
])('json reads %s of one version as one release', async (_, length, create) => {
  const entries = Array.from({ length }, (_entry, index) => create(index));
  const { releases } = await ask((url) => ({ datasource: 'json', url: `${url}list.json` }), {
    documents: { '/list.json': { type: 'application/json', body: `[${entries.join()}]` } },
  });

  expect(releases).toHaveLength(1);
});

test.each<[title: string, megabytes: number, create: (index: number) => string, range: string]>([
  ['starts', 8, (index) => `{"introduced":"2.${index}.1"}`, '>=2.0.1'],
  ['equal starts', 8, () => '{"introduced":"1.0"}', '>=1.0'],
  [
    'equal starts and ends',
    4,
    (index) => (index % 2 ? '{"last_affected":"1.0"}' : '{"introduced":"1.0"}'),
    '>=1.0 <=1.0',
  ],
  ['spans', 4, (index) => `{"introduced":"2.${index}.1"},{"fixed":"2.${index}.2"}`, '*'],
  ['starts that cannot be read', 8, (index) => `{"introduced":"x${index}"}`, '*'],
])('formatRange computes the range for several megabytes of %s', (_, megabytes, create, range) => {
  const events = JSON.parse(`[${fill(megabytes, create, ',')}]`) as { introduced: string }[];

  expect(formatRange([{ ranges: [{ type: 'SEMVER', events }] }])).toBe(range);
});

test('formatRange handles a megabyte of versions and 250 ranges within the time limit', () => {
  const spans = Array.from({ length: 250 }, (_, index) => [
    { introduced: `1.0-build.${2 * index}` },
    { fixed: `1.0-build.${2 * index + 1}` },
  ]);
  const versions = JSON.parse(
    `[${fill(1, (index) => `"1.0-build.${index + 1000}"`, ',')}]`,
  ) as string[];
  const range = formatRange([{ ranges: [{ type: 'SEMVER', events: spans.flat() }], versions }]);

  expect(range.split(' || ')).toHaveLength(251);
  expect(range).toMatch(` || >=1.0-build.1000 <=${versions.at(-1)}`);
});

test('github-releases compares a megabyte of file names with twenty patterns within the time limit', async () => {
  const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
  const patterns = names.map((name) => [name, `^tool-${name}.*linux\\.(?:tar|zip)$`]);
  const digestOf: object = Object.fromEntries(patterns);
  const assets = fill(1, (index) => `{"name":"tool-${index}"}`, ',');
  const body = `[{"tag_name":"v1.0","assets":[${assets}]}]`;
  const { releases } = await askRegistry(
    { datasource: 'github-releases', packageName: 'example/agent', digestOf },
    { '/repos/example/agent/releases?per_page=100': { type: 'application/json', body } },
  );

  expect(releases).toMatchObject([{ version: 'v1.0', files: {} }]);
});
