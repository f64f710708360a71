/**
 * Extracts a component's version from a version of its package: `v1.2` → `1.2`. Pages run this file, so it imports neither RE2 nor zod nor
 * Node.
 */

/**
 * The regular expression, in JavaScript's form. Absent if a component's version is the same as its package's version. Empty if the expression
 * is not published, because it may be slow.
 */
export interface Extraction {
  readonly extractVersion?: string | undefined;
  readonly extractFlags?: 'i' | undefined;
}

/** The greatest length of a version to which a regular expression is applied. No real tag is longer. */
const maxLength = 64;

/**
 * Lists the operators that can make a search slow, and how often a regular expression may contain each of them. RE2 reads a text once, but
 * JavaScript may try every way to match it. These limits keep the number of ways low for a text of 64 characters.
 */
const costlyForms = [
  // A repeated group, such as `(?:\d+\.?)+`: the group can end after each digit or go on, which makes 2^64 ways.
  { form: /\)[*+{]/g, allowed: 0 },
  // A repeat, such as `.*.*.*.*.*x`: each `.*` can end at any character, so five of them make 11 million ways.
  { form: /[*+]|\{\d+,/g, allowed: 4 },
  // A choice, such as `a?` and `a|b`: each choice doubles the number of ways.
  { form: /[?|]/g, allowed: 5 },
];

/** Converts an RE2 regular expression to JavaScript's form. Undefined if the expression is not valid in JavaScript, or may be slow. */
export function toExtraction(pattern = ''): Extraction | undefined {
  const extraction = {
    extractVersion: pattern.replace(/^\(\?i\)/, '').replaceAll('(?P<', '(?<'),
    extractFlags: pattern.startsWith('(?i)') ? ('i' as const) : undefined,
  };
  return compile(extraction) && extraction;
}

/** Extracts the component's version from a version of its package. If nothing is found, returns the package's version. */
export function extractVersion(version: string, extraction: Extraction): string {
  return find(version, extraction) ?? version;
}

/** Tells whether the regular expression finds a version in a version of the package. */
export function findsVersion(version: string, extraction: Extraction): boolean {
  return find(version, extraction) !== undefined;
}

function find(version: string, extraction: Extraction): string | undefined {
  return version.length > maxLength
    ? undefined
    : compile(extraction)?.exec(version)?.groups?.['version'] || undefined;
}

/** Compiles a regular expression. Checks it again, because another version of this program may have published it. */
function compile({ extractVersion: source = '', extractFlags: flags }: Extraction) {
  if (!source || isCostly(source)) {
    return undefined;
  }

  try {
    return new RegExp(source, `u${flags ?? ''}`);
  } catch {
    return undefined;
  }
}

function isCostly(source: string): boolean {
  // In escapes, in character classes and at the beginning of groups, `*`, `+`, `?` and `|` have another meaning.
  const plain = source.replaceAll(/\\.|\[(?:\\.?|[^\]\\])*\]?|\(\?(?::|<\w+>)/gs, 'x');
  // Without `^`, the search starts again at each character, so it is as slow as with `.*` at the beginning.
  const searched = source.startsWith('^') ? plain : `.*${plain}`;
  return costlyForms.some(({ form, allowed }) => {
    return (searched.match(form)?.length ?? 0) > allowed;
  });
}
