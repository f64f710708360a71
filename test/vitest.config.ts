import { accessSync, constants, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { skipReporter } from './harness/programs.ts';

/** The path of a JSON file for the test results. If undefined, no file is written. */
const report = process.env['TEST_REPORT'];
const root = resolve(import.meta.dirname, '..');
// With this compile cache, a worker of vitest does not compile modules that another worker has already compiled.
process.env['NODE_COMPILE_CACHE'] ??= resolve(root, 'node_modules/.cache/compile');
process.env['TMPDIR'] ??= createFolder();

/**
 * Creates the folder for the tests' temporary files. A disk makes all tests a tenth slower, so the folder is in memory if possible. In
 * Docker, /dev/shm usually has only 64 MB and does not allow programs.
 */
function createFolder(): string {
  const memory = '/dev/shm';
  let parent = tmpdir();
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    const mounts = readFileSync('/proc/mounts', 'utf8');
    if (bavail * bsize > 4e9 && !/ \/dev\/shm \S+ \S*\bnoexec\b/.test(mounts)) {
      parent = memory;
    }
  } catch {
    // Only Linux has /dev/shm. In some containers, only root may write to it.
  }
  const folder = mkdtempSync(`${parent}/release-index-tests-`);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const shared = {
  root,
  // Only a test that hangs exceeds these limits, even on a busy machine.
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
    // One worker for each core. By default, vitest reserves a core for its main process, which has little to do.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          ...shared,
          name: 'main',
          // Test files in one worker share their modules. Loading them again for each file took a fifth of the time.
          isolate: false,
          // Node itself loads the TypeScript files, as it does outside of tests.
          experimental: { viteModuleRunner: false },
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, long],
        },
      },
      { test: { ...shared, name: 'long', include: [long] } },
    ],
  },
});
