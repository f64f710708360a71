import { openReleases } from '../answers/published-index.ts';
import { QueryError } from '../query/query-error.ts';

/** The index that the page belongs to. */
export const index = openReleases({
  async read(path) {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.text();
  },
});

/** Why there is no answer, in a sentence. */
export function failure(error: unknown): string {
  const { message } = error as Error;
  return error instanceof QueryError ? `Not a query: ${message}` : `No answer, try again: ${message}`;
}
