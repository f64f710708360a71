import { expect, it } from 'vitest';
import type { TypedSource } from '../../../src/record/sources/index.ts';
import { ask, json } from '../../harness/asking.ts';

/** Without a registry, as most definitions name none. */
const source = (): TypedSource => ({ datasource: 'npm', packageName: '@example/agent' });
const packument = (rest: Record<string, unknown>) => ({
  '/@example%2fagent': json({ name: '@example/agent', ...rest }),
});
const created = '2024-01-01T00:00:00.000Z';

it('npm requests the full document, as the abbreviated one has no times', async () => {
  const { requests } = await ask(source, { documents: packument({ versions: { '1.0.0': {} } }) });

  expect(requests.map(({ path }) => path)).toEqual(['/@example%2fagent']);
  expect(requests[0]?.headers['accept']).not.toContain('install-v1');
});

it.each<[string, object, object, object[]]>([
  [
    'leaves out an unpublished version that remains in the times',
    { '1.0.0': {} },
    {
      created,
      modified: created,
      '1.0.0': created,
      '1.0.1': created,
      unpublished: { versions: ['1.0.1'] },
    },
    [{ version: '1.0.0', releaseTimestamp: created }],
  ],
  [
    'reads a deprecation with and without a reason, and one that was undone',
    {
      '1.0.0': { deprecated: 'use 2.x' },
      '1.0.1': { deprecated: true },
      '1.0.2': { deprecated: '' },
      '1.0.3': { deprecated: false },
    },
    {},
    [
      { version: '1.0.0', deprecated: 'use 2.x' },
      { version: '1.0.1', deprecated: '' },
      { version: '1.0.2' },
      { version: '1.0.3' },
    ],
  ],
  [
    'ignores times of a mirror, which may have stamped them itself',
    { '1.0.0': {}, '1.0.1': {} },
    { '1.0.0': created },
    [{ version: '1.0.0' }, { version: '1.0.1' }],
  ],
])('npm %s', async (_, versions, time, expected) => {
  const { releases } = await ask(source, { documents: packument({ versions, time }) });

  expect(releases).toEqual(expected);
});

it('npm reports a package that was unpublished entirely', async () => {
  const documents = packument({ time: { created, unpublished: { time: created } } });

  await expect(ask(source, { documents })).rejects.toThrow(
    /^http:\S+\/@example%2fagent lists no version$/,
  );
});

it('npm reports an answer that is no package', async () => {
  const documents = { '/@example%2fagent': json({ errors: [{ status: 404 }] }) };

  await expect(ask(source, { documents })).rejects.toThrow(
    /@example%2fagent: expected the key versions; got \{"errors":\[\{"status":404\}\]\}$/,
  );
});

it('npm treats a version with a hyphen as a prerelease, as npm does', async () => {
  const names = ['1.0.0-0', '1.0.0-rc.1', '1.0.0', '1.0.0+next', '1.0.0-jre'];
  const { offered, releases } = await ask(source, {
    documents: packument({ versions: Object.fromEntries(names.map((name) => [name, {}])) }),
  });

  expect(offered).toEqual(names.map((name) => [name, name === '1.0.0-0' ? true : undefined]));
  expect(releases[0]).toEqual({ version: '1.0.0-0', isPrerelease: true });
});
