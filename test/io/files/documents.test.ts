import { expect, test } from 'vitest';
import { z } from 'zod';
import { decode, parseDocument } from '../../../src/io/files/read-documents.ts';

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

test.each([
  ['{"releases":[{"digests":{"__proto__":{}}}]}', 1],
  ['{"releases":[],\n"\\u005f_proto__":"1.0"}', 2],
])('rejects the key __proto__ in %j, which a schema would drop', (text, line) => {
  const { value, findings } = parseDocument(bytesOf(text), 'data/svc.json', z.looseObject({}));

  expect(value).toBeUndefined();
  expect(findings.map(({ message }) => message)).toEqual([
    `line ${line}: no document may have the key "__proto__"; remove it`,
  ]);
});
