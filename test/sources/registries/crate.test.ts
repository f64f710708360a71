import { expect, test } from 'vitest';
import { ask } from '../../harness/ask-source.ts';
import { json, text } from '../../harness/upstream.ts';

const inLines = (...entries: object[]) =>
  text(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
const index = inLines({ vers: '1.0.0', yanked: false }, { vers: '1.0.1', yanked: true });
const list = '/crates.io/api/v1/crates/serde/versions?per_page=100';

const day = (num: string, created_at: string | null) => ({ num, created_at });

test("crate asks crates.io once for the release dates that the registry's index lacks", async () => {
  const { releases, asked } = await ask(() => ({ datasource: 'crate', packageName: 'serde' }), {
    standsFor: 'https://',
    documents: {
      '/index.crates.io/se/rd/serde': index,
      [list]: json({
        versions: [day('1.0.1', '2017-04-20T18:00:00Z'), day('9', null)],
        meta: { next_page: '?per_page=100&seek=ab' },
      }),
      [`${list}&seek=ab`]: json({ versions: [day('1.0.0', '2017-04-20T15:26:44Z')] }),
    },
  });

  expect(releases).toEqual([
    { version: '1.0.0', releaseTimestamp: '2017-04-20T15:26:44Z' },
    {
      version: '1.0.1',
      releaseTimestamp: '2017-04-20T18:00:00Z',
      deprecated: 'no reason given',
    },
  ]);
  expect(asked).toHaveLength(3);
});
