import { digestLengths, type DigestAlgorithm } from '../../core/model/digest.ts';
import { show } from '../../core/schemas/problems.ts';
import { lineCounter } from '../../core/text/text.ts';
import { entryOf, longestText, type Entry } from './items.ts';

/** The entries read so far from a document, and its problems. */
export interface Read {
  readonly entries: Entry[];
  readonly problems: string[];
  /** The line (from 1) of the next occurrence of a text in the document. */
  lineOf(text: string): number | undefined;
}

interface Written {
  readonly place: string;
  readonly name: unknown;
  readonly version: unknown;
  readonly purls: readonly unknown[];
  readonly group?: unknown;
  /** Pairs of algorithm and value. */
  readonly digests?: readonly (readonly unknown[])[];
}

/** An unreadable package URL makes the entry unknown, but does not reject the document. */
export function addEntry(
  { place, version, purls: writtenPurls, ...written }: Written,
  read: Read,
): void {
  const { group, digests = [] } = written;
  const purls = writtenPurls.filter((purl) => purl !== undefined && purl !== '');
  const name = written.name ?? (purls.length > 0 ? '' : undefined);
  const tooLong = [name, version, group, ...purls].find(
    (text) => typeof text === 'string' && text.length > longestText,
  );

  if (typeof name !== 'string' || (name === '' && purls.length === 0)) {
    read.problems.push(`${place}.name: expected a text; got ${show(written.name)}`);
  } else if (version !== undefined && typeof version !== 'string') {
    read.problems.push(`${place}: expected the version as a text; got ${show(version)}`);
  } else if (!purls.every((purl) => typeof purl === 'string')) {
    read.problems.push(`${place}: expected package URLs as texts; got ${show(purls)}`);
  } else if (tooLong !== undefined) {
    read.problems.push(
      `${place}: expected texts of at most ${longestText} characters; got ${show(tooLong)}`,
    );
  } else {
    const entry = entryOf({
      name,
      purls,
      version: isStated(version) ? version : undefined,
      group: typeof group === 'string' ? group : undefined,
      digests: digests
        .map(([algorithm, value]) => digestOf(algorithm, value))
        .filter((value) => value !== undefined),
    });

    const where = { line: read.lineOf(purls[0] ?? name) };
    read.entries.push(entry.map((item) => ({ ...item, ...where })));
  }
}

/** SPDX has words for an unknown version. */
function isStated(version: string | undefined): boolean {
  return !['', 'NOASSERTION', 'NONE', undefined].includes(version);
}

/**
 * `sha256:0f1e…` for SHA-256, SHA256 or sha256; undefined for an algorithm that no source states. Keeps a value of another form,
 * which then differs from every recorded digest.
 */
function digestOf(algorithm: unknown, value: unknown): string | undefined {
  const name = lastPart(algorithm)
    .replace(/^checksumalgorithm_/, '')
    .replaceAll(/[-_\s]/g, '');
  if (digestLengths[name as DigestAlgorithm] === undefined) {
    return undefined;
  }

  return `${name}:${typeof value === 'string' ? value.slice(0, 200).trim().toLowerCase() : show(value)}`;
}

/** Stops looking for lines after this many failed searches: the document spells its texts differently. */
const mostMissed = 100;

/** Searches for each text after the previous one, since entries are in the order of the document. */
export function textLineFinder(text: string): Read['lineOf'] {
  const lineAt = lineCounter(text);
  let [at, missed] = [0, 0];

  return (wanted) => {
    if (missed === mostMissed) {
      return undefined;
    }

    const position = text.indexOf(JSON.stringify(wanted), at);
    if (position < 0) {
      missed += 1;
      return undefined;
    }

    at = position;

    return lineAt(position);
  };
}

export type Fields = Readonly<Record<string, unknown>>;

export function arrayElements(
  fields: Fields,
  key: string,
  before: string,
  { problems }: Read,
): readonly unknown[] {
  const value = fields[key];
  if (value === undefined || Array.isArray(value)) {
    return value ?? [];
  }

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
