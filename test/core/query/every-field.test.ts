import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { fields } from '../../../src/core/query/fields.ts';
import { searchedKeys, type SearchFile } from '../../../src/core/schemas/published/search-file.ts';
import { createJsonSchema } from '../../../src/site/render/documents/json-schemas.ts';
import { definition, makeRoot, readJsonIn } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { startSite } from '../../harness/static-site.ts';

const names = fields.map(({ name }) => name);
const day = ['--as-of', '2026-11-20'];

/** Releases that together have a value for every field. */
const releases = [
  { version: '1.0', releaseTimestamp: '2025-01-10', firstSeen: '2025-01-11', deprecated: 'Slow' },
  { version: '1.1-rc.1', ...seenOn('2026-05-01'), withdrawnSince: '2026-06-01' },
  { version: '1.1', ...seenOn('2026-06-10') },
  { version: '1.2', ...seenOn('2026-11-01'), timestampKind: 'observed' },
  { version: '1.3', ...seenOn('2026-11-10') },
];

function seenOn(day: string) {
  return { releaseTimestamp: day, firstSeen: day };
}

const phases = [
  { name: 'active', months: 6 },
  { name: 'security', months: 12 },
];

let root: string;

beforeAll(async () => {
  root = makeRoot({
    'components/agent.json': definition({
      title: 'Agent',
      sourceRepository: 'https://github.com/example/agent',
      labels: { team: 'build' },
      prereleases: true,
      sources: [{ datasource: 'npm', packageName: '@example/agent' }],
      support: {
        policy: 'term',
        phases,
        lts: { lines: ['1.1'], phases },
        inferred: 'It fits the ends of two lines.',
      },
      advisories: [
        {
          ...{ id: 'CVE-2026-1', aliases: ['GHSA-1'], severity: 'high' },
          ...{ affected: '<1.1', fixed: ['1.1'], exploitedSince: '2026-11-03' },
        },
      ],
    }),
    'data/agent.json': { releases },
  });
  await run(['record', '--root', root, ...day]);
  await run(['build', '--root', root, ...day]);
});

async function search(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run(['search', '', ...args, ...day]);
  expect(status, stderr).toBe(0);
  return stdout;
}

/** The names of the columns that hold a value in some row. */
function filledColumns(table: string): string[] {
  // Reasons hold commas.
  const [head = '', ...rows] = table
    .replaceAll(/"[^"]*"/g, 'quoted')
    .trimEnd()
    .split(/\r?\n/);
  const filled = new Set(
    rows.flatMap((row) => row.split(',').flatMap((cell, place) => (cell === '' ? [] : place))),
  );
  return head.split(',').filter((_, place) => filled.has(place));
}

/** The names of the fields with a value in some release. */
function filledFields(answer: string): string[] {
  const found = JSON.parse(answer) as object[];
  return [...new Set(found.flatMap(Object.keys))].sort();
}

test('each field has a value in a search of the checkout', async () => {
  expect(filledFields(await search('--json', '--root', root))).toEqual(names.toSorted());
});

test('each field has a value in a search of the published index, from search.json', async () => {
  const url = await startSite(join(root, 'dist'));

  expect(filledFields(await search('--json', '--index', url))).toEqual(names.toSorted());
  expect(await search('--json', '--index', url)).toBe(await search('--json', '--root', root));
});

test('each field is a column of a search as a table', async () => {
  expect(filledColumns(await search('--csv', '--root', root))).toEqual(names);
});

test('search.json has each fact that a field is computed from', () => {
  const { agent } = readJsonIn<SearchFile>(root, 'dist/search.json').components;
  const { lines, ...facts } = agent!;
  const ofReleases = lines.flatMap(({ shared = {}, releases }) => [shared, ...releases]);
  const keysIn = (objects: readonly object[]) => [...new Set(objects.flatMap(Object.keys))];

  expect(Object.keys(facts)).toEqual(searchedKeys.component);
  expect(keysIn(lines)).toEqual(
    expect.arrayContaining(searchedKeys.line.filter((key) => key !== 'ltsFrom')),
  );
  expect(keysIn(ofReleases).sort()).toEqual(searchedKeys.release.toSorted());
});

test('each field has its meaning in the help and in the schema of answers', async () => {
  const { stdout } = await run(['search', '--help']);
  const { items } = createJsonSchema('found-releases') as {
    items: { properties: Record<string, { description: string }> };
  };

  expect(Object.keys(items.properties)).toEqual([...names, 'availableAt']);
  for (const { name, meaning } of fields) {
    expect(stdout).toMatch(new RegExp(`^  ${name} +`, 'm'));
    expect(items.properties[name]!.description).toBe(meaning);
  }
});
