import { defineConfig } from 'vitest/config';

/** The proof with the real client. Apart from the other tests, because the client is large and has to be fetched. */
export default defineConfig({
  test: {
    maxWorkers: '100%',
    include: ['test/renovate/**/*.test.ts'],
    setupFiles: ['test/harness/clean-up.ts'],
    globalSetup: ['test/renovate/install.ts'],
    // For Renovate's functions that tests call themselves; a run of Renovate gets a level of its own.
    env: { LOG_LEVEL: 'fatal' },
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
