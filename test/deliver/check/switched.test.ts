import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { runCli } from '../../harness/cli.ts';
import { copyOfFixtureIndex } from '../../harness/root.ts';

test('a check during which another site takes the place of this one finds nothing wrong with either', async () => {
  const root = copyOfFixtureIndex();
  const [out, other, aside] = ['dist', 'other', 'aside'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  await runCli(['build', '--root', root, '--out', other, '--base-url', 'https://other.example']);
  await runCli(['build', '--root', root]);
  const switchSites = () => {
    renameSync(out, aside);
    renameSync(other, out);
    renameSync(aside, other);
  };
  const check = () => runCli(['check', '--root', root]);
  const start = performance.now();
  await check();
  const lasts = performance.now() - start;

  const found: string[] = [];
  for (let part = 0.7; part < 1; part += 0.05) {
    const timer = setTimeout(switchSites, lasts * part);
    const { stdout, stderr } = await check();
    clearTimeout(timer);
    found.push(
      stderr.replaceAll(/^warning: data\/svc\.json: .*\n/gm, ''),
      stdout.replace(/^check: 7 components, 0 errors, 1 warning\.\n$/, ''),
    );
  }

  expect(found.filter((text) => text !== '')).toEqual([]);
}, 60_000);
