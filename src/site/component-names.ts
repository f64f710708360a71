import { fileProblem, type Finding } from '../core/schemas/finding.ts';
import type { Definition } from '../core/schemas/definition.ts';
import { packageOfText } from '../core/schemas/identifiers.ts';
import { namesOf } from '../ask/match-names.ts';
import type { ReadDefinition } from '../record/definition.ts';
import { packagesOf } from './render/packages.ts';

/** Finds names, aliases and identifiers that two components share, and replacements that do not exist. */
export function checkComponentNames(read: ReadonlyMap<string, ReadDefinition>): Finding[] {
  const findings: Finding[] = [];
  const names = [...read.keys()];
  const owners = new Map(names.map((name) => [name, `components/${name}.json`]));
  const definitions = new Map(
    Array.from(read, ([name, { value }]) => (value ? [[name, value] as const] : [])).flat(),
  );
  const identified = identifiersIn(definitions);
  const called = Map.groupBy(
    Array.from(definitions).flatMap(([name, definition]) =>
      [...namesOf({ name, ...definition }), ...(definition.renamedFrom ?? [])].map((text) => ({
        name,
        text,
      })),
    ),
    ({ text }) => text,
  );
  for (const name of names) {
    const file = `components/${name}.json`;
    const reject = (message: string) => findings.push(fileProblem(file, message));
    const {
      renamedFrom = [],
      replacedBy,
      aliases = [],
      identifiers: { purl = [], cpe = [] } = {},
      worksWith = {},
    } = definitions.get(name) ?? {};
    for (const [key, texts] of Object.entries({ purl, cpe })) {
      for (const [index, text] of texts.entries()) {
        const other = identified(text).find((component) => component !== name);
        if (other !== undefined) {
          reject(
            `identifiers.${key}[${index}]: expected an identifier of no other component; got "${text}", which components/${other}.json has`,
          );
        }
      }
    }
    for (const [index, alias] of aliases.entries()) {
      const other = called.get(alias.toLowerCase())?.find((component) => component.name !== name);
      if (other) {
        reject(
          `aliases[${index}]: expected a name of no other component; got "${alias}", which components/${other.name}.json has`,
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

/** Finds the components with an identifier, in their sources, definitions and names. */
function identifiersIn(
  definitions: ReadonlyMap<string, Definition>,
): (text: string) => readonly string[] {
  const packages = packagesOf(definitions);
  return (text) => [
    ...(packages.get(packageOfText(text)) ?? []).map(({ component }) => component),
    ...Array.from(definitions, ([name, { identifiers }]) =>
      identifiers?.cpe?.includes(text) || packageOfText(text) === `pkg:generic/${name}` ? name : [],
    ).flat(),
  ];
}
