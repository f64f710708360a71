import { readFileSync } from 'node:fs';
import { join, matchesGlob, relative } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { checkout } from '../harness/checkout.ts';
import { groups } from './groups.ts';
import { instrumentedFile, type Instrumented } from './instrument.ts';

const { tests, isAboutWords = false } = groups[process.env['MUTANTS_GROUP']!]!;
const instrumented = JSON.parse(
  readFileSync(join(process.env['MUTANTS_FOLDER']!, instrumentedFile), 'utf8'),
) as Instrumented;

class InOrderOfTheGroup extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const indexOf = ({ moduleId }: TestSpecification) =>
      tests.findIndex((pattern) => matchesGlob(relative(checkout, moduleId), pattern));
    return Promise.resolve(files.toSorted((one, other) => indexOf(one) - indexOf(other)));
  }
}

/** The tests of the group that `MUTANTS_GROUP` names, on code that has all its mutants in it. */
export default defineConfig({
  root: checkout,
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      load: (id) => instrumented.code[relative(checkout, id)],
    },
  ],
  test: {
    setupFiles: ['test/harness/clean-up.ts'],
    globalSetup: ['test/harness/shared-folder.ts'],
    runner: join(import.meta.dirname, 'runner.ts'),
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 20_000 } },
    reporters: ['dot'],
    silent: true,
    // Not the cache of the usual tests, which know no mutants.
    fsModuleCachePath: join(process.env['MUTANTS_FOLDER']!, 'modules'),
    // Files that share modules share a built site, too.
    isolate: isAboutWords,
    maxWorkers: 1,
    sequence: { sequencer: InOrderOfTheGroup },
    include: [...tests],
    exclude: [...configDefaults.exclude, '**/*.{long,soak}.test.ts'],
  },
});
