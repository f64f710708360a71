import type { PublishedIndex } from '../answers/published-index.ts';
import { compileExpression } from '../expression.ts';
import { Source } from '../model/source-schema.ts';
import { packageOf, type Purl } from './purl.ts';

/** A component that a package belongs to. */
export interface Owner {
  readonly component: string;
  /** The version of the index for one of the package; as it is where the definition takes nothing out of it. */
  extract(version: string): string;
}

/** The components by package. */
export type Packages = ReadonlyMap<string, readonly Owner[]>;

const types: Readonly<Record<string, string>> = {
  npm: 'npm',
  maven: 'maven',
  pypi: 'pypi',
  docker: 'docker',
  helm: 'helm',
  'github-releases': 'github',
  'github-tags': 'github',
};

/** What the sources of definitions are called as packages. */
export function packagesOfDefinitions(
  definitions: Iterable<readonly [component: string, sources: readonly Source[]]>,
): Packages {
  const packages = new Map<string, Owner[]>();
  for (const [component, sources] of definitions) {
    for (const source of sources) {
      // The version of a chart is not that of the application in it.
      if (!('packageName' in source) || ('field' in source && source.field === 'appVersion')) continue;
      add(packages, source, { component, extract: extraction(source.extractVersion) });
    }
  }
  return packages;
}

/** The same as far as a published index tells: not what `extractVersion` takes out. */
export async function packagesOfIndex(index: PublishedIndex): Promise<Packages> {
  const packages = new Map<string, Owner[]>();
  for (const [component, { datasource = [], package: names = [] }] of await index.searched()) {
    const extract = (version: string) => version;
    let told: ReadonlySet<string> | undefined;
    for (const packageName of names) {
      const possible = datasource.map((datasource) => ({ datasource, packageName })).filter(hasForm);
      // Where the form of the name leaves it open, its releases say which of the datasources it is of.
      if (possible.length > 1) told ??= await sourcesOfReleases(index, component);
      for (const source of possible)
        if (!told || possible.length === 1 || told.has(`${source.datasource}:${packageName}`))
          add(packages, source, { component, extract });
    }
  }
  return packages;
}

interface NamedSource {
  readonly datasource: string;
  readonly packageName: string;
}

function hasForm(source: NamedSource): boolean {
  // Some need a registry, too; which one does not matter.
  return Source.safeParse({ ...source, registryUrl: 'https://example.com/' }).success;
}

/** Such as `maven:com.example:agent`; without the registry that may follow it. */
async function sourcesOfReleases(index: PublishedIndex, component: string): Promise<ReadonlySet<string>> {
  const details = await index.details(component);
  const ids = details?.releases.flatMap(({ sources = [] }) => sources) ?? [];
  return new Set(ids.map((id) => id.replace(/ .*$/, '')));
}

function add(packages: Map<string, Owner[]>, { datasource, packageName }: NamedSource, owner: Owner): void {
  const type = Object.hasOwn(types, datasource) ? types[datasource] : undefined;
  if (type === undefined) return;
  const key = packageOf(purlOf(type, packageName));
  const owners = packages.get(key) ?? [];
  if (owners.every(({ component }) => component !== owner.component)) packages.set(key, [...owners, owner]);
}

function purlOf(type: string, packageName: string): Purl {
  const path = type === 'maven' ? packageName.replace(':', '/') : packageName;
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  return slash === -1 ? { type, name } : { type, namespace: path.slice(0, slash), name };
}

function extraction(pattern: string | undefined): Owner['extract'] {
  if (pattern === undefined) return (version) => version;
  const expression = compileExpression(pattern);
  return (version) => expression.match(version)?.['version'] ?? version;
}
