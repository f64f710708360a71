import { fields as releaseFields, type Field } from './fields.ts';
import { nearest } from './query-error.ts';
import { createScanner } from './scan.ts';
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

const maxCharacters = 2000;
const maxLevels = 50;
const containing = ['component', 'title', 'version'];

/** Reads a query as of a day, `YYYY-MM-DD`, from whose start relative values count. Throws a `QueryError`. */
export function parseQuery(query: string, day: string, fields: readonly Field[] = releaseFields): Query {
  const scanner = createScanner(query);
  const now = Date.parse(day);
  const byName = new Map(fields.map((field) => [field.name.toLowerCase(), field]));
  let level = 0;

  if (scanner.length > maxCharacters) {
    scanner.refuse('at most 2,000 characters', maxCharacters);
  }
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
    const { text, isQuoted, at } = scanner.token();
    const isField = !isQuoted && scanner.take(':');
    const refuseOther = () =>
      scanner.refuse('a Boolean field after !, such as !isLatest', start, scanner.at());
    const of = (fields: readonly Field[], test: Test): Query => {
      const found: Term = { kind: 'term', position: start + 1, fields, test };
      return isNegated ? { kind: 'not', part: found } : found;
    };

    if (!isQuoted && (text === '' || (!isField && /^(?:and|or|not)$/i.test(text)))) {
      const end = scanner.at();
      scanner.refuse('a field and a pattern, or a text to look for', at, Math.max(end, at + 1));
    }
    if (isField) {
      const field = byName.get(text.toLowerCase()) ?? unknown(text, at);
      if (!isNegated) return of([field], parseTest(scanner, field, now));
      if (field.type !== 'Boolean') refuseOther();
      if (!scanner.take('*')) scanner.refuse(`* behind !${field.name}: or no colon`);
      return of([field], { kind: 'known' });
    }
    const field = isQuoted ? undefined : byName.get(text.toLowerCase());
    if (field?.type === 'Boolean') return of([field], { kind: 'is', value: true });
    if (isNegated) refuseOther();
    const pieces = isQuoted ? [text] : text.split('*');
    return of(
      fields.filter(({ name }) => containing.includes(name)),
      { kind: 'text', pieces: ['', ...pieces.map((piece) => piece.toLowerCase()), ''] },
    );
  }

  function unknown(text: string, at: number): never {
    const names = fields.map(({ name }) => name);
    const near = nearest(text, names);
    const hint = near === undefined ? names.join(', ') : `did you mean ${near}?`;
    return scanner.refuse(`the name of a field (${hint})`, at, at + [...text].length);
  }
}
