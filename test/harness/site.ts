import manifest from '../../package.json' with { type: 'json' };
import { buildFolder } from './components.ts';
import { exampleDay, exampleRoot } from './example.ts';
import { digestOf } from './imitation.ts';
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

    // Pages keep the days of the example: tests read them on another day.
    const site = openIndex(built);
    site.edit('status.json', { staleAfterDays: 1_000_000 });
    const digest = digestOf(site.read('status.json'));
    const sums = site.read('SHA256SUMS').replace(/^\w+(?= {2}status\.json$)/m, digest);
    site.write('SHA256SUMS', sums);
  }
  return built;
}
