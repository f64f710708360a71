/** What imitated upstreams share. */
import { createHash } from 'node:crypto';
import { json, type Document, type Documents } from './upstream.ts';

/** A release as an upstream is to list it. */
export interface Listed {
  version: string;
  /** Absent where the upstream states no day. */
  at?: string;
  /** Its entry names no version. */
  isMalformed?: boolean;
}

export interface ImitatedUpstream {
  source(url: string, releases: readonly Listed[]): object;
  /** The public registry that it stands for, where the source names none. */
  standsFor?: string;
  /** What is there to be asked for; absent where nothing is asked over the network. */
  documents?(releases: readonly Listed[], url: string, pageSize: number): Documents;
  hasPages?: true;
  /** The request for the day of a version that the list does not state. */
  lookUp?(version: string): string;
  /** Entries have no form that could be wrong. */
  isPlain?: true;
  statesNoDay?: true;
  /** A digest as it is recorded. */
  digest?(version: string): string;
  /** The names of the files of each release. */
  files?: readonly string[];
}

/** The names of files that releases have. */
export const platforms = ['linux-amd64', 'linux-arm64'];

/** Returns a source of a package, whose registry is the imitated one. */
export const from =
  (datasource: string, packageName: string, path = '') =>
  (url: string) => ({ datasource, packageName, registryUrl: url + path });

/** Of the file with a name. */
export function fileDigest(version: string, name: string): string {
  return sha256(`${version} ${name}`);
}

/** Where it lies. */
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

/** A list in pages. `createPage` names the path of the next one. */
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
