import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './entry.ts';
import type { Root } from './root.ts';

/** A folder that can be deleted at any time: the next run fills it again. It keeps itself out of version control. */
export function cacheFolder(root: Root): string {
  const folder = join(root.dir, '.cache');
  if (!existsSync(join(folder, '.gitignore'))) {
    makeFolder(folder);
    writeFileSync(join(folder, '.gitignore'), '*\n');
  }
  return folder;
}
