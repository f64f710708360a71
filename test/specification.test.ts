import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkout } from './harness/checkout.ts';

const read = (path: string) => readFileSync(join(checkout, path), 'utf8');

/** How many sentences the specification has, by the count of its review. */
const sentences = 228;

interface Row {
  readonly number: number;
  readonly tests: readonly { readonly title: string; readonly file: string }[];
  readonly isLeftOut: boolean;
}

const rows = Array.from(
  read('.github/SPECIFICATION.md').matchAll(/^(\d+)\. (.+)$/gm),
  ([, number, text]): Row => ({
    number: Number(number),
    tests: Array.from(text!.matchAll(/\[([^\]]+)\]\(\.\.\/(test\/[^)]+)\)/g), ([, title, file]) => ({
      title: title!.replaceAll('\\', ''),
      file: file!,
    })),
    isLeftOut: /[Ll]eft out: \S.{15,}\./.test(text!),
  }),
);

/** Whether a file names a test so: behind a parenthesis, as the first argument. */
function hasTest(file: string, title: string): boolean {
  if (!existsSync(join(checkout, file))) return false;
  const escaped = title.replaceAll(/[^\w\s]/g, String.raw`\$&`);
  return new RegExp(String.raw`\(\s*(['"\`])${escaped}\1,`).test(read(file));
}

test('the list has every sentence of the specification, in order', () => {
  expect(rows.map(({ number }) => number)).toEqual(
    Array.from({ length: sentences }, (_, index) => index + 1),
  );
});

test('each sentence is shown by a test, or left out for a reason', () => {
  const silent = rows.filter(({ tests, isLeftOut }) => tests.length === 0 && !isLeftOut);

  expect(silent.map(({ number }) => number)).toEqual([]);
  expect(rows.filter(({ tests }) => tests.length > 0).length).toBeGreaterThan(200);
});

test('each test that the list names exists', () => {
  const missing = rows.flatMap(({ number, tests }) =>
    tests
      .filter(({ file, title }) => !hasTest(file, title))
      .map(({ file, title }) => `${number}: ${file}: ${title}`),
  );

  expect(missing).toEqual([]);
  expect(hasTest('test/specification.test.ts', 'a test that nobody wrote')).toBe(false);
});

test('the index is made anew every day', () => {
  const times = Array.from(
    read('.github/workflows/daily.yml').matchAll(/cron: '([^']+)'/g),
    ([, time]) => time,
  );

  expect(times).toEqual([expect.stringMatching(/^\d{1,2} \d{1,2} \* \* \*$/)]);
});
