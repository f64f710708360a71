import { expect, test } from 'vitest';
import { extractVersion } from '../../../src/ask/resolve.ts';

test('each owner of a package has its own way to read a version', async () => {
  const owners = [{ component: 'one', extractVersion: '^one-(?<version>.+)$' }, { component: 'two' }];

  const versions = await Promise.all(owners.map((owner) => extractVersion(owner, 'one-1.0')));

  expect(versions).toEqual(['1.0', 'one-1.0']);
});
