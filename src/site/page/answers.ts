// Loaded when a visitor asks a question, as `assets/ask.js`. It must not import what start-page.ts already holds.

import { describeResults, queryNotes } from '../../ask/search-releases.ts';
import { catalogueWith, readSearched } from '../../ask/published-index.ts';
import { compactOn, detailsOn, staleness } from '../../ask/as-of-day.ts';
import { judgeVersion } from '../../ask/judge-version.ts';
import { answerVersion as answerFrom, newestVersion, versionText } from '../../ask/version-answer.ts';
import { oldestFirst, toDay, type Day } from '../../core/dates.ts';
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
  const read = async (name: string) =>
    detailsOn(await readDocument<DetailsFile>(`details/${name}.json`), asOf);
  const details = await read(component);
  const { replacedBy } = details;
  const replacement = replacedBy === undefined ? undefined : await read(replacedBy);
  const version = asked ?? newestVersion(details);
  if (version === undefined) return undefined;
  const question = { version, asOf, wanted, latestOfReplacement: replacement?.latest };
  const judged = judgeVersion(details, question);
  const answer = answerFrom(details, question, [note, staleness(status, asOf)], judged);
  return { ...answer, text: versionText(answer), target: judged.target, between: judged.between };
}

/** By the clock of the visitor; never before the day of the build. */
function dayOfQuestion({ asOf }: StatusFile): Day {
  const today = toDay(new Date());
  return today > asOf ? today : asOf;
}

const catalogues = new Map<string, Catalogue>();

/** Questions about lines, which their latest releases answer. */
const aboutLines: ReadonlySet<string> = new Set(['supportLeft:<90d', 'releaseTimestamp:>-31d', 'isLatest']);

/** The releases that a query selects, and their number in a sentence. Throws a `QueryError` or a `TooMuchToSearchError`. */
export async function answerQuery(
  query: string,
  status: StatusFile,
  readDocument: ReadDocument,
): Promise<{ releases: Row[]; text: string }> {
  const asOf = dayOfQuestion(status);
  const parsed = parseQuery(query, asOf);
  const isAboutLines = aboutLines.has(query);
  const path = isAboutLines ? 'lines.json' : 'search.json';
  const catalogue =
    catalogues.get(path) ??
    catalogueWith(
      status,
      (await readSearched(readDocument, path)).map(([name, component]) => [name, compactOn(component, asOf)]),
    );
  catalogues.set(path, catalogue);
  const found = select(catalogue, parsed, asOf);
  const releases = found.map(rowOf);
  if (isAboutLines) releases.sort(byEnd);
  const notes = queryNotes(parsed, catalogue, asOf, found);
  const which = isAboutLines ? 'Only the latest release of each line is shown.' : [];
  const text = describeResults(releases, [notes, which, staleness(status, asOf) ?? []].flat());
  return { releases, text };
}

/** The soonest end first; those without one last. */
function byEnd({ supportedUntil: a = '9' }: Row, { supportedUntil: b = '9' }: Row): number {
  return oldestFirst(a, b);
}
