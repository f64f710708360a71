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
  const files = new Map(names.map((name) => [name, `components/${name}.json`]));
  const definitions = new Map<string, FullDefinition>();
  for (const [name, { value }] of results) {
    if (value) {
      definitions.set(name, value);
    }
  }

  const aliasOwners = listAliasOwners(names, definitions);
  const findings: Finding[] = [];

  for (const [name, definition] of definitions) {
    const problems = [
      ...findWrongAliases(name, definition, aliasOwners),
      ...findWrongFormerNames(name, definition, files),
      ...findWrongReferences(name, definition, names),
    ];
    findings.push(...problems.map((message) => fileProblem(`components/${name}.json`, message)));
  }

  return findings;
}

/** The components that have each alias: their names in lower case, and their package URLs. */
function listAliasOwners(
  names: readonly string[],
  definitions: ReadonlyMap<string, FullDefinition>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const owners = new Map(names.map((name) => [`pkg:generic/${name}`, new Set([name])]));

  for (const [name, definition] of definitions) {
    const aliases = [
      ...listNames({ name, ...definition }),
      ...(definition.renamedFrom ?? []),
      ...listPackages(definition).map(({ purl }) => purl),
    ];
    for (const alias of aliases) {
      owners.set(alias, (owners.get(alias) ?? new Set()).add(name));
    }
  }

  return owners;
}

function findWrongAliases(
  name: string,
  { aliases = [] }: FullDefinition,
  owners: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const problems: string[] = [];

  for (const [index, alias] of aliases.entries()) {
    const purl = parsePurl(alias);
    const others = new Set(owners.get(purl ? joinPackage(purl) : alias.toLowerCase()));
    others.delete(name);
    const [other] = others;
    if (other !== undefined) {
      problems.push(
        `aliases[${index}]: expected a name of no other component; got "${alias}", which components/${other}.json has`,
      );
    }
  }

  return problems;
}

/** `files`: the file that has each name. Adds the former names. */
function findWrongFormerNames(
  name: string,
  { renamedFrom = [] }: FullDefinition,
  files: Map<string, string>,
): string[] {
  const file = `components/${name}.json`;
  const problems: string[] = [];

  for (const [index, formerName] of renamedFrom.entries()) {
    const owner = files.get(formerName);
    if (owner === undefined) {
      files.set(formerName, file);
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
