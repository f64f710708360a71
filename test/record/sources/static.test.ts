import { describe, expect, it } from 'vitest';
import { ask } from '../../harness/asking.ts';

describe('static', () => {
  it('returns the releases in the definition without a request', async () => {
    const releases = [
      {
        version: '1.0',
        releaseTimestamp: '2026-03-25',
        changelogUrl: 'https://example.com/1.0',
        deprecated: 'broken',
      },
      { version: '1.1' },
    ];
    const asked = await ask(() => ({ datasource: 'static', releases }));

    expect(asked.releases).toEqual(releases);
    expect(asked.requests).toEqual([]);
  });

  it('selects versions like any other source', async () => {
    const { releases } = await ask(
      () => ({ datasource: 'static', releases: [{ version: 'v1.0' }, { version: 'nightly' }] }),
      { offer: (listed) => (listed.startsWith('v') ? listed.slice(1) : undefined) },
    );

    expect(releases).toEqual([{ version: '1.0' }]);
  });
});
