/** Sends long lists page by page. */
import * as z from 'zod';
import { AskError } from '../../ask/ask-error.ts';
import { type Call, textParameter } from './route.ts';

const sizeError = { error: 'expected a whole number from 1 to 1000' };
const afterForm = 'the value in a link to the next page';

export const queryParameter = textParameter(2000, 'a query').default('');
export const sizeParameter = z.coerce
  .number(sizeError)
  .int(sizeError)
  .min(1, sizeError)
  .max(1000, sizeError)
  .default(100);
export const afterParameter = textParameter(300, afterForm).optional();

/**
 * Returns one page of a list. Adds the header `Link`, which leads to the next page. `after`: the name of the last element of the previous
 * page.
 */
export function cutPage<Item>(
  call: Call,
  items: readonly Item[],
  { after, size }: { after: string | undefined; size: number },
  nameItem: (item: Item) => string,
): readonly Item[] {
  const position = after === undefined ? -1 : items.findIndex((item) => nameItem(item) === after);
  if (after !== undefined && position === -1) {
    throw new AskError(400, `after: expected ${afterForm}`, { parameter: 'after' });
  }

  const start = position + 1;
  const end = start + size;
  const page = items.slice(start, end);
  const last = page.at(-1);
  if (last !== undefined && items.length > end) {
    const next = new URL(call.req.url);
    next.searchParams.set('after', nameItem(last));
    const { baseUrl } = call.get('settings');
    call.header('Link', `<${baseUrl}${next.pathname}${next.search}>; rel="next"`);
  }
  return page;
}
