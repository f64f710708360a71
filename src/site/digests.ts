import { quote } from '../core/text/foreign-text.ts';
import { fillPath, statementsPath } from './render/paths.ts';

/** Lists all files of a site, except itself and the files that signing adds, in the format of sha256sum(1). */
export const digestsFile = 'SHA256SUMS';
export const signatureFile = `${digestsFile}.minisig`;

/** The digests of files, by path. */
export type Digests = ReadonlyMap<string, string>;

/** A digest, two spaces and a path on each line, sorted by path. */
export function formatDigests(digests: Digests): string {
  const paths = [...digests.keys()].sort();
  return paths.map((path) => `${digests.get(path)}  ${path}\n`).join('');
}

/**
 * Parses an untrusted list. Throws the error that `createError` makes if a line is malformed, or if a path is listed twice or
 * leads out of the folder of the list.
 */
export function parseDigests(
  text: string,
  createError: (problem: string) => Error = Error,
): Map<string, string> {
  const digests = new Map<string, string>();

  for (const [index, line] of text.split('\n').entries()) {
    if (line === '') {
      continue;
    }

    const [, digest, path] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    const place = `line ${index + 1}`;
    if (digest === undefined || path === undefined) {
      throw createError(`${place}: expected a digest and a path; got ${quote(line)}`);
    }
    if (!isBelowFolder(path)) {
      throw createError(`${place}: ${quote(path)} is not a path below the folder of the list`);
    }
    if (digests.has(path)) {
      throw createError(`${place}: ${quote(path)} is listed a second time`);
    }

    digests.set(path, digest);
  }

  return digests;
}

/** Whether a list may have a path: it has no line break and no backslash, and leads nowhere else on any system. */
export function isBelowFolder(path: string): boolean {
  const isRelative = !/[\p{Cc}\p{Zl}\p{Zp}\\]|^\/|^[A-Za-z]:/u.test(path);
  return isRelative && !path.split('/').some((part) => /^\.{0,2}$/.test(part));
}

/**
 * The files that signing may add: the statements about the releases of each component, also under earlier names, and the
 * signature of the list. Components without recorded digests have no statements.
 */
export function listSignedPaths(paths: Iterable<string>): string[] {
  const statements = listDescribedComponents(paths).map((name) => fillPath(statementsPath, name));
  return [...statements, signatureFile];
}

/** The components of a site and their earlier names, from the paths of its files. */
export function listDescribedComponents(paths: Iterable<string>): string[] {
  const names = Array.from(paths, (path) => /^details\/([^/]+)\.json$/.exec(path)?.[1]);
  return names.filter((name) => name !== undefined);
}
