/** Writes the conditions with which Renovate finds a component: its name in a comment, or its packages. */
import { datasourceFacts, type PackageOfSource } from '../../core/datasources.ts';
import { normaliseName, parsePurl, splitImage } from '../../core/purl.ts';
import { listNames } from '../../core/schema/names.ts';
import type { Component } from '../../core/schema/published.ts';

interface Conditions {
  matchDatasources: string[];
  matchPackageNames: string[];
  matchRegistryUrls?: string[];
}

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
 */
export function listPackageConditions(components: readonly Component[]): Conditions[] {
  const conditions = components.flatMap(({ sources, aliases = [] }) =>
    [...sources, ...aliases.flatMap(readAlias)].flatMap((each) => findConditions(each) ?? []),
  );
  const groups = Map.groupBy(conditions, ({ matchDatasources, matchRegistryUrls }) =>
    JSON.stringify([matchDatasources, matchRegistryUrls]),
  );
  return Array.from(groups.values(), (group) => ({
    ...group[0]!,
    matchPackageNames: [...new Set(group.flatMap(({ matchPackageNames }) => matchPackageNames))],
  }));
}

/** Writes a condition in JSONata. Like Renovate, the condition ignores the case of package names. */
export function writeCondition({
  matchDatasources,
  matchPackageNames,
  matchRegistryUrls,
}: Conditions): string {
  const names = JSON.stringify(matchPackageNames).toLowerCase();
  const address = matchRegistryUrls
    ? ` and $exists(registryUrls[$ in ${JSON.stringify(matchRegistryUrls)}])`
    : '';
  return `datasource in ${JSON.stringify(matchDatasources)} and $lowercase(packageName) in ${names}${address}`;
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
