import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';

/** Mounts a disk without room at a folder. Skips the test where none can be mounted. */
export function mountFullDisk(folder: string, context: TestContext): void {
  mkdirSync(folder, { recursive: true });
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', folder]);
  if (mounted.status !== 0) {
    console.log(`Skipped: no small disk can be mounted here. ${String(mounted.stderr)}`);
    context.skip();
  }
  onTestFinished(() => void spawnSync('umount', [folder]));
  writeFileSync(join(folder, 'other'), 'x'.repeat(4096));
}
