/** The second example: real versions of 403 products, with a term of 18 months for every fourth. */
import { join } from 'node:path';
import { parseVersion } from '../../src/core/version.ts';
import { buildFolder } from './components.ts';
import { readCorpus } from './corpus.ts';
import { createFolder, openIndex, usualSettings } from './index-folder.ts';

/** The day as of which it is built. */
export const largeDay = '2026-08-22';

/** Returns the number of releases. `size`: 1 for all products; for four times as many, each under four names. */
export function writeLargeIndex(root: string, size = 1): number {
  const { write } = openIndex(root);
  // By product, the day of each version.
  const products = Object.entries(readCorpus<Record<string, Record<string, string>>>('releases'));
  const copies = Math.max(size, 1);
  const every = Math.max(1 / size, 1);
  let count = 0;
  write('site/site.json', usualSettings);
  for (let number = 0; number < products.length * copies; number += 1) {
    const place = number % products.length;
    // Fours stay together, since one in four has a policy.
    if (Math.floor(place / 4) % every !== 0) {
      continue;
    }
    const [product, versions] = products[place]!;
    const copy = number < products.length ? '' : `-${Math.floor(number / products.length)}`;
    const name = `p-${product.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}${copy}`;
    const homepage = `https://example.com/${name}`;
    write(`components/${name}.json`, {
      title: product + copy,
      homepage,
      changelogUrl: homepage,
      sources: [{ datasource: 'npm', packageName: name }],
      ...(place % 4 === 0 && { support: { policy: 'term', months: 18 } }),
    });
    const releases = Object.entries(versions)
      .filter(([version]) => parseVersion(version))
      .map(([version, released]) => ({
        version,
        releaseTimestamp: `${released}T00:00:00Z`,
        timestampKind: 'published',
        sources: [`npm:${name}`],
      }));
    write(`data/${name}.json`, { releases });
    count += releases.length;
  }
  return count;
}

/** Builds its site of 3,000 files, which takes some ten seconds. */
export function buildLarge(): string {
  const root = createFolder();
  writeLargeIndex(root);
  buildFolder(root, largeDay);
  return join(root, 'dist');
}
