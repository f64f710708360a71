import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findRepeatedKeys } from '../../../src/core/text/json-keys.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import { definition, makeRoot } from '../../harness/root.ts';

test('the reader of JSON finds a key that an object has twice, however it is written, with its line', () => {
  expect(findRepeatedKeys('{"a":1,\n"b":{"a":2},\n"\\u0061" : 3}')).toEqual([
    { key: 'a', line: 3 },
  ]);
  expect(findRepeatedKeys('[{"a":"}"},{"a":"\\"a\\":1"}]')).toEqual([]);
});

test('the reader of JSON finds a repeated key behind a string with millions of escapes', () => {
  const text = `{"a":"${'\\n'.repeat(5_000_000)}","a":1}`;

  expect(findRepeatedKeys(text)).toEqual([{ key: 'a', line: 1 }]);
});

test('half a million nested arrays are read with 64 MB of memory', async () => {
  const module = new URL('../../../src/core/text/json-keys.ts', import.meta.url).href;
  const script = `const { findRepeatedKeys } = await import('${module}');
    findRepeatedKeys('['.repeat(490_000) + ']'.repeat(490_000));`;

  const args = ['--max-old-space-size=64', '--input-type=module', '--eval', script];
  await expect(promisify(execFile)(process.execPath, args)).resolves.toBeDefined();
});

test('a repeated key is found, and no other, in whatever form a document is written', () => {
  const form = fc.constantFrom(undefined, 1, 2);
  const [inner, value] = [
    fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }),
    fc.jsonValue(),
  ];
  fc.assert(
    fc.property(inner, value, form, fc.boolean(), (keys, again, spaces, isRepeated) => {
      const first = JSON.stringify(Object.keys(keys)[0]);
      const plain = JSON.stringify(keys, undefined, spaces);
      const text = isRepeated
        ? `${plain.slice(0, -1)},${first}:${JSON.stringify(again)}}\n`
        : `${plain}\n`;

      expect(findRepeatedKeys(text).length > 0).toBe(isRepeated);
    }),
  );
});

test('definitions and recorded files with a repeated key are rejected: one of the values would be lost', async () => {
  const root = makeRoot({
    'components/svc.json': '{ "title": "A",\n "title": "B" }',
    'components/cli.json': `${JSON.stringify(definition({ prereleases: false })).slice(0, -1)},\n "prereleases": true }`,
    'components/edge.json': definition({}),
    'data/edge.json': '{ "releases": [{ "version": "1.0" }],\n "releases": [] }',
    'data/cli.json': '{ "releases": [{ "version": "1.0",\n "version": "1.1" }] }',
  });

  const run = await runCli(['build', '--root', root]);

  expect(run.status).toBe(1);
  expect(linesOf(run.stderr).sort()).toEqual([
    'error: components/cli.json: line 2: has the key "prereleases" a second time; remove one',
    'error: components/svc.json: line 2: has the key "title" a second time; remove one',
    'error: data/cli.json: line 2: has the key "version" a second time; remove one',
    'error: data/edge.json: line 2: has the key "releases" a second time; remove one',
  ]);
});
