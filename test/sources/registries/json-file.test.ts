import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeProblems } from '../../../src/core/parse-document.ts';
import { Recorded } from '../../../src/core/schema/recorded.ts';
import { Source } from '../../../src/core/schema/written.ts';
import forms from '../../fixtures/json-forms.json' with { type: 'json' };
import { createIndex, today } from '../../harness/index-folder.ts';

const releases = [{ version: '1.0', releaseTimestamp: '2026-01-31' }];
const add = ['json', 'lists/gke.json', '--homepage', 'https://example.com'] as const;

async function createLists() {
  const index = createIndex();
  const path = join(index.root, 'lists/gke.json');
  index.write('lists/gke.json', JSON.stringify({ releases, writtenAt: `${today}T04:00:00Z` }));
  expect(await index.run('add', ...add)).toMatchObject({ status: 0 });
  return { index, path };
}

test.each<[string, (path: string) => void, string]>([
  ['a missing list', (path) => rmSync(path), 'is missing. The step that writes it failed'],
  ['an empty file', (path) => writeFileSync(path, ''), 'cannot be read as JSON'],
  ['a list without releases', (path) => writeFileSync(path, '{"releases": []}'), 'no version'],
  [
    'a list two days old',
    (path) => writeFileSync(path, JSON.stringify({ releases, writtenAt: '2026-11-18' })),
    'writtenAt: expected a time of the last day; got "2026-11-18"',
  ],
  [
    'a list whose time is an object',
    (path) => writeFileSync(path, '{"releases": ["1.1"], "writtenAt": {"toString": 1}}'),
    'writtenAt: expected a time of the last day; got {"toString":1}',
  ],
  [
    'a link',
    (path) => {
      renameSync(path, `${path}.other`);
      symlinkSync(`${path}.other`, path);
    },
    'expected a file of at most 64 MB, and no link',
  ],
  [
    'a folder',
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
    'expected a file of at most 64 MB, and no link',
  ],
  [
    'a file larger than 64 MB',
    (path) => truncateSync(path, 2 ** 26 + 1),
    'expected a file of at most 64 MB, and no link',
  ],
])(
  'a run reports %s in place of the list of a source, and keeps the recorded releases',
  async (_, spoil, message) => {
    const { index, path } = await createLists();
    const recorded = index.read('data/gke.json');
    spoil(path);

    const { stdout } = await index.run('gather', 'gke');

    expect(stdout).toMatch(/^json:lists\/gke\.json .* gke$/m);
    expect(stdout).toContain(message);
    expect(stdout).not.toContain(index.root);
    expect(index.read('data/gke.json')).toBe(recorded);
  },
);

test.each(['../gke.json', 'lists/../../gke.json', '/gke.json'])(
  'rejects the file path %s in a source, because the path leaves the folder of the index',
  (file) => {
    expect(describeProblems({ datasource: 'json', file }, Source)).toEqual([
      `file: expected a path below the folder of the index, such as lists/agent.json; got "${file}"`,
    ]);
  },
);

test.each(Object.entries(forms))('add json accepts this format: %s', async (_, document) => {
  const index = createIndex();
  index.write('lists/gke.json', JSON.stringify(document));

  await index.run('add', ...add);

  expect(JSON.parse(index.read('components/gke.json'))).toMatchObject({
    sources: [{ datasource: 'json', file: 'lists/gke.json' }],
  });
  const [release] = Recorded.parse(JSON.parse(index.read('data/gke.json'))).releases;
  expect(release!.version).toBe('1.0');
  const hasDay = JSON.stringify(document).includes('releaseTimestamp');
  expect(release!.releaseTimestamp).toBe(hasDay ? '2026-01-31T00:00:00Z' : today);
});
