import { parseQuery, QueryError, type Field, type Query, type Term } from '../core/query/parse.ts';
import { releaseFields } from '../core/query/release-fields.ts';
import type { Found } from '../core/query/search.ts';
import { suggestOwners, type Names } from '../core/index/owners.ts';
import { readQuestion } from '../core/index/question.ts';
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

/** The releases that a text selects. */
interface Selection {
  /** By component, then in version order. */
  readonly releases: readonly Found[];
  /** What to know about them. */
  readonly hints: readonly string[];
}

/** The release that a text names; else those that a query selects, or that a text names in which a query finds nothing. */
export async function searchReleases(index: PublishedIndex, text: string): Promise<Selection> {
  const named = await findNamed(index, text);
  if (named?.isListed) {
    return named;
  }

  try {
    const { asOf } = await index.status();
    const query = readQuery(text, asOf);
    const releases = await index.search(query);
    const selected = { releases, hints: listHints(query, releases, await index.names()) };
    return releases.length > 0 ? selected : (named ?? selected);
  } catch (error) {
    // A package URL is no query.
    if (error instanceof AskError && named) {
      return named;
    }
    throw error;
  }
}

interface Named extends Selection {
  /** It is the release of a version. */
  readonly isListed: boolean;
}

/** The releases of a component, or the one of a version. One that is not listed has a verdict all the same. */
async function findNamed(index: PublishedIndex, text: string): Promise<Named | undefined> {
  const item = await readQuestion(text.trim(), await index.names());
  if (!item || item.range !== undefined) {
    return undefined;
  }

  const [{ match } = {}] = await index.find([item]);
  if (!match) {
    return undefined;
  }

  const all = await index.releases(match.component);
  if (item.version === undefined) {
    return { releases: all, hints: [], isListed: false };
  }

  const { verdict, release } = match;
  return (
    verdict && {
      releases: all.filter(({ table, row }) => table.value('version', row) === release?.version),
      hints: release ? [] : [`${verdict.sentence} ${verdict.advice}`],
      isListed: release !== undefined,
    }
  );
}

function listHints(query: Query, releases: readonly Found[], names: Names): string[] {
  if (releases.length === 0) {
    return [...suggestNames(query, names)];
  }

  return listNegatedFlags(query).flatMap((flag) => {
    const { length } = releases.filter(({ table, row }) => table.value(flag, row) === undefined);
    return length > 0
      ? `${flag} is unknown for ${length} of these; ${flag}:* leaves them out.`
      : [];
  });
}

/** A misspelt name is not a component without releases. */
function* suggestNames(query: Query, names: Names) {
  for (const { fields, test } of listTerms(query)) {
    const isName = fields.every(({ name }) => name === 'component');
    if (isName && 'pieces' in test && test.pieces.length === 1) {
      const [name] = test.pieces;
      const [nearest] = suggestOwners(name, names);
      if (nearest && nearest.component !== name) {
        yield `Did you mean component:${nearest.component}?`;
      }
    }
  }
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
