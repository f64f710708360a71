import { expect, test } from 'vitest';
import { findPlaces, findSeparator, readTable } from '../../src/core/table.ts';

test.each([
  ['name,version', ','],
  ['"a,b";version', ';'],
  ['name\tversion', '\t'],
  ['| name | version |', '|'],
  ['svc 1.0', undefined],
])('findSeparator finds the separator of %j: %j', (line, separator) => {
  expect(findSeparator(line)).toBe(separator);
});

test.each<
  [text: string, separator: string, columns: string[], rows: [line: number, ...string[]][]]
>([
  [
    'name,version\nsvc,1.0\nagent,2.0',
    ',',
    ['name', 'version'],
    [
      [2, 'svc', '1.0'],
      [3, 'agent', '2.0'],
    ],
  ],
  ['name;version\r\nsvc;1.0\r\n', ';', ['name', 'version'], [[2, 'svc', '1.0']]],
  ['name,note\n"a,b","say ""yes"""\n', ',', ['name', 'note'], [[2, 'a,b', 'say "yes"']]],
  [
    'name,note\n"two\nlines",x\nsvc,y',
    ',',
    ['name', 'note'],
    [
      [2, 'two\nlines', 'x'],
      [4, 'svc', 'y'],
    ],
  ],
  [
    '| name | version |\n| --- | :-: |\n| svc | 1.0 |',
    '|',
    ['name', 'version'],
    [[3, 'svc', '1.0']],
  ],
  ['a|b,c', ',', ['a|b', 'c'], []],
  ['\n\nname,version\n\nsvc,1.0', ',', ['name', 'version'], [[5, 'svc', '1.0']]],
  ['', ',', [], []],
])('readTable reads %j', (text, separator, columns, rows) => {
  expect(readTable(text, separator)).toEqual({
    columns,
    rows: rows.map(([line, ...cells]) => ({
      line,
      cells: expect.arrayContaining(cells) as string[],
    })),
  });
  expect(readTable(text, separator).rows.map(({ cells }) => cells.filter(Boolean))).toEqual(
    rows.map(([, ...cells]) => cells),
  );
});

test('findPlaces finds columns by the letters of their names', () => {
  expect(findPlaces(['Package Name', 'package_version', 'name'], /^(package)?name$/)).toEqual([
    0, 2,
  ]);
});
