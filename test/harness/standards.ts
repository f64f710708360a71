/** Finds published standards in a folder `shared/standards/` in or above the checkout. Tests that need a missing standard are skipped. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const files = { 'API of endoflife.date': 'endoflife-date-v1.openapi.yml' };
export type Standard = keyof typeof files;

/** Returns the path of a standard's file, or undefined. */
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

/** Lists the files of standards that were not found. */
export function listMissingStandards(): string[] {
  const missing = (Object.keys(files) as Standard[]).filter((name) => !findStandard(name));
  return missing.map((name) => `shared/standards/${files[name]}`);
}
