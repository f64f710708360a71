import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Day } from '../../core/dates.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { Component } from '../../decide/component.ts';
import { changesOf } from '../../deliver/check/index-changes.ts';
import { listComponents, openRoot, type Root } from '../../io/files/root.ts';
import { loadComponent } from '../../site/load-component.ts';
import { shared, throwErrors, UsageError, type Command, type Invocation } from '../command.ts';

export const command: Command = {
  arguments: '<folder>',
  options: shared('root', 'as-of'),
  details: [
    'Both are evaluated for the same day. In a workflow, the summary of the job shows the result, too. Changes nothing.',
  ],
  examples: [['compare ../base', 'against another checkout']],
  run,
};

function run(invocation: Invocation): number {
  const { root, checkout, day, report } = invocation;
  const dir = resolve(invocation.arguments[0]!);
  if (!existsSync(dir)) throw new UsageError(`there is no folder ${dir}`);
  if (!existsSync(join(dir, 'components')))
    throw new UsageError(`${dir} is not the checkout of an index: it has no folder components/`);
  const after = readIndex(root, day);
  throwErrors(after.findings);
  const before = readIndex(openRoot(dir, checkout), day);
  const changes = [...new Set([...before.components.keys(), ...after.components.keys()])]
    .sort()
    .flatMap((component) =>
      changesOf(before.components.get(component), after.components.get(component), day).map((text) => {
        return { component, text };
      }),
    );
  if (changes.length === 0) report.print('The index says the same as before.');
  report.print(...changes.map(({ component, text }) => `${component}: ${text}`));
  report.document({ verb: 'compare', asOf: day, before: dir, changes });
  return 0;
}

/** A component that cannot be read is left out; the findings say why. */
function readIndex(root: Root, day: Day): { components: Map<string, Component>; findings: Finding[] } {
  const { names, findings } = listComponents(root);
  const components = new Map<string, Component>();
  for (const name of names) {
    const { component, findings: found } = loadComponent(root, name, day);
    findings.push(...found);
    if (component) components.set(name, component);
  }
  return { components, findings };
}
