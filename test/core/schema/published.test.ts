import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeProblems } from '../../../src/core/parse-document.ts';
import { Component } from '../../../src/core/schema/published.ts';
import { buildExample } from '../../harness/site.ts';
import { buildUncertain } from '../../harness/uncertain.ts';

const folders = [buildExample(), join(buildUncertain(), 'dist')];
const documents = folders.flatMap((folder) =>
  readdirSync(join(folder, 'details')).map(
    (file) => JSON.parse(readFileSync(join(folder, 'details', file), 'utf8')) as object,
  ),
);

test('each published component fits its schema', () => {
  expect(documents.length).toBeGreaterThan(20);
  expect(documents.flatMap((document) => describeProblems(document, Component))).toEqual([]);
});

test.each([
  [{ title: null }, 'title: expected a text; got null'],
  [{ other: 1 }, /^unknown key "other"; /],
  [{ latest: 1 }, 'latest: expected a text; got 1'],
])('a component with %j does not fit', (keys, problem) => {
  const [document] = documents;

  expect(describeProblems({ ...document, ...keys }, Component)).toEqual([
    typeof problem === 'string' ? problem : expect.stringMatching(problem),
  ]);
});
