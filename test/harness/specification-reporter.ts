import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { checkout } from './checkout.ts';
import { readSpecification } from './specification.ts';

/** Compares the words that passed tests show with the list, for every file of the run. A difference fails the run. */
export function specificationReporter(): Reporter {
  let vitest: Vitest | undefined;
  return {
    onInit(context) {
      vitest = context;
    },
    onTestRunEnd(modules) {
      // Only a part of the tests of each file ran.
      if (vitest?.config.testNamePattern) {
        return;
      }
      const problems = compare(modules);
      if (problems.length === 0) {
        return;
      }
      console.error(
        ['test/specification/README.md differs from what ran:', ...problems].join('\n  '),
      );
      process.exitCode = 1;
    },
  };
}

function compare(modules: readonly TestModule[]): string[] {
  const shown = new Map(
    modules.map((module) => [relative(checkout, module.moduleId), sentencesOf(module)]),
  );
  const sentences = readSpecification();
  const missing = sentences.flatMap(({ number, words, note, quoted, files }) =>
    files.flatMap((file) => {
      if (!existsSync(join(checkout, file))) {
        return `${number}: there is no ${file}`;
      }
      const isOfNote = file === files.at(-1) && note !== '';
      const texts = [
        ...(quoted === undefined && !(isOfNote && files.length > 1) ? [words] : []),
        ...(isOfNote ? [note] : []),
      ];
      return texts
        .filter((text) => shown.get(file)?.has(text) === false)
        .map((text) => `${number}: no passed test of ${file} covers "${text}"`);
    }),
  );
  const unlisted = Array.from(shown).flatMap(([file, covered]) =>
    Array.from(covered)
      .filter(
        (text) =>
          !sentences.some(
            ({ words, note, files }) =>
              (words === text && files.includes(file)) || (note === text && files.at(-1) === file),
          ),
      )
      .map((words) => `"${words}": no row has these words and names ${file}, which covers them`),
  );
  return [...missing, ...unlisted];
}

function sentencesOf(module: TestModule): Set<string> {
  const passed = Array.from(module.children.allTests('passed'));
  return new Set(passed.flatMap((test) => test.meta().covers ?? []));
}
