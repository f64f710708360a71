import { selects } from '../core/query/match.ts';
import { parseQuery, QueryError, type Field, type Query, type Term } from '../core/query/parse.ts';
import { releaseFields } from '../core/query/release-fields.ts';
import type { Row, Verdict } from '../core/schema/documents.ts';
import type { Component } from '../core/schema/published.ts';
import { quote } from '../core/text.ts';
import { suggestOwners } from '../core/index/owners.ts';
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

/** The releases that a query selects, by component, then in version order; and what to know about them. */
export async function searchReleases(
  index: PublishedIndex,
  text: string,
): Promise<{ releases: Row[]; notes: string[] }> {
  const { asOf } = await index.status();
  const query = readQuery(text, asOf);
  const rows = await index.releases();
  const releases = rows.filter((row) => selects(query, row));

  const notes: string[] = [];
  for (const flag of listNegatedFlags(query)) {
    const unknown = releases.filter((row) => row[flag] === undefined).length;
    if (unknown > 0) {
      notes.push(`${flag} is unknown for ${unknown} of these; ${flag}:* leaves them out.`);
    }
  }
  // A misspelt name is not a component without releases.
  for (const { fields, test } of releases.length === 0 ? listTerms(query) : []) {
    const isName = fields.every(({ name }) => name === 'component') && 'pieces' in test;
    const [name, ...others] = isName ? test.pieces : [];
    const [meant] = others.length === 0 ? suggestOwners(name, await index.names()) : [];
    if (meant && meant.component !== name) {
      notes.push(`Did you mean component:${meant.component}?`);
    }
  }
  return { releases, notes };
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
