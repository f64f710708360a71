import { parsePurl, type Purl, purlTypes } from '../../../core/model/purl.ts';
import { escapeForExpression } from '../../../core/text/expression.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import type { RenovateConditions } from '../../../record/sources/datasource.ts';
import { findAdapter } from '../../../record/sources/index.ts';

// Rules that say to which component of the index a dependency belongs.

type PackagedComponent = Pick<ComponentSummary, 'name' | 'definition'>;

/** A package that Renovate finds by itself, and its component. */
export interface ComponentPackage {
  readonly conditions: RenovateConditions;
  readonly component: string;
}

/** Packages that differ only in their names. */
export interface PackageGroup {
  readonly conditions: Omit<RenovateConditions, 'matchPackageNames'>;
  /** The names of components by those of packages. */
  readonly packages: TextsByName;
}

/**
 * Rules that hand the names of components to later rules and templates. Renovate keeps options that it does not know from both, so
 * they are the definition of a column that no table in a pull request has. They change nothing else of a package.
 */
export function createPackageRules(
  datasource: string,
  index: string,
  components: readonly PackagedComponent[],
): object[] {
  const packageRules = groupPackages(components.flatMap(listComponentPackages)).map(
    ({ conditions, packages }) => ({
      ...conditions,
      matchPackageNames: matchNames([...packages.keys()]),
      ...matchComponents(index, packages),
    }),
  );

  const names = components.flatMap((component) =>
    findPackageNames(component).map((name) => [name, component.name] as const),
  );
  return [
    ...packageRules,
    { matchDatasources: [datasource], ...matchComponents(index, new Map(names)) },
  ];
}

/** The packages of a component that Renovate finds by itself. */
export function listPackageNames(component: PackagedComponent): string[] {
  const names = listComponentPackages(component).map(
    ({ conditions }) => conditions.matchPackageNames[0]!,
  );
  return [...new Set(names)];
}

/** The names that comments use. */
export function findPackageNames({ name, definition }: PackagedComponent): string[] {
  return [name, ...(definition.renamedFrom ?? [])];
}

/** The component of a dependency, as a Handlebars expression. */
export function writeComponentInNote(index: string): string {
  return writeTableLookup(`@root.prBodyDefinitions.[${index}]`, packageInNote);
}

/** The component of a dependency, as a JSONata expression. */
export function writeComponentInCondition(index: string): string {
  const name = String.raw`$replace($lowercase(packageName), /^docker\.io\//, "")`;
  return writeJsonataLookup(`prBodyDefinitions.\`${index}\``, name);
}

/** A JSONata condition for dependencies of components. */
export function matchIndex(index: string): string {
  return `$exists(prBodyDefinitions.\`${index}\`)`;
}

/** The package of a dependency, as a Handlebars expression. */
export const packageInNote = String.raw`(replace "^docker\.io/" "" (lowercase @root.packageName))`;

function matchComponents(index: string, packages: TextsByName): object {
  const byName = new Map(Array.from(packages, ([name, component]) => [removeHub(name), component]));
  return { prBodyDefinitions: { [index]: renderTable(byName) } };
}

export function groupPackages(allPackages: readonly ComponentPackage[]): PackageGroup[] {
  const groups = Map.groupBy(allPackages, ({ conditions: { matchPackageNames: _, ...others } }) =>
    JSON.stringify(others),
  );

  return Array.from(groups, ([others, members]) => {
    const packages = new Map<string, string>();
    for (const { conditions, component } of members) {
      for (const name of conditions.matchPackageNames) {
        packages.set(name, packages.get(name) ?? component);
      }
    }
    return { conditions: JSON.parse(others) as PackageGroup['conditions'], packages };
  });
}

function listComponentPackages({ name, definition }: PackagedComponent): ComponentPackage[] {
  const { sources, aliases = [] } = definition;
  return [
    ...sources
      .map((source) => findAdapter(source).renovate?.(source))
      .filter((conditions) => conditions !== undefined),
    ...aliases
      .map((alias) => parsePurl(alias))
      .filter((purl) => purl !== undefined)
      .flatMap(listRenovatePackages),
  ].map((conditions) => ({ conditions, component: name }));
}

/** The names of a package in Renovate. */
function listRenovatePackages({ type, namespace, name }: Purl): RenovateConditions[] {
  const matchDatasources = Object.keys(purlTypes).filter(
    (purlType) => purlTypes[purlType] === type,
  );
  if (matchDatasources.length === 0) {
    return [];
  }

  const packageName = [namespace, name].filter(Boolean).join(type === 'maven' ? ':' : '/');
  const hubName = type === 'docker' ? [`docker.io/${packageName}`] : [];
  return [{ matchDatasources, matchPackageNames: [packageName, ...hubName] }];
}

/**
 * A text for each of many names, in one text that a single rule of Renovate searches: a rule for each would cost every run of
 * every repository. `<svc>…<edge-node>…<`
 */
type TextsByName = ReadonlyMap<string, string>;

/** Other names would end a text early. No registry admits them. */
const plainName = /^[\w@./:+~-]+$/;

export function renderTable(texts: TextsByName): string {
  const records = Array.from(texts)
    .filter(([name, text]) => text !== '' && plainName.test(name))
    .map(([name, text]) => `<${name.toLowerCase()}>${text}`);
  return records.length === 0 ? '' : `${records.join('')}<`;
}

/** A Handlebars expression: the text of a name in a table. */
export function writeTableLookup(table: string, name: string): string {
  return writeTextBetween(table, '<@>', name, '<');
}

/** A Handlebars expression: the part of a text after `start`, in which `@` is the key, and before `end`. */
export function writeTextBetween(text: string, start: string, key: string, end: string): string {
  const after = `(lookup (split ${text} (replace "@" ${key} "${start}")) 1)`;
  return `(lookup (split ${after} "${end}") 0)`;
}

/** Handlebars text with the value of an expression in parentheses. */
export function writeInParentheses(expression: string): string {
  return `{{{${expression.slice(1, -1)}}}}`;
}

/** A JSONata expression: the text of a name in a table, empty where it has none. */
export function writeJsonataLookup(table: string, name: string): string {
  return `$substringBefore($substringAfter(${table}, "<" & ${name} & ">"), "<")`;
}

/** One condition for many names: Renovate takes longer for a list. */
export function matchNames(names: readonly string[]): string[] {
  if (names.length < 3) {
    return [...names];
  }

  const plain = new Set(names.map(removeHub));
  return [`/^(?:docker\\.io\\/)?(?:${Array.from(plain, escapeForExpression).join('|')})$/i`];
}

/** Images of Docker Hub have two names. */
function removeHub(name: string): string {
  return name.replace(/^docker\.io\//, '');
}
