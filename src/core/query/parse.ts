import { fields as releaseFields, type Field } from './fields.ts';
import { nearest } from '../nearest.ts';
import { createScanner } from './scanner.ts';
import { parseTest, type Test } from './term.ts';

/** A query as a tree. It selects a release that passes the test of a term in any of the term's fields. */
export type Query =
  | { readonly and: readonly Query[] }
  | { readonly or: readonly Query[] }
  | { readonly not: Query }
  | { readonly fields: readonly Field[]; readonly asks: Test };

export const maxQueryLength = 2000;
const maxLevels = 50;
const containing = ['component', 'title', 'version'];

/** What stands between two parts: a word by itself, or, of what all must hold, nothing but another part. */
const joints = {
  or: /or(?![^\s\]()])/iy,
  and: /and(?![^\s\]()])|(?!$|\)|or(?![^\s\]()]))/iy,
};

/** Reads a query as of a day, `YYYY-MM-DD`, from whose start relative values count. Throws a `QueryError`. */
export function parseQuery(query: string, day: string, fields: readonly Field[] = releaseFields): Query {
  const scanner = createScanner(query);
  const { at, isAt, take, token, positionOf, refuse } = scanner;
  const now = Date.parse(day);
  let level = 0;

  const tooMuch = [...query].slice(0, maxQueryLength).join('').length;
  if (tooMuch < query.length) refuse('at most 2,000 characters', tooMuch);
  take(/\s*/y);
  if (isAt(/$/y)) return { and: [] };
  const tree = either();
  if (!isAt(/$/y)) refuse('a ( before this one');
  return tree;

  function either(): Query {
    return joined('or', () => joined('and', single));
  }

  function joined(kind: 'and' | 'or', part: () => Query): Query {
    const parts = [part()];
    while (take(joints[kind]) !== undefined) parts.push(part());
    if (parts.length === 1) return parts[0]!;
    return kind === 'or' ? { or: parts } : { and: parts };
  }

  /** A term or what stands in parentheses, perhaps negated, and the space behind it. */
  function single(): Query {
    take(/\s*/y);
    const start = at();
    const opening = take(/[(-]|not(?![^\s\]()])/iy);
    if (!opening) return term();
    if (level === maxLevels) refuse(`at most ${maxLevels} levels of parentheses and negation`, start);
    if (opening === '-' && isAt(/\s|$/y)) refuse('a term right after the -');
    level += 1;
    const found = opening === '(' ? either() : single();
    level -= 1;
    if (opening !== '(') return { not: found };
    if (!take(/\)/y)) refuse(`a ) for the ( at character ${positionOf(start)}`);
    endTerm();
    return found;
  }

  function term(): Query {
    const start = at();
    const isNegated = take(/!/y) !== undefined;
    const { literal: text, isQuoted, pieces, at: place } = token();
    const isField = !isQuoted && isAt(/:/y);
    if (!isQuoted && (!text || (!isField && /^(?:and|or|not)$/i.test(text))))
      refuse('a field and a pattern, or a text to look for', place);
    const named = isQuoted ? undefined : fields.find(({ name }) => name.toLowerCase() === text.toLowerCase());
    if (isField && !named) refuse(`the name of a field (${namesLike(text)})`, place);
    const isBoolean = named?.type === 'Boolean';
    if (isNegated && !isBoolean) refuse('a Boolean field after !, such as !isLatest', start);
    let found: Query = {
      fields: fields.filter(({ name }) => containing.includes(name)),
      asks: { pieces: ['', ...pieces, ''] },
    };
    if (named && (isField || isBoolean)) {
      const asks = isField ? testOf(named, isNegated) : { pieces: ['true'] };
      found = { fields: [named], asks };
    }
    endTerm();
    return isNegated ? { not: found } : found;
  }

  function testOf(field: Field, isNegated: boolean): Test {
    take(/:/y);
    if (!isNegated) return parseTest(scanner, field, now);
    if (!take(/\*/y)) refuse(`* behind !${field.name}: or no colon`);
    return { pieces: ['', ''] };
  }

  /** What follows a term must not run into it: it would be read as something else than was meant. */
  function endTerm(): void {
    const next = query.charAt(at());
    if (/[<>=]/.test(next)) refuse(`a comparison in the form field:${next}value`);
    if (/[^\s)]/.test(next)) refuse('a space, or double quotes around the whole text');
    take(/\s*/y);
  }

  function namesLike(text: string): string {
    const names = fields.map(({ name }) => name);
    const near = nearest(text, names);
    return near === undefined ? names.join(', ') : `did you mean ${near}?`;
  }
}

/** The component whose releases alone a query can select, where it names one exactly; in lower case, as every name is. */
export function namedComponent(query: Query): string | undefined {
  if ('and' in query) return query.and.map(namedComponent).find((name) => name !== undefined);
  if (!('asks' in query) || !query.asks.pieces) return undefined;
  const { pieces } = query.asks;
  return query.fields[0]?.name === 'component' && pieces.length === 1 ? pieces[0] : undefined;
}
