import { expect, test } from 'vitest';
import { SupportPolicy } from '../../../../src/core/schemas/definition/support-policy.ts';
import { describeProblems } from '../../../../src/core/schemas/problems.ts';

const phases = [{ name: 'security', months: 36 }];
const term = { policy: 'term', months: 18 };
const dated = { policy: 'dated', lines: { '24': '2029-04-30' }, line: 1 };

test.each([
  [{ ...term, lts: { lines: ['2025.1'], phases } }, []],
  [{ ...term, line: 1, lts: { lines: ['2025'], phases } }, []],
  [{ ...term, line: 1, lts: { lines: '/\\.4$/', phases } }, []],
  [
    { ...term, line: 1, lts: { lines: ['2024', '2025.1'], phases } },
    ['lts.lines: expected names of lines with one digit group; got 2025.1'],
  ],
  [{ ...dated, firstReleaseDates: { '24': '2024-04-25' } }, []],
  [
    { ...dated, firstReleaseDates: { '24.04': '2024-04-25' } },
    ['firstReleaseDates: expected names of lines with one digit group; got 24.04'],
  ],
])('long-term support and first days name lines in their digit groups: %j', (policy, problems) => {
  expect(describeProblems(policy, SupportPolicy)).toEqual(problems);
});
