import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../model/finding.ts';
import { digestsFile, parseDigests } from '../site/digests.ts';
import { sha256 } from '../store/sha256.ts';
import { unlistedFiles } from '../site/own-files.ts';

/** A built site as it lies in its folder. */
export interface SiteFolder {
  /** Paths of all files, with slashes: those at the top first. */
  readonly paths: ReadonlySet<string>;
  /** Throws where there is no such file. */
  read(path: string): Buffer;
}

export type Report = (path: string, message: string) => void;

export function reporter(findings: Finding[]): Report {
  return (subject, message) => findings.push({ level: 'error', subject, message });
}

export function openSite(out: string): SiteFolder {
  const paths = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(out.length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted((a, b) => Number(a.includes('/')) - Number(b.includes('/')) || (a < b ? -1 : 1));
  return { paths: new Set(paths), read: (path) => readFileSync(join(out, path)) };
}

/** Every file is listed with its digest, and every listed file is there. `use` gets the bytes of each, read once. */
export function checkDigests(
  site: SiteFolder,
  report: Report,
  use: (path: string, bytes: Buffer) => void,
): void {
  const digests = readDigests(site, report);
  for (const path of site.paths) {
    if (unlistedFiles.has(path)) continue;
    const bytes = site.read(path);
    const expected = digests?.get(path);
    if (digests && expected === undefined) report(path, `is not listed in ${digestsFile}; no build made it`);
    else if (expected !== undefined) {
      const found = sha256(bytes);
      if (found !== expected)
        report(path, `changed since the build: expected the digest ${expected}; got ${found}`);
    }
    use(path, bytes);
  }
  for (const path of digests?.keys() ?? []) {
    if (!site.paths.has(path)) report(path, `is listed in ${digestsFile} and is not there`);
  }
}

function readDigests(site: SiteFolder, report: Report): Map<string, string> | undefined {
  if (!site.paths.has(digestsFile)) {
    report(digestsFile, 'is missing; build the site anew');
    return undefined;
  }
  try {
    return parseDigests(site.read(digestsFile).toString());
  } catch (error) {
    report(digestsFile, (error as Error).message.replace(`${digestsFile}: `, ''));
    return undefined;
  }
}
