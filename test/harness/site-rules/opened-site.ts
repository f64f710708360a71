import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { digestsFile, parseDigests } from '../../../src/site/digests.ts';
import { readRegularFile } from '../../../src/io/files/file-system.ts';
import { sha256 } from '../../../src/io/files/sha256.ts';
import { isUnlisted } from '../../../src/site/own-files.ts';

/** The files of a built site. */
export interface SiteFolder {
  /** Paths of all files, with slashes: those at the top first. */
  readonly paths: ReadonlySet<string>;
  /** Throws where there is no such file. */
  read(path: string): Buffer;
}

export type Report = (path: string, message: string) => void;

export function openSite(out: string): SiteFolder {
  const paths = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(out, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort((a, b) => Number(a.includes('/')) - Number(b.includes('/')) || (a < b ? -1 : 1));
  return { paths: new Set(paths), read: (path) => readRegularFile(join(out, path)) };
}

/** Every file is listed with its digest, and every listed file exists. `use` gets the bytes of each. */
export function checkDigests(
  site: SiteFolder,
  report: Report,
  use: (path: string, bytes: Buffer) => void,
): void {
  const digests = readDigests(site, report);
  for (const path of site.paths) {
    const isExempt = isUnlisted(path, (other) => site.paths.has(other));
    if (isExempt && !path.endsWith('.json')) continue;
    const bytes = site.read(path);
    const expected = digests?.get(path);
    if (digests && expected === undefined && !isExempt)
      report(path, `is not listed in ${digestsFile}; no build made it`);
    else if (expected !== undefined) {
      const found = sha256(bytes);
      if (found !== expected)
        report(path, `changed since the build: expected the digest ${expected}; got ${found}`);
    }
    use(path, bytes);
  }
  for (const path of digests?.keys() ?? []) {
    if (!site.paths.has(path)) report(path, `is listed in ${digestsFile}, but does not exist`);
  }
}

function readDigests(site: SiteFolder, report: Report): Map<string, string> | undefined {
  if (!site.paths.has(digestsFile)) {
    report(digestsFile, 'is missing; build the site again');
    return undefined;
  }
  try {
    return parseDigests(site.read(digestsFile).toString(), (problem) => new Error(problem));
  } catch (error) {
    report(digestsFile, (error as Error).message);
    return undefined;
  }
}
