import { fileProblem, type Finding } from '../core/schemas/finding.ts';
import { readDefinition } from '../record/definition.ts';
import type { Root } from '../io/files/root.ts';

/** Finds names that two components have, and replacements that do not exist. */
export function checkComponentNames(root: Root, names: readonly string[]): Finding[] {
  const findings: Finding[] = [];
  const owners = new Map(names.map((name) => [name, `components/${name}.json`]));
  for (const name of names) {
    const file = `components/${name}.json`;
    const reject = (message: string) => findings.push(fileProblem(file, message));
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
