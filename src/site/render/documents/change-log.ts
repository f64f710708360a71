import { addDays, cutDay, newestFirst, type Day } from '../../../core/model/dates.ts';
import type { PublishedChange } from '../../../core/schemas/published/changes-file.ts';
import type { Run } from '../../../core/schemas/recorded/runs.ts';
import { joinEntries, type ChangeEntry } from '../../../record/journal/events/change-entries.ts';
import type { SiteFile } from '../site-context.ts';

/** The number of changes in `changes.json`. */
const maxChanges = 1000;

/** The number of changes to keep in memory before dropping all but the newest. */
const maxWaiting = 20 * maxChanges;

/** Hosts accept files up to 25 MiB. A file leaves out the oldest entries that do not fit. */
const maxFileLength = 20 * 2 ** 20;

/** The changes of all components: the newest as objects, and all as JSON, because there may be a million. */
export class ChangeLog {
  readonly #newest = new NewestChanges<PublishedChange>();
  readonly #newestEntries = new NewestChanges<ChangeEntry>();
  /** By year, an array of changes for each component. */
  readonly #years = new Map<string, string[]>();

  /** Adds the changes of a component, oldest first. `entries`: its entries in lists for people, newest first. */
  add(changes: readonly PublishedChange[], entries: readonly ChangeEntry[]): void {
    this.#newest.add(changes.slice(-maxChanges));
    this.#newestEntries.add(entries.slice(0, maxChanges));

    for (const [year, group] of Map.groupBy(changes, ({ at }) => at.slice(0, 4))) {
      const texts = this.#years.get(year) ?? [];
      texts.push(JSON.stringify(group));
      this.#years.set(year, texts);
    }
  }

  /** The newest changes, newest first. */
  newest(): PublishedChange[] {
    return this.#newest.list();
  }

  newestEntries(): ChangeEntry[] {
    return joinEntries(this.#newestEntries.list());
  }

  /** The first day whose changes are all listed; undefined if every day is. */
  firstListedDay(): Day | undefined {
    const changes = this.#newestEntries.list();
    const oldest = changes.length < maxChanges ? undefined : changes.at(-1);
    return oldest && addDays(cutDay(oldest.at), 1);
  }

  /** Years with changes, newest first. */
  years(): string[] {
    return [...this.#years.keys()].sort().reverse();
  }

  /** Yields `changes/<year>.json` for each year. */
  *yearFiles(): Generator<SiteFile> {
    for (const [year, texts] of this.#years) {
      const changes = texts.flatMap((text) => JSON.parse(text) as PublishedChange[]);
      yield { path: `changes/${year}.json`, body: renderChangesFile(changes.sort(compareChanges)) };
    }
  }
}

type Sortable = Pick<PublishedChange, 'id' | 'at'>;

/** The newest `maxChanges` of all that were added, newest first. */
class NewestChanges<T extends Sortable> {
  #changes: T[] = [];

  add(changes: readonly T[]): void {
    this.#changes.push(...changes);
    if (this.#changes.length > maxWaiting) {
      this.#changes = this.list();
    }
  }

  list(): T[] {
    return this.#changes.toSorted(compareChanges).slice(0, maxChanges);
  }
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

/** `changes.json`, or the file of a year. `changes`: newest first. */
export function renderChangesFile(changes: readonly PublishedChange[]): string {
  return renderLines('changes', changes);
}

/** `builds/<year>.json` for each year. `runs`: newest first. */
export function renderBuildFiles(runs: readonly Run[]): SiteFile[] {
  const byYear = Map.groupBy(runs, ({ at }) => at.slice(0, 4));
  return Array.from(byYear, ([year, group]) => ({
    path: `builds/${year}.json`,
    body: renderLines('builds', group),
  }));
}

/** A document with a line for each of the newest entries that fit. `entries`: newest first. */
function renderLines(name: 'changes' | 'builds', entries: readonly object[]): string {
  const lines: string[] = [];
  let length = 0;
  for (const entry of entries) {
    const line = JSON.stringify(entry);
    length += Buffer.byteLength(line) + 2;
    if (length > maxFileLength) {
      break;
    }

    lines.push(line);
  }

  return lines.length === 0 ? `{"${name}": []}\n` : `{"${name}": [\n${lines.join(',\n')}\n]}\n`;
}
