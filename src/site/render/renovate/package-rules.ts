/** Rules that say to which component of the index a dependency belongs: by its package, or by the name in a comment. */
import { escapeForExpression } from '../../../core/text/expression.ts';
import { hubPrefix, listImageAddresses, listImageNames } from '../../../core/model/images.ts';
import { normalisePypi, purlTypes } from '../../../core/model/package-names.ts';
import { findQualifiers, parsePurl, type Purl } from '../../../core/model/purl.ts';
import type { Source } from '../../../core/schemas/definition/source.ts';
import type { ComponentSummary } from '../../../decide/component-summary.ts';
import type { RenovateConditions } from '../../../record/sources/datasource.ts';
import { datasources, findAdapter } from '../../../record/sources/index.ts';
import {
  renderTable,
  writeJsonataLookup,
  writeTableLookup,
  type TextsByName,
} from './text-table.ts';

type PackagedComponent = Pick<ComponentSummary, 'name' | 'definition'>;

/** A package that Renovate finds by itself, and its component. */
export interface ComponentPackage {
  readonly conditions: RenovateConditions;
  readonly component: string;
}

/** Packages that differ only in their names, with conditions for all of them. */
export interface PackageGroup {
  readonly conditions: RenovateConditions;
  /** The names of components by those of packages. */
  readonly packages: TextsByName;
}

/**
 * Rules that name the component of a package for later rules and templates. These see only options that Renovate knows, so the
 * names are in `prBodyDefinitions`: as a column that no table in a pull request shows. The rules change nothing else.
 */
export function createPackageRules(
  datasource: string,
  index: string,
  components: readonly PackagedComponent[],
): object[] {
  const groups = groupPackages(components.flatMap(listRenovatePackages));
  const rules = groups.map(({ conditions, packages }): object => ({
    ...conditions,
    ...defineColumn(index, packages),
  }));

  // No two components share a name: `checkComponentNames` reports that as an error.
  const commentNames = new Map(
    components.flatMap((component) =>
      listCommentNames(component).map((name) => [name, component.name]),
    ),
  );
  return [...rules, { matchDatasources: [datasource], ...defineColumn(index, commentNames) }];
}

/** The names that comments use. */
export function listCommentNames({ name, definition }: PackagedComponent): string[] {
  return [name, ...(definition.renamedFrom ?? [])];
}

/** The packages that Renovate finds by itself, by their first names. */
export function listPackageNames(component: PackagedComponent): string[] {
  const packages = listRenovatePackages(component);
  const names = packages.flatMap(({ conditions }) => conditions.matchPackageNames.slice(0, 1));
  return [...new Set(names)];
}

function listRenovatePackages({
  name: component,
  definition,
}: PackagedComponent): ComponentPackage[] {
  const packages = listSourcePackages(component, definition.sources);
  for (const alias of definition.aliases ?? []) {
    const purl = parsePurl(alias);
    const conditions = purl && createConditions({ ...purl, qualifiers: findQualifiers(alias) });
    if (conditions) {
      packages.push({ conditions, component });
    }
  }
  return packages;
}

/** The packages of sources; some sources list none that Renovate finds. */
export function listSourcePackages(
  component: string,
  sources: readonly Source[],
): ComponentPackage[] {
  return sources
    .map((source) => findAdapter(source).renovate?.(source))
    .filter((conditions) => conditions !== undefined)
    .map((conditions) => ({ conditions, component }));
}

/** The conditions for a package in Renovate; undefined if Renovate has no datasource for it. */
function createConditions(purl: Purl): RenovateConditions | undefined {
  const { type, namespace, name } = purl;
  if (type === 'docker' || type === 'oci') {
    const matchPackageNames = listImageAddresses(purl).flatMap(listImageNames);
    return matchPackageNames.length > 0
      ? { matchDatasources: ['docker'], matchPackageNames }
      : undefined;
  }

  const matchDatasources = datasources
    .filter(({ datasource, renovate }) => renovate && purlTypes[datasource] === type)
    .map(({ datasource }): string => datasource);
  if (matchDatasources.length === 0) {
    return undefined;
  }

  const path = [namespace, name].filter(Boolean).join(type === 'maven' ? ':' : '/');
  return { matchDatasources, matchPackageNames: [type === 'pypi' ? normalisePypi(path) : path] };
}

/** Components may share a package; in a group, it belongs to the first. */
export function groupPackages(allPackages: readonly ComponentPackage[]): PackageGroup[] {
  const groups = Map.groupBy(allPackages, ({ conditions: { matchPackageNames: _, ...others } }) =>
    JSON.stringify(others),
  );

  return Array.from(groups.values(), (members) => {
    const packages = new Map<string, string>();
    for (const member of members) {
      for (const name of member.conditions.matchPackageNames) {
        packages.set(name, packages.get(name) ?? member.component);
      }
    }
    const matchPackageNames = matchNames([...packages.keys()]);
    return { conditions: { ...members[0].conditions, matchPackageNames }, packages };
  });
}

/** One condition for many names: Renovate takes longer for a list. */
function matchNames(names: readonly string[]): string[] {
  if (names.length < 3) {
    return [...names];
  }

  const plain = new Set(names.map(removeHub));
  return [`/^(?:${hubExpression})?(?:${Array.from(plain, escapeForExpression).join('|')})$/i`];
}

/** A column with a table of components, by the names of packages or those in comments. */
function defineColumn(index: string, components: TextsByName): object {
  const names = Array.from(
    components,
    ([name, component]) => [removeHub(name), component] as const,
  );
  return { prBodyDefinitions: { [index]: renderTable(new Map(names)) } };
}

const hubExpression = escapeForExpression(hubPrefix);

function removeHub(name: string): string {
  return name.startsWith(hubPrefix) ? name.slice(hubPrefix.length) : name;
}

// Templates look up the component in Handlebars, conditions in JSONata. Both shorten the name of a package as the column does.

/** The package of a dependency, as a Handlebars expression. */
export const packageInNote = `(replace "^${hubExpression}" "" (lowercase @root.packageName))`;

/** The component of a dependency, as a Handlebars expression. */
export function writeComponentInNote(index: string): string {
  return writeTableLookup(`@root.prBodyDefinitions.[${index}]`, packageInNote);
}

/** The component of a dependency, as a JSONata expression. */
export function writeComponentInCondition(index: string): string {
  const name = `$replace($lowercase(packageName), /^${hubExpression}/, "")`;
  return writeJsonataLookup(`prBodyDefinitions.\`${index}\``, name);
}

/** A JSONata condition for dependencies of components. */
export function matchIndex(index: string): string {
  return `$exists(prBodyDefinitions.\`${index}\`)`;
}
