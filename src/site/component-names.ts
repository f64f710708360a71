import { listNames } from '../ask/answers/match-names.ts';
import { joinPackage, parsePurl } from '../core/model/purl.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import { fileProblem, type Finding } from '../core/schemas/finding.ts';
import type { PublishedPackage } from '../core/schemas/published/status-file.ts';
import type { FullDefinition, ReadDefinition } from '../record/read-definition.ts';
import { renderPackageUrl } from '../record/sources/index.ts';

/** Finds names and aliases that two components share, and replacements that do not exist. */
export function checkComponentNames(results: ReadonlyMap<string, ReadDefinition>): Finding[] {
  const names = [...results.keys()];
  const owners = new Map(names.map((name) => [name, `components/${name}.json`]));
  const definitions = new Map(
    Array.from(results, ([name, { value }]) => (value ? [[name, value] as const] : [])).flat(),
  );
  const listOwners = findAliasOwners(names, definitions);

  return names.flatMap((name) => {
    const definition = definitions.get(name);
    const problems = definition
      ? [
          ...findWrongAliases(name, definition, listOwners),
          ...findWrongFormerNames(name, definition, owners),
          ...findWrongReferences(name, definition, names),
        ]
      : [];
    return problems.map((message) => fileProblem(`components/${name}.json`, message));
  });
}

/** The components that have an alias. */
type AliasOwners = (alias: string) => readonly string[];

function findAliasOwners(
  names: readonly string[],
  definitions: ReadonlyMap<string, FullDefinition>,
): AliasOwners {
  const packages = Map.groupBy(
    Array.from(definitions).flatMap(([name, definition]) =>
      listPackages(definition).map(({ purl }) => ({ name, purl })),
    ),
    ({ purl }) => purl,
  );

  const byText = Map.groupBy(
    Array.from(definitions).flatMap(([name, definition]) =>
      [...listNames({ name, ...definition }), ...(definition.renamedFrom ?? [])].map((text) => ({
        name,
        text,
      })),
    ),
    ({ text }) => text,
  );

  return (alias) => {
    const purl = parsePurl(alias);
    if (!purl) {
      return (byText.get(alias.toLowerCase()) ?? []).map(({ name }) => name);
    }

    const owners = (packages.get(joinPackage(purl)) ?? []).map(({ name }) => name);
    const isComponent = purl.type === 'generic' && purl.namespace === undefined;
    return isComponent && names.includes(purl.name) ? [purl.name, ...owners] : owners;
  };
}

function findWrongAliases(
  name: string,
  { aliases = [] }: FullDefinition,
  listOwners: AliasOwners,
): string[] {
  return aliases
    .map((alias, index) => {
      const other = listOwners(alias).find((component) => component !== name);
      if (other === undefined) {
        return undefined;
      }

      return `aliases[${index}]: expected a name of no other component; got "${alias}", which components/${other}.json has`;
    })
    .filter((value) => value !== undefined);
}

/** `owners`: the file that has each name. Adds the former names. */
function findWrongFormerNames(
  name: string,
  { renamedFrom = [] }: FullDefinition,
  owners: Map<string, string>,
): string[] {
  const file = `components/${name}.json`;
  const problems: string[] = [];

  for (const [index, formerName] of renamedFrom.entries()) {
    const owner = owners.get(formerName);
    if (owner === undefined) {
      owners.set(formerName, file);
      continue;
    }

    const ownerText = owner === file ? 'this component already has' : `${owner} has`;
    problems.push(
      `renamedFrom[${index}]: expected a name of no other component; got "${formerName}", which ${ownerText}`,
    );
  }

  return problems;
}

function findWrongReferences(
  name: string,
  { worksWith = {}, replacedBy }: FullDefinition,
  names: readonly string[],
): string[] {
  const isOther = (other: string) => other !== name && names.includes(other);
  const references = Object.keys(worksWith).map((other) => ({ key: 'worksWith', other }));
  if (replacedBy !== undefined) {
    references.push({ key: 'replacedBy', other: replacedBy });
  }

  return references
    .filter(({ other }) => !isOther(other))
    .map(({ key, other }) => `${key}: expected the name of another component; got "${other}"`);
}

/** The packages of a component, from its sources and aliases, each once. */
export function listPackages({
  sources,
  aliases = [],
}: Pick<Definition, 'sources' | 'aliases'>): PublishedPackage[] {
  const packages = new Map<string, PublishedPackage>();
  for (const source of sources) {
    const purl = renderPackageUrl(source);
    if (purl !== undefined && !packages.has(purl)) {
      packages.set(purl, { purl, extractVersion: source.extractVersion });
    }
  }

  for (const alias of aliases) {
    const parsed = parsePurl(alias);
    const purl = parsed && joinPackage(parsed);
    if (purl !== undefined && !packages.has(purl)) {
      packages.set(purl, { purl });
    }
  }

  return [...packages.values()];
}
