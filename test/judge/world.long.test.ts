/** All products of endoflife.date: what is told of each of their releases is what is stated of its cycle. */
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

/** The longest cycle that a version begins with, at the border of a group. */
function findCycle(version: string, { releases }: Product) {
  const text = version.replace(/^v/i, '');
  const found = releases.filter(({ releaseCycle: name }) => {
    const isWhole = !(/\d$/.test(name) ? /^\d/ : /^[a-z\d]/i).test(text.slice(name.length));
    return text.startsWith(name) && isWhole;
  });
  return found.sort((a, b) => b.releaseCycle.length - a.releaseCycle.length)[0];
}

/** What endoflife.date states for all after the end of support, by its own pages. */
const freeLabels: unknown[] = ['Debian LTS', 'Security Support', 'Limited support'];

test(`says of the releases of ${listedProducts.length} products only what their sources list`, async () => {
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
      const told = `${product} ${version}: supported ${isSupported}, until ${supportedUntil}`;
      if (
        cycle &&
        (isSupported !== !isOver(end, day) || supportedUntil !== (toDay(end) ?? undefined))
      ) {
        wrong.push(`${told}; stated of ${cycle.releaseCycle}: ${end}`);
      } else if (!cycle && isSupported) {
        wrong.push(`${told}; nothing is stated`);
      }
      counts.releases += 1;
      counts.stated += Number(cycle !== undefined);
    }
  }

  expect(wrong).toEqual([]);
  expect(counts).toEqual({ releases: 97_834, stated: 67_926 });
}, 900_000);
