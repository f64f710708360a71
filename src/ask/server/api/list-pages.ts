/** Lists of published things, which a query selects, in pages that link to the next one. */
import { maxQueryLength } from '../../../core/query/parse.ts';
import { maxPageSize } from '../../../core/schemas/published/answer-schemas.ts';
import { formatCount, formatNumber } from '../../../core/text/wording.ts';
import { createParameter, type Parameter } from './endpoint.ts';
import { pastTimeForm } from './read-request.ts';

export function createQueryParameter(description: string, example: string) {
  return createParameter('query', 'query', maxQueryLength, {
    isQuestion: true,
    description,
    expected: `at most ${formatCount(maxQueryLength, 'character')}`,
    example,
  });
}

/** `published`: such as `Builds published`. `first`: the beginning of the whole list. */
export function createSinceParameter(published: string, first: string, example: string) {
  return createParameter('query', 'since', 40, {
    description: `${published} at this time or later: ${pastTimeForm}. To go on after the last page, give availableAt of its last entry plus one millisecond. With 0 or without it, the answer begins with ${first}.`,
    expected: pastTimeForm,
    example,
  });
}

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
