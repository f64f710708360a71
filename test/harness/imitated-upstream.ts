import { createHash } from 'node:crypto';
import type { TypedSource } from '../../src/record/sources/index.ts';
import type { Document } from './upstream.ts';

/** A release as an upstream is to list it. */
export interface Listed {
  version: string;
  /** ISO 8601; absent where the upstream states no day. */
  at?: string;
  link?: string;
  /** What its artifact holds; the version unless told. Null where the upstream states no digest of it. */
  artifact?: string | null;
  /** The rest of its entry is not what it should be. */
  isMalformed?: boolean;
}

/** How the upstream of a datasource lists releases, and what it can do beyond a plain list. */
export interface ImitatedUpstream {
  name: string;
  /** The source of a definition that is read at `url`. */
  source(url: string, releases: readonly Listed[]): TypedSource;
  /** Which public registry it stands for, where the source names none. */
  standsFor?: string;
  /** What is there to be asked for; absent where nothing is asked over the network. */
  documents?(releases: readonly Listed[], at: ServedAt): Map<string, Document>;
  /** Every request must stay below this path. */
  home?: string;
  /** The list comes in pages. */
  hasPages?: true;
  /** The path of the request in which the day of a version is asked for, where the list does not state it. */
  lookUp?(version: string): string;
  /** What an entry of the list is: an `object` can be malformed and still name its version. */
  entry?: 'object' | 'text';
  statesLinks?: true;
  /** Upstream states the day of no release. */
  statesNoDay?: true;
  /** The digests that it states of a release, as they are recorded; absent where it never states any. */
  digests?(release: Listed): Record<string, string>;
  /** The documents state `packageName`, as it is. */
  namesPackage?: true;
  onlyAdds?: true;
  /** A document of the right kind that unfolds to more than memory holds. */
  bomb?: Document;
}

export interface ServedAt {
  url: string;
  pageSize: number;
  /** Which package the documents say they are about. */
  packageName?: string | undefined;
}

/** In hexadecimal; undefined where none is stated. */
export function digestOf(
  { version, artifact = version }: Listed,
  algorithm = 'sha256',
): string | undefined {
  return artifact === null ? undefined : createHash(algorithm).update(artifact).digest('hex');
}

export function json(value: unknown, headers: Record<string, string> = {}): Document {
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(value), headers };
}

/** Written by hand, as no object can hold a key twice. */
export function keyed(releases: readonly Listed[], valueOf: (release: Listed) => unknown): string {
  const entries = releases.map(
    (release) => `${JSON.stringify(release.version)}:${JSON.stringify(valueOf(release))}`,
  );
  return `{${entries.join(',')}}`;
}

/** A list in pages; `documentOf` makes one that names the path of the next. */
export function inPages<T>(
  first: string,
  entries: readonly T[],
  pageSize: number,
  documentOf: (page: readonly T[], next: string | undefined) => Document,
): Map<string, Document> {
  const path = (page: number) => (page === 0 ? first : `${first}&page=${page + 1}`);
  const starts = Array.from(
    { length: Math.max(1, Math.ceil(entries.length / pageSize)) },
    (_, page) => page,
  );
  return new Map(
    starts.map((page) => {
      const end = (page + 1) * pageSize;
      const next = end < entries.length ? path(page + 1) : undefined;
      return [path(page), documentOf(entries.slice(page * pageSize, end), next)];
    }),
  );
}

/** A list in pages that lead to each other by `Link`. */
export function linkedPages(
  first: string,
  entries: readonly unknown[],
  pageSize: number,
): Map<string, Document> {
  return inPages(first, entries, pageSize, (page, next) =>
    json(
      page,
      next === undefined ? {} : { link: `<${first}>; rel="first", <${next}>; rel="next"` },
    ),
  );
}

/** Eight definitions, each of ten times the one before it. */
export function unfolding(define: (name: string, of: string) => string): string {
  return Array.from('bcdefghi', (name, index) => define(name, 'abcdefgh'[index]!)).join('');
}
