import { listNames } from '../ask/answers/match-names.ts';
import { formatPackage, listComponentPackages } from '../core/model/package-names.ts';
import { parsePurl } from '../core/model/purl.ts';
import { fileProblem, type Finding } from '../core/schemas/finding.ts';
import type { FullDefinition, DefinitionResult } from '../record/read-definition.ts';

type Definitions = ReadonlyMap<string, DefinitionResult>;

/** The components by their names in lower case, and by the URLs of their packages. */
type Owners = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Finds aliases and former names that another component has, too, former names that are repeated or the present one, and references
 * to components that do not exist or to the component itself.
 */
export function checkComponentNames(definitions: Definitions): Finding[] {
  const owners = listOwners(definitions);
  const findings: Finding[] = [];

  for (const [name, { value }] of definitions) {
    if (value) {
      const problems = [
        ...findSharedAliases(name, value, owners),
        ...findSharedFormerNames(name, value, definitions),
        ...findWrongReferences(name, value, definitions),
      ];
      findings.push(...problems.map((message) => fileProblem(`components/${name}.json`, message)));
    }
  }

  return findings;
}

function listOwners(definitions: Definitions): Owners {
  const owners = new Map<string, Set<string>>();

  for (const [component, { value }] of definitions) {
    // A name is also that of a generic package.
    const names = [`pkg:generic/${component}`];
    if (value) {
      names.push(...listNames({ name: component, ...value }), ...(value.renamedFrom ?? []));
      names.push(...listComponentPackages(value).map(({ purl }) => purl));
    }

    for (const name of names) {
      owners.set(name, (owners.get(name) ?? new Set()).add(component));
    }
  }

  return owners;
}

function findSharedAliases(
  component: string,
  { aliases = [] }: FullDefinition,
  owners: Owners,
): string[] {
  const problems: string[] = [];

  for (const [index, alias] of aliases.entries()) {
    const purl = parsePurl(alias);
    const aliasOwners = owners.get(purl ? formatPackage(purl) : alias.toLowerCase()) ?? [];
    const other = [...aliasOwners].find((owner) => owner !== component);
    if (other !== undefined) {
      problems.push(describeClash(`aliases[${index}]`, alias, `components/${other}.json has`));
    }
  }

  return problems;
}

function findSharedFormerNames(
  component: string,
  { renamedFrom = [] }: FullDefinition,
  definitions: Definitions,
): string[] {
  const problems: string[] = [];

  for (const [index, formerName] of renamedFrom.entries()) {
    const owner = findOwner(formerName, definitions);
    const isRepeated = formerName === component || renamedFrom.indexOf(formerName) < index;
    if (owner !== component || isRepeated) {
      const clause =
        owner === component ? 'this component already has' : `components/${owner}.json has`;
      problems.push(describeClash(`renamedFrom[${index}]`, formerName, clause));
    }
  }

  return problems;
}

function describeClash(path: string, name: string, clause: string): string {
  return `${path}: expected a name of no other component; got "${name}", which ${clause}`;
}

/** The component that has a name now, otherwise the first that had it. */
function findOwner(formerName: string, definitions: Definitions): string | undefined {
  if (definitions.has(formerName)) {
    return formerName;
  }

  for (const [component, { value }] of definitions) {
    if (value?.renamedFrom?.includes(formerName)) {
      return component;
    }
  }

  return undefined;
}

function findWrongReferences(
  component: string,
  { worksWith = {}, replacedBy }: FullDefinition,
  definitions: Definitions,
): string[] {
  const references = Object.keys(worksWith).map((target) => ({ key: 'worksWith', target }));
  if (replacedBy !== undefined) {
    references.push({ key: 'replacedBy', target: replacedBy });
  }

  return references
    .filter(({ target }) => target === component || !definitions.has(target))
    .map(({ key, target }) => `${key}: expected the name of another component; got "${target}"`);
}
