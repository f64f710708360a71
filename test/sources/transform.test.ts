import { expect, test } from 'vitest';
import { transformJson } from '../../src/sources/transform.ts';

const digits = `${'1'.repeat(60)}!`;

test.each([
  ['searches without end', '$contains($, /^(v?\\d+\\.?)+$/)', digits],
  ['calls itself without end', '($f := function($n) {$f($n + 1)}; $f(0))', 0],
  ['takes all memory', '($f := function($l) {$f($l & $l)}; $f($))', digits],
])('a transform that %s ends, and costs no other one anything', async (_, transform, document) => {
  const endless = transformJson({ transform, document }, 2000);
  const other = transformJson({ transform: '{"a": $}', document: 1 });

  await expect(endless).rejects.toThrow();
  expect(await other).toEqual({ a: 1 });
});
