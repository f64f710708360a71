import { execFile } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { writeFiles, writeIndex } from './harness/components.ts';
import { program } from './harness/example.ts';
import { json, serve, startUpstream } from './harness/upstream.ts';

const run = promisify(execFile);

/** A copy of the program with what the blocks of CONTRIBUTING add. */
function followRecipes(): string {
  const copy = writeFiles({});
  for (const path of ['src', 'site', 'package.json', 'tsconfig.json']) {
    cpSync(join(program, path), join(copy, path), { recursive: true });
  }
  symlinkSync(join(program, 'node_modules'), join(copy, 'node_modules'));

  const recipes = readFileSync(join(program, '.github/CONTRIBUTING.md'), 'utf8');
  const blocks = recipes.matchAll(
    /^```\w+\n(?:\/\/|\{\{!--) (\S+?)(?:, below: (.+)| --\}\})?\n([^]*?)^```$/gm,
  );
  for (const [, path = '', place, added = ''] of blocks) {
    const before = place === undefined ? [] : readFileSync(join(copy, path), 'utf8').split('\n');
    const line = before.findIndex((text) => place !== undefined && text.includes(place));
    expect(line === -1, `${path}: ${place}`).toBe(place === undefined);
    before.splice(line + 1, 0, added.trimEnd());
    writeFileSync(join(copy, path), `${before.join('\n').trimEnd()}\n`);
  }
  return copy;
}

test('the recipes make a datasource, a field, a policy and a page', async () => {
  const { url } = await startUpstream(() =>
    serve({
      '/packages/agent/versions': json([
        { number: '1.0', created: '2025-03-01T00:00:00Z' },
        { number: '1.1', created: '2026-04-01T00:00:00Z' },
      ]),
    }),
  );
  const copy = followRecipes();
  const root = writeIndex({
    agent: {
      definition: {
        support: { policy: 'forever' },
        sources: [{ datasource: 'example', packageName: 'agent', registryUrl: url }],
      },
    },
  });
  const ask = async (...words: string[]) => {
    const args = [join(copy, 'src/cli.js'), ...words, '--out', join(root, 'dist')];
    const { stdout } = await run(process.execPath, args, { cwd: root });
    return stdout;
  };

  await run(join(program, 'node_modules/.bin/tsc'), ['--noEmit'], { cwd: copy });
  await ask('start', '--root', root);

  expect(await ask('search', 'year:2025')).toMatch(/^agent +1\.0 +Supported/m);
  expect(await ask('explain', 'agent')).toContain('Support never ends.');
  expect(readFileSync(join(root, 'dist/names.html'), 'utf8')).toContain('<li>The agent</li>');
});
