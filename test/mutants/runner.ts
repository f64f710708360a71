import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Handlebars from 'handlebars';
import { type RunnerTestCase, type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest';
import { sharedFolder } from '../harness/shared-folder.ts';
import { type Instrumented, instrumentedFile, markedSentence } from './instrument.ts';

/** What the switches in the code read and count. */
interface Switches {
  activeMutant?: string | undefined;
  hitCount?: number | undefined;
  hitLimit?: number;
  currentTestId?: string;
  mutantCoverage?: { readonly perTest: Record<string, Record<string, number>> };
}

/** A line of the log: what a test, or the loading of its file, runs through, or what became of a mutant. */
export type LogLine =
  /** `untried`: only a run of the whole file can tell whether it notices these. */
  | { file: string; untried: readonly string[]; duration: number }
  /** What ran while a module was loaded, once for all files. */
  | { loaded: readonly string[] }
  | { trying: string }
  | { noticed: string; test: string };

const switches = ((globalThis as { __stryker__?: Switches }).__stryker__ ??= {});
const folder = process.env['MUTANTS_FOLDER']!;
const active = process.env['MUTANTS_ACTIVE'];
const alive = new Set(process.env['MUTANTS_TRIED']?.split(','));
/** Milliseconds. A test that takes longer is run with a mutant only where no quicker one notices it. */
const quickTest = 3_000;

if (active !== undefined) {
  switches.activeMutant = active;
  switches.hitCount = 0;
  switches.hitLimit = 1_000_000;
}

const { templates } = JSON.parse(
  readFileSync(join(folder, instrumentedFile), 'utf8'),
) as Instrumented;
const { create } = Handlebars;
// A site that another file has built shows no sentence of a template to be removed.
delete process.env[sharedFolder];
Handlebars.create = () => {
  const handlebars = create();
  const { compile } = handlebars;
  handlebars.compile = ((text: string, options: Parameters<typeof compile>[1]) => {
    const template = compile(templates[text] ?? text, options);
    return (...views: Parameters<typeof template>) => switchSentences(template(...views));
  }) as typeof compile;
  return handlebars;
};

/** Takes the marks away, and with them the sentence of the mutant that is active. */
function switchSentences(rendered: string): string {
  return rendered.replaceAll(markedSentence, (_, id: string, sentence: string) => {
    const covered = ((switches.mutantCoverage ??= { perTest: {} }).perTest[
      switches.currentTestId!
    ] ??= {});
    covered[id] = 1;
    return id === switches.activeMutant ? '' : sentence;
  });
}

/**
 * Runs each test as it is, then again with each mutant that it runs through, until a test of the group fails.
 * Nothing is loaded anew, so a mutant takes as long as the test. With `MUTANTS_ACTIVE`, only that mutant is in all tests.
 */
export default class MutantRunner extends TestRunner {
  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file);
    switches.currentTestId = 'loading';
  }

  override async onBeforeRunSuite(suite: RunnerTestSuite): Promise<void> {
    await super.onBeforeRunSuite(suite);
    if (suite.file === suite) {
      log({ loaded: [...takeCovered('loading').keys()] });
    }
    switches.currentTestId = suite.file.name;
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test) as () => Promise<void>;
    const file = test.file.name;
    if (active !== undefined) {
      return await run();
    }

    switches.currentTestId = test.id;
    const start = performance.now();
    await run();
    const duration = performance.now() - start;
    switches.currentTestId = file;

    const covered = takeCovered(test.id);
    const untried =
      duration < quickTest
        ? await tryMutants(covered, run, duration, `${file} > ${test.name}`)
        : [...covered.keys()];
    log({ file, untried: [...untried, ...takeCovered(file).keys()], duration });
  }
}

/** Returns the mutants that it could not try. */
async function tryMutants(
  covered: ReadonlyMap<string, number>,
  run: () => Promise<void>,
  duration: number,
  test: string,
): Promise<readonly string[]> {
  const ids = [...covered.keys()].filter((id) => alive.has(id));
  for (const [index, id] of ids.entries()) {
    log({ trying: id });
    // A loop without an end runs through the mutant again and again.
    switches.hitLimit = 1_000 + 100 * covered.get(id)!;
    if (!(await failsWith(id, run, 5_000 + 10 * duration))) {
      continue;
    }
    // The mutant may have spoilt what tests share, or no second run is like the first.
    if (await failsWith(undefined, run, 20_000 + 10 * duration)) {
      return ids.slice(index);
    }
    alive.delete(id);
    log({ noticed: id, test });
  }
  return [];
}

async function failsWith(
  id: string | undefined,
  run: () => Promise<void>,
  limit: number,
): Promise<boolean> {
  switches.activeMutant = id;
  switches.hitCount = 0;
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('too late')), limit);
  });

  try {
    await Promise.race([run(), tooLate]);
    return false;
  } catch {
    return true;
  } finally {
    clearTimeout(timer);
    switches.activeMutant = undefined;
  }
}

/** The mutants that a test ran through, and how often. */
function takeCovered(id: string): ReadonlyMap<string, number> {
  const perTest = switches.mutantCoverage?.perTest ?? {};
  const covered = new Map(Object.entries(perTest[id] ?? {}));
  delete perTest[id];
  return covered;
}

function log(line: LogLine): void {
  appendFileSync(join(folder, 'log.jsonl'), `${JSON.stringify(line)}\n`);
}
