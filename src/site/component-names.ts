import { fileProblem, type Finding } from '../core/schemas/finding.ts';
import { packageOf, parsePurl } from '../core/model/purl.ts';
import { namesOf } from '../ask/answers/match-names.ts';
import type { ReadDefinition } from '../record/read-definition.ts';
import { packagesOf } from './render/renovate/packages.ts';

/** Finds names and aliases that two components share, and replacements that do not exist. */
export function checkComponentNames(read: ReadonlyMap<string, ReadDefinition>): Finding[] {
  const findings: Finding[] = [];
  const names = [...read.keys()];
  const owners = new Map(names.map((name) => [name, `components/${name}.json`]));
  const definitions = new Map(
    Array.from(read, ([name, { value }]) => (value ? [[name, value] as const] : [])).flat(),
  );
  const packages = packagesOf(definitions);

  const called = Map.groupBy(
    Array.from(definitions).flatMap(([name, definition]) =>
      [...namesOf({ name, ...definition }), ...(definition.renamedFrom ?? [])].map((text) => ({
        name,
        text,
      })),
    ),
    ({ text }) => text,
  );

  const ownersOf = (alias: string): readonly string[] => {
    const purl = parsePurl(alias);
    if (!purl) {
      return (called.get(alias.toLowerCase()) ?? []).map(({ name }) => name);
    }

    const owners = (packages.get(packageOf(purl)) ?? []).map(({ component }) => component);
    const isOwn = purl.type === 'generic' && purl.namespace === undefined;

    return isOwn && names.includes(purl.name) ? [purl.name, ...owners] : owners;
  };

  for (const name of names) {
    const file = `components/${name}.json`;
    const reject = (message: string) => findings.push(fileProblem(file, message));

    const {
      renamedFrom = [],
      replacedBy,
      aliases = [],
      worksWith = {},
    } = definitions.get(name) ?? {};

    for (const [index, alias] of aliases.entries()) {
      const other = ownersOf(alias).find((component) => component !== name);
      if (other !== undefined) {
        reject(
          `aliases[${index}]: expected a name of no other component; got "${alias}", which components/${other}.json has`,
        );
      }
    }

    for (const [index, old] of renamedFrom.entries()) {
      const owner = owners.get(old);
      if (owner !== undefined) {
        const whose = owner === file ? 'this component already has' : `${owner} has`;
        reject(
          `renamedFrom[${index}]: expected a name of no other component; got "${old}", which ${whose}`,
        );
      } else {
        owners.set(old, file);
      }
    }

    for (const other of Object.keys(worksWith)) {
      if (other === name || !names.includes(other)) {
        reject(`worksWith: expected the name of another component; got "${other}"`);
      }
    }

    if (replacedBy !== undefined && (replacedBy === name || !names.includes(replacedBy))) {
      reject(`replacedBy: expected the name of another component; got "${replacedBy}"`);
    }
  }

  return findings;
}
