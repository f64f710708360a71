import { RE2JS, RE2JSException } from 're2js';

/** The text of each named group of a match; undefined for a group that did not take part. */
export type Groups = Readonly<Record<string, string | undefined>>;

/** RE2 writes counted repeats out, and nested ones multiply. No expression in use comes near this limit. */
const maxSize = 500;

/** Why RE2 cannot run an expression; undefined if it can. */
export function findExpressionProblem(pattern: string): string | undefined {
  const result = compile(pattern);
  return typeof result === 'string' ? result : undefined;
}

/**
 * Compiles a regular expression of a definition. The texts it searches come from outside, so it runs as RE2, as in Renovate: the time
 * of a search is proportional to the length of any text. Expects a pattern that passed `findExpressionProblem`, with or without flags
 * before it, such as `(?i)`.
 */
export function compileExpression(pattern: string) {
  const program = compile(pattern);
  if (typeof program === 'string') {
    throw new Error(`${pattern}: ${program}`);
  }

  const groupNames = Object.keys(program.namedGroups());

  const matches = function* (text: string): Generator<Groups> {
    const matcher = program.matcher(text);
    while (matcher.find()) {
      yield Object.fromEntries(groupNames.map((name) => [name, matcher.group(name) ?? undefined]));
    }
  };

  return {
    groupNames,
    /** The most steps that a search takes for each character of the text. */
    size: program.programSize(),
    test: (text: string) => program.test(text),
    /** The groups of the first match; undefined where nothing matches. */
    match: (text: string): Groups | undefined => matches(text).next().value ?? undefined,
    matches,
  };
}

/** The expression, or why RE2 cannot run it. */
function compile(pattern: string): RE2JS | string {
  let program: RE2JS;
  try {
    program = RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) {
      throw error;
    }

    const reason = error.message.replace(/^error parsing regexp: /, '').replaceAll('`', '"');
    return `expected a regular expression as RE2 and Renovate read it, without lookaround, backreferences and repeats over 1,000, so that no text can keep it busy (${reason})`;
  }

  return program.programSize() <= maxSize
    ? program
    : 'expected a smaller regular expression: its counted repeats multiply, and a long text would keep it busy';
}

/** An expression that matches only this text, also between slashes. */
export function escapeForExpression(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
