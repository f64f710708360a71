/** Serves real products as upstreams do: their versions and end-of-support dates, copied from endoflife.date. */
import type { Day } from '../../src/core/day.ts';
import { isPrereleaseForm, keyVersion, parseVersion } from '../../src/core/version.ts';
import { readCorpus } from './corpus.ts';
import { openIndex, usualSettings } from './index-folder.ts';
import { listen } from './listen.ts';

/** The end of a phase of support: a date, or whether the phase is over. */
type End = Day | boolean | undefined;

export interface Product {
  title: string;
  identifiers?: { purl?: string }[];
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

/** The date on which the lists were copied from endoflife.date. */
export const worldDay: Day = '2026-08-22';
export const products = readCorpus<Record<string, Product>>('world-products');
const productNames =
  readCorpus<Record<string, { aliases?: string[]; codenames?: Record<string, string> }>>(
    'world-names',
  );
const versions = readCorpus<Record<string, Record<string, Day>>>('releases');

/** The products with at least one listed release. */
export const listedProducts = Object.keys(products).filter(
  (product) => listReleases(product).length > 0,
);

/** Writes the settings and definitions of an index of all real products. Returns the components by product. */
export function writeWorld(root: string, upstream: string): Map<string, string> {
  const { write } = openIndex(root);
  write('site/site.json', {
    ...usualSettings,
    title: 'Real products',
    description: 'Releases of real products, with the ends that endoflife.date states.',
    // The limit is ten years, because the copied lists never change. With a low limit, the index would soon count as stale.
    staleAfterDays: 3650,
  });
  const names = new Map(listedProducts.map((product) => [product, nameComponent(product)]));
  for (const [product, name] of names) {
    const page = `https://endoflife.date/${product}`;
    const source = { datasource: 'endoflife-date', product, registryUrl: upstream };
    const { title } = products[product]!;
    const aliases = readAliases(product);
    write(`components/${name}.json`, {
      title,
      ...(aliases.length > 0 && { aliases }),
      homepage: page,
      changelogUrl: page,
      sources: [{ datasource: 'json', url: `${upstream}/lists/${product}` }],
      support: { policy: 'stated', source },
    });
  }
  return names;
}

/** Returns the other names of a product, and its package URLs. */
export function readAliases(product: string): string[] {
  const { aliases = [] } = productNames[product] ?? {};
  const { identifiers = [] } = products[product]!;
  return [...aliases, ...identifiers.flatMap(({ purl }) => purl ?? [])];
}

/** Serves the versions of each product, and endoflife.date's answer about its release cycles on a day. Returns the server's address. */
export function serveWorld(day: Day): Promise<string> {
  return listen((request, response) => {
    const [, kind, product = ''] = /^\/(lists|v1\/products)\/(.*)$/.exec(request.url!)!;
    const document =
      kind === 'lists'
        ? { releases: listReleases(product) }
        : describeProduct(product, products[product]!, day);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
  });
}

/** Returns whether a phase of support is over on a day. On endoflife.date, an end date is the last day of the phase. */
export const isOver = (end: End, day: Day) => (typeof end === 'string' ? day > end : end);
export const toDay = (end: End) => (typeof end === 'string' ? end : null);

/** Creates endoflife.date's answer to `v1/products/<product>`. */
export function describeProduct(
  product: string,
  { eoasColumn, eoesColumn, releases }: Product,
  day: Day,
): object {
  const { codenames = {} } = productNames[product] ?? {};
  const isOverNow = (end: End) => isOver(end, day);
  return {
    result: {
      labels: { eoes: eoesColumn === true ? 'Extended Security Support' : eoesColumn },
      releases: releases.map(({ releaseCycle, releaseDate, lts = false, eoas, eol, eoes }) => ({
        name: releaseCycle,
        codename: codenames[releaseCycle] ?? null,
        releaseDate,
        isLts: isOverNow(lts),
        ltsFrom: toDay(lts),
        ...(eoasColumn && { isEoas: isOverNow(eoas) ?? null, eoasFrom: toDay(eoas) }),
        isEol: isOverNow(eol),
        eolFrom: toDay(eol),
        ...(eoesColumn && { isEoes: isOverNow(eoes) ?? null, eoesFrom: toDay(eoes) }),
      })),
    },
  };
}

/** Lists the stable releases of a product. Leaves out invalid versions. Of equal versions, such as 1.0 and 1.0.0, keeps the first. */
export function listReleases(product: string): { version: string; releaseTimestamp: Day }[] {
  const ranks = new Map<string, { version: string; releaseTimestamp: Day }>();
  for (const [version, releaseTimestamp] of Object.entries(versions[product] ?? {})) {
    const parsed = parseVersion(version);
    if (parsed && !isPrereleaseForm(parsed) && !ranks.has(keyVersion(parsed))) {
      ranks.set(keyVersion(parsed), { version, releaseTimestamp });
    }
  }
  return [...ranks.values()];
}

/** Returns the id of a product's component. The id `renovate` is not allowed, because the site has a path of this name. */
const nameComponent = (product: string) =>
  product === 'renovate' ? 'renovate-cli' : product.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
