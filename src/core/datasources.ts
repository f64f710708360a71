/** Lists facts about each datasource, such as the type of its package URLs. */
import { formatPackage } from './purl.ts';

interface Facts {
  /** The JSON keys that a source with this datasource must have in a definition. */
  readonly needs: readonly string[];
  /** The optional JSON keys of such a source. Keys that every source may have, such as `extractVersion`, are not repeated here. */
  readonly mayHave?: readonly string[];
  /** The type of the package URLs, such as `npm`. */
  readonly purl?: string;
  /** The name of the ecosystem in OSV. */
  readonly osv?: string;
  /** Whether a release may have several files, which are published one after another. */
  readonly filesFollow?: true;
  /** Whether the packages follow semantic versioning. */
  readonly followsSemver?: true;
  /** Whether the registry marks deprecated releases. If so, a release without a mark is certainly not deprecated. */
  readonly statesDeprecation?: true;
}

const usual = { needs: ['packageName'], mayHave: ['registryUrl'] };

const table = {
  npm: { ...usual, purl: 'npm', osv: 'npm', followsSemver: true, statesDeprecation: true },
  maven: { ...usual, purl: 'maven', osv: 'Maven' },
  pypi: {
    ...usual,
    mayHave: ['registryUrl', 'digestOf'],
    purl: 'pypi',
    osv: 'PyPI',
    filesFollow: true,
    statesDeprecation: true,
  },
  docker: { ...usual, mayHave: ['registryUrl', 'rebuildsTags'], purl: 'docker' },
  helm: {
    needs: ['packageName', 'registryUrl'],
    mayHave: ['field'],
    purl: 'helm',
    statesDeprecation: true,
  },
  'github-releases': {
    ...usual,
    mayHave: ['registryUrl', 'digestOf'],
    purl: 'github',
    filesFollow: true,
  },
  'github-tags': { ...usual, purl: 'github' },
  'gitlab-releases': { ...usual, purl: 'gitlab' },
  'gitlab-tags': { ...usual, purl: 'gitlab' },
  'git-tags': { needs: ['packageName'] },
  nuget: { ...usual, purl: 'nuget', osv: 'NuGet', followsSemver: true, statesDeprecation: true },
  crate: {
    ...usual,
    purl: 'cargo',
    osv: 'crates.io',
    followsSemver: true,
    statesDeprecation: true,
  },
  rubygems: { ...usual, purl: 'gem', osv: 'RubyGems', filesFollow: true },
  go: { ...usual, purl: 'golang', osv: 'Go', statesDeprecation: true },
  json: { needs: [], mayHave: ['url', 'file', 'transform'], statesDeprecation: true },
  page: { needs: ['url', 'matchStrings'] },
  static: { needs: ['releases'], statesDeprecation: true },
  osv: { needs: [], mayHave: ['url', 'registryUrl', 'trusted'] },
} satisfies Readonly<Record<string, Facts>>;

export type DatasourceName = keyof typeof table;
export const datasourceNames = Object.keys(table) as DatasourceName[];
/** Maps the name of a datasource to its facts. Undefined for other names. */
export const datasourceFacts: Readonly<Record<DatasourceName, Facts>> &
  Readonly<Record<string, Facts>> = table;

export interface PackageOfSource {
  readonly datasource: string;
  readonly packageName?: string | undefined;
  readonly registryUrl?: string | undefined;
  readonly field?: string | undefined;
}

/**
 * Returns the package URL of a source, without a version. Undefined for the `appVersion` of a Helm chart, because this is the version of
 * the application, not of the chart.
 */
export function nameSourcePackage({
  datasource,
  packageName,
  field,
}: PackageOfSource): string | undefined {
  const type = datasourceFacts[datasource]?.purl;
  return type && packageName && field !== 'appVersion'
    ? formatPackage(type, packageName)
    : undefined;
}

/** Returns the package of a source as OSV names it. Undefined if OSV does not have its ecosystem. */
export function nameOsvPackage({ datasource, packageName: name }: PackageOfSource) {
  const ecosystem = datasourceFacts[datasource]?.osv;
  return ecosystem && name ? { ecosystem, name } : undefined;
}
