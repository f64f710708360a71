import { expect, test } from 'vitest';
import { judgeOn, release } from '../../harness/judging.ts';

const withdrawn = release('1.0.0', '2026-01-01', { withdrawnSince: '2026-02-01' });
const deprecated = release('1.0.1', '2026-01-02', { deprecated: 'Loses data.' });
const usable = release('1.0.2', '2026-01-03');

test.each([
  ['withdrawn, where all its releases are', [withdrawn], 'withdrawn'],
  ['deprecated, where one of its releases is not withdrawn', [withdrawn, deprecated], 'deprecated'],
  ['what its policy says, where one is usable', [withdrawn, deprecated, usable], 'supported'],
])('a line is %s', (_when, releases, state) => {
  const policy = { support: { policy: 'latest-lines', count: 1 } };

  expect(judgeOn('2026-06-01', releases, policy).lines).toMatchObject([{ name: '1.0', state }]);
});
