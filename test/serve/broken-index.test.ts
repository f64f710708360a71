/** Checks the endpoints of an index whose files are missing, broken or old. */
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openIndex } from '../../src/ask/published-index.ts';
import { openSite } from '../../src/core/site-reader.ts';
import { openFiles, openSiteApi } from '../harness/api.ts';
import { buildFolder, writeIndex } from '../harness/components.ts';
import { askEndpoint, describeAnswer, type Endpoint } from '../harness/endpoints.ts';
import { buildExample } from '../harness/site.ts';

const out = buildExample();
const site = openSite(out);
const everyEndpoint = ['read', 'export', 'scan'] satisfies Endpoint[];

test.each<[name: string, bytes: Buffer | undefined, detail: RegExp]>([
  ['missing', undefined, /^503 \S+\.json is missing in the index\.$/],
  ['cut', Buffer.from('{"asOf"'), /^503 \S+\.json is not JSON: /],
])('endpoints answer 503 with Retry-After while a file is %s', async (_name, bytes, detail) => {
  for (const endpoint of everyEndpoint) {
    const ask = openSiteApi({ read: () => Promise.resolve(bytes) });
    const answer = await askEndpoint(ask, endpoint, undefined);

    expect(answer.headers.get('retry-after')).toBe('10');
    expect(await describeAnswer(answer)).toMatch(detail);
  }
});

test('a file that could not be read is read again at the next request', async () => {
  let isDown = true;
  const ask = openSiteApi({ read: async (path) => (isDown ? undefined : site.read(path)) });
  expect((await askEndpoint(ask, 'read', undefined)).status).toBe(503);

  isDown = false;
  expect((await askEndpoint(ask, 'read', undefined)).status).toBe(200);
});

const note = 'This index was last updated on 2026-11-27; newer releases may be missing.';

test.each([
  ['2026-11-30T23:59:59.999Z', null],
  ['2026-12-01T00:00:00.000Z', note],
])(
  'answers have a staleness note if the index is outdated: at %s, the note is %s',
  async (now, expected) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
    onTestFinished(() => void vi.useRealTimers());
    const status = { ...(await openIndex(site).status()), staleAfterDays: 3 };
    const ask = openSiteApi(openFiles({ 'status.json': status }, out));
    for (const endpoint of everyEndpoint) {
      const answer = await askEndpoint(ask, endpoint, undefined);

      expect(answer.headers.get('release-index-as-of')).toBe('2026-11-27');
      expect(answer.headers.get('release-index-note')).toBe(expected);
      if (endpoint === 'export') {
        expect((await answer.text()).split('\n\n')[1]).toMatch(
          expected ? `: ${expected}` : /^id: /,
        );
      }
    }
  },
);

test('a note about an unlisted version of a component with a Japanese title is sent as an ASCII header', async () => {
  const root = writeIndex({
    svc: { definition: { title: 'サーバー' }, releases: { '1.0': '2026-01-01' } },
  });
  buildFolder(root, '2026-11-27');
  const { headers } = await openSiteApi(join(root, 'dist'))('/api/releases?query=svc%209.9');

  const encoded = headers.get('release-index-note')!;
  expect(encoded).toMatch(/^[ -~]+$/);
  expect(decodeURIComponent(encoded)).toContain('サーバー 9.9 is not');
});
