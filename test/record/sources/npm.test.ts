import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/record/sources/index.ts';
import { ask, json } from '../../harness/asking.ts';

const source = (registryUrl?: string): Source => ({
  datasource: 'npm',
  packageName: '@example/agent',
  ...(registryUrl !== undefined && { registryUrl }),
});

function packument(rest: Record<string, unknown>): Record<string, ReturnType<typeof json>> {
  return { '/@example%2fagent': json({ name: '@example/agent', ...rest }) };
}

const created = '2024-01-01T00:00:00.000Z';

describe('npm', () => {
  it("asks npm's configured registry if the definition names none", async () => {
    const { requests } = await ask(() => source(), { documents: packument({ versions: { '1.0.0': {} } }) });

    expect(requests.map(({ path }) => path)).toEqual(['/@example%2fagent']);
  });

  it('requests the full document, because the abbreviated one has no times', async () => {
    const { requests } = await ask(() => source(), { documents: packument({ versions: { '1.0.0': {} } }) });

    expect(requests[0]?.headers['accept']).not.toContain('install-v1');
  });

  it('does not list an unpublished version that remains in the times', async () => {
    const { releases } = await ask(source, {
      documents: packument({
        versions: { '1.0.0': {} },
        time: {
          created,
          modified: created,
          '1.0.0': created,
          '1.0.1': created,
          unpublished: { versions: ['1.0.1'] },
        },
      }),
    });

    expect(releases).toEqual([{ version: '1.0.0', releaseTimestamp: created }]);
  });

  it('reports a package that was unpublished entirely', async () => {
    const asked = ask(source, {
      documents: packument({ time: { created, unpublished: { time: created } } }),
    });

    await expect(asked).rejects.toThrow(/^http:\S+\/@example%2fagent lists no version$/);
  });

  it('reads a deprecation with and without a reason, and one that was undone', async () => {
    const { releases } = await ask(source, {
      documents: packument({
        versions: {
          '1.0.0': { deprecated: 'use 2.x' },
          '1.0.1': { deprecated: true },
          '1.0.2': { deprecated: '' },
          '1.0.3': { deprecated: false },
          '1.0.4': {},
        },
      }),
    });

    expect(releases).toEqual([
      { version: '1.0.0', deprecated: 'use 2.x' },
      { version: '1.0.1', deprecated: '' },
      { version: '1.0.2' },
      { version: '1.0.3' },
      { version: '1.0.4' },
    ]);
  });

  it('treats a version with a hyphen as a prerelease, as npm does', async () => {
    const { offered, releases } = await ask(source, {
      documents: packument({
        versions: { '1.0.0-0': {}, '1.0.0-rc.1': {}, '1.0.0': {}, '1.0.0+next': {}, '1.0.0-jre': {} },
      }),
    });

    expect(offered).toEqual([
      ['1.0.0-0', true],
      ['1.0.0-rc.1', undefined],
      ['1.0.0', undefined],
      ['1.0.0+next', undefined],
      ['1.0.0-jre', undefined],
    ]);
    expect(releases[0]).toEqual({ version: '1.0.0-0', isPrerelease: true });
  });

  it('ignores times of a mirror, which may have stamped them itself', async () => {
    const documents = packument({ versions: { '1.0.0': {}, '1.0.1': {} }, time: { '1.0.0': created } });
    const { releases } = await ask(source, { documents });

    expect(releases).toEqual([{ version: '1.0.0' }, { version: '1.0.1' }]);
  });

  it('reads a document of 15,000 versions and 60 MB', async () => {
    const versions: Record<string, unknown> = {};
    const time: Record<string, string> = { created };
    for (let minor = 0; minor < 15_000; minor++) {
      versions[`1.${minor}.0`] = { name: '@example/agent', readme: 'x'.repeat(4_000) };
      time[`1.${minor}.0`] = created;
    }

    const { releases, skipped } = await ask(source, { documents: packument({ versions, time }) });

    expect(releases).toHaveLength(15_000);
    expect(releases.at(-1)).toEqual({ version: '1.14999.0', releaseTimestamp: created });
    expect(skipped).toEqual([]);
  });
});
