import type { Field } from './fields.ts';
import type { Scanner, Token } from './scanner.ts';
import { compare, valueTypes, type Ordered, type Span } from './values.ts';

export type Test = TextTest | OrderTest;

/** Of the text of any value; of a key-value, the value of this key. */
interface TextTest {
  /** What lies between the wildcards, in lower case. */
  readonly pieces: readonly string[];
  readonly key?: string;
}

/** Both ends are within, or whatever is known and not within passes. */
export interface OrderTest {
  readonly from?: Ordered;
  readonly to?: Ordered;
  readonly isOutside?: true;
}

/** More than a day is after its end, and no more than a day is up to its end. */
const comparisons: Readonly<Record<string, (span: Span) => OrderTest>> = {
  '>=': ([from]) => ({ from }),
  '<=': ([, to]) => ({ to }),
  '>': ([, to]) => ({ to, isOutside: true }),
  '<': ([from]) => ({ from, isOutside: true }),
};

/** Reads what stands behind the colon of a field. */
export function parseTest(
  { at, isAt, take, token, refuse }: Scanner,
  { name, type }: Field,
  now: number,
): Test {
  const { expected, read = () => undefined } = valueTypes[type];
  const start = at();
  const first = value();
  const { text, isQuoted, pieces } = first;
  const isAbsent = !text && !isQuoted;
  if (text === '*' && !isQuoted && !isAt(/=/y)) return { pieces };
  switch (type) {
    case 'Boolean':
      return /^(?:true|false)$/i.test(text) ? { pieces } : wrong(first);
    case 'String':
      return isAbsent ? wrong(first) : { pieces };
    case 'Key-value': {
      if (isAbsent || pieces[1] !== undefined || !take(/=/y)) wrong(first);
      const pattern = value();
      if (!pattern.text && !pattern.isQuoted) wrong(pattern);
      return { key: text.toLowerCase(), pieces: pattern.pieces };
    }
    default:
      if (type === 'Version' && pieces[1] !== undefined) return { pieces };
  }
  if (!isAbsent) return within(spanOf(first), spanOf(first));
  if (take(/\[/y)) return range();
  const sign = take(/[<>]=?/y) ?? wrong(first);
  return comparisons[sign]!(spanOf(value()));

  /** Only a time may hold colons. */
  function value(): Token {
    return type === 'Timestamp' ? token(/[^\s"[\]()<>=]*/y) : token();
  }

  function wrong({ at }: Token): never {
    return refuse(`${expected} (${name} is a ${type})`, at);
  }

  function spanOf(token: Token): Span {
    return read(token.text, now) ?? wrong(token);
  }

  function range(): Test {
    const from = bound();
    if (!take(/to(?![^\s\]()])/iy)) refuse('the word to, as in [a to b]');
    const to = bound();
    if (!take(/\]/y)) refuse('a ] at the end of the range');
    if (compare(from[0], to[1]) > 0) refuse('the lower value before the higher, as in [a to b]', start);
    return within(from, to);
  }

  function bound(): Span {
    take(/\s*/y);
    const span = spanOf(value());
    take(/\s*/y);
    return span;
  }
}

function within([from]: Span, [, to]: Span): Test {
  return { from, to };
}
