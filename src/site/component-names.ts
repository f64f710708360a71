import type { Finding } from '../model/finding.ts';
import { readDefinition } from '../store/read.ts';
import type { Root } from '../store/root.ts';

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
