/** Facts about datasources that need no request. */
import { formatPackage } from './purl.ts';

interface Facts {
  /** The keys of a source that it needs, and those that it may have, besides the keys of all. */
  readonly needs: readonly string[];
  readonly mayHave?: readonly string[];
  /** The type of its package URLs. */
  readonly purl?: string;
  /** Its ecosystem in OSV. */
  readonly osv?: string;
  /** A release has several files, which come one by one. */
  readonly filesFollow?: true;
  /** Where it states no deprecation, there is none. */
  readonly statesDeprecation?: true;
}

const usual = { needs: ['packageName'], mayHave: ['registryUrl'] };

const table = {
  npm: { ...usual, purl: 'npm', osv: 'npm', statesDeprecation: true },
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
  nuget: { ...usual, purl: 'nuget', osv: 'NuGet', statesDeprecation: true },
  crate: { ...usual, purl: 'cargo', osv: 'crates.io', statesDeprecation: true },
  rubygems: { ...usual, purl: 'gem', osv: 'RubyGems', filesFollow: true },
  go: { ...usual, purl: 'golang', osv: 'Go', statesDeprecation: true },
  json: { needs: [], mayHave: ['url', 'file', 'transform'], statesDeprecation: true },
  page: { needs: ['url', 'matchStrings'] },
  static: { needs: ['releases'], statesDeprecation: true },
  osv: { needs: [], mayHave: ['url', 'registryUrl', 'trusted'] },
} satisfies Readonly<Record<string, Facts>>;

export type DatasourceName = keyof typeof table;
export const datasourceNames = Object.keys(table) as DatasourceName[];
/** By the name of a datasource; undefined for other texts. */
export const datasourceFacts: Readonly<Record<DatasourceName, Facts>> &
  Readonly<Record<string, Facts>> = table;

export interface PackageOfSource {
  readonly datasource: string;
  readonly packageName?: string | undefined;
  readonly registryUrl?: string | undefined;
  readonly field?: string | undefined;
}

/** The package URL of a source, without a version. The application in a chart has other versions than the chart. */
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

/** The package of a source as OSV names it. */
export function nameOsvPackage({ datasource, packageName: name }: PackageOfSource) {
  const ecosystem = datasourceFacts[datasource]?.osv;
  return ecosystem && name ? { ecosystem, name } : undefined;
}
