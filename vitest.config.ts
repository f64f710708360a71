import { configDefaults, defineConfig } from 'vitest/config';

const shared = {
  setupFiles: ['test/harness/clean-up.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
};
const long = 'test/**/*.long.test.ts';

export default defineConfig({
  test: {
    // One worker a core: vitest would leave one core to itself, which has little to do.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          ...shared,
          name: 'main',
          include: ['test/**/*.test.ts'],
          // The tests with the real Renovate need a client that is fetched first: npm run test:renovate.
          exclude: [...configDefaults.exclude, 'test/renovate/**', long],
        },
      },
      { test: { ...shared, name: 'long', include: [long] } },
    ],
  },
});
