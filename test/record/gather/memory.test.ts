import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkout } from '../../harness/checkout.ts';
import { runCli } from '../../harness/cli.ts';
import { npmRegistry, type Answer } from '../../harness/npm-registry.ts';
import { definition, makeRoot, readJsonIn } from '../../harness/root.ts';

const readme = 'Every line of this text is like the one before. '.repeat(21_000);

/** A package with a megabyte of text, which compresses to a hundredth. */
const bulky: Answer = (request, response) => {
  const name = request.url!.slice(1);
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ name, versions: { '1.0.0': {} }, time: {}, readme }));
};

test('a run keeps requested documents in compressed form', async () => {
  const packages = Array.from({ length: 400 }, (_, index) => `c${index}`);
  const registry = await npmRegistry(Object.fromEntries(packages.map((name) => [name, bulky])));
  const components = packages.map((packageName) => [
    `components/${packageName}.json`,
    definition({ sources: [{ datasource: 'npm', packageName, registryUrl: registry.url }] }),
  ]);
  const root = makeRoot(Object.fromEntries(components));

  const run = await runCli(['gather', '--root', root, '--as-of', '2026-06-01'], {
    env: {
      NODE_OPTIONS: `--import=${join(checkout, 'test/harness/usage.mjs')}`,
      USAGE_FILE: join(root, 'usage.json'),
    },
  });

  expect(run.status, run.stderr).toBe(0);
  // Uncompressed, the 400 documents would need 400 MB more. Memory that is not collected yet has been up to 530 MB.
  expect(readJsonIn<{ peakMB: number }>(root, 'usage.json').peakMB).toBeLessThan(650);
}, 60_000);
