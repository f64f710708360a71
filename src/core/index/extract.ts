/** Finds the version of a component in a version of its package, wherever that is asked. No RE2, zod or Node: pages load it. */

/** A pattern as JavaScript runs it; absent where both versions are the same. */
export interface Extraction {
  readonly extractVersion?: string | undefined;
  readonly extractFlags?: 'i' | undefined;
}

/** Longer than any tag. A repeat may multiply what a search costs by it, and a choice double that. */
const maxLength = 64;
const maxRepeats = 4;
const maxChoices = 5;

/** The form in which JavaScript reads a pattern of RE2. Undefined where it means something else there, or could take long. */
export function toExtraction(pattern = ''): Extraction | undefined {
  const extraction = {
    extractVersion: pattern.replace(/^\(\?i\)/, '').replaceAll('(?P<', '(?<'),
    extractFlags: pattern.startsWith('(?i)') ? ('i' as const) : undefined,
  };
  return compile(extraction) && extraction;
}

/** As it is written where the pattern does not find one. */
export function extractVersion(version: string, extraction: Extraction): string {
  if (version.length > maxLength) {
    return version;
  }

  return compile(extraction)?.exec(version)?.groups?.['version'] || version;
}

/** Undefined for what another program published and this one would not: a repeat within a repeat, or more repeats or choices than a search can try. */
function compile({ extractVersion: source = '', extractFlags: flags }: Extraction) {
  // Escapes, classes and heads of groups are no repeats.
  const plain = source.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]|\(\?(?::|<\w+>)/g, 'x');
  const count = (form: RegExp) => plain.match(form)?.length ?? 0;
  // Without an anchor, a search begins at each character, which is a repeat more.
  const repeats = count(/[*+]|\{\d+,/g) + Number(!source.startsWith('^'));
  const isQuick = repeats <= maxRepeats && count(/[?|]/g) <= maxChoices && !/\)[*+{]/.test(plain);
  try {
    return source && isQuick ? new RegExp(source, `u${flags ?? ''}`) : undefined;
  } catch {
    return undefined;
  }
}
