import { isOneEdit, nearest } from '../text/nearest.ts';
import type { Field } from './field-types.ts';
import { fields as releaseFields } from './fields.ts';
import { QueryError } from './query-error.ts';
import { createScanner, isSpace } from './scanner.ts';
import { asksIfKnown, parseTest, type Test } from './term.ts';

/** A query as a tree. It selects a release that passes the test of a term in any of the term's fields. */
export type Query =
  | { readonly and: readonly Query[] }
  | { readonly or: readonly Query[] }
  | { readonly not: Query }
  | {
      readonly fields: readonly Field[];
      readonly asks: Test;
      /** As written; absent where a word means a value as well as a text. */
      readonly text?: string;
    };

export const maxQueryLength = 2000;
const maxLevels = 50;

/** The fields that a text without a field is searched in. */
const textFields = ['component', 'title', 'version', 'requested', 'tag'];

/**
 * Reads a query as of the start of a day, `YYYY-MM-DD`. Throws a `QueryError`.
 *
 *     either  = all { "or" all }
 *     all     = single { [ "and" ] single }
 *     single  = "(" either ")" | ( "-" | "not" ) single | term
 *     term    = [ "!" ] ( flag | field ":" test | text )
 */
export function parseQuery(
  query: string,
  day: string,
  fields: readonly Field[] = releaseFields,
): Query {
  const scanner = createScanner(query);
  const { at, peek, skipSpace, take, isAtWord, takeWord, readToken, positionOf, reject } = scanner;
  const now = Date.parse(day);
  let level = 0;

  const longest = [...query].slice(0, maxQueryLength).join('').length;
  if (longest < query.length) {
    reject('at most 2,000 characters', longest);
  }

  skipSpace();

  if (peek() === '') {
    return { and: [] };
  }

  const tree = either();

  if (peek() !== '') {
    reject('a ( before this one');
  }

  return tree;

  function either(): Query {
    const first = all();
    const others: Query[] = [];

    while (takeWord('or')) {
      others.push(all());
    }

    return others.length === 0 ? first : { or: [first, ...others] };
  }

  function all(): Query {
    const first = single();
    const others: Query[] = [];

    while (takeWord('and') || !(peek() === '' || peek() === ')' || isAtWord('or'))) {
      others.push(single());
    }

    return others.length === 0 ? first : { and: [first, ...others] };
  }

  function single(): Query {
    skipSpace();

    const start = at();

    if (take('(')) {
      return deeper(start, () => group(start));
    }

    if (take('-')) {
      return deeper(start, negated);
    }

    if (takeWord('not')) {
      return deeper(start, () => ({ not: single() }));
    }

    return term();
  }

  function deeper(start: number, parse: () => Query): Query {
    if (level === maxLevels) {
      reject(`at most ${maxLevels} levels of parentheses and negation`, start);
    }

    level += 1;

    const parsedQuery = parse();

    level -= 1;

    return parsedQuery;
  }

  function group(start: number): Query {
    const inner = either();

    if (!take(')')) {
      reject(`a ) for the ( at character ${positionOf(start)}`);
    }

    endTerm();

    return inner;
  }

  function negated(): Query {
    if (peek() === '' || isSpace(peek())) {
      reject('a term right after the -');
    }

    return { not: single() };
  }

  function term(): Query {
    const start = at();
    const isNegated = take('!');
    const { literal, isQuoted, pieces, at: place } = readToken();
    const hasColon = !isQuoted && peek() === ':';
    const isText = isQuoted || (literal !== '' && !/^(?:and|or|not)$/i.test(literal));
    if (!isText && !(hasColon && literal !== '')) {
      reject('a field and a pattern, or a text to look for', place);
    }

    const field = isQuoted ? undefined : fieldCalled(literal);
    if (hasColon && !field) {
      reject(`the name of a field (${namesLike(literal)})`, place);
    }

    const misspelt = field || isQuoted || isNegated ? undefined : fieldNear(literal);
    if (misspelt !== undefined) {
      reject(`the name of a field (did you mean ${misspelt}?), or a text in quotes`, place);
    }

    const isFlag = field?.type === 'Boolean';

    if (isNegated && !isFlag && !(hasColon && field?.isUnrecorded)) {
      const flags = fields.filter(({ type }) => type === 'Boolean').map(({ name }) => name);
      const near = field || isQuoted ? undefined : nearest(literal, flags);
      const hint = near === undefined ? ', such as !isLatest' : `: did you mean !${near}?`;

      reject(`a Boolean field after !${hint}`, start);
    }

    const asked = (): { fields: readonly Field[]; asks: Test } => {
      if (field && hasColon) {
        return { fields: [field], asks: testOf(field, isNegated) };
      }

      if (field && isFlag) {
        return { fields: [field], asks: { pieces: ['true'] } };
      }

      const searched = fields.filter(({ name }) => textFields.includes(name));

      return { fields: searched, asks: { pieces: ['', ...pieces, ''] } };
    };

    const leaf = asked();
    const value = { ...leaf, text: query.slice(start, at()) };

    endTerm();

    if (isNegated) {
      return { not: value };
    }

    return field || isQuoted ? value : orValue(value, literal.toLowerCase());
  }

  /** Reads a bare word as a text, and also as the value of every field that has it. */
  function orValue(value: Query, word: string): Query {
    const over = {
      fields: fields.filter(({ name }) => name === 'isSupported'),
      asks: { pieces: ['false'] },
    };

    const having = fields.filter(({ values }) => values?.includes(word));

    if (word === 'ended') {
      return { or: [over, value] };
    }

    return having.length === 0
      ? value
      : { or: [{ fields: having, asks: { pieces: [word] } }, value] };
  }

  /** A negated field may have only `*` after its colon: `!isSupported:*` selects unknown values. */
  function testOf(field: Field, isNegated: boolean): Test {
    take(':');

    if (!isNegated) {
      return parseTest(scanner, field, now);
    }

    if (!take('*')) {
      reject(`* behind !${field.name}: or no colon`);
    }

    return { pieces: ['', ''] };
  }

  /** Rejects text right after a term, which would be misread. */
  function endTerm(): void {
    const next = peek();
    if (['<', '>', '='].includes(next)) {
      reject(`a comparison in the form field:${next}value`);
    }

    if (next !== '' && next !== ')' && !isSpace(next)) {
      reject('a space, or double quotes around the whole text');
    }

    skipSpace();
  }

  function fieldCalled(text: string): Field | undefined {
    return fields.find(({ name }) => name.toLowerCase() === text.toLowerCase());
  }

  /** The field that a bare word misses by one edit. Shorter names are too similar to words that people search for. */
  function fieldNear(word: string): string | undefined {
    return fields.find(({ name }) => name.length > 4 && isOneEdit(word, name))?.name;
  }

  function namesLike(text: string): string {
    const names = fields.filter(({ isUnrecorded }) => !isUnrecorded).map(({ name }) => name);
    const near = isReleaseDay.test(text) ? 'releaseTimestamp' : nearest(text, names);

    return near === undefined
      ? `for instance ${exampleFields}; the page about the API lists all`
      : `did you mean ${near}?`;
  }
}

