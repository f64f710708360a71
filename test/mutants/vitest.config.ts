import { configDefaults, defineConfig } from 'vitest/config';
import { checkout } from '../harness/checkout.ts';
import { groups } from './groups.ts';

/** The tests of the group that `MUTANTS` names. */
export default defineConfig({
  root: checkout,
  test: {
    setupFiles: ['test/harness/clean-up.ts'],
    globalSetup: ['test/harness/shared-folder.ts'],
    testTimeout: 240_000,
    isolate: false,
    include: groups[process.env['MUTANTS']!]!.tests.map((path) =>
      path.replace(/\*\*$/, '**/*.test.ts'),
    ),
    exclude: [...configDefaults.exclude, '**/*.{long,soak}.test.ts'],
  },
});
