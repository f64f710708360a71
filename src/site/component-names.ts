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
        ...findSharedNames(name, value, owners),
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

/** Problems with aliases and former names. */
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
      const isRepeated = name === component || names.indexOf(name) < index;

      if (other !== undefined || (key === 'renamedFrom' && isRepeated)) {
        const place = other === undefined ? 'this component already' : `components/${other}.json`;
        problems.push(
          `${key}[${index}]: expected a name of no other component; got "${name}", which ${place} has`,
        );
      }
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
