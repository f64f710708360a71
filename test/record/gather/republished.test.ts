import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ChangesFile } from '../../../src/core/schemas/published/changes-file.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import { definition, makeRoot, readJsonIn, writeIn, withGit } from '../../harness/root.ts';

test('a republished release is reported everywhere once it is recorded', async () => {
  const digests = (digit: string) => ({ 'npm:agent': { agent: `sha512:${digit.repeat(128)}` } });
  const release = { version: '1.1.0', releaseTimestamp: '2026-01-01', firstSeen: '2026-01-01' };
  const root = withGit(
    makeRoot({
      'components/svc.json': definition(),
      'data/svc.json': { releases: [{ ...release, digests: digests('1') }] },
    }),
  );
  const run = (verb: string, day: string, ...args: string[]) =>
    runCli([verb, ...args, '--root', root, '--as-of', day]);
  const [from, to] = ['1', '2'].map((digit) => `agent ${digests(digit)['npm:agent'].agent}`);
  await run('record', '2026-06-01');
  const republished = { on: '2026-06-03', from, to };
  writeIn(root, 'data/svc.json', {
    releases: [{ ...release, digests: digests('2'), republished }],
  });

  const { status } = await run('record', '2026-06-03');
  await run('build', '2026-06-03');
  const explained = await run('explain', '2026-06-03', 'svc', '1.1.0');

  expect(status).toBe(0);
  const text = `1.1.0 was republished: ${from} before, ${to} now.`;
  expect(readJsonIn<ChangesFile>(root, 'dist/changes.json').changes).toContainEqual({
    ...{ id: 'svc/2', at: '2026-06-03T00:00:00.000Z', type: 'republished', on: '2026-06-03' },
    ...{ component: 'svc', version: '1.1.0', from, to, text },
  });
  expect(readJsonIn(root, 'dist/details/svc.json')).toMatchObject({
    releases: [{ digests: digests('2'), republishedOn: '2026-06-03' }],
  });
  for (const path of ['svc.html', 'changes.html', 'feed.atom']) {
    expect(readFileSync(join(root, 'dist', path), 'utf8')).toContain('1.1.0 was republished: ');
  }
  expect(linesOf(explained.stdout)).toEqual(
    expect.arrayContaining([`Digest: ${to} (npm:agent).`, `Recorded on 2026-06-03: ${text}`]),
  );
});
