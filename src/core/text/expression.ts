import { RE2JS, RE2JSException } from 're2js';

/** The text of each named group of a match; undefined for a group that did not take part. */
export type Groups = Readonly<Record<string, string | undefined>>;

/**
 * A regular expression of a definition. The texts it searches come from outside, so it runs as RE2, as in Renovate: the time of a
 * search is proportional to the length of any text.
 */
export interface Expression {
  readonly groupNames: readonly string[];
  /** The most steps that a search takes for each character of the text. */
  readonly size: number;
  test(text: string): boolean;
  /** The groups of the first match; undefined where nothing matches. */
  match(text: string): Groups | undefined;
  matches(text: string): Iterable<Groups>;
}

/** RE2 cannot run the expression. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

/** RE2 writes counted repeats out, and nested ones multiply. No expression in use comes near this limit. */
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
    if (!(error instanceof RE2JSException)) {
      throw error;
    }

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

/** An expression that matches only this text, also between slashes. */
export function escapeForExpression(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
