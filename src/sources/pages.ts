import type { Http, HttpRequest, HttpResponse } from '../http/client.ts';
import { showUrl } from '../http/error.ts';
import { SourceError } from './source.ts';

/** No list in the world has more pages, and a server that makes up new ones must come to an end. */
const maxPages = 1000;

/** All pages of a list, in their order. One that fails fails all: half a list would look like versions withdrawn. */
export async function fetchPages(
  http: Http,
  first: HttpRequest,
  nextPage: (response: HttpResponse) => string | undefined,
): Promise<HttpResponse[]> {
  const pages: HttpResponse[] = [];
  const asked = new Set<string>();
  for (let url: string | undefined = first.url; url !== undefined;) {
    if (asked.has(url))
      throw new SourceError(`${showUrl(url)}: its pages lead in a circle, back to page ${pages.length}`);
    if (asked.size === maxPages)
      throw new SourceError(`${showUrl(url)}: there is a next page after ${maxPages} pages`);
    asked.add(url);
    const page: HttpResponse = await http.fetch({ ...first, url });
    pages.push(page);
    url = nextPage(page);
  }
  return pages;
}

export function acceptAll(responses: readonly HttpResponse[]): void {
  for (const response of responses) response.accept();
}
