import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Needs a client that is fetched first: npm run test:renovate.
    exclude: [...configDefaults.exclude, 'test/renovate/**'],
    setupFiles: ['test/harness/clean-up.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // One worker a core: vitest would leave one core to itself, which has little to do.
    maxWorkers: '100%',
  },
});
