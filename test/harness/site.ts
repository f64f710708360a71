import manifest from '../../package.json' with { type: 'json' };
import { buildFolder } from './components.ts';
import { exampleDay, exampleRoot } from './example.ts';
import { digestOf } from './imitation.ts';
import { copyFolder, createFolder, openIndex } from './index-folder.ts';

let built: string | undefined;

/** The name of the packed program that a site offers for download. */
export const packageFile = `release-index-${manifest.version}.tgz`;

/**
 * Builds the example's site once, with a packed program, and returns its folder. The site never counts as stale, whenever the tests run.
 */
export function buildExample(): string {
  if (built === undefined) {
    built = createFolder();
    const root = copyFolder(exampleRoot);
    openIndex(root).write(`program/${packageFile}`, 'packed');
    buildFolder(root, exampleDay, built);

    // Commands compare the date of the index with `staleAfterDays` in status.json, so a high value keeps them from calling the index stale.
    // Pages have their own copy of the limit. They keep the example's limit of a few days, because tests check how a stale page looks.
    const site = openIndex(built);
    site.edit('status.json', { staleAfterDays: 1_000_000 });
    const digest = digestOf(site.read('status.json'));
    const sums = site.read('SHA256SUMS').replace(/^\w+(?= {2}status\.json$)/m, digest);
    site.write('SHA256SUMS', sums);
  }
  return built;
}
