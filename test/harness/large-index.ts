/** Writes a large index: real versions of 403 products. Every fourth product is supported for 18 months. */
import { join } from 'node:path';
import { parseVersion } from '../../src/core/version.ts';
import { buildFolder } from './components.ts';
import { readCorpus } from './corpus.ts';
import { createFolder, openIndex, usualSettings } from './index-folder.ts';

/** The date as of which the large index is built. */
export const largeDay = '2026-08-22';

/**
 * Writes the large index into a folder, and returns the number of its releases. `size`:
 * - 1: every product once
 * - 0.25: a quarter of the products
 * - 4: every product under four names
 */
export function writeLargeIndex(root: string, size = 1): number {
  const { write } = openIndex(root);
  // The release date of each version, by product.
  const products = Object.entries(readCorpus<Record<string, Record<string, string>>>('releases'));
  const copies = Math.max(size, 1);
  const every = Math.max(1 / size, 1);
  let count = 0;
  write('site/site.json', usualSettings);
  for (let number = 0; number < products.length * copies; number += 1) {
    const place = number % products.length;
    // Every fourth product has a support policy, because of `place % 4` below. A smaller index keeps or skips groups of four adjacent
    // products, so every fourth product still has a policy.
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

/** Builds the large index: a site of 3,000 files, in about ten seconds. Returns the folder of the site. */
export function buildLarge(): string {
  const root = createFolder();
  writeLargeIndex(root);
  buildFolder(root, largeDay);
  return join(root, 'dist');
}
