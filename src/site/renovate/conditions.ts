/** How Renovate finds a component: by its name in a comment, and by its packages. */
import { datasourceFacts, type PackageOfSource } from '../../core/datasources.ts';
import { normaliseName, parsePurl, splitImage } from '../../core/purl.ts';
import type { Component } from '../../core/schema/published.ts';

interface Conditions {
  matchDatasources: string[];
  matchPackageNames: string[];
  matchRegistryUrls?: string[];
}

/** The names of components in a comment, also for each of their files. */
export function matchComments(components: readonly Component[], datasource: string): Conditions {
  const matchPackageNames = components.flatMap(({ component, renamedFrom = [], files = [] }) => {
    const names = [component, ...renamedFrom];
    return names.flatMap((name) => [name, ...files.map((file) => `${name}/${file}`)]);
  });
  return { matchDatasources: [`custom.${datasource}`], matchPackageNames };
}

/** Of sources, and of package URLs among aliases; those that differ only in their names are together. */
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

/** The same in JSONata. Renovate compares names without their case, too. */
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

/** Undefined where Renovate does not find it. */
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
  const address = forge || datasource === 'helm' ? registryUrl?.replace(/\/+$/, '') : undefined;
  return {
    matchDatasources: forge ? [`${forge}-releases`, `${forge}-tags`] : [datasource],
    ...(address && { matchRegistryUrls: [address, `${address}/`] }),
    matchPackageNames: listSpellings(datasource, packageName, registryUrl),
  };
}

/** All spellings in files. */
function listSpellings(
  datasource: string,
  name: string,
  registryUrl: string | undefined,
): string[] {
  switch (datasource) {
    case 'pypi':
      return [normaliseName('pypi', name)];
    case 'git-tags': {
      const repository = name.replace(/(?:\.git)?\/*$/, '');
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

/** A package URL in each datasource that it may be of; another alias in none. */
function readAlias(alias: string): PackageOfSource[] {
  const { type, name = '' } = parsePurl(alias) ?? {};
  const packageName = type === 'maven' ? name.replace(/\/(?=[^/]*$)/, ':') : name;
  return Object.entries(datasourceFacts)
    .filter(([, { purl }]) => purl && purl === type)
    .map(([datasource]) => ({ datasource, packageName }));
}
