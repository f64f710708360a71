/** Finds variants among the tags of an image, and writes the pattern that keeps its plain versions. */
import { toExtraction } from '../../ask/extract.ts';
import { compilePattern } from '../../core/pattern.ts';
import { escapePattern, formatCount, formatList } from '../../core/text.ts';
import { parseVersion, prereleaseWords, type Version } from '../../core/version.ts';

/**
 * Matches the words of a suffix that do not name a variant:
 * - a prerelease: `1.2-rc.1`
 * - words that every release has, or that count releases: `1.2.Final`, `1.2.post1`, `1.2_build.5`
 * - a single letter: `1.0.2b`, `1.2-r3`
 */
const plainWord = new RegExp(`^(?:${prereleaseWords}|final|ga|release|sp|post|build|[a-z])$`, 'i');

/** Tells whether a tag names a variant: `1.2-alpine`, `1.2_7-jdk`. But `1.2-rc.1` and `1.2-3` are plain versions. */
function isVariant({ suffix }: Version): boolean {
  return (suffix.match(/[a-z]+/gi) ?? []).some((word) => !plainWord.test(word));
}

/**
 * Writes `extractVersion` for an image that has plain versions and variants. The notes say what is left out, and how a variant becomes a
 * component.
 *
 * | tags                                     | `extractVersion`               | note |
 * | ---------------------------------------- | ------------------------------ | ---- |
 * | `1.2`, `1.3`                             |                                |      |
 * | `1.2`, `1.2-alpine`, `1.3`, `1.3-alpine` | `^(?<version>\d[\d.]*)$`       | yes  |
 * | `1.2-ce.0`, `1.3-ce.0`                   |                                |      |
 * | `21`, `21.0.4-jdk`, `21.0.4-jre`         |                                | yes  |
 */
export function proposeVersions(tags: readonly string[]): {
  extractVersion?: string;
  notes: string[];
} {
  const versions = tags.flatMap((tag) => parseVersion(tag) ?? []);
  const variants = versions.filter(isVariant);
  const plain = versions.filter((version) => !isVariant(version));
  const suffixes = rank(variants.map(({ suffix }) => suffix));
  const kinds = new Set(suffixes.map((suffix) => suffix.replaceAll(/[\d.]+/g, '')));
  if (kinds.size === 0 || (kinds.size === 1 && plain.length === 0)) {
    return { notes: [] };
  }

  const [example = ''] = suffixes;
  const pattern = `^(?<version>${writeNumbers(variants)})${escapePattern(example)}$`;
  const howTo = `To add a variant as a component, copy the definition to another file in components/, with "extractVersion": ${JSON.stringify(pattern)}`;
  const names = formatList(suffixes, 3);
  if (!coversHalf(plain, variants)) {
    return {
      notes: [`sources: most tags are variants (${names}), and each is recorded. ${howTo}`],
    };
  }

  const extractVersion = writePlain(plain);
  const { test } = compilePattern(extractVersion);
  const leftOut = versions.filter(({ text }) => !test(text)).length;
  return {
    extractVersion,
    notes: [
      `extractVersion: keeps plain versions, and leaves out ${formatCount(leftOut, 'tag')} (${names}). ${howTo}`,
    ],
  };
}

/**
 * Tells whether the plain versions are the releases. An image may have plain tags that move (`21`), and only variants of its releases
 * (`21.0.4-jdk`).
 */
function coversHalf(plain: readonly Version[], variants: readonly Version[]): boolean {
  const list = (versions: readonly Version[]) =>
    new Set(versions.map(({ groups }) => groups.join('.')));
  const [known, wanted] = [list(plain), list(variants)];
  return 2 * wanted.intersection(known).size >= wanted.size;
}

/**
 * Writes the pattern of plain versions. It also matches their suffixes, such as `-rc[\d.]+`, the most frequent first, as long as JavaScript
 * can run the pattern safely.
 */
function writePlain(plain: readonly Version[]): string {
  const suffixes = plain.flatMap(({ suffix }) => (suffix === '' ? [] : writeShape(suffix)));
  const write = (shapes: readonly string[]) => {
    const behind = shapes.length > 0 ? `(?:${shapes.join('|')})?` : '';
    return `^(?<version>${writeNumbers(plain)}${behind})$`;
  };
  return rank(suffixes)
    .map((_, place, shapes) => write(shapes.slice(0, place + 1)))
    .reduce((chosen, pattern) => (toExtraction(pattern) ? pattern : chosen), write([]));
}

/** Writes a pattern for suffixes that differ only in their numbers: `-rc.1` → `-rc[\d.]+`. */
function writeShape(suffix: string): string {
  return suffix
    .split(/[\d.]*\d[\d.]*/)
    .map(escapePattern)
    .join(String.raw`[\d.]+`);
}

/** Writes a pattern for the numbers of versions, with their `v`. */
function writeNumbers(versions: readonly Version[]): string {
  const prefixed = versions.filter(({ text }) => /^v/i.test(text)).length;
  const optional = prefixed < versions.length ? 'v?' : 'v';
  return String.raw`${prefixed > 0 ? optional : ''}\d[\d.]*`;
}

/** Lists different texts, the most frequent first. */
function rank(texts: readonly string[]): string[] {
  const counts = Array.from(
    Map.groupBy(texts, (text) => text),
    ([text, { length }]) => ({ text, length }),
  );
  return counts.sort((a, b) => b.length - a.length).map(({ text }) => text);
}
