import { fields as releaseFields, type Field } from './fields.ts';
import { nearest } from './query-error.ts';
import { createScanner } from './scanner.ts';
import { parseTest, type Test } from './term.ts';

/** A query as a tree. It selects a release that passes the test of a term in any of the term's fields. */
export type Query =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Query[] }
  | { readonly kind: 'not'; readonly part: Query }
  | Term;

export interface Term {
  readonly kind: 'term';
  /** The place of its first character, from 1. */
  readonly position: number;
  readonly fields: readonly Field[];
  readonly test: Test;
}

export const maxQueryLength = 2000;
const maxLevels = 50;
const containing = ['component', 'title', 'version'];

/** Reads a query as of a day, `YYYY-MM-DD`, from whose start relative values count. Throws a `QueryError`. */
export function parseQuery(query: string, day: string, fields: readonly Field[] = releaseFields): Query {
  const scanner = createScanner(query);
  const now = Date.parse(day);
  const byName = new Map(fields.map((field) => [field.name.toLowerCase(), field]));
  let level = 0;

  if (scanner.length > maxQueryLength) scanner.refuse('at most 2,000 characters', maxQueryLength);
  scanner.skipSpace();
  if (scanner.isEnd()) return { kind: 'and', parts: [] };
  const tree = either();
  if (!scanner.isEnd()) scanner.refuse('a ( before this one');
  return tree;

  function either(): Query {
    const parts = [all()];
    while (scanner.takeWord('or')) parts.push(all());
    return parts.length === 1 ? parts[0]! : { kind: 'or', parts };
  }

  function all(): Query {
    const parts = [single()];
    while (scanner.takeWord('and') || !isEndOfAll()) parts.push(single());
    return parts.length === 1 ? parts[0]! : { kind: 'and', parts };
  }

  function isEndOfAll(): boolean {
    return scanner.isEnd() || scanner.next() === ')' || scanner.isAtWord('or');
  }

  /** A term or what stands in parentheses, perhaps negated, and the space behind it. */
  function single(): Query {
    scanner.skipSpace();
    const at = scanner.at();
    if (scanner.takeWord('not')) return nested(at, () => ({ kind: 'not', part: single() }));
    if (scanner.take('-')) {
      if (scanner.isEnd() || /\s/.test(scanner.next())) scanner.refuse('a term right after the -');
      return nested(at, () => ({ kind: 'not', part: single() }));
    }
    const found = scanner.take('(') ? nested(at, () => inParentheses(at)) : term();
    scanner.endTerm(')');
    scanner.skipSpace();
    return found;
  }

  function inParentheses(at: number): Query {
    const tree = either();
    if (!scanner.take(')')) scanner.refuse(`a ) for the ( at character ${at + 1}`);
    return tree;
  }

  function nested(at: number, read: () => Query): Query {
    level += 1;
    if (level > maxLevels) scanner.refuse(`at most ${maxLevels} levels of parentheses and negation`, at);
    const tree = read();
    level -= 1;
    return tree;
  }

  function term(): Query {
    const start = scanner.at();
    const isNegated = scanner.take('!');
    const { text, isQuoted, pieces, at } = scanner.token();
    const isField = !isQuoted && scanner.next() === ':';
    const of = (fields: readonly Field[], test: Test): Query => {
      const found: Term = { kind: 'term', position: start + 1, fields, test };
      return isNegated ? { kind: 'not', part: found } : found;
    };

    if (!isQuoted && (text === '' || (!isField && /^(?:and|or|not)$/i.test(text)))) {
      scanner.refuse('a field and a pattern, or a text to look for', at);
    }
    const named = isQuoted ? undefined : byName.get(text.toLowerCase());
    if (isField && !named) scanner.refuse(`the name of a field (${namesLike(text)})`, at);
    if (isNegated && named?.type !== 'Boolean') {
      scanner.refuse('a Boolean field after !, such as !isLatest', start);
    }
    if (named && isField) {
      scanner.take(':');
      if (!isNegated) return of([named], parseTest(scanner, named, now));
      if (!scanner.take('*')) scanner.refuse(`* behind !${named.name}: or no colon`);
      return of([named], { kind: 'known' });
    }
    if (named?.type === 'Boolean') return of([named], { kind: 'is', value: true });
    return of(
      fields.filter(({ name }) => containing.includes(name)),
      { kind: 'text', pieces: ['', ...pieces, ''] },
    );
  }

  function namesLike(text: string): string {
    const names = fields.map(({ name }) => name);
    const near = nearest(text, names);
    return near === undefined ? names.join(', ') : `did you mean ${near}?`;
  }
}

/** The component whose releases alone a query can select, where it names one exactly; in lower case, as every name is. */
export function namedComponent(query: Query): string | undefined {
  if (query.kind === 'and') return query.parts.map(namedComponent).find((name) => name !== undefined);
  if (query.kind !== 'term' || query.test.kind !== 'text' || query.test.pieces.length > 1) return undefined;
  return query.fields[0]?.name === 'component' ? query.test.pieces[0] : undefined;
}
