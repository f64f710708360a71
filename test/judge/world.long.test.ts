/** All products of endoflife.date: what is told of each of their releases is what is stated of its cycle. */
import { expect, test } from 'vitest';
import type { Day } from '../../src/core/day.ts';
import type { Component } from '../../src/core/schema/published.ts';
import { isPrereleaseForm, keyVersion, parseVersion } from '../../src/core/version.ts';
import { writeIndex } from '../harness/components.ts';
import { readCorpus } from '../harness/corpus.ts';
import { openIndex } from '../harness/index-folder.ts';
import { listen } from '../harness/listen.ts';

/** A day, or whether it is over. */
type End = Day | boolean | undefined;

interface Product {
  title: string;
  eoasColumn?: string | true;
  eoesColumn?: string | true;
  releases: {
    releaseCycle: string;
    releaseDate?: Day;
    lts?: End;
    eoas?: End;
    eol: End;
    eoes?: End;
  }[];
}

const day = '2026-11-29';
const products = readCorpus<Record<string, Product>>('world-products');
const versions = readCorpus<Record<string, Record<string, Day>>>('releases');

/** As endoflife.date says it: an end is the last day. */
const isOver = (end: End) => (typeof end === 'string' ? day > end : end);
const toDay = (end: End) => (typeof end === 'string' ? end : null);

/** `v1/products/<product>` of the API of endoflife.date. */
function describeProduct({ eoasColumn, eoesColumn, releases }: Product): object {
  return {
    result: {
      labels: { eoes: eoesColumn === true ? 'Extended Security Support' : eoesColumn },
      releases: releases.map(({ releaseCycle, releaseDate, lts = false, eoas, eol, eoes }) => ({
        name: releaseCycle,
        releaseDate,
        isLts: isOver(lts),
        ltsFrom: toDay(lts),
        ...(eoasColumn && { isEoas: isOver(eoas) ?? null, eoasFrom: toDay(eoas) }),
        isEol: isOver(eol),
        eolFrom: toDay(eol),
        ...(eoesColumn && { isEoes: isOver(eoes) ?? null, eoesFrom: toDay(eoes) }),
      })),
    },
  };
}

/** The stable releases that have a place in the order. */
function listReleases(product: string): { version: string; releaseTimestamp: Day }[] {
  const ranks = new Map<string, { version: string; releaseTimestamp: Day }>();
  for (const [version, releaseTimestamp] of Object.entries(versions[product] ?? {})) {
    const parsed = parseVersion(version);
    if (parsed && !isPrereleaseForm(parsed) && !ranks.has(keyVersion(parsed))) {
      ranks.set(keyVersion(parsed), { version, releaseTimestamp });
    }
  }
  return [...ranks.values()];
}

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

const listed = Object.keys(products).filter((product) => listReleases(product).length > 0);

test(`of the releases of ${listed.length} products, all that is told is stated`, async () => {
  const url = await listen((request, response) => {
    const [, kind, product = ''] = /^\/(lists|v1\/products)\/(.*)$/.exec(request.url!)!;
    const document =
      kind === 'lists' ? { releases: listReleases(product) } : describeProduct(products[product]!);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
  const components = listed.map((product) => {
    const source = { datasource: 'endoflife-date', product, registryUrl: url };
    const definition = {
      title: products[product]!.title,
      sources: [{ datasource: 'json', url: `${url}/lists/${product}` }],
      support: { policy: 'stated', source },
    };
    return [`p-${product}`, { definition }];
  });
  const index = openIndex(writeIndex(Object.fromEntries(components)));
  expect(await index.run('gather', '--as-of', day)).toMatchObject({ status: 0 });
  expect(await index.run('build', '--as-of', day)).toMatchObject({ status: 0 });

  const wrong: string[] = [];
  const counts = { releases: 0, stated: 0 };
  for (const product of listed) {
    const { releases } = JSON.parse(index.read(`dist/details/p-${product}.json`)) as Component;
    const { eoesColumn } = products[product]!;
    for (const { version, isSupported, supportedUntil } of releases) {
      const cycle = findCycle(version, products[product]!);
      const { eol, eoes } = cycle ?? {};
      const end = freeLabels.includes(eoesColumn) ? (eoes ?? eol) : eol;
      const told = `${product} ${version}: supported ${isSupported}, until ${supportedUntil}`;
      if (cycle && (isSupported !== !isOver(end) || supportedUntil !== (toDay(end) ?? undefined))) {
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
