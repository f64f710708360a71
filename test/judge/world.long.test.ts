/**
 * Compares the support of every release of all products with the cycle of endoflife.date to which
 * the release belongs.
 */
import { expect, test } from 'vitest';
import type { Component } from '../../src/core/schema/published.ts';
import { createFolder, openIndex } from '../harness/index-folder.ts';
import {
  isOver,
  listedProducts,
  products,
  serveWorld,
  toDay,
  writeWorld,
  type Product,
} from '../harness/world.ts';

const day = '2026-11-29';

/**
 * Returns the longest cycle name that a version begins with: 1.10.2 begins with 1.10, but not with
 * 1.1.
 */
function findCycle(version: string, { releases }: Product) {
  const text = version.replace(/^v/i, '');
  const found = releases.filter(({ releaseCycle: name }) => {
    const isWhole = !(/\d$/.test(name) ? /^\d/ : /^[a-z\d]/i).test(text.slice(name.length));
    return text.startsWith(name) && isWhole;
  });
  return found.sort((a, b) => b.releaseCycle.length - a.releaseCycle.length)[0];
}

/**
 * Labels of extended support that is free for everybody, according to endoflife.date's own pages.
 */
const freeLabels: unknown[] = ['Debian LTS', 'Security Support', 'Limited support'];

test(`the releases of ${listedProducts.length} products have exactly the support that their sources list`, async () => {
  const index = openIndex(createFolder());
  const components = writeWorld(index.root, await serveWorld(day));
  expect(await index.run('gather', '--as-of', day)).toMatchObject({ status: 0 });
  expect(await index.run('build', '--as-of', day)).toMatchObject({ status: 0 });

  const wrong: string[] = [];
  const counts = { releases: 0, stated: 0 };
  for (const [product, name] of components) {
    const { releases } = JSON.parse(index.read(`dist/details/${name}.json`)) as Component;
    const { eoesColumn } = products[product]!;
    for (const { version, isSupported, supportedUntil } of releases) {
      const cycle = findCycle(version, products[product]!);
      const { eol, eoes } = cycle ?? {};
      const end = freeLabels.includes(eoesColumn) ? (eoes ?? eol) : eol;
      const verdict = `${product} ${version}: supported ${isSupported}, until ${supportedUntil}`;
      if (
        cycle &&
        (isSupported !== !isOver(end, day) || supportedUntil !== (toDay(end) ?? undefined))
      ) {
        wrong.push(`${verdict}; the source gives ${cycle.releaseCycle}: ${end}`);
      } else if (!cycle && isSupported) {
        wrong.push(`${verdict}; the source gives no end`);
      }
      counts.releases += 1;
      counts.stated += Number(cycle !== undefined);
    }
  }

  expect(wrong).toEqual([]);
  expect(counts).toEqual({ releases: 97_834, stated: 67_926 });
}, 900_000);
