import { cutDay, type Day } from '../../core/model/dates.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import { listDays } from '../../core/schemas/recorded/freshness.ts';
import { formatCount } from '../../core/text/wording.ts';
import { describeEvent } from '../../decide/event-words.ts';
import { applyEvent, foldJournal } from '../../decide/fold-journal.ts';
import {
  listJournals,
  listRuns,
  readDecisions,
  readJournal,
} from '../../io/files/journal-files.ts';
import { readFreshness, readRecorded } from '../../io/files/read.ts';
import type { Root } from '../../io/files/root.ts';
import { describeChange } from '../../record/journal/events/describe-change.ts';
import { loadComponent } from '../../site/load-component.ts';
import { checkRecordedDays } from './component-rules.ts';

/**
 * Folds each journal and compares it with the index as of the last recorded day. Later edits give a notice, since the next run
 * records them.
 */
export function checkJournals(root: Root, names: readonly string[], day: Day): Finding[] {
  const { runs, findings } = listRuns(root);
  const instants = listJournals(root).flatMap((name) =>
    (readJournal(root, name).value?.values ?? []).map(({ at }) => at),
  );
  const lastDay = [...runs.map(({ at }) => at), ...instants].map(cutDay).sort().at(-1);
  if (lastDay === undefined) {
    return findings;
  }

  const asOf = day < lastDay ? day : lastDay;
  return [...findings, ...names.flatMap((name) => checkFold(root, name, asOf))];
}

function checkFold(root: Root, name: string, day: Day): Finding[] {
  const { component } = loadComponent(root, name, day);
  if (!component) {
    return [];
  }

  const file = `data/journal/${name}.ndjson`;
  const state = foldJournal(component.journal);
  const drafts = describeChange(state, component, day);
  const [first, ...others] = drafts;
  if (!first) {
    return [];
  }

  for (const draft of drafts) {
    applyEvent(state, draft);
  }

  const [repeat] = describeChange(state, component, day);
  if (repeat) {
    const message = `does not match the index: "${describeEvent({ ...repeat, at: day })}" would be recorded again. Restore the file from git`;
    return [fileProblem(file, message)];
  }

  const more = others.length === 0 ? '' : ` ${formatCount(others.length, 'more event')} with it.`;
  const message = `not recorded yet: ${describeEvent({ ...first, at: day })}${more} The next run records it: npx release-index record`;
  return [fileProblem(file, message, 'notice')];
}

/** Recorded lines with a future day. Until then, the gate could not look back. */
export function findFutureLines(root: Root, today: Day): Finding[] {
  const decisions = readDecisions(root).value?.values ?? [];

  return [
    ...listJournals(root).flatMap((name) => {
      const events = readJournal(root, name).value?.values ?? [];
      return findFuture(`data/journal/${name}.ndjson`, today, [events.at(-1)?.at ?? '']);
    }),
    ...findFuture(
      'data/runs',
      today,
      listRuns(root).runs.flatMap(({ asOf, at }) => [asOf, at]),
    ),
    ...findFuture(
      'data/decisions.ndjson',
      today,
      decisions.map(({ at }) => at),
    ),
  ];
}

/** Future days in the files of a component. */
export function findFutureDays(root: Root, component: string, today: Day): Finding[] {
  const freshness = readFreshness(root, component).value ?? { sources: {} };
  return [
    ...checkRecordedDays(component, readRecorded(root, component).value ?? [], today),
    ...findFuture(`data/freshness/${component}.json`, today, listDays(freshness)),
  ];
}

function findFuture(file: string, today: Day, instants: readonly string[]): Finding[] {
  const instant = instants.find((at) => at !== '' && cutDay(at) > today);
  if (instant === undefined) {
    return [];
  }

  const message = `holds ${instant}, which is in the future. A run had a wrong clock: git revert its commit`;
  return [fileProblem(file, message)];
}
