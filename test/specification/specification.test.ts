/** The list of the specification's sentences beside the tests that show them, and facts of the example that it states. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { loadExample, program } from '../harness/example.ts';
import { buildExample } from '../harness/site.ts';

const folder = import.meta.dirname;
const readText = (path: string) => readFileSync(resolve(folder, path), 'utf8');
const specification = readText('specification.md').replaceAll('`', '');

const cell = String.raw`\s*\|\s*`;
const rows = Array.from(
  readText('README.md').matchAll(
    new RegExp(
      `^${['', String.raw`(\d+)`, '(.+?)', '(yes|partly|no)', '(.+?)'].join(cell)}\\s*\\|$`,
      'gm',
    ),
  ),
  ([, number, sentence = '', answer = '', shown = '']) => {
    const links = shown.matchAll(/(`+) ?([^`]+|.+?) ?\1 in \[[^\]]+\]\(([^)]+)\)/g);
    return {
      number: Number(number),
      sentence,
      answer,
      tests: Array.from(
        links,
        ([, , words = '', path = '']) => [path, words.replaceAll('\\|', '|')] as const,
      ),
      note: /\)\. (.+)$/.exec(shown)?.[1] ?? '',
    };
  },
);

test('the list has every sentence once, in order; at least 197 hold, and 12 more in part', () => {
  const count = (wanted: string) => rows.filter(({ answer }) => answer === wanted).length;

  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 228 }, (_, i) => i + 1));
  expect(new Set(rows.map(({ sentence }) => sentence)).size).toBe(228);
  expect(count('yes')).toBeGreaterThanOrEqual(197);
  expect(count('yes') + count('partly')).toBeGreaterThanOrEqual(197 + 12);
});

const squeeze = (text: string) => text.replaceAll(/\s+/g, ' ');

test('each sentence is shown by words of tests that are there', () => {
  const missing = rows.flatMap(({ number, tests }) =>
    tests
      .filter(([path, words]) => !squeeze(readText(path)).includes(squeeze(words)))
      .map(([path, words]) => `${number}: ${words} in ${path}`),
  );

  expect(missing).toEqual([]);
  expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([]);
});

test('a sentence that does not hold has its reason, and one that is left out is quoted', () => {
  for (const { sentence, answer, note } of rows) {
    const [, quoted] = /^“(.+)”$/.exec(sentence) ?? [];
    expect(note !== '' || answer === 'yes', sentence).toBe(true);
    expect(quoted !== undefined, sentence).toBe(answer === 'no');
    expect(note.startsWith('Left out: ') && answer !== 'partly', sentence).toBe(answer === 'no');
    expect(specification).toContain(quoted ?? '');
  }
});

test('nothing that programs use goes away so far', () => {
  expect(readText(join(buildExample(), 'openapi.json'))).not.toContain('"deprecated":true');
});

test('the index is made anew every day', () => {
  expect(readText(join(program, '.github/workflows/daily.yml')).split('cron:')[1]).toMatch(
    /^ '\d{1,2} \d{1,2} \* \* \*'/,
  );
});

const { components, runs } = loadExample();

test('the id of a run has 13 characters', () => {
  expect(runs.length).toBeGreaterThan(3);
  expect(runs.filter(({ id }) => !/^[a-z0-9]{13}$/.test(id))).toEqual([]);
});

test('the example has the components of the specification', () => {
  const [, names = ''] = /^Component names \(request names\): (.+)\. The API /m.exec(
    specification,
  )!;
  const stated = Array.from(names.matchAll(/(?<=^|, )[a-z-]+/g), ([name]) => name);

  expect(components.map(({ component }) => component)).toEqual(stated.sort());
});

test('pages say what the index covers', () => {
  for (const page of ['index.html', 'svc.html']) {
    expect(readText(join(buildExample(), page))).toMatch(
      /the server with its API and cloud-query reporting[^]*leaves out plugins that marketplaces distribute/,
    );
  }
});

test('the states of the example are those of the specification', () => {
  const find = (name: string) => components.find(({ component }) => component === name)!;
  const { lines, releases } = find('svc');
  const cache = find('build-cache-node');
  const ended = new Set(lines.filter(({ state }) => state === 'ended').map(({ line }) => line));

  expect(cache.releases.every(({ isDeprecated }) => isDeprecated)).toBe(true);
  expect(cache.latest).toBeUndefined();
  expect(ended.size).toBeGreaterThan(5);
  expect(releases.filter(({ isDeprecated }) => isDeprecated)).toEqual(
    releases.filter(({ line }) => ended.has(line)),
  );
});
