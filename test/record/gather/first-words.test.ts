import { expect, test } from 'vitest';
import { maxNotesLength } from '../../../src/core/text/foreign-text.ts';
import { readFirstWords } from '../../../src/record/gather/stated-release.ts';

test.each([
  [
    "## What's Changed\r\n\r\n* Read [lists](https://example.com/1) faster\r\n",
    'Read lists faster',
  ],
  ['<!-- hidden --><p>Mends <b>pages</b></p><script>', 'Mends pages'],
  ['1. `a` is **b**: https://example.com', 'a is b:'],
  ['a\u202eb\u0007 c', 'ab c'],
  ['# Only a heading', ''],
  ['', ''],
])('the first words of %j', (notes, words) => {
  expect(readFirstWords(notes).replaceAll(/\s+/g, ' ')).toBe(words);
});

test.each(['<', '[', '![](', '<!--', '*', 'a', 'https:'])(
  'long notes of %j have few words',
  (part) => {
    expect(readFirstWords(part.repeat(500_000)).length).toBeLessThanOrEqual(maxNotesLength);
  },
);
