import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNameProblem } from '../../src/core/schemas/definition/component-name.ts';
import { parseVersion, rankKey } from '../../src/core/model/version.ts';
import type { Corpus, CorpusReleases } from '../harness/corpus.ts';

const policies = [
  undefined,
  { policy: 'term', months: 18 },
  { policy: 'latest-lines', count: 6 },
  { policy: 'term', months: 36, line: 1 },
];

/** Writes a root in which each product is `copies` components, and returns how much it holds. */
export function writeRoot(root: string, products: Corpus, copies: number): string {
  for (const folder of ['components', 'data/freshness']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  let components = 0;
  let releases = 0;
  for (const [product, versions] of products) {
    const source = `npm:@corpus/${product}`;
    const recorded = recordable(versions, source);
    for (let copy = 1; copy <= copies; copy += 1) {
      const name = `${findNameProblem(product) !== undefined ? `${product}-product` : product}${copies === 1 ? '' : `-${copy}`}`;
      const support = policies[components % policies.length];
      writeJson(join(root, `components/${name}.json`), {
        title: product,
        description: `Releases of ${product}, as a public index lists them.`,
        homepage: `https://products.example.com/${product}`,
        changelogUrl: `https://products.example.com/${product}/changelog`,
        sources: [{ datasource: 'npm', packageName: `@corpus/${product}` }],
        ...(support && { support }),
      });
      writeJson(join(root, `data/${name}.json`), { releases: recorded });
      writeJson(join(root, `data/freshness/${name}.json`), {
        sources: { [source]: { since: '2026-08-22' } },
      });
      components += 1;
      releases += recorded.length;
    }
  }
  return `${components.toLocaleString('en')} components, ${releases.toLocaleString('en')} releases`;
}

/** Each version of the product that has a place in the order, once. */
function recordable(versions: CorpusReleases, source: string) {
  const byRank = new Map(
    versions.flatMap((release) => {
      const version = parseVersion(release.version);
      return version ? [[rankKey(version), release] as const] : [];
    }),
  );
  return [...byRank.values()].map((release) => ({
    ...release,
    source,
    firstSeen: release.releaseTimestamp,
  }));
}

function writeJson(path: string, document: object): void {
  writeFileSync(path, JSON.stringify(document));
}
