import type { Definition } from '../schemas/definition/definition.ts';
import type { Source } from '../schemas/definition/source.ts';
import type { PublishedPackage } from '../schemas/published/status-file.ts';
import { removeInvisible } from '../text/foreign-text.ts';
import { removeRegistry, resolveOci } from './images.ts';
import { encodePart, parsePurl, type Purl } from './purl.ts';

/**
 * The types of package URLs that github.com/package-url/purl-spec lists, by datasource, which has Renovate's name. Packages of a
 * datasource without a type are found by no package URL.
 */
export const purlTypes: Readonly<Record<string, string>> = {
  npm: 'npm',
  maven: 'maven',
  pypi: 'pypi',
  docker: 'docker',
  helm: 'helm',
  'github-releases': 'github',
  'github-tags': 'github',
  'gitlab-releases': 'gitlab',
  'gitlab-tags': 'gitlab',
  nuget: 'nuget',
  crate: 'cargo',
  rubygems: 'gem',
  go: 'golang',
};

/** The packages that a package URL names, normalised: an image may be in several repositories. */
export function listPackagesOfPurl(purl: Purl): string[] {
  return resolveOci(purl).map(formatNormalised);
}

/**
 * A normalised package URL without a version: equal for all spellings of one package. For an image in several repositories, it is
 * the first, as a package has one name.
 */
export function formatPackage(purl: Purl): string {
  const [first] = resolveOci(purl);
  return formatNormalised(first);
}

/** The package, without a version, for the name of a package in its registry. */
export function formatRegistryPackage(type: string, packageName: string): string {
  const name = type === 'maven' ? packageName.replace(':', '/') : packageName;
  return formatPackage({ type, name });
}

/** The package URL of a source, without a version; undefined if it does not list a package's releases. */
export function renderPackageUrl(source: Source): string | undefined {
  const { datasource, packageName, field } = source;
  const purlType = purlTypes[datasource];

  // The application in a chart has other versions than the chart.
  if (purlType === undefined || packageName === undefined || field === 'appVersion') {
    return undefined;
  }

  return formatRegistryPackage(purlType, packageName);
}

/** The packages of a component, from its sources and aliases. The first of several equal ones stays, with its `extractVersion`. */
export function listComponentPackages({
  sources,
  aliases = [],
}: Pick<Definition, 'sources' | 'aliases'>): PublishedPackage[] {
  const packages: PublishedPackage[] = [];
  for (const source of sources) {
    const purl = renderPackageUrl(source);
    if (purl !== undefined) {
      packages.push({ purl, extractVersion: source.extractVersion });
    }
  }

  for (const alias of aliases) {
    const purl = parsePurl(alias);
    if (purl) {
      packages.push({ purl: formatPackage(purl) });
    }
  }

  const byPurl = Map.groupBy(packages, ({ purl }) => purl);
  return Array.from(byPurl.values(), ([first]) => first);
}

/** The normalised form of a package URL; any other text unchanged. */
export function normalisePackageText(text: string): string {
  const purl = parsePurl(text);
  return purl ? formatPackage(purl) : text;
}

function formatNormalised({ type, namespace, name }: Purl): string {
  const path = namespace === undefined ? name : `${namespace}/${name}`;
  const parts = normalise(type, removeInvisible(path)).split('/');
  return `pkg:${type}/${parts.map(encodePart).join('/')}`;
}

function normalise(type: string, path: string): string {
  switch (type) {
    case 'npm':
    case 'github':
    case 'gitlab':
    case 'golang':
    case 'nuget':
      return path.toLowerCase();
    case 'pypi':
      return normalisePypi(path);
    case 'docker':
      return removeRegistry(path);
    default:
      return path;
  }
}

/** packaging.python.org, "Name normalization" (PEP 503): `Agent_X` and `agent-x` are one project. */
export function normalisePypi(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}
