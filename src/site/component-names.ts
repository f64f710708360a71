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
        ...findSharedNames(name, value, owners, definitions),
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

function findSharedNames(
  component: string,
  { aliases = [], renamedFrom = [] }: FullDefinition,
  owners: Owners,
  definitions: Definitions,
): string[] {
  const problems: string[] = [];
  const addProblem = (path: string, name: string, owner = '') => {
    const place = owner === component ? 'this component already' : `components/${owner}.json`;
    problems.push(
      `${path}: expected a name of no other component; got "${name}", which ${place} has`,
    );
  };

  for (const [index, alias] of aliases.entries()) {
    const purl = parsePurl(alias);
    const aliasOwners = owners.get(purl ? formatPackage(purl) : alias.toLowerCase()) ?? [];
    const other = [...aliasOwners].find((owner) => owner !== component);
    if (other !== undefined) {
      addProblem(`aliases[${index}]`, alias, other);
    }
  }

  for (const [index, formerName] of renamedFrom.entries()) {
    const owner = findOwner(formerName, definitions);
    const isRepeated = formerName === component || renamedFrom.indexOf(formerName) < index;
    if (owner !== component || isRepeated) {
      addProblem(`renamedFrom[${index}]`, formerName, owner);
    }
  }

  return problems;
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
