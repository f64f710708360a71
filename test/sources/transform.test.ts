import { expect, test } from 'vitest';
import { transformJson } from '../../src/sources/transform.ts';

const digits = `${'1'.repeat(60)}!`;

test.each<[title: string, transform: string, document: unknown, limitMs?: number]>([
  ['searches without end', '$contains($, /^(v?\\d+\\.?)+$/)', digits, 300],
  ['calls itself without end', '($f := function($n) {$f($n + 1)}; $f(0))', 0, 300],
  ['takes all memory', '($f := function($l) {$f($l & $l)}; $f($))', digits],
  ['asks for more memory at once than it may have', '$pad("", 500000000, "x")', 0, 1000],
  [
    'splits a text that it doubled',
    '($f := function($t, $n) {$n = 0 ? $t : $f($t & $t, $n - 1)}; $split($f($, 24), ""))',
    'abcdefgh',
    1000,
  ],
])(
  'stops a transform that %s, and still runs the next transform',
  async (_, transform, document, limitMs) => {
    const endless = transformJson({ transform, document }, limitMs);
    const other = transformJson({ transform: '{"a": $}', document: 1 });

    await expect(endless).rejects.toThrow();
    expect(await other).toEqual({ a: 1 });
  },
);
