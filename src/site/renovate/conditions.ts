/** Writes the conditions with which Renovate finds a component: its name in a comment, or its packages. */
import { toExtraction } from '../../ask/extract.ts';
import {
  datasourceFacts,
  nameSourcePackage,
  type PackageOfSource,
} from '../../core/datasources.ts';
import { normaliseName, parsePurl, splitImage } from '../../core/purl.ts';
import { listNames } from '../../core/schema/names.ts';
import type { Component } from '../../core/schema/published.ts';
import { writeRegExp } from './jsonata.ts';

interface Conditions {
  matchDatasources: string[];
  matchPackageNames: string[];
  matchRegistryUrls?: string[];
  /** A list with one JSONata expression. Given if other components have the same package. */
  matchJsonata?: string[];
}

/** A package of a component. */
interface Place {
  component: Component;
  conditions: Conditions;
  /** Undefined if the component has all versions of the package. */
  extractVersion: string | undefined;
}

/** Maps the name of a package, in lower case, to the components that have it. */
export type Places = ReadonlyMap<string, readonly Place[]>;

/**
 * Matches the comments that name a component, `svc`, or a file of a component, `svc/linux-amd64`. A component's former names also match.
 */
export function matchComments(components: readonly Component[], datasource: string): Conditions {
  const matchPackageNames = components.flatMap((component) => {
    const { files = [] } = component;
    return listNames(component).flatMap((name) => [
      name,
      ...files.map((file) => `${name}/${file}`),
    ]);
  });
  return { matchDatasources: [`custom.${datasource}`], matchPackageNames };
}

/**
 * Lists the conditions for the packages of components. Packages come from sources, and from package URLs in aliases. Joins conditions that
 * differ only in package names.
 *
 * @param all The packages of all components. If given, a condition excludes versions that belong to another component (see `claim`).
 */
export function listPackageConditions(
  components: readonly Component[],
  all: Places = new Map(),
): Conditions[] {
  const conditions = components
    .flatMap(listPlaces)
    .flatMap((place) => claim(place, findRivals(place, all)) ?? []);
  const groups = Map.groupBy(conditions, ({ matchPackageNames: _, ...others }) =>
    JSON.stringify(others),
  );
  return Array.from(groups.values(), (group) => ({
    ...group[0]!,
    matchPackageNames: [...new Set(group.flatMap(({ matchPackageNames }) => matchPackageNames))],
  }));
}

/** Finds the packages of components, by their names. */
export function findPlaces(components: readonly Component[]): Places {
  const named = components.flatMap((component) =>
    listPlaces(component).flatMap((place) =>
      listKeys(place.conditions).map((key) => ({ key, place })),
    ),
  );
  const groups = Map.groupBy(named, ({ key }) => key);
  return new Map(Array.from(groups, ([key, group]) => [key, group.map(({ place }) => place)]));
}

function listPlaces(component: Component): Place[] {
  const { sources, aliases = [] } = component;
  return [...sources, ...aliases.flatMap(readAlias)].flatMap((each) => {
    const conditions = findConditions(each);
    // If several sources have the package, the first one decides. An alias may name the package of a source, too.
    const purl = nameSourcePackage(each);
    const first = sources.find(
      (other) => other === each || (purl && nameSourcePackage(other) === purl),
    );
    return conditions ? [{ component, conditions, extractVersion: first?.extractVersion }] : [];
  });
}

function listKeys({ matchDatasources, matchPackageNames }: Conditions): string[] {
  return matchDatasources.flatMap((datasource) =>
    matchPackageNames.map((name) => `${datasource} ${name.toLowerCase()}`),
  );
}

/** Finds the places of other components that have the same package. */
function findRivals({ component, conditions }: Place, all: Places): Place[] {
  const rivals = listKeys(conditions).flatMap((key) => all.get(key) ?? []);
  return [...new Set(rivals)].filter((rival) => {
    const urls = rival.conditions.matchRegistryUrls;
    const isSameHost =
      !urls || (conditions.matchRegistryUrls?.some((url) => urls.includes(url)) ?? true);
    return isSameHost && rival.component !== component;
  });
}

/**
 * Limits the condition for a package to the versions that belong to the component, if other components have the same package. As in
 * `rankOwner`, a version belongs to the component whose `extractVersion` finds it, or else to a component without a pattern. A version that
 * may belong to several components gets no note. Returns undefined if no version certainly belongs to the component.
 *
 * Renovate may give `1.2` for the tag `api-v1.2`, if its user has set an `extractVersion`. Then no pattern finds a version.
 */
