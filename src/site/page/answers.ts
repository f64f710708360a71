// Loaded when a visitor asks a question, as `assets/ask.js`. It must not import what start-page.ts already holds.

import { describeResults, queryNotes } from '../../ask/search-releases.ts';
import { catalogueOn, readSearched } from '../../ask/published-index.ts';
import { detailsOn, staleness, type DetailsOn } from '../../ask/details-on.ts';
import { judgeVersion } from '../../ask/judge-version.ts';
import { answerVersion as answerFrom, newestVersion, versionText } from '../../ask/version-answer.ts';
import { toDay, type Day } from '../../core/dates.ts';
import { rowOf, select, type Catalogue } from '../../core/query/catalogue.ts';
import type { Row } from '../../core/query/fields.ts';
import { parseQuery } from '../../core/query/parse.ts';
import type { DetailsFile } from '../../core/schemas/published/details-file.ts';
import type { StatusFile } from '../../core/schemas/published/status-file.ts';

type ReadDocument = <Document>(path: string) => Promise<Document>;

/**
 * The verdict on a version of a component, or on its latest, as of today; undefined where it has none. `wanted`: a version that
 * one could move to; `note`: a sentence about the question.
 */
export async function answerVersion(
  status: StatusFile,
  readDocument: ReadDocument,
  component: string,
  asked: string | undefined,
  { wanted, note }: { wanted?: string | undefined; note?: string | undefined } = {},
) {
  const asOf = dayOfQuestion(status);
  const details = await readComponent(status, readDocument, component);
  const { replacedBy } = details;
  const replacement =
    replacedBy === undefined ? undefined : await readComponent(status, readDocument, replacedBy);
  const version = asked ?? newestVersion(details);
  if (version === undefined) return undefined;
  const question = { version, wanted, latestOfReplacement: replacement?.latest?.version };
  const judged = judgeVersion(details, question);
  const answer = answerFrom(details, question, [note, staleness(status, asOf)], judged);
  return { ...answer, text: versionText(answer), target: judged.target, between: judged.between };
}

/** A component as of today. */
export async function readComponent(
  status: StatusFile,
  readDocument: ReadDocument,
  name: string,
): Promise<DetailsOn> {
  return detailsOn(await readDocument<DetailsFile>(`details/${name}.json`), dayOfQuestion(status));
}

/** By the clock of the visitor; never before the day of the build. */
function dayOfQuestion({ asOf }: StatusFile): Day {
  const today = toDay(new Date());
  return today > asOf ? today : asOf;
}

let catalogue: Catalogue | undefined;

/** The releases that a query selects, and their number in a sentence. Throws a `QueryError` or a `TooMuchToSearchError`. */
export async function answerQuery(
  query: string,
  status: StatusFile,
  readDocument: ReadDocument,
): Promise<{ releases: Row[]; text: string }> {
  const asOf = dayOfQuestion(status);
  const parsed = parseQuery(query, asOf);
  catalogue ??= catalogueOn(asOf, status, await readSearched(readDocument));
  const found = select(catalogue, parsed, asOf);
  const releases = found.map(rowOf);
  const notes = queryNotes(parsed, catalogue, asOf, found);
  const text = describeResults(releases, [notes, staleness(status, asOf) ?? []].flat());
  return { releases, text };
}
