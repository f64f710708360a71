import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { countElements } from '../../../src/io/http/json-elements.ts';

function count(value: unknown): { longest: number; all: number } {
  let [longest, all] = [0, 0];
  const visit = (inner: unknown) => {
    if (typeof inner !== 'object' || inner === null) return;
    const parts = Object.values(inner);
    if (parts.length > 1) longest = Math.max(longest, parts.length);
    all += Math.max(1, parts.length);
    parts.forEach(visit);
  };
  visit(value);
  return { longest, all };
}

test('the elements of a document are counted without parsing it, whatever its texts hold', () => {
  const text = fc.string({ unit: fc.constantFrom('"', '\\', ',', '[', ']', '{', '}', 'a', 'ü') });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      text,
      fc.integer(),
      fc.array(tie('value')),
      fc.dictionary(text, tie('value')),
    ),
  }));

  fc.assert(
    fc.property(value, (document) => {
      expect(countElements(Buffer.from(JSON.stringify(document)))).toEqual(count(document));
    }),
  );
});

test('what is no JSON is counted all the same', () => {
  expect(countElements(Buffer.from(']]],,,"'))).toEqual({ longest: 4, all: 3 });
});
