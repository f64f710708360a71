import { addDays, cutDay, newestFirst } from '../../../core/model/dates.ts';
import { warning } from '../../../core/schemas/finding.ts';
import type { PublishedChange } from '../../../core/schemas/published/changes-file.ts';
import type { Run } from '../../../core/schemas/recorded/runs.ts';
import { formatNumber } from '../../../core/text/wording.ts';
import { joinEntries, type ChangeEntry } from '../../../record/journal/events/change-entries.ts';
import { maxDocumentMebibytes } from './document-parts.ts';

/** The number of changes in `changes.json`. */
const maxChanges = 1000;

/** The changes of all components. Keeps the newest of each as objects, and all as JSON, because there may be a million. */
export function openChangeLog() {
  const allChanges: PublishedChange[] = [];
  const allEntries: ChangeEntry[] = [];
  /** By year, the JSON of the changes of each component. */
  const textsByYear = new Map<string, string[]>();

  return { add, newest, yearFiles };

  /** Adds the changes of a component, oldest first. `entries`: its entries in lists for people, newest first. */
  function add(changes: readonly PublishedChange[], entries: readonly ChangeEntry[]): void {
    allChanges.push(...changes.slice(-maxChanges));
    allEntries.push(...entries.slice(0, maxChanges));

    for (const [year, group] of Map.groupBy(changes, ({ at }) => at.slice(0, 4))) {
      const texts = textsByYear.get(year) ?? [];
      texts.push(JSON.stringify(group));
      textsByYear.set(year, texts);
    }
  }

  /** The newest changes and entries, newest first, and the years with changes. */
  function newest() {
    const entries = pickNewest(allEntries);
    // There may be older ones only if the list is full.
    const oldest = entries[maxChanges - 1];
    return {
      changes: pickNewest(allChanges),
      entries: joinEntries(entries),
      // Some entries of the day of the oldest may be missing.
      entriesFrom: oldest && addDays(cutDay(oldest.at), 1),
      years: [...textsByYear.keys()].sort().reverse(),
    };
  }

  /** Yields `changes/<year>.json` for each year. */
  function* yearFiles() {
    for (const [year, texts] of textsByYear) {
      const changes = texts.flatMap((text) => JSON.parse(text) as PublishedChange[]);
      yield renderYearFile('changes', year, changes.sort(compareChanges));
    }
  }
}

type Sortable = Pick<PublishedChange, 'id' | 'at'>;

/** The newest changes, newest first. */
function pickNewest<T extends Sortable>(changes: readonly T[]): T[] {
  return changes.toSorted(compareChanges).slice(0, maxChanges);
}

/** The reverse of the order of publication: by instant, then by the component in the id, then by its number. */
export function compareChanges(a: Sortable, b: Sortable): number {
  if (a.at !== b.at) {
    return newestFirst(a.at, b.at);
  }

  const [componentA = '', numberA] = a.id.split('/');
  const [componentB = '', numberB] = b.id.split('/');
  return newestFirst(componentA, componentB) || Number(numberB) - Number(numberA);
}

/** `builds/<year>.json` for each year. `runs`: newest first. */
export function renderBuildFiles(runs: readonly Run[]) {
  const byYear = Map.groupBy(runs, ({ at }) => at.slice(0, 4));
  return Array.from(byYear, ([year, group]) => renderYearFile('builds', year, group));
}

/** The file of a year, with a warning if it leaves out entries. */
function renderYearFile(name: 'changes' | 'builds', year: string, entries: readonly object[]) {
  const path = `${name}/${year}.json`;
  const { body, omitted } = renderEntries(name, entries);
  const counts = `the oldest ${formatNumber(omitted)} of ${formatNumber(entries.length)} ${name}`;
  const message = `leaves out ${counts}, because they exceed ${maxDocumentMebibytes} MiB`;
  return { path, body, findings: omitted === 0 ? [] : [warning(path, message)] };
}

/**
 * `changes.json`, or the file of a year, with a line for each of the newest entries that fit, and the number of omitted ones.
 * `entries`: newest first.
 */
export function renderEntries(name: 'changes' | 'builds', entries: readonly object[]) {
  const lines: string[] = [];
  let length = 0;
  for (const entry of entries) {
    const line = JSON.stringify(entry);
    length += Buffer.byteLength(line) + 2;
    if (length > maxDocumentMebibytes * 2 ** 20) {
      break;
    }

    lines.push(line);
  }

  const body =
    lines.length === 0 ? `{"${name}": []}\n` : `{"${name}": [\n${lines.join(',\n')}\n]}\n`;
  return { body, omitted: entries.length - lines.length };
}
