import { digestLengths, type DigestAlgorithm } from '../../core/digest.ts';
import { show } from '../../core/schemas/problems.ts';
import { defined } from '../../core/text.ts';
import { entryOf, longestText, type Entry } from './items.ts';

/** The entries that were read of a document so far, and what is wrong with it. */
export interface Read {
  readonly entries: Entry[];
  readonly problems: string[];
  /** The line from 1 where the document has a text next. */
  lineOf(text: string): number | undefined;
}

interface Written {
  readonly place: string;
  readonly name: unknown;
  readonly version: unknown;
  readonly purls: readonly unknown[];
  readonly group?: unknown;
  /** Algorithms with their values. */
  readonly digests?: readonly (readonly unknown[])[];
  readonly cpes?: readonly unknown[];
}

/** A package URL that cannot be read makes the entry unknown, and does not reject the document. */
export function addEntry({ place, version, purls: stated, ...written }: Written, read: Read): void {
  const { group, digests = [], cpes = [] } = written;
  const purls = stated.filter((purl) => purl !== undefined && purl !== '');
  const name = written.name ?? (purls.length > 0 ? '' : undefined);
  const tooLong = [name, version, group, ...purls].find(
    (text) => typeof text === 'string' && text.length > longestText,
  );
  if (typeof name !== 'string' || (name === '' && purls.length === 0))
    read.problems.push(`${place}.name: expected a text; got ${show(written.name)}`);
  else if (version !== undefined && typeof version !== 'string')
    read.problems.push(`${place}: expected the version as a text; got ${show(version)}`);
  else if (!purls.every((purl) => typeof purl === 'string'))
    read.problems.push(`${place}: expected package URLs as texts; got ${show(purls)}`);
  else if (tooLong !== undefined)
    read.problems.push(`${place}: expected texts of at most ${longestText} characters; got ${show(tooLong)}`);
  else {
    const entry = entryOf({
      ...{ name, purls, version: isStated(version) ? version : undefined },
      group: typeof group === 'string' ? group : undefined,
      digests: digests.flatMap(([algorithm, value]) => digestOf(algorithm, value) ?? []),
      cpes: cpes.filter((cpe): cpe is string => typeof cpe === 'string' && cpe.length <= longestText),
    });
    const where = defined({ line: read.lineOf(purls[0] ?? name) });
    read.entries.push(entry.map((item) => ({ ...item, ...where })));
  }
}

/** SPDX has words for a version that nobody knows. */
function isStated(version: string | undefined): boolean {
  return !['', 'NOASSERTION', 'NONE', undefined].includes(version);
}

/**
 * `sha256:0f1e…` for SHA-256, SHA256 or sha256; undefined for an algorithm that no source states. A value of another form is kept:
 * it is no recorded digest.
 */
function digestOf(algorithm: unknown, value: unknown): string | undefined {
  const name = lastPart(algorithm)
    .replace(/^checksumalgorithm_/, '')
    .replaceAll(/[-_\s]/g, '');
  if (digestLengths[name as DigestAlgorithm] === undefined) return undefined;
  return `${name}:${typeof value === 'string' ? value.slice(0, 200).trim().toLowerCase() : show(value)}`;
}

/** As many texts are searched for in vain before a document counts as written in another way. */
const mostMissed = 100;

/** Each text is searched for behind the one before, as they come in the order of the document. */
export function lineFinder(text: string): Read['lineOf'] {
  let [at, line, missed] = [0, 1, 0];
  return (wanted) => {
    if (missed === mostMissed) return undefined;
    const found = text.indexOf(JSON.stringify(wanted), at);
    if (found < 0) {
      missed += 1;
      return undefined;
    }
    for (let end = text.indexOf('\n', at); end >= 0 && end < found; end = text.indexOf('\n', end + 1))
      line += 1;
    at = found;
    return line;
  };
}

export type Fields = Readonly<Record<string, unknown>>;

export function elementsOf(
  fields: Fields,
  key: string,
  before: string,
  { problems }: Read,
): readonly unknown[] {
  const value = fields[key];
  if (value === undefined || Array.isArray(value)) return value ?? [];
  problems.push(`${before}${key}: expected a list; got ${show(value)}`);
  return [];
}

export function objectsIn(value: unknown): Fields[] {
  return [value].flat().filter(isObject);
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A type with or without the address of its vocabulary, in lower case. */
export function lastPart(type: unknown): string {
  return typeof type === 'string'
    ? type
        .replace(/^.*[/#:]/s, '')
        .trim()
        .toLowerCase()
    : '';
}
