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

/** RE2 writes counted repeats out, and nested ones multiply. No expression in use comes near this limit. */
const maxSize = 500;

const flagsOf = { '': 0, i: RE2JS.CASE_INSENSITIVE, m: RE2JS.MULTILINE };

/** Why RE2 cannot run an expression; undefined if it can. */
export function findExpressionProblem(pattern: string): string | undefined {
  const result = compile(pattern, 0);
  return typeof result === 'string' ? result : undefined;
}

/** `m` lets `^` and `$` match at every line. Expects a pattern that passed `findExpressionProblem`. */
export function compileExpression(pattern: string, flag: keyof typeof flagsOf = ''): Expression {
  const program = compile(pattern, flagsOf[flag]);
  if (typeof program === 'string') {
    throw new Error(program);
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
    size: program.programSize(),
    test: (text) => program.test(text),
    match: (text) => matches(text).next().value ?? undefined,
    matches,
  };
}

/** The expression, or why RE2 cannot run it. */
function compile(pattern: string, flags: number): RE2JS | string {
  let program: RE2JS;
  try {
    program = RE2JS.compile(pattern, flags);
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

/** The syntax of a regular expression as far as groups matter: an escape, a class such as `[\])]`, the start of a group, or any character. */
const syntax = /\\.|\[(?:\\.|[^\]\\])*\]|\(\?P?<\w+>|\(\?:|[^]/g;

/**
 * Joins the named groups of an expression, as Python or JavaScript write them, into one group `version` from the first to the last:
 * `^v(?P<major>\d+)\.(?P<minor>\d+)$` becomes `^v(?<version>(?:\d+)\.(?:\d+))$`, which spells a version `#.#`. Undefined without
 * named groups, where another group is around only some of them, and where one of them is within another.
 */
export function joinNamedGroups(regex: string): { joined: string; spelling: string } | undefined {
  const tokens = regex.match(syntax) ?? [];
  const start = tokens.findIndex(isNamedGroup);
  const fromStart = tokens.slice(start);
  const length = start === -1 ? undefined : measureGroups(fromStart);
  if (length === undefined) {
    return undefined;
  }

  const version = fromStart.slice(0, length);
  const spelling = spellVersion(version);
  if (spelling === undefined) {
    return undefined;
  }

  const before = tokens.slice(0, start).join('');
  const groups = version.map((token) => (isNamedGroup(token) ? '(?:' : token)).join('');
  const after = fromStart.slice(length).join('');
  return { joined: `${before}(?<version>${groups})${after}`, spelling };
}

function isNamedGroup(token: string): boolean {
  return /^\(\?P?</.test(token);
}

/** 1 for a token that opens a group, -1 for the end of one, 0 for any other. */
function countOpened(token: string): number {
  if (token === ')') {
    return -1;
  }

  return token.startsWith('(') ? 1 : 0;
}

/**
 * The number of tokens, from the first named group on, to the end of the last one, with the groups around it and their `?`. Undefined
 * if a group that began before them ends first.
 */
function measureGroups(tokens: readonly string[]): number | undefined {
  const last = tokens.findLastIndex(isNamedGroup);
  let depth = 0;

  for (const [index, token] of tokens.entries()) {
    depth += countOpened(token);
    if (depth < 0) {
      return undefined;
    }
    if (depth === 0 && index > last) {
      return tokens[index + 1] === '?' ? index + 2 : index + 1;
    }
  }

  return undefined;
}

/**
 * The text between the named groups, with # for each group: `#.#` for `(?P<major>\d+)(?:\.(?P<minor>\d+))?`. Undefined where a named
 * group is within another.
 */
function spellVersion(tokens: readonly string[]): string | undefined {
  let spelling = '';
  /** How many groups are open since a named group began. */
  let depth = 0;

  for (const token of tokens) {
    if (depth > 0 && isNamedGroup(token)) {
      return undefined;
    }
    if (depth > 0) {
      depth += countOpened(token);
    } else if (isNamedGroup(token)) {
      spelling += '#';
      depth = 1;
    } else if (countOpened(token) === 0 && token !== '?') {
      spelling += token.replaceAll(/^\\|[[\]]/g, '');
    }
  }

  return spelling;
}
