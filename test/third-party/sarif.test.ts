import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { beforeAll, expect, test } from 'vitest';
import { fixtureDay, fixtureIndex } from '../harness/checkout.ts';
import { temporaryFolder, writeIn } from '../harness/root.ts';
import { run } from '../harness/run.ts';
import { jestSarif, sarifToMarkdown } from './install.ts';

type ToMarkdown = (
  options: Readonly<Record<string, unknown>>,
) => (log: unknown) => { body: string; hasMessages: boolean }[];

const { sarifToMarkdown: toMarkdown } = createRequire(import.meta.url)(
  join(sarifToMarkdown.dir, 'lib/sarif-to-markdown.js'),
) as { sarifToMarkdown: ToMarkdown };

// It is of draft 4, and uses nothing that later drafts read in another way.
const stated = readFileSync(join(jestSarif.dir, 'lib/schemas/sarif-2.1.0-rtm.5.json'), 'utf8');
const { $schema: _, id: _id, ...schema } = JSON.parse(stated) as Record<string, unknown>;
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats.default(ajv);
const validate = ajv.compile(schema);

const policies = ['--policy', 'supported', '--policy', 'current', '--policy', 'stable'];
let file: string;

beforeAll(() => {
  const folder = temporaryFolder();
  file = join(folder, 'a list.txt');
  writeIn(
    folder,
    'a list.txt',
    '# in use\nsvc=2025.1\nsvc=2026.3\nnope=1.0\npkg:npm/%40example/edge-node@1.0.0\n',
  );
});

const scan = (...args: string[]) =>
  run(['scan', ...args, '--root', fixtureIndex, '--as-of', fixtureDay, ...policies]);

test.each<[string, () => string[]]>([
  ['a list', () => [file]],
  ['items of the command line', () => ['svc@2025.1', 'nope@1.0']],
  ['satisfied items', () => ['svc@2026.3']],
])('SARIF of %s follows its schema', async (_what, what) => {
  const log = JSON.parse((await scan(...what(), '--sarif')).stdout) as {
    runs: { results: object[] }[];
  };

  expect(validate(log), ajv.errorsText(validate.errors)).toBe(true);
  log.runs[0]!.results.push({ level: 'terrible' });
  expect(validate(log)).toBe(false);
});

test('a reader of others shows what is unsatisfied, where it stands, and by which rule', async () => {
  const log = JSON.parse((await scan(file, '--sarif')).stdout) as unknown;
  const where = { owner: 'example', repo: 'app', branch: 'main', sourceRoot: '' };

  const [shown, ...more] = toMarkdown({ ...where, title: 'Releases in use' })(log);

  expect(more).toEqual([]);
  expect(shown!.hasMessages).toBe(true);
  expect(shown!.body).toContain('svc=2025.1: Server 2025.1 was supported until 2026-10-08');
  expect(shown!.body).toContain('Move to 2026.3.');
  expect(shown!.body).toMatch(
    /https:\/\/github\.com\/example\/app\/blob\/main\/.*a%20list\.txt#L2/,
  );
  expect(shown!.body).toMatch(/a%20list\.txt#L5/);
  for (const rule of ['supported', 'current']) {
    expect(shown!.body).toContain(rule);
  }
  expect(shown!.body).not.toContain('svc=2026.3:');
});
