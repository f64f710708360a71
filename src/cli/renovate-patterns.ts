import { Minimatch, type MinimatchOptions } from 'minimatch';

// Patterns of Renovate, read by the library that Renovate uses (lib/util/string-match.ts).

const caseless: MinimatchOptions = { dot: true, nocase: true };

/** Whether the patterns select a text: one of them, unless one with `!` excludes it. */
export function selects(patterns: readonly string[], text: string): boolean {
  const [negative, positive] = [true, false].map((isNegative) =>
    patterns.filter((pattern) => pattern.startsWith('!') === isNegative),
  );
  const isSelected =
    positive!.length === 0 || positive!.some((pattern) => matches(pattern, text, caseless));

  return (
    patterns.length > 0 &&
    isSelected &&
    negative!.every((pattern) => matches(pattern, text, caseless))
  );
}

/** Whether one of the paths of `ignorePaths` or `includePaths` leads to a file. */
export function isAmong(paths: readonly string[], file: string): boolean {
  return paths.some((path) => new Minimatch(path, { dot: true }).match(file));
}

function matches(pattern: string, text: string, options: MinimatchOptions): boolean {
  const expression = expressionOf(pattern);
  if (!expression) {
    return pattern === '*' || new Minimatch(pattern, options).match(text);
  }

  return expression.test(text) !== pattern.startsWith('!');
}

/** The regular expression of `/…/`, `/…/i` or `!/…/`; undefined for another pattern. */
export function expressionOf(pattern: string): RegExp | undefined {
  const [, source, flags] = /^!?\/(.*)\/(i?)$/s.exec(pattern) ?? [];
  return source === undefined ? undefined : new RegExp(source, flags);
}
