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
    ['lts.lines[1]: expected the name of a line, 2025; got 2025.1'],
  ],
  [{ ...dated, firstReleaseDates: { '24': '2024-04-25' } }, []],
  [
    { ...dated, firstReleaseDates: { '24.04': '2024-04-25' } },
    ['firstReleaseDates["24.04"]: expected the name of a line, 24; got 24.04'],
  ],
  [
    {
      ...dated,
      line: 2,
      firstReleaseDates: { '24.4': '2024-01-01', '24.04': '2024-02-01' },
      lts: { lines: ['24.04', '24.4'] },
    },
    [
      'firstReleaseDates["24.04"]: expected each line once; got 24.4 again',
      'lts.lines[1]: expected each line once; got 24.04 again',
    ],
  ],
  [
    { ...dated, lines: { ['1'.repeat(300)]: '2029-04-30' } },
    [expect.stringContaining('expected a release line such as 2025.1')],
  ],
  [{ ...term, lts: { lines: ['2025.01'], phases } }, []],
])('long-term support and first days name lines in their digit groups: %j', (policy, problems) => {
  expect(describeProblems(policy, SupportPolicy)).toEqual(problems);
});
