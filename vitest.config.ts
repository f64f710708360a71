import { configDefaults, defineConfig } from 'vitest/config';

const shared = {
  setupFiles: ['test/harness/clean-up.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
};
const long = 'test/**/*.long.test.ts';
const soak = 'test/**/*.soak.test.ts';

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
          // Programs of others that are fetched first: npm run test:renovate, npm run test:judges.
          exclude: [...configDefaults.exclude, 'test/renovate/**', 'test/judges/**', long, soak],
        },
      },
      { test: { ...shared, name: 'long', include: [long] } },
      { test: { ...shared, name: 'soak', include: [soak] } },
    ],
  },
});
