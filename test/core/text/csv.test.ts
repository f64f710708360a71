import { expect, it } from 'vitest';
import { formatCsvRecord } from '../../../src/core/text/foreign-text.ts';

it('CSV writes each kind of value, and quotes what would end a cell', () => {
  expect(
    formatCsvRecord(['svc', 3, false, undefined, ['npm', 'docker'], { team: 'build', tier: '1' }]),
  ).toBe('svc,3,false,,npm; docker,team=build; tier=1');
  expect(formatCsvRecord(['a,b', 'says "no"', 'two\nlines', 'and\r\nthree', ' a space '])).toBe(
    '"a,b","says ""no""","two\nlines","and\r\nthree", a space ',
  );
});

it.each([
  ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ['=HYPERLINK("https://example.com")', `"'=HYPERLINK(""https://example.com"")"`],
  ['+1+1', "'+1+1"],
  ['-2+3', "'-2+3"],
  ['@SUM(1+1)', "'@SUM(1+1)"],
  ["@a/b;@SUM(1)|'x'", "'@a/b;@SUM(1)|'x'"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  [['=1', 'b'], "'=1; b"],
])('keeps a spreadsheet from running %j', (text, cell) => {
  expect(formatCsvRecord([text])).toBe(cell);
});

it.each([
  '2025.1',
  '1.0-rc-1',
  '@example/agent',
  '@example/agent; @example/other',
  'a=b',
  "'quoted'",
])('CSV leaves %j as it is', (text) => {
  expect(formatCsvRecord([text])).toBe(text);
});
