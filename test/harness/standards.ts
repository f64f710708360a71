/** Standards of others, which a folder beside the checkout or above it may have: `shared/standards/`. Tests that need an absent one are skipped. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const files = { 'API of endoflife.date': 'endoflife-date-v1.openapi.yml' };
export type Standard = keyof typeof files;

/** Returns its path. */
export function findStandard(name: Standard): string | undefined {
  for (let folder = import.meta.dirname; folder !== dirname(folder);) {
    folder = dirname(folder);
    const path = join(folder, 'shared/standards', files[name]);
    if (existsSync(path)) {
      return path;
    }
  }
  return undefined;
}

/** Lists the files that no folder has. */
export function listMissingStandards(): string[] {
  const missing = (Object.keys(files) as Standard[]).filter((name) => !findStandard(name));
  return missing.map((name) => `shared/standards/${files[name]}`);
}
