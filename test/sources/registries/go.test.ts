import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseGoMod } from '../../../src/sources/registries/go.ts';
import { ask } from '../../harness/ask-source.ts';
import { text, type Document } from '../../harness/upstream.ts';

const folder = '/github.com/!example/!agent/@v';

/** Lists a module whose proxy answers as proxy.golang.org does. `mods` has the text of go.mod by version. */
function askModule(list: string[], mods: Record<string, string> = {}) {
  const files = [
    [`${folder}/list`, text(list.join('\n'))],
    ...Object.entries(mods).map(([version, mod]) => [`${folder}/${version}.mod`, text(mod)]),
  ] as [string, Document][];
  return ask(() => ({ datasource: 'go', packageName: 'github.com/Example/Agent' }), {
    standsFor: 'https://proxy.golang.org/',
    documents: Object.fromEntries(files),
  });
}

test('go treats versions that the latest version retracts as deprecated, even the latest version itself', async () => {
  const mod = readFileSync('test/fixtures/go/retractions.mod', 'utf8');
  const { releases } = await askModule(
    ['v1.0.0', 'v1.1.0', 'v1.9.4', 'v1.10.0', 'v1.11.0', 'v3.0.0+incompatible'],
    { 'v1.11.0': mod },
  );

  expect(releases.map(({ version, deprecated }) => [version, deprecated])).toEqual([
    ['v1.0.0', 'Published accidentally.'],
    ['v1.1.0', undefined],
    ['v1.9.4', 'Loses data.'],
    ['v1.10.0', 'Built wrongly.'],
    ['v1.11.0', 'Contains retractions only.'],
    ['v3.0.0+incompatible', undefined],
  ]);
});

test('go treats all versions of a deprecated module as deprecated', async () => {
  const mod =
    '// Package agent.\n//\n// Deprecated: use example.com/agent/v2\n// instead.\nmodule a\n';
  const { deprecated } = await askModule(['v1.0.0'], { 'v1.0.0': mod });

  expect(deprecated).toBe('use example.com/agent/v2 instead.');
});

test('go fails if the go.mod with the retracted versions cannot be read', async () => {
  await expect(askModule(['v1.0.0'])).rejects.toThrow('v1.0.0.mod answered 404');
});

const retractions = [{ low: 'v1.0.0', high: 'v1.2.0', reason: '' }];
test.each([
  ['module (\r\n\texample.com/a\r\n)\r\nretract (\r\n\t["v1.0.0",`v1.2.0`]\r\n)\r\n', retractions],
  ['retract not-a-version\nretract\n', []],
  ['// Deprecated: no longer.\n\nmodule a\n', []],
  ['module a // Deprecated:', []],
])('go reads the retractions of %j', (mod, expected) => {
  expect(parseGoMod(mod)).toEqual({ retractions: expected });
});
