import { listNames } from '../ask/answers/match-names.ts';
import { formatPackage } from '../core/model/package-names.ts';
import { parsePurl } from '../core/model/purl.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import { fileProblem, type Finding } from '../core/schemas/finding.ts';
import type { PublishedPackage } from '../core/schemas/published/status-file.ts';
import type { FullDefinition, ReadDefinition } from '../record/read-definition.ts';
import { renderPackageUrl } from '../record/sources/source-packages.ts';

/** Finds names, former names and aliases that two components share, and components in a definition that do not exist. */
export function checkComponentNames(results: ReadonlyMap<string, ReadDefinition>): Finding[] {
  const names = [...results.keys()];
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
      ...findWrongFormerNames(name, definition, results),
      ...findWrongReferences(name, definition, names),
    ];
    findings.push(...problems.map((message) => fileProblem(`components/${name}.json`, message)));
  }

  return findings;
}

/** The components that have each name in lower case, and each package URL. A name is also that of a generic package. */
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
  aliasOwners: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const problems: string[] = [];

  for (const [index, alias] of aliases.entries()) {
    const purl = parsePurl(alias);
    const owners = aliasOwners.get(purl ? formatPackage(purl) : alias.toLowerCase()) ?? [];
    const other = [...owners].find((owner) => owner !== name);
    if (other !== undefined) {
      problems.push(describeClash(`aliases[${index}]`, alias, `components/${other}.json has`));
    }
  }

  return problems;
}

function findWrongFormerNames(
  name: string,
  { renamedFrom = [] }: FullDefinition,
  results: ReadonlyMap<string, ReadDefinition>,
): string[] {
  const problems: string[] = [];

  for (const [index, formerName] of renamedFrom.entries()) {
    const owner = findOwner(formerName, results);
    const isRepeated = formerName === name || renamedFrom.indexOf(formerName) < index;
    if (owner !== name || isRepeated) {
      const owns = owner === name ? 'this component already has' : `components/${owner}.json has`;
      problems.push(describeClash(`renamedFrom[${index}]`, formerName, owns));
    }
  }

  return problems;
}

function describeClash(path: string, name: string, owner: string): string {
  return `${path}: expected a name of no other component; got "${name}", which ${owner}`;
}

/** The component that has a name now, else the first that had it. */
function findOwner(
  formerName: string,
  results: ReadonlyMap<string, ReadDefinition>,
): string | undefined {
  if (results.has(formerName)) {
    return formerName;
  }

  return results.keys().find((name) => results.get(name)?.value?.renamedFrom?.includes(formerName));
}

function findWrongReferences(
  name: string,
  { worksWith = {}, replacedBy }: FullDefinition,
  names: readonly string[],
): string[] {
  const references = Object.keys(worksWith).map((target) => ({ key: 'worksWith', target }));
  if (replacedBy !== undefined) {
    references.push({ key: 'replacedBy', target: replacedBy });
  }

  return references
    .filter(({ target }) => target === name || !names.includes(target))
    .map(({ key, target }) => `${key}: expected the name of another component; got "${target}"`);
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
    const purl = parsed && formatPackage(parsed);
    if (purl !== undefined && !packages.has(purl)) {
      packages.set(purl, { purl });
    }
  }

  return [...packages.values()];
}
