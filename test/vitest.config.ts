import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { Sequencer } from './harness/sequencer.ts';
import { specificationReporter } from './harness/specification-reporter.ts';

/** A file for the results of a run as JSON. */
const report = process.env['TEST_REPORT'];
const root = resolve(import.meta.dirname, '..');
const shared = {
  root,
  setupFiles: ['test/harness/clean-up.ts'],
  globalSetup: ['test/harness/shared-folder.ts'],
  // Far above what a test takes: only a test that hangs fails, also on a machine that does much else.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 200_000 } },
};
const long = 'test/**/*.long.test.ts';
const soak = 'test/**/*.soak.test.ts';
const thirdParty = 'test/third-party/**/*.test.ts';
const renovate = 'test/renovate/**/*.test.ts';

export default defineConfig({
  root,
  test: {
    // A reporter of the command line would take the place of these, and of the list of the specification.
    reporters: ['default', specificationReporter(), ...(report ? ['json'] : [])],
    ...(report && { outputFile: { json: report } }),
    // One worker a core: vitest would leave one core to itself, which has little to do.
    maxWorkers: '100%',
    sequence: { sequencer: Sequencer },
    projects: [
      {
        test: {
          ...shared,
          name: 'main',
          // Files share the modules of their worker: loading them anew for each took as long as a fifth of the tests.
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, thirdParty, renovate, long, soak],
        },
      },
      { test: { ...shared, name: 'long', include: [long] } },
      { test: { ...shared, name: 'soak', include: [soak] } },
      {
        test: {
          ...shared,
          name: 'third-party',
          include: [thirdParty],
          globalSetup: [...shared.globalSetup, 'test/third-party/install.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'renovate',
          include: [renovate],
          globalSetup: [...shared.globalSetup, 'test/renovate/install.ts'],
          // Files share Renovate, which takes longer to load than to run; the command has one worker for the same reason.
          isolate: false,
          // For Renovate's functions that tests call themselves; a run of Renovate gets a level of its own.
          env: { LOG_LEVEL: 'fatal' },
        },
      },
    ],
  },
});
