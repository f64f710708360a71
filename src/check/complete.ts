import { digestsFile } from '../site/digests.ts';
import { isOfComponent, pathFor, publishedPaths } from '../render/paths.ts';
import { schemaNames } from '../render/json-schemas.ts';
import type { Report, SiteFolder } from './opened-site.ts';

/** Every published path is there, for every component. */
export function checkComplete(site: SiteFolder, names: readonly string[], report: Report): void {
  for (const path of expectedPaths(names)) {
    if (!site.paths.has(path)) report(path, 'is missing');
  }
}

function* expectedPaths(names: readonly string[]): Generator<string> {
  for (const published of publishedPaths) {
    const { path } = published;
    // The list of digests is looked for where it is read, and what is not there for each component where it is compared.
    if (path === digestsFile || published.onlyIf !== undefined) continue;
    if (isOfComponent(published)) for (const name of names) yield pathFor(path, name);
    else if (path.includes('{schema}')) for (const name of schemaNames) yield path.replace('{schema}', name);
    else if (!path.includes('{')) yield path;
  }
}
