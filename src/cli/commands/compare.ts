import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Day } from '../../core/dates.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import { counted, listed } from '../../core/text.ts';
import type { Component } from '../../decide/component.ts';
import { differences } from '../../decide/journal/differences.ts';
import { shortNotices } from '../../decide/line-ends.ts';
import { applyEvent, foldJournal } from '../../decide/journal/fold-journal.ts';
import { listChanges, publishedEvents } from '../../decide/journal/published-events.ts';
import type { JudgedRelease, Judgement } from '../../decide/judge.ts';
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

/** The changes that `record` would write for the new state of a component, and the days of deprecation that move. */
function changesOf(was: Component | undefined, now: Component | undefined, day: Day): string[] {
  if (!now) return [`no longer there, with its ${counted(was!.judgement.releases.length, 'release')}.`];
  const state = foldJournal([]);
  const known = was ? differences(state, was, day) : [];
  for (const draft of known) applyEvent(state, draft);
  const drafts = differences(state, now, day);
  const events = drafts.map((draft, index) => {
    return { id: index + 1, at: `${day}T00:00:00.000Z`, ...draft, ...(!was && { initial: true as const }) };
  });
  const recorded = listChanges(publishedEvents(events));
  if (!was) return recorded.map(({ headline }) => headline);
  const [from, to] = [was.judgement.latest?.version, now.judgement.latest?.version];
  const latest = from === to ? [] : [`the latest release is ${to ?? 'none'}, instead of ${from ?? 'none'}.`];
  const stated = known.map((draft) => ({ ...draft, initial: true as const }));
  const short = shortNotices(now, [...stated, ...drafts], day).map((text) => `too short a notice: ${text}.`);
  return [...recorded.map(({ text }) => text).reverse(), ...movedDeprecations(was, now), ...short, ...latest];
}

/** Deprecations whose day alone differs. Those that follow from the end of a release line are reported with it. */
function movedDeprecations({ judgement: was }: Component, { judgement: now }: Component): string[] {
  const dayOf = ({ line, reasons, upcoming }: JudgedRelease, { lines }: Judgement) => {
    const reason = reasons[0] ?? upcoming[0];
    const end = lines.find(({ name }) => name === line)?.eolFrom;
    return reason?.rule === 'support policy' && reason.from === end ? undefined : reason?.from;
  };
  const before = new Map(was.releases.map((release) => [release.version, release]));
  const moved = now.releases.flatMap((release) => {
    const { version, isDeprecated } = release;
    const old = before.get(version);
    if (old?.isDeprecated !== isDeprecated) return [];
    const [from, to] = [dayOf(old, was), dayOf(release, now)];
    if (from === to) return [];
    if (to === undefined) return { version, text: `no longer deprecated from ${from} on` };
    const instead = from === undefined ? '' : `, not from ${from} on`;
    return { version, text: `deprecated from ${to} on${instead}` };
  });
  return Array.from(
    Map.groupBy(moved, ({ text }) => text),
    ([text, of]) => {
      const versions = of.map(({ version }) => version);
      return `${listed(versions, 12)}: ${text}.`;
    },
  );
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
