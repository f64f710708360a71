import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { buildFolder } from './components.ts';
import { exampleDay, exampleRoot } from './example.ts';
import { copyFolder, createFolder, openIndex } from './index-folder.ts';

let built: string | undefined;

/** The file of the program in a site. */
export const packageFile = `release-index-${manifest.version}.tgz`;

/** The folder of the site of the example with a program, built once. It is never too old, whenever the tests run. */
export function buildExample(): string {
  if (built === undefined) {
    built = createFolder();
    const root = copyFolder(exampleRoot);
    openIndex(root).write(`program/${packageFile}`, 'packed');
    buildFolder(root, exampleDay, built);

    const path = join(built, 'status.json');
    const status = JSON.parse(readFileSync(path, 'utf8')) as object;
    writeFileSync(path, JSON.stringify({ ...status, staleAfterDays: 1_000_000 }));
  }
  return built;
}