const exampleFields = 'component, version, isSupported or supportedUntil';

/** Words that mean `releaseTimestamp` but are more similar to the names of other fields. */
const isReleaseDay = /^(?:released?|published|date)(?:at|on|date)?$/i;

type Term = Extract<Query, { fields: readonly Field[] }>;

export function termsOf(query: Query): Term[] {
  if ('fields' in query) {
    return [query];
  }

  return ('not' in query ? [query.not] : Object.values(query).flat()).flatMap(termsOf);
}

/** Notes on units that may not mean what the author intended, in sentences. */
export function unitNotes(query: Query): string[] {
  return termsOf(query).flatMap((term) => {
    const { written, count, isMinutes } = fineUnit(term) ?? {};
    if (written === undefined) {
      return [];
    }

    if (isMinutes) {
      return [`"${written}" is ${count} minutes; for months write ${count}mo.`];
    }

    return [`"${written}" is finer than a day, and days are all that is known.`];
  });
}

/** The first duration with a unit below a day in a term whose field is known in days only. */
function fineUnit({ fields: [field], text = '' }: Term) {
  // In ISO 8601, M before the T means months.
  const times = text.slice(text.indexOf(':')).replaceAll(/P[\d.,YMWD]+/g, '');
  const [written, count, unit] = /([\d.,]+)(ms|[hs]|m(?!o))/i.exec(times) ?? [];

  // Only the duration of a build is known to the second.
  if (field?.type !== 'Duration' || field.name === 'buildDuration' || unit === undefined) {
    return undefined;
  }

  return { text, written, count, isMinutes: unit.toLowerCase() === 'm' };
}

/** Reads the query of a policy. Minutes are an error: the author meant months, and a gate would silently pass. */
export function parsePolicyQuery(query: string, day: string): Query {
  const parsed = parseQuery(query, day);

  for (const term of termsOf(parsed)) {
    const { text, written, count, isMinutes } = fineUnit(term) ?? {};
    if (text === undefined || !isMinutes) {
      continue;
    }

    const place = [...query.slice(0, query.indexOf(text))].length + 1;

    throw new QueryError(
      place,
      `${count}mo for months, or a length in days`,
      `"${written}", in minutes`,
    );
  }

  return parsed;
}

/** The Boolean fields that a query negates, except in `field:*`. */
export function negatedFlags(query: Query, isNegated = false): string[] {
  if ('not' in query) {
    return negatedFlags(query.not, !isNegated);
  }

  if ('fields' in query) {
    const isFlag = query.fields.every(({ type }) => type === 'Boolean') && !asksIfKnown(query.asks);
    return isFlag && isNegated ? query.fields.map(({ name }) => name) : [];
  }

  const negated = Object.values(query).flatMap((parts: readonly Query[]) =>
    parts.flatMap((part) => negatedFlags(part, isNegated)),
  );

  return [...new Set(negated)];
}

/** The only component that a query can select from, where it names one exactly; in lower case, as all names are. */
export function namedComponent(query: Query): string | undefined {
  if ('and' in query) {
    return query.and.map(namedComponent).find((name) => name !== undefined);
  }

  if (!('asks' in query) || !query.asks.pieces) {
    return undefined;
  }

  const { pieces } = query.asks;

  return query.fields[0]?.name === 'component' && pieces.length === 1 ? pieces[0] : undefined;
}
