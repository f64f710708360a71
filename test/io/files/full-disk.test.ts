import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fixtureDay, fixtureIndex } from '../../harness/checkout.ts';
import { temporaryFolder } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';

test('a full disk is reported once, with the file that did not fit', async (context) => {
  const disk = temporaryFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk], { encoding: 'utf8' });
  if (mounted.status !== 0) {
    console.log(`Skipped: no small disk can be mounted here. ${mounted.stderr}`);
    context.skip();
  }
  onTestFinished(() => void spawnSync('umount', [disk]));

  const args = ['--root', fixtureIndex, '--as-of', fixtureDay, '--out', join(disk, 'dist')];
  const { status, stderr } = await runHere(['build', ...args]);

  expect(status).toBe(1);
  expect(stderr).toMatch(new RegExp(`error: release-index: ${disk}/\\S+: no space left on device\\.`));
  expect(stderr.match(/no space/g)).toHaveLength(1);
});
