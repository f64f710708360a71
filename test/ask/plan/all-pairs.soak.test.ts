import { expect, test } from 'vitest';
import { checkPairs, openAll, versionsOf } from './checked-plans.ts';

test(
  'each state of a plan, for all pairs of releases of the example',
  { timeout: 1_200_000 },
  async () => {
    const { example } = await openAll();
    const versions = versionsOf(example, true);

    expect(versions.length).toBeGreaterThan(300);
    await checkPairs(example, versions);
  },
);
