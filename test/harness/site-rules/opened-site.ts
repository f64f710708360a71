import { join } from 'node:path';
import { readRegularFile } from '../../../src/io/files/file-system.ts';
import { pathsIn } from '../root.ts';

/** The files of a built site. */
export interface SiteFolder {
  /** Paths of all files, with slashes: those at the top first. */
  readonly paths: ReadonlySet<string>;
  /** Throws where there is no such file. */
  read(path: string): Buffer;
}

export type Report = (path: string, message: string) => void;

export function openSite(out: string): SiteFolder {
  const paths = pathsIn(out).toSorted((a, b) => Number(a.includes('/')) - Number(b.includes('/')));
  return { paths: new Set(paths), read: (path) => readRegularFile(join(out, path)) };
}
