import type { ComponentSummary } from '../../../decide/component.ts';
import { parsePurl, purlTypes, type Purl } from '../../../core/model/purl.ts';
import { findAdapter } from '../../../record/sources/index.ts';
import type { RenovateConditions } from '../../../record/sources/renovate.ts';
import {
  jsonataTextInTable,
  matchNames,
  printed,
  tableText,
  textInTable,
  withoutHub,
  type TextsByName,
} from './package-table.ts';

// Rules that say to which component of the index a dependency belongs.

type PackagedComponent = Pick<
  ComponentSummary,
  'name' | 'definition' | 'latest' | 'packageSources'
>;

/** A package that Renovate finds by itself, and its component. */
interface ComponentPackage {
  readonly conditions: RenovateConditions;
  readonly component: string;
}

/** Packages that differ only in their names. */
interface PackageGroup {
  readonly conditions: Omit<RenovateConditions, 'matchPackageNames'>;
  /** The names of components by those of packages. */
  readonly packages: TextsByName;
}

/**
 * Rules that hand the names of components to later rules and templates. Renovate keeps options that it does not know from both, so
 * they are the definition of a column that no table in a pull request has.
 */
export function packageRules(
  datasource: string,
  index: string,
  components: readonly PackagedComponent[],
): object[] {
  const others = groupsOf(components.flatMap(otherPackages)).map(({ conditions, packages }) => ({
    ...conditions,
    matchPackageNames: matchNames([...packages.keys()]),
    ...componentsOf(index, packages),
  }));

  const ownRules = groupsOf(components.flatMap(ownPackages)).map((group) =>
    overrideRule(datasource, index, group),
  );

  const names = components.flatMap((component) =>
    packageNamesOf(component).map((name) => [name, component.name] as const),
  );

  // Beside the preset of another component, each states only its own names.
  const named = components.length === 1 ? { matchPackageNames: names.map(([name]) => name) } : {};

  return [
    ...others,
    ...ownRules,
    { matchDatasources: [datasource], ...named, ...componentsOf(index, new Map(names)) },
  ];
}

/** The packages of a component whose releases Renovate's own managers read from this index. */
export function managedPackages(component: PackagedComponent): string[] {
  return ownPackages(component).map(({ conditions }) => conditions.matchPackageNames[0]!);
}

/** The names that comments use. */
export function packageNamesOf({ name, definition }: PackagedComponent): string[] {
  return [name, ...(definition.renamedFrom ?? [])];
}

/** The component of a dependency, as a Handlebars expression. */
export function componentInNote(index: string): string {
  return textInTable(`@root.prBodyDefinitions.[${index}]`, packageName);
}

/** The component of a dependency, as a JSONata expression. */
export function componentInCondition(index: string): string {
  const name = String.raw`$replace($lowercase(packageName), /^docker\.io\//, "")`;
  return jsonataTextInTable(`prBodyDefinitions.\`${index}\``, name);
}

/** A JSONata condition for dependencies of components. */
export function isOfIndex(index: string): string {
  return `$exists(prBodyDefinitions.\`${index}\`)`;
}

const packageName = String.raw`(replace "^docker\.io/" "" (lowercase @root.packageName))`;

function componentsOf(index: string, packages: TextsByName): object {
  const byName = new Map(
    Array.from(packages, ([name, component]) => [withoutHub(name), component]),
  );
  return { prBodyDefinitions: { [index]: tableText(byName) } };
}

/** Lets Renovate's own managers (npm, maven, gradle, dockerfile, helmv3, cargo, …) read the releases of packages from this index. */
function overrideRule(datasource: string, index: string, group: PackageGroup): object {
  const { conditions, packages } = group;
  const [only, ...others] = new Set(packages.values());
  // Packages of which only some versions are read from the index also have a rule of their own.
  const name = isWhole(conditions)
    ? textInTable(`"${tableText(packages)}"`, packageName)
    : componentInNote(index);

  return {
    ...conditions,
    matchPackageNames: matchNames([...packages.keys()]),
    overrideDatasource: datasource,
    overridePackageName: others.length === 0 ? only : printed(name),
    // Otherwise Renovate would ask the registries that a manager found in a file (lib/modules/datasource/index.ts).
    registryUrls: [],
  };
}

function groupsOf(all: readonly ComponentPackage[]): PackageGroup[] {
  const alike = Map.groupBy(all, ({ conditions: { matchPackageNames: _, ...others } }) =>
    JSON.stringify(others),
  );

  return Array.from(alike, ([others, members]) => {
    const packages = new Map<string, string>();
    for (const { conditions, component } of members) {
      for (const name of conditions.matchPackageNames) {
        packages.set(name, packages.get(name) ?? component);
      }
    }

    return { conditions: JSON.parse(others) as PackageGroup['conditions'], packages };
  });
}

/** The packages whose releases are those of the index. Excludes those that Renovate cannot distinguish from others. */
function ownPackages({ name, latest, packageSources }: PackagedComponent): ComponentPackage[] {
  if (!latest) {
    return [];
  }

  return packageSources
    .filter(({ extractVersion }) => extractVersion === undefined)
    .map((source) => findAdapter(source).renovate?.(source, latest.version))
    .filter((conditions) => conditions !== undefined)
    .map((conditions) => ({ conditions, component: name }));
}

/** Whether all versions of the packages are read from the index, so that they have its datasource. */
function isWhole(conditions: PackageGroup['conditions']): boolean {
  return conditions['matchCurrentValue'] === undefined && conditions['matchJsonata'] === undefined;
}

/** The other packages of a component, and versions of other forms than the index has. */
function otherPackages(component: PackagedComponent): ComponentPackage[] {
  const { name, definition, latest } = component;
  const { sources, aliases = [] } = definition;

  const ofSources = sources
    .map((source) => findAdapter(source).renovate?.(source, latest?.version ?? '1.0'))
    .filter((conditions) => conditions !== undefined)
    .map(namingOnly);

  const ofAliases = aliases
    .map((alias) => parsePurl(alias))
    .filter((purl) => purl !== undefined)
    .flatMap(renovatePackages);

  const whole = ownPackages(component).filter(({ conditions }) => isWhole(conditions));

  return [...ofSources, ...ofAliases]
    .filter(
      (conditions) => !whole.some((ownGroup) => isSamePackage(ownGroup.conditions, conditions)),
    )
    .map((conditions) => ({ conditions, component: name }));
}

function namingOnly(conditions: RenovateConditions): RenovateConditions {
  const { matchDatasources, matchPackageNames, matchRegistryUrls } = conditions;
  return matchRegistryUrls === undefined
    ? { matchDatasources, matchPackageNames }
    : { matchDatasources, matchPackageNames, matchRegistryUrls };
}

/** The names of a package in Renovate. */
function renovatePackages({ type, namespace, name }: Purl): RenovateConditions[] {
  const matchDatasources = Object.keys(purlTypes).filter((one) => purlTypes[one] === type);
  if (matchDatasources.length === 0) {
    return [];
  }

  const packageName = [namespace, name].filter(Boolean).join(type === 'maven' ? ':' : '/');

  return [{ matchDatasources, matchPackageNames: [packageName] }];
}

function isSamePackage(a: RenovateConditions, b: RenovateConditions): boolean {
  return (
    a.matchDatasources.join() === b.matchDatasources.join() &&
    a.matchPackageNames.join() === b.matchPackageNames.join()
  );
}
