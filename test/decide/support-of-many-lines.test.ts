import { expect, test } from 'vitest';
import type { SupportPolicy } from '../../src/core/schemas/definition/support-policy.ts';
import { computeSupport } from '../../src/decide/support.ts';

const source = {
  datasource: 'json' as const,
  url: 'https://example.com/lines.json',
  transform: '$',
};

/** Microseconds for the support of so many lines. Less than 2000 is noise. */
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
  return Math.max(process.threadCpuUsage(start).user, 2000);
}

// Work that grows with the square would take 64 times as long.
test.each<SupportPolicy>([
  { policy: 'latest-lines', count: 2 },
  { policy: 'stated', source },
])('eight times as many lines take less than 30 times as long: %j', (policy) => {
  measure(policy, 500);

  expect(measure(policy, 4000) / measure(policy, 500)).toBeLessThan(30);
});
