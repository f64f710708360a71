import { expect, test } from 'vitest';
import { decode } from '../../../src/io/files/read-documents.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);

test('drops one byte order mark, and only one', () => {
  expect(decode(bytesOf('\uFEFF{"a":"\uFEFFü"}'))).toBe('{"a":"\uFEFFü"}');
  expect(decode(bytesOf('\uFEFF\uFEFF{}'))).toBe('\uFEFF{}');
});

test('reads only the given part of a buffer', () => {
  expect(decode(bytesOf('[{"a":"ü"}]').subarray(1, -1))).toBe('{"a":"ü"}');
});

test.each([
  ['Latin-1', [0x22, 0xfc, 0x22]],
  ['a text that ends within a character', [0x22, 0xc3]],
  ['half a surrogate pair', [0x22, 0xed, 0xa0, 0x80, 0x22]],
  ['a longer form than needed', [0x22, 0xc0, 0xaf, 0x22]],
])('rejects %s', (_, bytes) => {
  expect(decode(new Uint8Array(bytes))).toBeUndefined();
});
