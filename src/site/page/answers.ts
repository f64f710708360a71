// Loaded when a visitor asks a question, as `assets/ask.js`. It must not import what start-page.ts already holds.

import { describeResults } from '../../ask/search-releases.ts';
import { catalogueWith, readSearched } from '../../ask/published-index.ts';
import { describeVersion, questionAbout, versionText } from '../../ask/version-answer.ts';
import { rowOf, select, type Catalogue } from '../../core/query/catalogue.ts';
import type { Row } from '../../core/query/fields.ts';
import { parseQuery } from '../../core/query/parse.ts';
import type { DetailsFile } from '../../core/schemas/published/details-file.ts';
import type { StatusFile } from '../../core/schemas/published/status-file.ts';

type ReadDocument = <Document>(path: string) => Promise<Document>;

/** The verdict on a version of a component. `wanted`: a version that one could move to. */
export function answerVersion(status: StatusFile, details: DetailsFile, version: string, wanted?: string) {
  const answer = describeVersion(details, questionAbout(version, details, status, wanted));
  return { ...answer, text: versionText(answer) };
}

let catalogue: Catalogue | undefined;

/** The releases that a query selects, and their number in a sentence. Throws a `QueryError` or a `TooMuchToSearchError`. */
export async function answerQuery(
  query: string,
  status: StatusFile,
  readDocument: ReadDocument,
): Promise<{ releases: Row[]; text: string }> {
  const { asOf } = status;
  const parsed = parseQuery(query, asOf);
  catalogue ??= catalogueWith(status, await readSearched(readDocument));
  const releases = select(catalogue, parsed, asOf).map(rowOf);
  return { releases, text: `${describeResults(releases)} Verdicts of ${asOf}.` };
}
