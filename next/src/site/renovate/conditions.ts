import { datasourceFacts, type PackageOfSource } from '../../core/datasources.ts';
import { normaliseName, splitImage } from '../../core/purl.ts';
import type { Component } from '../../core/schema/published.ts';

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

/** Those of all sources that Renovate finds by itself: one for all names that differ in nothing else. */
export function listPackageConditions(sources: Component['sources']): RenovateConditions[] {
  const byOthers = Map.groupBy(
    sources.flatMap((source) => findRenovateConditions(source) ?? []),
    ({ matchPackageNames: _, ...others }) => JSON.stringify(others),
  );
  return Array.from(byOthers.values(), (group) => ({
    ...group[0]!,
    matchPackageNames: [...new Set(group.flatMap(({ matchPackageNames }) => matchPackageNames))],
  }));
}
