import { askedOf } from '../../ask/published-answers.ts';
import { catalogueWith, createMemory, readSearched } from '../../ask/published-index.ts';
import { sayOfVersion } from '../../ask/version-answer.ts';
import type { DetailsFile } from '../../core/schemas/published/details-file.ts';
import type { SearchFile } from '../../core/schemas/published/search-file.ts';
import type { StatusFile } from '../../core/schemas/published/status-file.ts';
import type { Catalogue } from '../../core/query/catalogue.ts';
import { QueryError } from '../../core/query/query-error.ts';

const { once } = createMemory();

// The index that the page belongs to. Each document is read when it is first needed.

export function readStatus(): Promise<StatusFile> {
  return read('status.json');
}

export function readDetails(component: string): Promise<DetailsFile> {
  return read(`details/${component}.json`);
}

export function readCatalogue(): Promise<Catalogue> {
  return once('', async () => catalogueWith(await readStatus(), await readSearched(read<SearchFile>)));
}

/** What is said of a version of a component. `target`: a version that one could move to. */
export async function sayOf(component: string, version: string, target?: string) {
  const details = await readDetails(component);
  return sayOfVersion(details, askedOf(await readStatus(), details, version, target));
}

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