function claim(place: Place, rivals: readonly Place[]): Conditions | undefined {
  if (rivals.length === 0) {
    return place.conditions;
  }

  const others = rivals.filter(({ extractVersion }) => extractVersion !== undefined);
  const excluded = others.flatMap(writePattern);
  const isShared =
    place.extractVersion === undefined &&
    rivals.some((rival) => rival.extractVersion === undefined && sharesLine(rival, place));
  const own = place.extractVersion === undefined ? undefined : writePattern(place);
  if (isShared || own?.length === 0) {
    return undefined;
  }

  const tests = [
    ...(own ? [findVersion(own)] : []),
    ...(excluded.length > 0 ? [`$not(${findVersion(excluded)})`] : []),
  ];
  return { ...place.conditions, ...(tests.length > 0 && { matchJsonata: [tests.join(' and ')] }) };
}

/** Tells whether two components have a release line with the same name. If not, each has other versions of the package. */
function sharesLine(rival: Place, { component }: Place): boolean {
  const names = new Set(component.lines.map(({ line }) => line));
  return rival.component.lines.some(({ line }) => names.has(line));
}

/** Writes the pattern of a place in JSONata. Empty if JavaScript might run it for too long, so that no version is known to match. */
function writePattern({ extractVersion }: Place): string[] {
  const extraction = toExtraction(extractVersion);
  const pattern = extraction && writeRegExp(extraction);
  return pattern === undefined ? [] : [pattern];
}

/**
 * Writes a JSONata condition for a version in use that one of the patterns matches. For the tag `1.2-slim`, Renovate gives `1.2-slim` in
 * `currentValue`, but 1.2 in `currentVersion`. So `currentVersion` is used only if `currentValue` is a range, such as `^1.2`.
 */
function findVersion(patterns: readonly string[]): string {
  const tests = [...new Set(patterns)].map((pattern) => `$contains($, ${pattern})`);
  const version = String.raw`[currentValue, currentVersion][$boolean($)][$contains($, /^\w\S*$/)][0]`;
  return `$exists(${version}[${tests.join(' or ')}])`;
}

/** Writes a condition in JSONata. Like Renovate, the condition ignores the case of package names. */
export function writeCondition({
  matchDatasources,
  matchPackageNames,
  matchRegistryUrls,
  matchJsonata = [],
}: Conditions): string {
  const names = JSON.stringify(matchPackageNames).toLowerCase();
  const address = matchRegistryUrls
    ? ` and $exists(registryUrls[$ in ${JSON.stringify(matchRegistryUrls)}])`
    : '';
  const version = matchJsonata.map((expression) => ` and ${expression}`).join('');
  return `datasource in ${JSON.stringify(matchDatasources)} and $lowercase(packageName) in ${names}${address}${version}`;
}

/**
 * Returns the condition for a source's package. Returns undefined if the source has no package. Also returns undefined for a source with
 * `appVersion`, because Renovate reads a Helm chart's own version, not the version of the application in the chart.
 */
export function findConditions({
  datasource,
  packageName,
  registryUrl,
  field,
}: PackageOfSource): Conditions | undefined {
  if (packageName === undefined || field === 'appVersion') {
    return undefined;
  }

  const [forge] = /^git(?:hub|lab)(?=-)/.exec(datasource) ?? [];
  const address =
    forge || datasource === 'helm' ? registryUrl?.replace(/(?<!\/)\/+$/, '') : undefined;
  return {
    matchDatasources: forge ? [`${forge}-releases`, `${forge}-tags`] : [datasource],
    ...(address && { matchRegistryUrls: [address, `${address}/`] }),
    matchPackageNames: listSpellings(datasource, packageName, registryUrl),
  };
}

/** Lists all spellings that the name of a package may have in files. */
function listSpellings(
  datasource: string,
  name: string,
  registryUrl: string | undefined,
): string[] {
  switch (datasource) {
    case 'pypi':
      return [normaliseName('pypi', name)];
    case 'git-tags': {
      const repository = name.replace(/(?<!\/)\/+$/, '').replace(/\.git$/, '');
      return [repository, `${repository}.git`];
    }
    case 'docker': {
      const { host, repository } = splitImage(registryUrl ? `${registryUrl}/${name}` : name);
      const short = repository.includes('/') ? [repository] : [repository, `library/${repository}`];
      return host
        ? [`${host}/${repository}`]
        : [...short, ...short.map((each) => `docker.io/${each}`)];
    }
    default:
      return [name];
  }
}

/**
 * Reads a package URL as a package of each datasource with its type. `pkg:github/…` gives two packages: of github-releases and of
 * github-tags. Empty if the alias is not a package URL.
 */
function readAlias(alias: string): PackageOfSource[] {
  const { type, name = '' } = parsePurl(alias) ?? {};
  const packageName = type === 'maven' ? name.replace(/\/(?=[^/]*$)/, ':') : name;
  return Object.entries(datasourceFacts)
    .filter(([, { purl }]) => purl && purl === type)
    .map(([datasource]) => ({ datasource, packageName }));
}
