import { catalogueWith, createMemory, readSearched } from '../answers/published-index.ts';
import type { DetailsFile } from '../model/published/details-file.ts';
import type { SearchFile } from '../model/published/search-file.ts';
import type { StatusFile } from '../model/published/status-file.ts';
import { QueryError } from '../query/query-error.ts';

const { once } = createMemory();

/** The index that the page belongs to. Each document is read when it is first needed. */
export const index = {
  status: () => read<StatusFile>('status.json'),
  details: (component: string) => read<DetailsFile>(`details/${component}.json`),
  catalogue: () =>
    once('', async () => catalogueWith(await index.status(), await readSearched(read<SearchFile>))),
};

function read<Document>(path: string): Promise<Document> {
  return once(path, async () => {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return response.json();
  });
}

/** Why there is no answer, in a sentence. */
export function failure(error: unknown): string {
  const { message } = error as Error;
  return error instanceof QueryError ? `Not a query: ${message}` : `No answer, please try again: ${message}`;
}
