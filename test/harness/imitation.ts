/** Contains the types and helpers that all imitated upstreams share. */
import { createHash } from 'node:crypto';
import { json, type Document, type Documents } from './upstream.ts';

/** A release that an imitated upstream lists. */
export interface Listed {
  version: string;
  /** The release date. Absent if the upstream gives no date for this release. */
  at?: string;
  /** Whether the upstream's entry for this release is malformed: it has no valid version. */
  isMalformed?: boolean;
}

export interface ImitatedUpstream {
  source(url: string, releases: readonly Listed[]): object;
  /** A public registry, for example `https://hub.docker.com/`. Requests to it go to the imitated registry. */
  standsFor?: string;
  /** Creates the documents that the upstream serves, by path. Absent if the datasource makes no requests. */
  documents?(releases: readonly Listed[], url: string, pageSize: number): Documents;
  hasPages?: true;
  /** Returns the request that looks up the release date of a version. Absent if the list of releases has the dates. */
  lookUp?(version: string): string;
  /** Set if entries cannot be malformed, for example because every text is a valid tag. */
  isPlain?: true;
  /** Set if the upstream never gives a release date. */
  givesNoDate?: true;
  /** Returns the digest that is recorded for a version. */
  digest?(version: string): string;
  /** The names of the files that each release lists. Absent if releases have no files. */
  files?: readonly string[];
}

/** The file names of releases that have files. */
export const platforms = ['linux-amd64', 'linux-arm64'];

/** Returns a function that creates a source of a package. The source reads the imitated registry. */
export const from =
  (datasource: string, packageName: string, path = '') =>
  (url: string) => ({ datasource, packageName, registryUrl: url + path });

/** Returns the digest of a file of a version. */
export function fileDigest(version: string, name: string): string {
  return sha256(`${version} ${name}`);
}

/** Returns the download address of a file of a version. */
export function fileUrl(version: string, name: string): string {
  return `https://files.example.com/${encodeURIComponent(version)}/${name}`;
}

export function sha256(text: string): string {
  return `sha256:${digestOf(text)}`;
}

export function sha1(text: string): string {
  return `sha1:${digestOf(text, 'sha1')}`;
}

export function digestOf(text: string | Buffer, algorithm = 'sha256'): string {
  return createHash(algorithm).update(text).digest('hex');
}

/** Splits a list into pages, and returns the pages by path. `createPage` gets the entries of a page, and the path of the next page. */
export function inPages<T>(
  first: string,
  entries: readonly T[],
  pageSize: number,
  createPage: (page: readonly T[], next: string | undefined) => Document,
): Documents {
  const count = Math.max(1, Math.ceil(entries.length / pageSize));
  const path = (page: number) => (page === 0 ? first : `${first}&page=${page + 1}`);
  return Object.fromEntries(
    Array.from({ length: count }, (_, page) => {
      const next = page + 1 < count ? path(page + 1) : undefined;
      const own = entries.slice(page * pageSize, (page + 1) * pageSize);
      return [path(page), createPage(own, next)];
    }),
  );
}

export function linkedPages(
  first: string,
  entries: readonly unknown[],
  pageSize: number,
): Documents {
  return inPages(first, entries, pageSize, (page, next) => json(page, linkTo(next)));
}

export function linkTo(next: string | undefined): Record<string, string> {
  return next === undefined ? {} : { link: `<${next}>; rel="next"` };
}
