import { selects } from '../core/query/match.ts';
import { parseQuery, QueryError, type Field, type Query, type Term } from '../core/query/parse.ts';
import { releaseFields } from '../core/query/release-fields.ts';
import type { Verdict } from '../core/schema/documents.ts';
import type { Component } from '../core/schema/published.ts';
import { quote } from '../core/text.ts';
import { suggestOwners, type Names } from '../core/index/owners.ts';
import { findVerdict } from '../core/index/verdicts.ts';
import { AskError } from './errors.ts';
import type { PublishedIndex } from './published-index.ts';

/** Parses a query as of the day of the build. An error has the position of the first wrong character. */
export function readQuery(
  text: string,
  asOf: string,
  fields: readonly Field[] = releaseFields,
): Query {
  try {
    return parseQuery(text, fields, Date.parse(asOf));
  } catch (error) {
    if (!(error instanceof QueryError)) {
      throw error;
    }

    const { message, position, expected } = error;
    throw new AskError(400, `query: ${message}`, { parameter: 'query', position, expected });
  }
}

/** The releases that a query selects, by component, then in version order; and what to know about them. */
export async function searchReleases(index: PublishedIndex, text: string) {
  const { asOf } = await index.status();
  const query = readQuery(text, asOf);
  const rows = await index.releases();
  const releases = rows.filter((row) => selects(query, row));

  const notes: string[] = [];
  for (const flag of listNegatedFlags(query)) {
    const count = releases.filter((row) => row[flag] === undefined).length;
    if (count > 0) {
      notes.push(`${flag} is unknown for ${count} of these; ${flag}:* leaves them out.`);
    }
  }
  if (releases.length === 0) {
    notes.push(...suggestNames(query, await index.names()));
  }
  return { releases, notes };
}

/** A misspelt name is not a component without releases. */
function* suggestNames(query: Query, names: Names) {
  for (const { fields, test } of listTerms(query)) {
    const isName = fields.every(({ name }) => name === 'component');
    if (isName && 'pieces' in test && test.pieces.length === 1) {
      const [name] = test.pieces;
      const [meant] = suggestOwners(name, names);
      if (meant && meant.component !== name) {
        yield `Did you mean component:${meant.component}?`;
      }
    }
  }
}

/** The verdict on a version of a component. One that is not listed has that of its line. */
export function judgeVersion(component: Component, text: string): Verdict {
  const verdict = findVerdict(component, text);
  if (!verdict) {
    throw new AskError(400, `version: expected a version such as 2025.3; got ${quote(text)}`, {
      parameter: 'version',
    });
  }

  return verdict;
}

/** The Boolean fields that a query negates, except in `field:*`. */
export function listNegatedFlags(query: Query): string[] {
  const negated = [...listTerms(query)].filter(
    ({ fields, test, isNegated }) =>
      isNegated && !('isKnown' in test) && fields.every(({ type }) => type === 'Boolean'),
  );
  return [...new Set(negated.flatMap(({ fields }) => fields.map(({ name }) => name)))];
}

/** The tests of a query. `isNegated`: a negation is around the whole query. */
function* listTerms(query: Query, isNegated = false): Generator<Term & { isNegated: boolean }> {
  if ('not' in query) {
    yield* listTerms(query.not, !isNegated);
  } else if ('fields' in query) {
    yield { ...query, isNegated };
  } else {
    for (const part of 'and' in query ? query.and : query.or) {
      yield* listTerms(part, isNegated);
    }
  }
}
