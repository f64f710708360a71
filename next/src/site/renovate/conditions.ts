/** How Renovate finds the packages of a component by itself. */
import { datasourceFacts, type PackageOfSource } from '../../core/datasources.ts';
import { normaliseName, parsePurl, splitImage } from '../../core/purl.ts';
import type { Component } from '../../core/schema/published.ts';

export interface RenovateConditions {
  matchDatasources: string[];
  matchPackageNames: string[];
  matchRegistryUrls?: string[];
}

/** Of all sources, and of package URLs among the aliases; those that differ only in their names are together. */
export function listPackageConditions(components: readonly Component[]): RenovateConditions[] {
  const packages = components.flatMap(({ sources, aliases = [] }): PackageOfSource[] => [
    ...sources,
    ...aliases.flatMap(listAliasPackages),
  ]);
  const groups = Map.groupBy(
    packages.flatMap((each) => findRenovateConditions(each) ?? []),
    ({ matchPackageNames: _, ...others }) => JSON.stringify(others),
  );
  return Array.from(groups.values(), (members) => {
    const names = members.flatMap(({ matchPackageNames }) => matchPackageNames);
    return { ...members[0]!, matchPackageNames: [...new Set(names)] };
  });
}

/** Undefined where Renovate does not find it. */
export function findRenovateConditions({
  datasource,
  packageName,
  registryUrl,
  field,
}: PackageOfSource): RenovateConditions | undefined {
  const [forge] = /^git(?:hub|lab)(?=-)/.exec(datasource) ?? [];
  const isElsewhere = forge === 'github' && registryUrl !== undefined;
  const isApplication = field === 'appVersion';
  if (packageName === undefined || !datasourceFacts[datasource] || isElsewhere || isApplication) {
    return undefined;
  }

  const address = registryUrl?.replace(/\/+$/, '');
  const isByRegistry = forge === 'gitlab' || datasource === 'helm';
  return {
    matchDatasources: forge ? [`${forge}-releases`, `${forge}-tags`] : [datasource],
    ...(isByRegistry && address && { matchRegistryUrls: [address, `${address}/`] }),
    matchPackageNames: listNames(datasource, packageName, registryUrl),
  };
}

function listNames(datasource: string, name: string, registryUrl: string | undefined): string[] {
  switch (datasource) {
    case 'pypi':
      return [normaliseName('pypi', name)];
    case 'git-tags': {
      const repository = name.replace(/(?:\.git)?\/*$/, '');
      return [repository, `${repository}.git`];
    }
    case 'docker': {
      if (registryUrl !== undefined) {
        return [`${new URL(registryUrl).host}/${name}`];
      }

      const { repository } = splitImage(name);
      const names = repository.includes('/') ? [repository] : [repository, `library/${repository}`];
      return [...names, ...names.map((each) => `docker.io/${each}`)];
    }
    default:
      return [name];
  }
}

/** In every datasource that a package URL may be of; none for another name. */
function listAliasPackages(alias: string): PackageOfSource[] {
  const { type, name = '' } = parsePurl(alias) ?? {};
  const datasources = Object.keys(datasourceFacts).filter(
    (datasource) => type !== undefined && datasourceFacts[datasource]!.purl === type,
  );
  const packageName = type === 'maven' ? name.replace(/\/(?=[^/]*$)/, ':') : name;
  return datasources.map((datasource) => ({ datasource, packageName }));
}
