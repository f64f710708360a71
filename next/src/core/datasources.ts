/** Facts about datasources that need no request. */
import { formatPackage, normaliseName, splitImage } from './purl.ts';

interface Facts {
  /** The type of its package URLs. */
  readonly purl?: string;
  /** Its ecosystem in OSV. */
  readonly osv?: string;
  /** By stating none, it states that a release is not deprecated. */
  readonly statesDeprecation?: true;
  /** Its names are tags of containers, which may move. */
  readonly hasTags?: true;
  readonly example: string;
  readonly needsRegistry?: true;
  /** The page of a package for people, with `NAME`. */
  readonly page?: string;
}

export const datasourceFacts: Readonly<Record<string, Facts>> = {
  npm: { purl: 'npm', osv: 'npm', statesDeprecation: true, example: '@scope/package' },
  maven: { purl: 'maven', osv: 'Maven', example: 'com.example:agent' },
  pypi: {
    purl: 'pypi',
    osv: 'PyPI',
    statesDeprecation: true,
    example: 'agent',
    page: 'https://pypi.org/project/NAME/',
  },
  docker: { purl: 'docker', hasTags: true, example: 'example/agent' },
  helm: { purl: 'helm', statesDeprecation: true, example: 'agent', needsRegistry: true },
  'github-releases': { purl: 'github', example: 'owner/repo', page: 'https://github.com/NAME' },
  'github-tags': { purl: 'github', example: 'owner/repo', page: 'https://github.com/NAME' },
  'gitlab-releases': { purl: 'gitlab', example: 'group/project' },
  'gitlab-tags': { purl: 'gitlab', example: 'group/project' },
  'git-tags': { example: 'https://git.example.com/agent.git' },
  nuget: { purl: 'nuget', osv: 'NuGet', statesDeprecation: true, example: 'Agent' },
  crate: {
    purl: 'cargo',
    osv: 'crates.io',
    statesDeprecation: true,
    example: 'agent',
    page: 'https://crates.io/crates/NAME',
  },
  rubygems: {
    purl: 'gem',
    osv: 'RubyGems',
    example: 'agent',
    page: 'https://rubygems.org/gems/NAME',
  },
  go: { purl: 'golang', osv: 'Go', statesDeprecation: true, example: 'example.com/agent' },
  json: { statesDeprecation: true, example: 'https://example.com/agent.json' },
  page: { example: '' },
  static: { statesDeprecation: true, example: 'releases.csv' },
  osv: { example: '' },
};

interface PackageOfSource {
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

export interface RenovateConditions {
  matchDatasources: string[];
  matchPackageNames: string[];
  matchRegistryUrls?: string[];
  matchJsonata?: string[];
}

/** How Renovate finds the package of a source by itself; undefined where it does not. */
export function findRenovateConditions({
  datasource,
  packageName,
  registryUrl,
  field,
}: PackageOfSource): RenovateConditions | undefined {
  if (packageName === undefined || datasourceFacts[datasource] === undefined) {
    return undefined;
  }

  const conditions = { matchDatasources: [datasource], matchPackageNames: [packageName] };
  const address = registryUrl?.replace(/\/+$/, '');
  const ofRegistry =
    address === undefined ? undefined : { matchRegistryUrls: [address, `${address}/`] };
  switch (datasource) {
    case 'pypi':
      return { ...conditions, matchPackageNames: [normaliseName('pypi', packageName)] };
    case 'docker':
      return { ...conditions, matchPackageNames: listImageNames(packageName, registryUrl) };
    case 'helm':
      return field === 'appVersion' ? undefined : { ...conditions, ...ofRegistry };
    case 'github-releases':
    case 'github-tags':
      return registryUrl === undefined
        ? { ...conditions, matchDatasources: ['github-releases', 'github-tags'] }
        : undefined;
    case 'gitlab-releases':
    case 'gitlab-tags':
      return { ...conditions, matchDatasources: ['gitlab-releases', 'gitlab-tags'], ...ofRegistry };
    case 'git-tags': {
      const repository = packageName.replace(/(?:\.git)?\/*$/, '');
      return { ...conditions, matchPackageNames: [repository, `${repository}.git`] };
    }
    default:
      return conditions;
  }
}

function listImageNames(packageName: string, registryUrl: string | undefined): string[] {
  if (registryUrl !== undefined) {
    return [`${new URL(registryUrl).host}/${packageName}`];
  }

  const { repository } = splitImage(packageName);
  const names = repository.includes('/') ? [repository] : [repository, `library/${repository}`];
  return [...names, ...names.map((name) => `docker.io/${name}`)];
}
