import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { linesOf, runCli, type Ran } from '../harness/cli.ts';
import { definition, makeRoot, temporaryFolder, writeIn } from '../harness/root.ts';
import { definitions, freshness, siteConfig } from '../model/documents.ts';

const hook = new URL('../harness/record-loaded.mjs', import.meta.url).href;

/** A run of the program, and the packages of which it loaded anything. */
async function runAndWatch(args: readonly string[]): Promise<{ run: Ran; packages: string[] }> {
  const list = join(temporaryFolder(), 'loaded');
  const run = await runCli(args, { env: { NODE_OPTIONS: `--import=${hook}`, LOADED_MODULES: list } });
  const loaded = existsSync(list) ? linesOf(readFileSync(list, 'utf8')) : [];
  const packages = loaded.map((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1]);
  return { run, packages: [...new Set(packages.filter((name) => name !== undefined))].sort() };
}

function ordinaryRoot(): string {
  const [, second, ...others] = definitions;
  return makeRoot({
    'components/svc.json': definition({
      sources: [{ datasource: 'npm', packageName: 'svc' }],
      deprecated: [{ versions: ['1.0'], reason: 'Broken.' }],
    }),
    'components/chart.json': second,
    ...Object.fromEntries(others.map((other, index) => [`components/other-${index}.json`, other])),
    'data/svc.json': {
      releases: [
        { version: '1.0', firstSeen: '2026-06-01' },
        { version: '1.1', releaseTimestamp: '2026-07-01' },
      ],
    },
    'data/freshness/svc.json': freshness,
    'site/site.json': { ...siteConfig, signingPublicKey: undefined },
  });
}

test('a document that is not is asked about, and a range of versions is still understood', async () => {
  const root = ordinaryRoot();
  writeIn(
    root,
    'components/svc.json',
    definition({ titel: 'A component', deprecated: [{ versions: '<2' }] }),
  );

  const broken = await runAndWatch(['build', '--root', root]);

  expect(linesOf(broken.run.stderr)).toEqual([
    'error: components/svc.json: deprecated[0].reason: expected string; got nothing, and it is required',
    'error: components/svc.json: titel: unknown key; did you mean "title"? Otherwise remove or correct it',
  ]);
  expect(broken.run.status).toBe(1);
  expect(broken.packages).toEqual(expect.arrayContaining(['leven', 'zod']));

  writeIn(root, 'components/svc.json', definition({ deprecated: [{ versions: '<1.1', reason: 'Broken.' }] }));
  const ranged = await runAndWatch(['build', '--root', root]);

  expect(ranged.run.stderr).toBe('');
  expect(ranged.packages).toContain('semver');
  const { releases } = JSON.parse(readFileSync(join(root, 'dist/svc.json'), 'utf8')) as {
    releases: { version: string; isDeprecated?: boolean }[];
  };
  expect(releases.filter(({ isDeprecated }) => isDeprecated).map(({ version }) => version)).toEqual(['1.0']);
});
