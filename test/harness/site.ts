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
    const index = openIndex(copyFolder(exampleRoot));
    index.write(`program/${packageFile}`, 'packed');
    index.edit('site/site.json', { staleAfterDays: 1_000_000 });
    buildFolder(index.root, exampleDay, built);
  }
  return built;
}
