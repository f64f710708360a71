import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tokenEndpoint } from '../src/ask/server/access/token-endpoint.ts';
import { endpoints } from '../src/ask/server/api/router.ts';
import { commands } from '../src/cli/command-line.ts';
import { recordedBuildFields } from '../src/core/query/build-fields.ts';
import { fields } from '../src/core/query/fields.ts';
import { permissions } from '../src/core/schemas/access/permissions.ts';
import { SupportPolicy } from '../src/core/schemas/definition/support-policy.ts';
import { ReleaseFile } from '../src/core/schemas/published/release-documents.ts';
import { datasources } from '../src/record/sources/index.ts';
import { publishedPaths } from '../src/site/render/paths.ts';
import { checkout } from './harness/checkout.ts';
import { contract, contractPages } from './harness/contract.ts';
import { covers } from './harness/covers.ts';

const access = readFileSync(join(checkout, '.github/ACCESS.md'), 'utf8');

/** The text under a heading, up to the next heading of any level. */
function section(heading: string, document = contract): string {
  const [, text] = document.split(new RegExp(`^#+ ${heading}$`, 'm'));
  if (text === undefined) {
    throw new Error(`the contract has no section "${heading}"`);
  }
  return text.split(/^#+ /m)[0]!;
}

/** What is set as code in the given column of the tables of a section. */
function codesOf(text: string, column: number): string[] {
  const rows = text.split('\n').filter((line) => /^\| [^-]/.test(line));
  return rows.flatMap((row) => codes(row.split(/(?<!\\)\|/)[column] ?? ''));
}

function codes(text: string): string[] {
  return Array.from(text.matchAll(/`([^`]+)`/g), ([, code]) => code!);
}

const policies = codesOf(section('Definitions'), 1).map(
  (code) => JSON.parse(code) as { policy: string },
);
const operations = endpoints.map(({ method, path }) => `${method} ${path}`);
const namedVerbs = section('Commands')
  .split('\n\n')
  .find((text) => text.startsWith('`init`'))!;

test.each<[what: string, named: string[], known: readonly string[], place: string]>([
  [
    'published path',
    codesOf(section('Published files'), 1),
    publishedPaths.map(({ path }) => path),
    'contract/FILES.md, "Published files"',
  ],
  [
    'policy',
    policies.map(({ policy }) => policy),
    SupportPolicy.options.map(({ shape }) => shape.policy.value),
    'contract/DEFINITIONS.md, "Definitions"',
  ],
  ['command', codes(namedVerbs), Object.keys(commands), 'contract/ANSWERS.md, "Commands"'],
  [
    'field of queries',
    codesOf(section('Queries'), 2),
    fields.map(({ name }) => name),
    'contract/ANSWERS.md, "Queries"',
  ],
  [
    'field of runs',
    codesOf(section('Runs of the index'), 2),
    recordedBuildFields.map(({ name }) => name),
    'contract/ANSWERS.md, "Runs of the index"',
  ],
  [
    'operation',
    codesOf(section('Answers beyond files'), 1),
    [...operations, 'POST /mcp'],
    'contract/ANSWERS.md, "Answers beyond files"',
  ],
  [
    'permission',
    codesOf(section('Permissions', access), 1),
    permissions,
    'ACCESS.md, "Permissions"',
  ],
])('the contract names every %s, and no other', (what, named, known, place) => {
  if (what === 'operation') {
    covers('Five interfaces: MCP, export in two versions, REST, provenance, release index');
  }

  expect(named.toSorted(), `.github/${place}`).toEqual(known.toSorted());
});

test('a definition accepts each support policy of the contract', () => {
  for (const policy of policies) {
    expect(SupportPolicy.safeParse(policy).error).toBeUndefined();
  }
});

test('the contract gives the keys of a component document in their order', () => {
  const [document, release] = section('`\\{component\\}\\.json`')
    .split(/Keys in this order:|; of a release/)
    .slice(1)
    .map((text) => codes(text.split(/\.\s/)[0]!));
  const { releases } = ReleaseFile.shape;

  expect(document).toEqual(Object.keys(ReleaseFile.shape));
  expect(release).toEqual(Object.keys(releases.element.shape));
});

test('the contract names the operation that makes tokens, and its parameters', () => {
  const { method, path, parameters } = tokenEndpoint;

  expect(codesOf(section('Short-lived tokens', access), 1)).toEqual([
    `${method} ${path}`,
    ...parameters.map(({ name }) => name),
  ]);
});

test.each([...contractPages, ['ACCESS.md', access]])(
  '%s has lines under 130 characters',
  (_name, text) => {
    expect(text.split('\n').filter((line) => line.length >= 130)).toEqual([]);
  },
);

test('each verb has a script of npm, and each such script a verb', () => {
  const manifest = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const program = 'node src/cli.js';
  // A new index gets the packed program.
  const pack = 'npm run --silent pack -- .cache/program && ';
  const { init, ...others } = manifest.scripts;
  const scripts = Object.entries({
    ...others,
    init: init!.replace(pack, '').replace(' --program .cache/program', ''),
  }).filter(([, script]) => script.startsWith(program));
  const words = Object.keys(commands).map((verb) => verb.split(' ')[0]!);

  expect(Object.fromEntries(scripts)).toEqual({
    'release-index': program,
    ...Object.fromEntries(words.map((word) => [word, `${program} ${word}`])),
  });
});

test('the contract says for each datasource where its timestamps come from', () => {
  const rows = section('Where each timestamp comes from')
    .split('\n\n')[1]!
    .matchAll(/^\| `([a-z-]+)`/gm);

  expect(
    Array.from(rows, ([, name]) => name),
    '.github/contract/DEFINITIONS.md, "Where each timestamp comes from", in the order of src/record/sources/index.ts',
  ).toEqual(datasources.map(({ datasource }) => datasource));
});
