import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readRegularFile } from '../../../src/io/files/file-system.ts';

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
