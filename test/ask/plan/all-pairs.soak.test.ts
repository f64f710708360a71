import { expect, test } from 'vitest';
import { checkPairs, checkRandomLists, openAll, versionsOf } from './checked-plans.ts';

test(
  'each state of a plan keeps what works, for all pairs and 2,000 lists of releases of the example',
  { timeout: 1_200_000 },
  async () => {
    const { example } = await openAll();
    const versions = versionsOf(example);

    expect(versions.length).toBeGreaterThan(300);
    await checkPairs(example, versions);
    await checkRandomLists(example, 2000);
  },
);
