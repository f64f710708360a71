import { expect, it } from 'vitest';
import { ask } from '../../harness/asking.ts';

it('static returns the releases in the definition without a request', async () => {
  const changelogUrl = 'https://example.com/1.0';
  const releases = [
    { version: '1.0', releaseTimestamp: '2026-03-25', changelogUrl, deprecated: 'broken' },
    { version: '1.1' },
  ];
  const asked = await ask(() => ({ datasource: 'static', releases }));

  expect(asked.releases).toEqual(releases);
  expect(asked.requests).toEqual([]);
});
