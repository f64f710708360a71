import { defineConfig } from 'vitest/config';

/** The proof by programs of others. Apart from the other tests, because they have to be fetched. */
export default defineConfig({
  test: {
    maxWorkers: '100%',
    include: ['test/judges/**/*.test.ts'],
    setupFiles: ['test/harness/clean-up.ts'],
    globalSetup: ['test/judges/install.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
