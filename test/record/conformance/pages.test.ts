import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Fetcher, HttpResponse } from '../../../src/io/http/client.ts';
import { fetchPages } from '../../../src/record/sources/shared/requests.ts';
import { expectFailed, expectUpdated } from '../../harness/expectations.ts';
import { run, type Behaviour } from '../../harness/gathering.ts';
import { remoteUpstreams } from '../../harness/imitated-upstreams.ts';
import { always, answer, changed, serve, type Handler } from '../../harness/upstream.ts';

/** The list in pages of two, with another answer for the second page. */
function secondPage(handler: Handler): Pick<Behaviour, 'pageSize' | 'handler'> {
  return {
    pageSize: 2,
    handler: (documents) => {
      const second = [...documents.keys()][1];
      const sound = serve(documents);
      return (request, response) => (request.url === second ? handler : sound)(request, response);
    },
  };
}

describe.concurrent.each(remoteUpstreams.filter(({ hasPages }) => hasPages))(
  '$name, in pages',
  (imitation) => {
    it('reads all pages', async () => {
      expectUpdated(await run(imitation, { pageSize: 2 }));
    });

    it.each<[string, Handler, RegExp]>([
      ['fails', always(500), /answered 500 \(4 attempts\)/],
      [
        'is not a list',
        (_, response) => answer(response, 200, 'application/json', '{"message":"!"}'),
        /expected|required/,
      ],
    ])('keeps recorded data when one page %s', async (_, handler, reason) => {
      expectFailed(await run(imitation, secondPage(handler)), reason);
    });

    it('does not follow a next page to another host', async () => {
      const next = 'https://registry.example.org/page/2';
      const outcome = await run(imitation, {
        pageSize: 2,
        handler: (documents) =>
          changed(documents, ({ type, body, headers }) => ({
            type,
            body: String(body).replaceAll(/"next":"[^"]+"/g, `"next":"${next}"`),
            ...(headers?.['link'] && { headers: { link: `<${next}>; rel="next"` } }),
          })),
      });

      expectFailed(outcome, /next.*registry\.example\.org\/page\/2/);
    });

    it('keeps recorded data when the pages lead in a circle', async () => {
      const outcome = await run(imitation, {
        pageSize: 2,
        handler: (documents, url) => {
          const [first, second] = documents.keys();
          return changed(documents, ({ type, body, headers }) => ({
            type,
            body: String(body).replaceAll(
              /"next":(?:"[^"]+"|null)/g,
              `"next":"${new URL(second!, url).href}"`,
            ),
            headers: { ...headers, link: `<${second}>; rel="next", <${first}>; rel="first"` },
          }));
        },
      });

      expectFailed(outcome, /its pages lead in a circle/);
    });
  },
);

it('gives up a list after a thousand pages', async () => {
  const page = (url: string) => {
    const next = `<?page=${Number(new URL(url).searchParams.get('page') ?? 1) + 1}>; rel="next"`;
    const headers = new Map([['link', next]]);
    return {
      url,
      headers,
      body: Buffer.from('[]'),
      text: () => '[]',
      json: () => [],
    } as unknown as HttpResponse;
  };
  const http = { fetch: ({ url }) => Promise.resolve(page(url)) } as Fetcher;
  const first = { url: 'https://api.example/tags', accept: ['application/json'] };
  const asked = fetchPages(http, first, z.array(z.unknown()));

  await expect(asked).rejects.toThrow(/its list goes on after 1000 pages/);
});
