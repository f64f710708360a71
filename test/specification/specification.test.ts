/** The list of the specification's sentences beside the tests that show them, and facts of the example that it states. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { exampleRoot, loadExample, program } from '../harness/example.ts';
import { buildExample } from '../harness/site.ts';

const folder = import.meta.dirname;
const readText = (path: string) => readFileSync(join(folder, path), 'utf8');
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
      tests: Array.from(links, ([, , words = '', path = '']) => ({
        path,
        words: words.replaceAll('\\|', '|'),
      })),
      note: /\)\. (.+)$/.exec(shown)?.[1] ?? '',
    };
  },
);

test('the list has every sentence once, in order', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 228 }, (_, i) => i + 1));
  expect(new Set(rows.map(({ sentence }) => sentence)).size).toBe(228);
});

test('at least 197 sentences hold, and 12 more in part', () => {
  const count = (wanted: string) => rows.filter(({ answer }) => answer === wanted).length;

  expect(count('yes')).toBeGreaterThanOrEqual(197);
  expect(count('yes') + count('partly')).toBeGreaterThanOrEqual(197 + 12);
});

const squeeze = (text: string) => text.replaceAll(/\s+/g, ' ');

test('each sentence is shown by words of tests that are there', () => {
  const missing = rows.flatMap(({ number, tests }) =>
    tests
      .filter(({ path, words }) => {
        const file = resolve(folder, path);
        return !existsSync(file) || !squeeze(readFileSync(file, 'utf8')).includes(squeeze(words));
      })
      .map(({ path, words }) => `${number}: ${words} in ${path}`),
  );

  expect(missing).toEqual([]);
  expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([]);
});

test('a sentence that does not hold has its reason, and one that is left out is quoted', () => {
  const silent = rows.filter(({ sentence, answer, note }) => {
    const quoted = /^“(.+)”$/.exec(sentence)?.[1];
    const isLeftOut = answer === 'no';
    return (
      (answer !== 'yes' && note === '') ||
      isLeftOut !== (quoted !== undefined) ||
      isLeftOut !== (note.startsWith('Left out: ') && answer !== 'partly') ||
      !specification.includes(quoted ?? '')
    );
  });

  expect(silent).toEqual([]);
});

test('nothing that programs use goes away so far', () => {
  expect(readFileSync(join(buildExample(), 'openapi.json'), 'utf8')).not.toContain(
    '"deprecated":true',
  );
});

test('the index is made anew every day', () => {
  const daily = readFileSync(join(program, '.github/workflows/daily.yml'), 'utf8');
  const times = Array.from(daily.matchAll(/cron: '([^']+)'/g), ([, time]) => time);

  expect(times).toEqual([expect.stringMatching(/^\d{1,2} \d{1,2} \* \* \*$/)]);
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
  const { footer } = JSON.parse(readFileSync(join(exampleRoot, 'site/site.json'), 'utf8')) as {
    footer: { text: string };
  };

  expect(footer.text).toContain('the server with its API and cloud-query reporting');
  expect(footer.text).toContain('leaves out plugins that marketplaces distribute');
  for (const page of ['index.html', 'svc.html']) {
    expect(readFileSync(join(buildExample(), page), 'utf8')).toContain(footer.text);
  }
});

test('the states of the example are those of the specification', () => {
  const find = (name: string) => components.find(({ component }) => component === name)!;
  const svc = find('svc');
  const ended = new Set(svc.lines.filter(({ state }) => state === 'ended').map(({ line }) => line));

  expect(new Set(find('build-cache-node').releases.map((each) => each.isDeprecated))).toEqual(
    new Set([true]),
  );
  expect(find('build-cache-node').latest).toBeUndefined();
  expect(ended.size).toBeGreaterThan(5);
  expect(svc.releases.filter(({ isDeprecated }) => isDeprecated).map(({ line }) => line)).toEqual(
    svc.releases.filter(({ line }) => ended.has(line)).map(({ line }) => line),
  );
});
