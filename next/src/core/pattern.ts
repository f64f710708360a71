import { RE2JS, RE2JSException } from 're2js';

/** Counted repeats are written out, and nested ones multiply. */
const maxSize = 500;

export interface Pattern {
  readonly problem?: string;
  readonly groupNames: readonly string[];
  /** The most steps that a search takes for each character of the text. */
  readonly size: number;
  readonly test: (text: string) => boolean;
  /** The named groups of each match. */
  readonly matchAll: (text: string) => Iterable<Record<string, string | undefined>>;
}

/** A regular expression of a definition. It runs as RE2, as in Renovate: no foreign text can keep it busy. */
export function compilePattern(text: string): Pattern {
  try {
    const program = RE2JS.compile(text);
    if (program.programSize() > maxSize) {
      return reject('a smaller regular expression: its counted repeats multiply');
    }

    const groupNames = Object.keys(program.namedGroups());
    return {
      groupNames,
      size: program.programSize(),
      test: (subject) => program.test(subject),
      *matchAll(subject) {
        const matcher = program.matcher(subject);
        while (matcher.find()) {
          yield Object.fromEntries(
            groupNames.map((name) => [name, matcher.group(name) ?? undefined]),
          );
        }
      },
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) {
      throw error;
    }

    return reject(`a regular expression as Renovate reads it (RE2): ${error.message}`);
  }
}

function reject(expected: string): Pattern {
  return {
    problem: `expected ${expected}`,
    groupNames: [],
    size: 0,
    test: () => false,
    matchAll: () => [],
  };
}
