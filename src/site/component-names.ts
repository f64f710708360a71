import type { Finding } from '../core/schemas/finding.ts';
import { isAbsent } from '../io/files/file-system.ts';
import { readDefinition } from '../record/definition.ts';
import { definitionPath, listComponents, recordedPath, type Root } from '../io/files/root.ts';

/** What definitions say of each other's names must hold: two components never have one name, and a replacement exists. */
export function checkComponentNames(root: Root, names: readonly string[]): Finding[] {
  const findings: Finding[] = [];
  const owners = new Map(names.map((name) => [name, `components/${name}.json`]));
  for (const name of names) {
    const file = `components/${name}.json`;
    const refuse = (message: string) => findings.push({ level: 'error', subject: file, message, file });
    const { renamedFrom = [], replacedBy } = readDefinition(root, name).value ?? {};
    for (const [index, old] of renamedFrom.entries()) {
      const owner = owners.get(old);
      if (owner !== undefined) {
        const whose = owner === file ? 'this component has already' : `${owner} has`;
        refuse(`renamedFrom[${index}]: expected a name that nothing else has; got "${old}", which ${whose}`);
      } else owners.set(old, file);
    }
    if (replacedBy !== undefined && (replacedBy === name || !names.includes(replacedBy)))
      refuse(`replacedBy: expected the name of another component; got "${replacedBy}"`);
  }
  return findings;
}

/** Why a new component cannot have the name: something of it is there, or another component had it once. */
export function checkNewName(root: Root, name: string): Finding[] {
  const refuse = (file: string, message: string): Finding[] => [
    {
      level: 'error',
      subject: file,
      message: `${message} Nothing was written; give another name: --name`,
      file,
    },
  ];
  if (!isAbsent(definitionPath(root, name))) return refuse(`components/${name}.json`, 'is there already.');
  if (!isAbsent(recordedPath(root, name)))
    return refuse(`data/${name}.json`, 'has releases of a component that is not defined.');
  const { names, findings } = listComponents(root);
  const isOld = (other: string) => readDefinition(root, other).value?.renamedFrom?.includes(name);
  const heir = names.find(isOld);
  if (heir !== undefined) return refuse(`components/${heir}.json`, `has "${name}" as an earlier name.`);
  // The names of other files do not matter here; that there is no folder does.
  return findings.filter(({ subject }) => subject === 'components');
}
