import { cutDay, type Day } from '../../core/model/dates.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import { daysIn } from '../../core/schemas/recorded/freshness.ts';
import {
  listJournals,
  listRuns,
  readDecisions,
  readJournal,
} from '../../io/files/journal-files.ts';
import { readFreshness, readRecorded } from '../../io/files/read.ts';
import type { Root } from '../../io/files/root.ts';
import { checkRecordedDays } from './component-rules.ts';

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
    ...findFuture(`data/freshness/${component}.json`, today, daysIn(freshness)),
  ];
}

function findFuture(file: string, today: Day, instants: readonly string[]): Finding[] {
  const future = instants.find((instant) => instant !== '' && cutDay(instant) > today);
  if (future === undefined) {
    return [];
  }

  const message = `holds ${future}, which is in the future. A run had a wrong clock: git revert its commit`;
  return [fileProblem(file, message)];
}
