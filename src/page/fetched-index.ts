import { openReleases } from '../answers/published-index.ts';
import type { DetailsFile } from '../model/published/details-file.ts';
import { QueryError } from '../query/query-error.ts';

/** The index that the page belongs to. */
export const index = openReleases({
  async read(path) {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.text();
  },
});

/** The details of a component, which are read when they are first needed. */
export function openDetails(component: string): () => Promise<DetailsFile> {
  let read: Promise<DetailsFile | undefined> | undefined;
  return async () => {
    read ??= index.details(component);
    try {
      return (await read)!;
    } catch (error) {
      read = undefined;
      throw error;
    }
  };
}

/** Why there is no answer, in a sentence. */
export function failure(error: unknown): string {
  const { message } = error as Error;
  return error instanceof QueryError ? `Not a query: ${message}` : `No answer, please try again: ${message}`;
}
