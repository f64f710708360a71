import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Root } from '../store/root.ts';

const folders = ['components', 'data', 'data/freshness'];

/**
 * Digest of everything that a site is built from: definitions, recorded data and the site's own files. Two checkouts with
 * the same digest build the same site for the same day.
 */
export function digestInputs(root: Root): string {
  const hash = createHash('sha256');
  for (const folder of folders) addFolder(hash, join(root.dir, folder), folder, '.json');
  addFolder(hash, root.siteDir, 'site', '');
  addFolder(hash, root.templatesDir, 'site/templates', '');
  addFolder(hash, root.assetsDir, 'site/assets', '');
  return `sha256:${hash.digest('hex')}`;
}

function addFolder(hash: ReturnType<typeof createHash>, dir: string, name: string, ending: string): void {
  if (!existsSync(dir)) return;
  const files = readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending) && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .toSorted();
  for (const file of files) {
    const bytes = readFileSync(join(dir, file));
    hash.update(`${name}/${file} ${bytes.length}\n`).update(bytes);
  }
}
