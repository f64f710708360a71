import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Day } from '../../core/dates.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import {
  compareIndexes,
  describeDifference,
  PublishedComponent,
} from '../../deliver/publish/index-difference.ts';
import type { PublishedIndex } from '../../deliver/publish/index-difference.ts';
import type { Component } from '../../decide/component.ts';
import { listed } from '../../core/text.ts';
import { eventText } from '../../decide/event-words.ts';
import { differences } from '../../decide/journal/differences.ts';
import { applyEvent, foldJournal } from '../../decide/journal/fold-journal.ts';
import type { JudgedRelease } from '../../decide/judge.ts';
import { renderReleaseFile } from '../../site/render/component-json.ts';
import { loadComponent } from '../../site/load-component.ts';
import { listComponents, openRoot, type Root } from '../../io/files/root.ts';
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

async function run(invocation: Invocation): Promise<number> {
  const { root, checkout, day, report } = invocation;
  const dir = resolve(invocation.arguments[0]!);
  if (!existsSync(dir)) throw new UsageError(`there is no folder ${dir}`);
  if (!existsSync(join(dir, 'components')))
    throw new UsageError(`${dir} is not the checkout of an index: it has no folder components/`);
  const after = readIndex(root, day);
  throwErrors(after.findings);
  const before = readIndex(openRoot(dir, checkout), day);
  const changed = compareIndexes(before.index, after.index);
  const verdicts = compareVerdicts(before.judged, after.judged, day);
  const rows = [
    ...changed.flatMap((difference) =>
      describeDifference(difference).map((text) => [difference.component, text]),
    ),
    ...verdicts.map(({ component, text }) => [component, text]),
  ];
  const empty = 'The index says the same as before.';
  report.print(...(rows.length === 0 ? [empty] : rows.map((row) => row.join(': '))));
  await report.summarise('Changes in the index', { headings: ['component', 'change'], rows, empty });
  report.document({ verb: 'compare', asOf: day, before: dir, differences: changed, verdicts });
  return 0;
}

/** What a run would record of verdicts and ends, if the one index took the place of the other on this day. */
function compareVerdicts(
  before: ReadonlyMap<string, Component>,
  after: ReadonlyMap<string, Component>,
  day: Day,
): { component: string; text: string }[] {
  return Array.from(after).flatMap(([component, now]) => {
    const was = before.get(component);
    if (!was) return [];
    const state = foldJournal([]);
    for (const draft of differences(state, was, day)) applyEvent(state, draft);
    const events = differences(state, now, day)
      .filter(({ type }) => /^(?:deprecated|restored|support-(?:announced|moved|dropped|ended))$/.test(type))
      .map((draft) => eventText({ ...draft, at: day }));
    return [...events, ...movedDeprecations(was, now)].map((text) => ({ component, text }));
  });
}

/** Deprecations whose day alone differs. Those that follow from the end of a release line are reported with it. */
function movedDeprecations({ judgement: was }: Component, { judgement: now }: Component): string[] {
  const dayOf = ({ reasons, upcoming, supportedUntil }: JudgedRelease) => {
    const reason = reasons[0] ?? upcoming[0];
    const isOfLine = reason?.rule === 'support policy' && reason.from === supportedUntil;
    return isOfLine ? undefined : reason?.from;
  };
  const before = new Map(was.releases.map((release) => [release.version, release]));
  const moved = now.releases.flatMap((release) => {
    const { version, isDeprecated } = release;
    const old = before.get(version);
    if (old?.isDeprecated !== isDeprecated) return [];
    const [from, to] = [dayOf(old), dayOf(release)];
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

/** A component that cannot be read is left out of the index; the findings say why. */
function readIndex(
  root: Root,
  day: Day,
): { index: PublishedIndex; judged: ReadonlyMap<string, Component>; findings: Finding[] } {
  const { names, findings } = listComponents(root);
  const judged = new Map<string, Component>();
  const index = new Map<string, PublishedComponent>();
  for (const name of names) {
    const { component, findings: found } = loadComponent(root, name, day);
    findings.push(...found);
    if (!component) continue;
    judged.set(name, component);
    const document: unknown = JSON.parse(renderReleaseFile(component));
    index.set(name, PublishedComponent.parse(document));
  }
  return { index, judged, findings };
}
