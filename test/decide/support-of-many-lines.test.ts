import { expect, test } from 'vitest';
import type { SupportPolicy } from '../../src/core/schemas/definition/support-policy.ts';
import { computeSupport } from '../../src/decide/support.ts';
import { findGrowth } from '../harness/growth.ts';

const source = {
  datasource: 'json' as const,
  url: 'https://example.com/lines.json',
  transform: '$',
};

/** Microseconds for the support of so many lines. */
function measure(policy: SupportPolicy, count: number): number {
  const from = '2020-01-01';
  const names = Array.from({ length: count }, (_, index) => `${index + 1}.0`);
  const lines = names.map((name) => ({
    ...{ name, releases: [], hasStableRelease: true },
    began: { from },
  }));
  const statedLines = names.map((line) => ({
    line,
    phases: [{ name: 'support', until: '2030-01-01' }],
  }));

  const start = process.threadCpuUsage();
  computeSupport(policy, lines, statedLines);
  return process.threadCpuUsage(start).user;
}

// Work that grows with the square would take 64 times as long.
test.each<SupportPolicy>([
  { policy: 'latest-lines', count: 2 },
  { policy: 'stated', source },
])('eight times as many lines take less than 30 times as long: %j', async (policy) => {
  expect(await findGrowth((count) => measure(policy, count), 500)).toBeLessThan(30);
});
