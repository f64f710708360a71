import { mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { skipReporter } from './harness/programs.ts';

/** A file for the results of a run as JSON. */
const report = process.env['TEST_REPORT'];
const root = resolve(import.meta.dirname, '..');
// Threads and processes of tests load modules that another compiled before.
process.env['NODE_COMPILE_CACHE'] ??= resolve(root, 'node_modules/.cache/compile');
process.env['TMPDIR'] ??= createFolder();

/**
 * Where tests keep their files: in memory, where the machine has 4 GB for that, since a disk costs a tenth of the time of all tests. Docker
 * gives 64 MB, where no program may run.
 */
function createFolder(): string {
  const memory = '/dev/shm';
  let parent = tmpdir();
  try {
    const { bavail, bsize } = statfsSync(memory);
    const mounts = readFileSync('/proc/mounts', 'utf8');
    if (bavail * bsize > 4e9 && !/ \/dev\/shm \S+ \S*\bnoexec\b/.test(mounts)) {
      parent = memory;
    }
  } catch {
    // Linux has such a folder.
  }
  const folder = mkdtempSync(`${parent}/release-index-tests-`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const shared = {
  root,
  // Far above what a test takes: only a test that hangs fails, also on a machine that does much else.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 200_000 } },
};
const long = 'test/**/*.long.test.ts';

export default defineConfig({
  root,
  test: {
    reporters: ['default', ...(report ? ['json'] : []), skipReporter],
    ...(report && { outputFile: { json: report } }),
    // One worker a core: vitest would leave one core to itself, which has little to do.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          ...shared,
          name: 'main',
          // Files share the modules of their worker: loading them anew for each took as long as a fifth of the tests.
          isolate: false,
          // Node strips types itself, as it does for people.
          experimental: { viteModuleRunner: false },
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, long],
        },
      },
      { test: { ...shared, name: 'long', include: [long] } },
    ],
  },
});
