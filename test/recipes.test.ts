import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { endpoints } from '../src/ask/server/api/router.ts';
import { commands } from '../src/cli/command-line.ts';
import { SupportPolicy } from '../src/core/schemas/definition/support-policy.ts';
import { datasources } from '../src/record/sources/index.ts';
import { checkout } from './harness/checkout.ts';

const guide = readFileSync(join(checkout, '.github/CONTRIBUTING.md'), 'utf8');
const recipes = guide.split(/^## /m).filter((text) => text.startsWith('Add '));

function readIn(path: string): string {
  return readFileSync(join(checkout, path), 'utf8');
}

test('the guide has a recipe for each kind of addition', () => {
  expect(recipes.map((text) => text.split('\n')[0])).toEqual([
    'Add a datasource',
    'Add an endpoint',
    'Add a field of a release or a component',
    'Add a command',
    'Add a policy',
  ]);
});

describe.each(recipes.map((text) => [text.split('\n')[0]!, text] as const))('%s', (_, text) => {
  test('names files that exist', () => {
    const paths = Array.from(text.matchAll(/`((?:src|test|site)\/[^`\s]+)`/g), ([, path]) => path!);
    const missing = paths
      .filter((path) => !path.includes('<') && basename(path) !== 'hex.ts')
      .filter((path) => !existsSync(join(checkout, path)));

    expect(paths).not.toEqual([]);
    expect(missing).toEqual([]);
  });
});

test.each([
  ['adapter', 'src/record/sources'],
  ['imitation', 'test/harness/upstreams'],
])('the sample of the %s imports files that exist', (name, folder) => {
  const [, sample = ''] = guide.split(`<!-- sample: ${name} -->`);
  const imports = Array.from(
    sample.split('```')[1]!.matchAll(/from '(\.[^']+)'/g),
    ([, path]) => path!,
  );

  expect(imports).not.toEqual([]);
  expect(imports.filter((path) => !existsSync(join(checkout, folder, path)))).toEqual([]);
});

test('every datasource that is written is in the list', () => {
  const files = globSync('src/record/sources/*.ts', { cwd: checkout });
  const written = files
    .map((file) => /defineSource\(\{\s*datasource: '([^']+)'/.exec(readIn(file))?.[1])
    .filter((name) => name !== undefined);

  expect(written).not.toEqual([]);
  expect(datasources.map(({ datasource }) => datasource as string)).toEqual(
    expect.arrayContaining(written),
  );
});

test('every endpoint that is written is in the list, and has a test', async () => {
  const folder = 'src/ask/server/api';
  const written: object[] = [];

  for (const file of readdirSync(join(checkout, folder))) {
    const exported = (await import(join(checkout, folder, file))) as Record<string, unknown>;
    const values = Object.values(exported).flat();

    written.push(
      ...values.filter((value) => typeof value === 'object' && value !== null && 'path' in value),
    );
  }

  const tests = globSync('test/ask/server/**/*.test.ts', { cwd: checkout }).map(readIn).join('\n');
  const untested = endpoints
    .map(({ path }) => path.split('/').at(-1)!)
    .filter((name) => !name.startsWith('{') && !tests.includes(name));

  expect(written).not.toEqual([]);
  expect(written.filter((value) => !endpoints.some((endpoint) => endpoint === value))).toEqual([]);
  expect(untested).toEqual([]);
});

test('every command that is written is a verb', () => {
  const files = readdirSync(join(checkout, 'src/cli/commands')).map((file) =>
    basename(file, '.ts'),
  );

  expect(files.sort()).toEqual(
    Object.keys(commands)
      .map((verb) => verb.replace(' ', '-'))
      .sort(),
  );
});

test('every policy decides ends in a test', () => {
  const tests = globSync('test/decide/**/*.test.ts', { cwd: checkout }).map(readIn).join('\n');
  const names = SupportPolicy.options.map(({ shape }) => shape.policy.value);

  expect(names.filter((name) => !tests.includes(`policy: '${name}'`))).toEqual([]);
});
