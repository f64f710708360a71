import { inputError } from './errors.ts';

/** The list of all files of a site, in the format of sha256sum(1). It contains neither itself nor its signature. */
export const digestsFile = 'SHA256SUMS';
export const signatureFile = 'SHA256SUMS.minisig';

/** The SHA-256 digests of files, by path. */
export type Digests = ReadonlyMap<string, string>;

export function formatDigests(digests: Digests): string {
  const paths = [...digests.keys()].sort();
  return paths.map((path) => `${digests.get(path)}  ${path}\n`).join('');
}

/** Parses `SHA256SUMS`. Throws an `InputError` for a malformed line, a repeated path, and a path that may lead out of the folder. */
export function parseDigests(text: string): Map<string, string> {
  const digests = new Map<string, string>();
  for (const line of text.split('\n').filter(Boolean)) {
    const [, digest, path] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    if (!digest || !path || digests.has(path) || outside.test(path)) {
      throw inputError(
        digestsFile,
        `expected a digest and a new path; got ${JSON.stringify(line.slice(0, 200))}`,
      );
    }

    digests.set(path, digest);
  }
  return digests;
}

/**
 * Matches paths that may lead out of the folder, or that some systems read differently:
 * - absolute paths
 * - paths with a backslash or a control character
 * - paths with a part that is empty, `.` or `..`
 */
const outside = /[\p{Cc}\p{Zl}\p{Zp}\\]|^[A-Za-z]:|(?:^|\/)\.{0,2}(?:\/|$)/u;

/** The folder of signed statements. `statements/svc.ndjson` contains the statements about the releases in `details/svc.json`. */
export const statementsFolder = 'statements/';

/** Tells whether a path is `SHA256SUMS` or its signature, which `SHA256SUMS` does not list. */
export function isUnlisted(path: string): boolean {
  return path === digestsFile || path === signatureFile;
}
