import { listNames } from '../ask/answers/match-names.ts';
import { formatPackage, listComponentPackages } from '../core/model/package-names.ts';
import { parsePurl } from '../core/model/purl.ts';
import { fileProblem, type Finding } from '../core/schemas/finding.ts';
import { definitionFile } from '../io/files/root.ts';
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
        ...findSharedNames(name, value, owners),
        ...findRepeatedNames(name, value),
        ...findWrongReferences(name, value, definitions),
      ];
      findings.push(...problems.map((message) => fileProblem(definitionFile(name), message)));
    }
  }

  return findings;
}

function listOwners(definitions: Definitions): Owners {
  const owners = new Map<string, Set<string>>();

  for (const [component, { value }] of definitions) {
    // The name of a component is also a generic package. Both are taken even if the definition is invalid.
    const names = [component, `pkg:generic/${component}`];
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

/** Aliases and former names that another component has, too. */
function findSharedNames(
  component: string,
  { aliases = [], renamedFrom = [] }: FullDefinition,
  owners: Owners,
): string[] {
  const problems: string[] = [];
  for (const [key, names] of Object.entries({ aliases, renamedFrom })) {
    for (const [index, name] of names.entries()) {
      const purl = parsePurl(name);
      const nameOwners = owners.get(purl ? formatPackage(purl) : name.toLowerCase()) ?? [];
      const other = [...nameOwners].find((owner) => owner !== component);

      if (other !== undefined) {
        problems.push(
          `${key}[${index}]: expected a name of no other component; got "${name}", which ${definitionFile(other)} has`,
        );
      }
    }
  }
  return problems;
}

/** Former names that are the present name or repeated. */
function findRepeatedNames(component: string, { renamedFrom = [] }: FullDefinition): string[] {
  const problems: string[] = [];
  for (const [index, name] of renamedFrom.entries()) {
    if (name === component || renamedFrom.indexOf(name) < index) {
      problems.push(
        `renamedFrom[${index}]: expected each former name once, without the present one; got "${name}"`,
      );
    }
  }
  return problems;
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
