import { RE2JS, RE2JSException } from 're2js';

/** What the named groups of a match hold; a group that took no part is undefined. */
export type Groups = Readonly<Record<string, string | undefined>>;

/**
 * A regular expression of a definition. What it is matched against comes from outside, so it runs as RE2, in Renovate as well:
 * a search takes time in proportion to the length of the text, whatever the text.
 */
export interface Expression {
  readonly groupNames: readonly string[];
  /** How many steps a search takes at most for each character of the text. */
  readonly size: number;
  test(text: string): boolean;
  /** The groups of the first match; undefined where nothing matches. */
  match(text: string): Groups | undefined;
  matches(text: string): Iterable<Groups>;
}

/** The text is no expression that RE2 can run. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

/** Counted repeats are written out, and those within each other multiply. No expression in use comes near this. */
const maxSize = 500;

const flagsOf = { '': 0, i: RE2JS.CASE_INSENSITIVE, m: RE2JS.MULTILINE };

/** `m` lets `^` and `$` match at every line. Throws an `ExpressionError`. */
export function compileExpression(pattern: string, flag: keyof typeof flagsOf = ''): Expression {
  const compiled = compile(pattern, flagsOf[flag]);
  const groupNames = Object.keys(compiled.namedGroups());
  function* matches(text: string): Generator<Groups> {
    const matcher = compiled.matcher(text);
    while (matcher.find()) {
      yield Object.fromEntries(groupNames.map((name) => [name, matcher.group(name) ?? undefined]));
    }
  }
  return {
    groupNames,
    size: compiled.programSize(),
    test: (text) => compiled.test(text),
    match: (text) => matches(text).next().value ?? undefined,
    matches,
  };
}

function compile(pattern: string, flags: number): RE2JS {
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern, flags);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const why = error.message.replace(/^error parsing regexp: /, '').replaceAll('`', '"');
    throw new ExpressionError(
      `expected a regular expression as RE2 and Renovate read it, without lookaround, backreferences and repeats over 1,000, so that no text can keep it busy (${why})`,
    );
  }
  if (compiled.programSize() > maxSize) {
    throw new ExpressionError(
      'expected a smaller regular expression: its counted repeats multiply, and a long text would keep it busy',
    );
  }
  return compiled;
}

/** The text as an expression that matches it alone, also between slashes. */
export function escapeForExpression(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
