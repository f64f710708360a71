import type { Finding } from '../core/schemas/finding.ts';
import { isAbsent } from '../io/files/file-system.ts';
import { readDefinition } from '../record/definition.ts';
import { definitionPath, listComponents, recordedPath, type Root } from '../io/files/root.ts';

/** Finds names that two components have, and replacements that do not exist. */
export function checkComponentNames(root: Root, names: readonly string[]): Finding[] {
  const findings: Finding[] = [];
  const owners = new Map(names.map((name) => [name, `components/${name}.json`]));
  for (const name of names) {
    const file = `components/${name}.json`;
    const reject = (message: string) => findings.push({ level: 'error', subject: file, message, file });
    const { renamedFrom = [], replacedBy } = readDefinition(root, name).value ?? {};
    for (const [index, old] of renamedFrom.entries()) {
      const owner = owners.get(old);
      if (owner !== undefined) {
        const whose = owner === file ? 'this component already has' : `${owner} has`;
        reject(`renamedFrom[${index}]: expected a name that nothing else has; got "${old}", which ${whose}`);
      } else owners.set(old, file);
    }
    if (replacedBy !== undefined && (replacedBy === name || !names.includes(replacedBy)))
      reject(`replacedBy: expected the name of another component; got "${replacedBy}"`);
  }
  return findings;
}

/** Finds why a new component cannot have the name: its files exist, or another component had the name once. */
export function checkNewName(root: Root, name: string): Finding[] {
  const reject = (file: string, message: string): Finding[] => [
    {
      level: 'error',
      subject: file,
      message: `${message} Nothing was written; give another name: --name`,
      file,
    },
  ];
  if (!isAbsent(definitionPath(root, name))) return reject(`components/${name}.json`, 'exists already.');
  if (!isAbsent(recordedPath(root, name)))
    return reject(`data/${name}.json`, 'has releases of a component that is not defined.');
  const { names, findings } = listComponents(root);
  const isOld = (other: string) => readDefinition(root, other).value?.renamedFrom?.includes(name);
  const heir = names.find(isOld);
  if (heir !== undefined) return reject(`components/${heir}.json`, `has "${name}" as an earlier name.`);
  // Only a missing folder matters here, not the names of other files.
  return findings.filter(({ subject }) => subject === 'components');
}
