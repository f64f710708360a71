import { selects } from '../core/query/match.ts';
import { parseQuery, QueryError, type Field, type Query } from '../core/query/parse.ts';
import { releaseFields } from '../core/query/release-fields.ts';
import type { Row, Verdict } from '../core/schema/documents.ts';
import type { Component as Details } from '../core/schema/published.ts';
import { quote } from '../core/text.ts';
import { suggestOwners } from '../core/index/owners.ts';
import { findVerdict } from '../core/index/verdicts.ts';
import { AskError } from './errors.ts';
import { readNames, type PublishedIndex } from './index.ts';

/** Parses a query as of the day of the build. An error has the position of the first wrong character. */
export function readQuery(
  text: string,
  asOf: string,
  fields: readonly Field[] = releaseFields,
): Query {
  try {
    return parseQuery(text, fields, Date.parse(asOf));
  } catch (error) {
    if (error instanceof QueryError) {
      const { position, expected } = error;
      throw new AskError(400, `query: ${error.message}`, {
        parameter: 'query',
        position,
        expected,
      });
    }

    throw error;
  }
}

/** The elements that a query selects. An unknown value passes no test, and every negated one. */
export function select<Item>(
  query: Query,
  items: readonly Item[],
  toRow: (item: Item) => Readonly<Record<string, unknown>>,
): Item[] {
  return items.filter((item) => selects(query, toRow(item)));
}

/** The releases that a query selects, by component, then in version order; and what to know about them. */
export async function searchReleases(
  index: PublishedIndex,
  text: string,
): Promise<{ releases: Row[]; notes: string[] }> {
  const { asOf } = await index.status();
  const query = readQuery(text, asOf);
  const releases = select(query, await index.releases(), (row) => row);

  const notes: string[] = [];
  for (const flag of listNegatedFlags(query)) {
    const unknown = releases.filter((row) => row[flag] === undefined).length;
    if (unknown > 0) {
      notes.push(`${flag} is unknown for ${unknown} of these; ${flag}:* leaves them out.`);
    }
  }
  // A misspelt name is not a component without releases.
  for (const name of releases.length === 0 ? listNamed(query) : []) {
    const names = await readNames(index);
    const [meant] = suggestOwners(name, names);
    if (meant && meant.component !== name) {
      notes.push(`Did you mean component:${meant.component}?`);
    }
  }
  return { releases, notes };
}

/** The components that a query names whole. */
function listNamed(query: Query): string[] {
  if ('not' in query) {
    return [];
  }
  if ('fields' in query) {
    const isNamed = query.fields.every(({ name }) => name === 'component');
    return isNamed && 'pieces' in query.test && query.test.pieces.length === 1
      ? [...query.test.pieces]
      : [];
  }
  return ('and' in query ? query.and : query.or).flatMap(listNamed);
}

/** The verdict on a version of a component. One that is not listed has that of its line. */
export function judgeVersion(details: Details, text: string): Verdict {
  const verdict = findVerdict(details, text);
  if (!verdict) {
    throw new AskError(400, `version: expected a version such as 2025.3; got ${quote(text)}`, {
      parameter: 'version',
    });
  }

  return verdict;
}

/** The Boolean fields that a query negates, except in `field:*`. `isNegated`: a negation is around the whole query. */
export function listNegatedFlags(query: Query, isNegated = false): string[] {
  if ('not' in query) {
    return listNegatedFlags(query.not, !isNegated);
  }
  if ('fields' in query) {
    const isFlag = query.fields.every(({ type }) => type === 'Boolean');
    return isFlag && isNegated && !('isKnown' in query.test)
      ? query.fields.map(({ name }) => name)
      : [];
  }

  const parts = 'and' in query ? query.and : query.or;
  return [...new Set(parts.flatMap((part) => listNegatedFlags(part, isNegated)))];
}
