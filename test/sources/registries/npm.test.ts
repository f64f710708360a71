import { expect, test } from 'vitest';
import { askRegistry } from '../../harness/ask-source.ts';
import { json } from '../../harness/upstream.ts';

const created = '2024-01-01T00:00:00Z';
const askPackument = (packument: object) =>
  askRegistry(
    { datasource: 'npm', packageName: '@example/agent' },
    { '/@example%2fagent': json(packument) },
  );

test.each<[string, object, object, object[]]>([
  [
    'leaves out an unpublished version that remains in the times',
    { '1.0.0': {} },
    { created, '1.0.0': created, '1.0.1': created },
    [{ version: '1.0.0', releaseTimestamp: created }],
  ],
  [
    'reads a deprecation with and without a reason, and one that was undone',
    {
      '1.0.0': { deprecated: 'use 2.x' },
      '1.0.1': { deprecated: true },
      '1.0.2': { deprecated: '' },
      '1.0.3': { deprecated: null },
    },
    {},
    [
      { version: '1.0.0', deprecated: 'use 2.x' },
      { version: '1.0.1', deprecated: 'no reason given' },
      { version: '1.0.2' },
      { version: '1.0.3' },
    ],
  ],
  [
    'ignores times of a mirror, which may have stamped them itself',
    { '1.0.0': {} },
    { '1.0.0': created },
    [{ version: '1.0.0' }],
  ],
  [
    'records a weak digest only where there is no strong one',
    {
      '1.0.0': { dist: { shasum: 'a'.repeat(40) } },
      '1.0.1': { dist: { shasum: 'a'.repeat(40), integrity: `sha256-${'A'.repeat(43)}=` } },
    },
    {},
    [
      { version: '1.0.0', digests: [`sha1:${'a'.repeat(40)}`] },
      { version: '1.0.1', digests: [`sha256:${'0'.repeat(64)}`] },
    ],
  ],
  [
    'calls a version with a hyphen a prerelease',
    { '1.0.0-0': {}, '1.0.0-rc.1': {}, '1.0.0+next': {} },
    {},
    [
      { version: '1.0.0-0', isPrerelease: true },
      { version: '1.0.0-rc.1' },
      { version: '1.0.0+next' },
    ],
  ],
])('npm %s', async (_, versions, time, expected) => {
  const { releases, upstream } = await askPackument({ versions, time });

  expect(releases).toEqual(expected);
  // The abbreviated document has no times.
  expect(upstream.requests[0]?.headers.accept).toBe('application/json');
});
