import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

const root = resolve(import.meta.dirname, '../..');
export default defineConfig({
  root,
  test: {
    setupFiles: ['test/harness/clean-up.ts'],
    globalSetup: ['test/harness/shared-folder.ts'],
    testTimeout: 60_000,
    isolate: false,
    include: ['test/core/**/*.test.ts', 'test/decide/**/*.test.ts'],
    exclude: ['**/*.soak.test.ts', '**/*.long.test.ts'],
  },
});
