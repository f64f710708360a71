import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { checkout } from '../harness/checkout.ts';
import { covers } from '../harness/covers.ts';
import { readDocument, readSpecification } from '../harness/specification.ts';

const rows = readSpecification();

/** How many sentences the specification has. */
const sentences = 228;

test('the list has every sentence of the specification, in order', () => {
  expect(rows.map(({ number }) => number)).toEqual(
    Array.from({ length: sentences }, (_, index) => index + 1),
  );
});

test('each sentence has words of its own, by which tests name it', () => {
  expect(new Set(rows.map(({ words }) => words)).size).toBe(sentences);
});

test('each sentence is shown by tests, or quoted from the specification and left out for a reason', () => {
  const specification = readDocument();
  const silent = rows.filter(
    ({ files, note, quoted }) =>
      files.length === 0 ||
      note.startsWith('Left out: ') !== (quoted !== undefined) ||
      !specification.includes(quoted ?? ''),
  );

  expect(silent.map(({ number }) => number)).toEqual([]);
});

test('a file that a slower run has is named with that run', () => {
  const slow = {
    long: /\.long\.test\.ts$/,
    Renovate: /\/renovate\//,
    'third-party': /\/third-party\//,
  };
  const unmarked = rows.flatMap(({ number, text, files }) =>
    Object.entries(slow).flatMap(([run, pattern]) =>
      files
        .filter((file) => pattern.test(file) && !text.includes(`${basename(file)}) (${run} run)`))
        .map((file) => `${number}: ${file}`),
    ),
  );

  expect(unmarked).toEqual([]);
});

test('the index is made anew every day', () => {
  covers('Regenerated daily');
  const daily = readFileSync(join(checkout, '.github/workflows/daily.yml'), 'utf8');
  const times = Array.from(daily.matchAll(/cron: '([^']+)'/g), ([, time]) => time);

  expect(times).toEqual([expect.stringMatching(/^\d{1,2} \d{1,2} \* \* \*$/)]);
});
