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
  /** By stating none, it states that a release is not deprecated. */
  readonly statesDeprecation?: true;
}

const anyRegistry = { needs: ['packageName'], mayHave: ['registryUrl'] };
const gitHub = {
  ...anyRegistry,
  purl: 'github',
};
const gitLab = { ...anyRegistry, purl: 'gitlab' };

const table = {
  npm: {
    ...anyRegistry,
    purl: 'npm',
    osv: 'npm',
    statesDeprecation: true,
  },
  maven: { ...anyRegistry, purl: 'maven', osv: 'Maven' },
  pypi: {
    ...anyRegistry,
    purl: 'pypi',
    osv: 'PyPI',
    statesDeprecation: true,
  },
  docker: {
    needs: ['packageName'],
    mayHave: ['registryUrl', 'rebuildsTags'],
    purl: 'docker',
  },
  helm: {
    needs: ['packageName', 'registryUrl'],
    mayHave: ['field'],
    purl: 'helm',
    statesDeprecation: true,
  },
  'github-releases': { ...gitHub, mayHave: ['registryUrl', 'digestOf'] },
  'github-tags': gitHub,
  'gitlab-releases': gitLab,
  'gitlab-tags': gitLab,
  'git-tags': { needs: ['packageName'] },
  nuget: { ...anyRegistry, purl: 'nuget', osv: 'NuGet', statesDeprecation: true },
  crate: {
    ...anyRegistry,
    purl: 'cargo',
    osv: 'crates.io',
    statesDeprecation: true,
  },
  rubygems: {
    ...anyRegistry,
    purl: 'gem',
    osv: 'RubyGems',
  },
  go: {
    ...anyRegistry,
    purl: 'golang',
    osv: 'Go',
    statesDeprecation: true,
  },
  json: {
    needs: [],
    mayHave: ['url', 'file', 'transform'],
    statesDeprecation: true,
  },
  page: { needs: ['url', 'matchStrings'] },
  static: { needs: ['releases'], statesDeprecation: true },
  osv: { needs: [], mayHave: ['url', 'registryUrl', 'trusted'] },
} satisfies Readonly<Record<string, Facts>>;

export type DatasourceName = keyof typeof table;
export const datasourceNames = Object.keys(table) as DatasourceName[];
export const datasourceFacts: Readonly<Record<string, Facts>> = table;

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
  return type === undefined || packageName === undefined || field === 'appVersion'
    ? undefined
    : formatPackage(type, packageName);
}

/** The package of a source as OSV names it. */
export function nameOsvPackage({ datasource, packageName }: PackageOfSource) {
  const ecosystem = datasourceFacts[datasource]?.osv;
  return ecosystem === undefined || packageName === undefined
    ? undefined
    : { ecosystem, name: packageName };
}
