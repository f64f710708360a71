import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { reservedNames } from '../../src/core/schemas/component-name.ts';
import { parseVersion, rankKey } from '../../src/core/version.ts';

/** Product, and its versions with the days they came out on. */
export type Corpus = ReadonlyMap<string, readonly (readonly [version: string, day: string])[]>;

interface Product {
  versions?: Record<string, { name: string; date: string }>;
}

/** Where the corpus is looked for, or why it is not there. */
export function findCorpus(): { archive: string } | { reason: string } {
  const folder =
    process.env['RELEASE_INDEX_CORPUS'] ?? resolve(import.meta.dirname, '../../../shared/corpus');
  const archive = join(folder, 'endoflife-releases.tar.gz');
  if (existsSync(archive)) return { archive };
  return { reason: `there is no corpus: ${archive} is absent (RELEASE_INDEX_CORPUS names another folder)` };
}

export function readCorpus(archive: string, scratch: string): Corpus {
  const folder = join(scratch, 'corpus');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', archive, '-C', folder]);
  const products = join(folder, 'releases');
  return new Map(
    readdirSync(products)
      .sort()
      .map((file) => {
        const { versions = {} } = JSON.parse(readFileSync(join(products, file), 'utf8')) as Product;
        return [
          file.slice(0, -'.json'.length),
          Object.values(versions).map(({ name, date }) => [name, date] as const),
        ];
      }),
  );
}

/** Support policies as an index of many products has them; which one a product gets depends on its place alone. */
const policies = [
  undefined,
  { policy: 'term', months: 18 },
  { policy: 'latest-lines', count: 6 },
  { policy: 'term', months: 36, line: 1 },
];

/** Writes a root in which each product of the corpus is `copies` components. Returns how many releases it holds. */
export function writeRoot(
  root: string,
  corpus: Corpus,
  copies: number,
): { components: number; releases: number } {
  rmSync(root, { recursive: true, force: true });
  for (const folder of ['components', 'data/freshness']) mkdirSync(join(root, folder), { recursive: true });
  let components = 0;
  let releases = 0;
  for (const [product, versions] of corpus) {
    const recorded = recordable(versions, `npm:@corpus/${product}`);
    for (let copy = 0; copy < copies; copy += 1) {
      const name = `${reservedNames.has(product) ? `${product}-product` : product}${copies === 1 ? '' : `-${copy + 1}`}`;
      writeJson(join(root, 'components', `${name}.json`), definition(product, components));
      writeJson(join(root, 'data', `${name}.json`), { releases: recorded });
      writeJson(join(root, 'data/freshness', `${name}.json`), freshness(product));
      components += 1;
      releases += recorded.length;
    }
  }
  return { components, releases };
}

/** Writes a root of components that nobody has asked about yet. */
export function writeGatherRoot(root: string, registryUrl: string, components: number): void {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(join(root, 'components'), { recursive: true });
  for (let index = 0; index < components; index += 1) {
    const name = `component-${index}`;
    writeJson(join(root, 'components', `${name}.json`), {
      title: name,
      homepage: 'https://products.example.com/',
      changelogUrl: 'https://products.example.com/changelog',
      sources: [{ datasource: 'npm', packageName: name, registryUrl }],
    });
  }
}

function definition(product: string, place: number): object {
  const support = policies[place % policies.length];
  return {
    title: product,
    description: `Releases of ${product}, as a public index lists them.`,
    homepage: `https://products.example.com/${product}`,
    changelogUrl: `https://products.example.com/${product}/changelog`,
    ...(place % 2 === 0 && {
      releaseChangelogUrl: { template: `https://products.example.com/${product}/changelog#{versionDashed}` },
    }),
    sources: [{ datasource: 'npm', packageName: `@corpus/${product}` }],
    ...(support && { support }),
  };
}

/** What `gather` would have recorded: each version the order accepts, once. */
function recordable(versions: readonly (readonly [string, string])[], source: string): object[] {
  const ranks = new Set<string>();
  return versions.flatMap(([version, releaseTimestamp]) => {
    const parsed = parseVersion(version);
    if (!parsed || ranks.has(rankKey(parsed))) return [];
    ranks.add(rankKey(parsed));
    return [{ version, releaseTimestamp, source, firstSeen: releaseTimestamp }];
  });
}

function freshness(product: string): object {
  const source = { answeredOn: '2026-08-22' };
  return {
    checkedOn: '2026-08-22',
    changedOn: '2026-08-22',
    sources: { [`npm:@corpus/${product}`]: source },
  };
}

function writeJson(path: string, document: object): void {
  writeFileSync(path, `${JSON.stringify(document, undefined, 2)}\n`);
}
