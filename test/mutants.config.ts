/** Selects the tests for `npm run mutants`. Stryker inserts mistakes into pure code, and runs these tests for each mistake. */
import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

const root = resolve(import.meta.dirname, '..');

export default defineConfig({
  root,
  test: {
    root,
    testTimeout: 240_000,
    include: [
      'test/{ask,core}/**/*.test.ts',
      'test/judge/*.test.ts',
      'test/record/{gate,properties}.test.ts',
      'test/site/renovate/*.test.ts',
    ],
    exclude: [...configDefaults.exclude, 'test/**/*.long.test.ts'],
  },
});
