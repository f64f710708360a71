/** Lists that are answered in pages, where each page links to the next. */
import { maxPageSize } from '../../../core/schemas/published/answer-schemas.ts';
import { formatNumber } from '../../../core/text/wording.ts';
import type { Parameter } from './endpoint.ts';

const defaultPageSize = 100;

export function createPageSize(name: string, nouns: string): Parameter {
  return {
    name,
    in: 'query',
    description: `Maximum number of ${nouns} in a page.`,
    expected: `a whole number from 1 to ${formatNumber(maxPageSize)}`,
    schema: { type: 'integer', minimum: 1, maximum: maxPageSize, default: defaultPageSize },
  };
}

/** The first elements of a list as a page, and the last of them if more follow. */
export function cutPage<Element>(list: readonly Element[], size: string | undefined) {
  const page = list.slice(0, Number(size ?? defaultPageSize));
  return { page, last: list.length > page.length ? page.at(-1) : undefined };
}

/** A link to the next page, which begins behind `after`, on the host of the index: the host in the request could be anything. */
export function linkNextPage({ url }: Request, baseUrl: string, after: string): { Link: string } {
  const { pathname, search } = new URL(url);
  const next = new URL(`${baseUrl}${pathname}${search}`);
  next.searchParams.set('after', after);
  return { Link: `<${next.href}>; rel="next"` };
}
