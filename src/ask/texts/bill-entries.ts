import { digestLengths, normaliseDigest } from '../../core/model/digest.ts';
import type { FindLine } from '../../core/text/document-text.ts';
import { show } from '../../core/text/show.ts';
import { createProblem, removeAddress, toObjects, type Problem } from './bill-values.ts';
import {
  createStatedEntry,
  mapEntry,
  maxTextLength,
  type StatedEntry,
  type Entry,
  type Item,
  type ReadText,
} from './text-entries.ts';

/** A package as a document has it, at a place such as `components[0]`. */
export interface WrittenEntry {
  readonly place: string;
  readonly name: unknown;
  readonly version: unknown;
  readonly purls: readonly unknown[];
  readonly group?: unknown;
  readonly digests: readonly string[];
  /** Whether the document is about it. */
  readonly isSubject?: true | undefined;
}

/** Reads the entries of a document. An unreadable package URL makes an entry unknown, but does not reject the document. */
export function readEntries(parts: Iterable<WrittenEntry | Problem>, findLine: FindLine): ReadText {
  const entries: Entry[] = [];
  const problems: string[] = [];
  for (const part of parts) {
    const stated = 'problem' in part ? part : readEntry(part);
    if ('problem' in stated) {
      problems.push(stated.problem);
      continue;
    }

    const { isSubject } = stated;
    const line = findLine(stated.purls[0] ?? stated.name);
    entries.push(mapEntry(createStatedEntry(stated), (item) => ({ ...item, line, isSubject })));
  }

  return { entries, problems, isDocument: true };
}

/** The statement of an entry, or the problem that makes it unreadable. */
function readEntry(written: WrittenEntry): (StatedEntry & Pick<Item, 'isSubject'>) | Problem {
  const { place, version, group, digests, isSubject } = written;
  const purls = written.purls.filter((purl) => purl !== undefined && purl !== '');
  const name = written.name ?? (purls.length > 0 ? '' : undefined);

  if (typeof name !== 'string' || (name === '' && purls.length === 0)) {
    return createProblem(`${place}.name`, 'a text', written.name);
  }
  if (version !== undefined && typeof version !== 'string') {
    return createProblem(place, 'the version as a text', version);
  }
  if (!purls.every((purl) => typeof purl === 'string')) {
    return createProblem(place, 'package URLs as texts', purls);
  }
  for (const text of [name, version, group, ...purls]) {
    if (typeof text === 'string' && text.length > maxTextLength) {
      return createProblem(place, `texts of at most ${maxTextLength} characters`, text);
    }
  }

  return {
    name,
    purls,
    version: unknownVersions.has(version) ? undefined : version,
    group: typeof group === 'string' ? group : undefined,
    digests,
    isSubject,
  };
}

/** SPDX has words for an unknown version. */
const unknownVersions = new Set(['', 'NOASSERTION', 'NONE', undefined]);

/** The digests in a list of objects, by their keys for the algorithm and the value. Ignores algorithms that no source states. */
export function readDigests(list: unknown, algorithmKey: string, valueKey: string): string[] {
  const digests: string[] = [];
  for (const fields of toObjects(list)) {
    const algorithm = removeAddress(fields[algorithmKey])
      .replace(/^checksumalgorithm_/, '')
      .replaceAll(/[-_\s]/g, '');
    if (Object.hasOwn(digestLengths, algorithm)) {
      digests.push(`${algorithm}:${cleanDigest(fields[valueKey])}`);
    }
  }
  return digests;
}

/** Keeps a value of another form, which then differs from every recorded digest. */
function cleanDigest(value: unknown): string {
  return typeof value === 'string' ? normaliseDigest(value.slice(0, 200)) : show(value);
}
