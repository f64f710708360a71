import { expect, test } from 'vitest';
import {
  joinMembers,
  renderComponents,
  renderDocument,
  renderRows,
  writeMembers,
} from '../../../src/site/documents/json.ts';

test('a document has one line for each member, without undefined members', () => {
  const text = renderDocument({ ...writeMembers({ a: 1, b: undefined, c: ['x', 'y'] }), d: '{}' });

  expect(text).toBe('{\n  "a": 1,\n  "c": ["x","y"],\n  "d": {}\n}\n');
});

test('members are joined in their order', () => {
  expect(joinMembers({ b: '1', a: undefined, c: '2' }, ', ')).toBe('"b": 1, "c": 2');
  expect(joinMembers({}, ', ')).toBe('');
});

test.each([
  [[], '[]'],
  [[{ a: 1 }], '[\n{"a":1}\n]'],
  [[{ a: 1 }, { a: 2 }], '[\n{"a":1},\n{"a":2}\n]'],
])('%j has one line for each row', (rows, text) => {
  expect(renderRows(rows)).toBe(text);
});

test.each<[components: [string, string][], text: string]>([
  [[], '{"components": {\n}}\n'],
  [[['svc', '{}']], '{"components": {\n"svc": {}\n}}\n'],
  [
    [
      ['agent', '{}'],
      ['svc', '{}'],
    ],
    '{"components": {\n"agent": {},\n"svc": {}\n}}\n',
  ],
])('the components %j have one line each', (components, text) => {
  expect([...renderComponents(components)].join('')).toBe(text);
});
