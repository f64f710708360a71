import { escapeForExpression } from '../../core/expression.ts';
import type { ComponentSummary } from '../../decide/component.ts';
import type { Source } from '../../core/schemas/source-schema.ts';

/**
 * A rule that lets Renovate's own managers (npm, maven, gradle, pip, dockerfile, helmv3, cargo, gomod, …) take the releases of a package
 * from this index. Undefined where the versions here may not be those of the package: they come from several sources or
 * are taken out of what it lists, or the registry cannot be told from another.
 *
 * `registryUrls` empties what a manager has found in a file, which would be asked instead of the index
 * (lib/modules/datasource/index.ts).
 */
export function packageRule(
  datasource: string,
  { name, latest, soleSource }: Pick<ComponentSummary, 'name' | 'latest' | 'soleSource'>,
): PackageRule | undefined {
  if (!latest || !soleSource || soleSource.extractVersion !== undefined) return undefined;
  const conditions = conditionsOf(soleSource, latest.version);
  if (!conditions) return undefined;
  return {
    ...conditions,
    overrideDatasource: datasource,
    overridePackageName: name,
    registryUrls: [],
  };
}

export interface PackageRule extends Conditions {
  overrideDatasource: string;
  overridePackageName: string;
  registryUrls: never[];
}

interface Conditions {
  matchDatasources: string[];
  matchPackageNames: string[];
  [option: `match${string}`]: string | string[];
}

function conditionsOf(source: Source, latest: string): Conditions | undefined {
  switch (source.datasource) {
    case 'npm':
    case 'maven':
    case 'nuget':
    case 'crate':
    case 'rubygems':
      return { matchDatasources: [source.datasource], matchPackageNames: [source.packageName] };
    case 'pypi':
      return { matchDatasources: ['pypi'], matchPackageNames: [normalisedProject(source.packageName)] };
    case 'docker': {
      const names =
        source.registryUrl === undefined
          ? [source.packageName, `docker.io/${source.packageName}`]
          : [`${new URL(source.registryUrl).host}/${source.packageName}`];
      return { matchDatasources: ['docker'], matchPackageNames: names, ...onlySuchTags(latest) };
    }
    case 'helm': {
      if (source.field === 'appVersion') return undefined;
      // A chart has no name of its own outside of its repository.
      const repository = source.registryUrl.replace(/\/+$/, '');
      return {
        matchDatasources: ['helm'],
        matchPackageNames: [source.packageName],
        matchRegistryUrls: [repository, `${repository}/`],
      };
    }
    case 'github-releases':
    case 'github-tags':
      if (source.registryUrl !== undefined) return undefined;
      return {
        matchDatasources: ['github-releases', 'github-tags'],
        matchPackageNames: [source.packageName],
        ...onlySuchTags(latest),
      };
    case 'gitlab-releases':
    case 'gitlab-tags': {
      const conditions = {
        matchDatasources: ['gitlab-releases', 'gitlab-tags'],
        matchPackageNames: [source.packageName],
      };
      if (source.registryUrl === undefined) return { ...conditions, ...onlySuchTags(latest, elsewhere) };
      const instance = source.registryUrl.replace(/(?:\/api\/v4)?\/*$/, '');
      return { ...conditions, matchRegistryUrls: [instance, `${instance}/`], ...onlySuchTags(latest) };
    }
    case 'git-tags': {
      const repository = source.packageName.replace(/(?:\.git)?\/*$/, '');
      return {
        matchDatasources: ['git-tags'],
        matchPackageNames: [repository, `${repository}.git`],
        ...onlySuchTags(latest),
      };
    }
    case 'go':
      return {
        matchDatasources: ['go'],
        matchPackageNames: [source.packageName],
        matchJsonata: [withoutDigest()],
      };
    default:
      return undefined;
  }
}

/** PEP 503, as Renovate writes the names of projects. */
function normalisedProject(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, '-');
}

/**
 * Tags that move (`1`, `1.2`) or name a variant (`1.2.3-alpine`) are not in the index, so that those who use them are left
 * to upstream; and so are those who pin a digest, which no custom datasource knows.
 */
function onlySuchTags(latest: string, or?: string): { matchCurrentValue: string; matchJsonata: string[] } {
  const form = escapeForExpression(latest).replaceAll(/\d+/g, '\\d+');
  return {
    matchCurrentValue: `/^${form}$/`,
    matchJsonata: [withoutDigest(or)],
  };
}

/** Of several expressions one would be enough, so that all is said in one. */
function withoutDigest(or?: string): string {
  return `$not(${['$exists(currentDigest)', 'pinDigests = true', ...(or === undefined ? [] : [or])].join(' or ')})`;
}

/** A dependency of an instance of GitLab other than gitlab.com, which is meant where none is named. */
const elsewhere =
  '$exists(registryUrls[$contains($string($), "//") and $not($contains($string($), /\\/\\/gitlab\\.com(\\/|$)/))])';
