/** Facts about datasources that need no request. */
import { formatPackage } from './purl.ts';

interface Facts {
  /** The keys that a source of this kind needs, and keys that it may have, beside those of all sources. */
  readonly needs: readonly string[];
  readonly mayHave?: readonly string[];
  /** The type of package URLs. */
  readonly purl?: string;
  /** The ecosystem in OSV. */
  readonly osv?: string;
  /** A release has several files, which are published one by one. */
  readonly filesFollow?: true;
  /** Its packages are versioned by semantic versioning. */
  readonly followsSemver?: true;
  /** It states deprecation, so a release without a statement is not deprecated. */
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
/** Facts by the name of a datasource. Undefined for other texts. */
export const datasourceFacts: Readonly<Record<DatasourceName, Facts>> &
  Readonly<Record<string, Facts>> = table;

export interface PackageOfSource {
  readonly datasource: string;
  readonly packageName?: string | undefined;
  readonly registryUrl?: string | undefined;
  readonly field?: string | undefined;
}

/** Returns the package URL of a source, without a version. A chart that is read for its `appVersion` has none, because its versions are those of the application. */
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

/** Returns the package of a source as OSV names it, or undefined. */
export function nameOsvPackage({ datasource, packageName: name }: PackageOfSource) {
  const ecosystem = datasourceFacts[datasource]?.osv;
  return ecosystem && name ? { ecosystem, name } : undefined;
}
