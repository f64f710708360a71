/** Finds the version of a component in a version of its package. Pages run this file, so it imports neither RE2 nor zod nor Node. */

/** A pattern in the form of JavaScript. Absent if both versions are the same. */
export interface Extraction {
  readonly extractVersion?: string | undefined;
  readonly extractFlags?: 'i' | undefined;
}

/** Longer than any tag. */
const maxLength = 64;

/**
 * What makes a search by JavaScript slow, and how often it may stand in a pattern. RE2 reads a text once. JavaScript tries all ways in which
 * a pattern can fit the text, so a pattern with too many ways through 64 characters is refused.
 */
const costlyForms = [
  // A repeat of a group, as in `(?:\d+\.?)+`: each digit ends a turn of the group or not, which makes 2^64 ways.
  { form: /\)[*+{]/g, allowed: 0 },
  // A repeat, as in `.*.*.*.*.*x`: each ends at any character, which makes 11 million ways for five of them.
  { form: /[*+]|\{\d+,/g, allowed: 4 },
  // A choice, as in `a?` and `a|b`: each makes twice as many ways.
  { form: /[?|]/g, allowed: 5 },
];

/** Returns the form in which JavaScript reads a pattern of RE2; undefined if it means something else there, or may be slow. */
export function toExtraction(pattern = ''): Extraction | undefined {
  const extraction = {
    extractVersion: pattern.replace(/^\(\?i\)/, '').replaceAll('(?P<', '(?<'),
    extractFlags: pattern.startsWith('(?i)') ? ('i' as const) : undefined,
  };
  return compile(extraction) && extraction;
}

/** Returns the version of the component; the version of the package if the pattern finds nothing in it, or is refused. */
export function extractVersion(version: string, extraction: Extraction): string {
  if (version.length > maxLength) {
    return version;
  }

  return compile(extraction)?.exec(version)?.groups?.['version'] || version;
}

/** Compiles a pattern. Costly patterns are refused here as well, because another program may have published them. */
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
  // In escapes, classes and heads of groups, these characters mean something else.
  const plain = source.replaceAll(/\\.|\[(?:\\.?|[^\]\\])*\]?|\(\?(?::|<\w+>)/gs, 'x');
  // Without an anchor, a search begins at each character, like after a repeat.
  const searched = source.startsWith('^') ? plain : `.*${plain}`;
  return costlyForms.some(({ form, allowed }) => {
    return (searched.match(form)?.length ?? 0) > allowed;
  });
}
