import { expect, test } from 'vitest';
import { describeBounds, describeStatement } from '../../../src/core/model/pair-words.ts';
import type { Compatibility } from '../../../src/core/schemas/definition/works-with.ts';

test.each([
  ['*', 'Agent'],
  ['=1.2', 'Agent 1.2'],
  ['4.0 || 4.1', 'Agent 4.0 or 4.1'],
  ['>=1.3.0', 'Agent 1.3.0 or later'],
  ['>=3.17 <4 || =5.1', 'Agent 3.17 or later, before 4; or 5.1'],
  ['<2 || >2 <= 3', 'Agent before 2; or later than 2, up to 3'],
  ['<4 >=3.17', 'Agent before 4, 3.17 or later'],
])('a statement on %s names its versions in words', (versions, subject) => {
  expect(describeStatement({ versions, from: '2025.1' }, 'Agent', 'Server')).toBe(
    `${subject} works with Server 2025.1 or later.`,
  );
});

test.each<[statement: Compatibility, words: string]>([
  [{ versions: '1', from: '2.0', reason: 'It moved.' }, 'A 1 works with B 2.0 or later. It moved.'],
  [{ versions: '1', from: '2.0', feature: 'caching' }, 'A 1 needs B 2.0 or later for caching.'],
  [
    { recommended: '1.2', from: '2.0', feature: 'caching' },
    'A 1.2 needs B 2.0 or later for caching.',
  ],
  [{ recommended: '1.2', with: '2.0' }, 'A 1.2 is recommended with B 2.0.'],
  [{ versions: '1', recommended: '1.2', with: '2.0' }, 'A 1 works with B 2.0.'],
])('the statement %j is told as "%s"', (statement, words) => {
  expect(describeStatement(statement, 'A', 'B')).toBe(words);
});

test.each<[bounds: Compatibility, words: string]>([
  [{ versions: '*', from: '2.0', testedTo: '2.0' }, '2.0'],
  [
    { versions: '*', from: '2.0', testedTo: '2.0', before: '3.0' },
    '2.0 or later, before 3.0, tested up to 2.0',
  ],
  [{ versions: '*', from: '2.0', testedTo: '2.1' }, '2.0 or later, tested up to 2.1'],
  [{ versions: '*', from: '2.0', before: '3.0' }, '2.0 or later, before 3.0'],
  [{ versions: '*', testedTo: '2.1' }, 'tested up to 2.1'],
  [{ versions: '*', before: '3.0' }, 'before 3.0'],
  [{ versions: '*', with: '>=2 <3' }, '2 or later, before 3'],
  [{ versions: '*', with: '*' }, 'in any version'],
  [{ versions: '*', with: '>=2 <3 || *' }, 'in any version'],
])('the bounds %j are "%s"', (bounds, words) => {
  expect(describeBounds(bounds)).toBe(words);
});
