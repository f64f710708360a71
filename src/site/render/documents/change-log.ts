import { addDays, cutDay, newestFirst, type Day } from '../../../core/model/dates.ts';
import type { PublishedChange } from '../../../core/schemas/published/changes-file.ts';
import type { Run } from '../../../core/schemas/recorded/journal.ts';
import { joinEntries, type ListedChange } from '../../../record/journal/events/published-events.ts';
import type { SiteFile } from '../site-context.ts';

/** The number of changes in `changes.json`. */
const maxChanges = 1000;

/** The number of changes to keep in memory before dropping all but the newest. */
const maxWaiting = 20 * maxChanges;

/** Hosts accept files up to 25 MiB. The file of a year leaves out the oldest changes that do not fit. */
const maxYearLength = 20 * 2 ** 20;

/** The changes of all components: the newest as objects, and all as encoded bytes, because there may be a million. */
export class ChangeLog {
  readonly #newest = new NewestChanges<PublishedChange>();
  readonly #newestListed = new NewestChanges<ListedChange>();
  readonly #years = new Map<string, Uint8Array[]>();

  /** Adds the changes of a component, oldest first, and the same changes as people read them, newest first. */
  add(changes: readonly PublishedChange[], listedChanges: readonly ListedChange[]): void {
    this.#newest.add(changes.slice(-maxChanges));
    this.#newestListed.add(listedChanges.slice(0, maxChanges));

    for (const [year, group] of Map.groupBy(changes, ({ at }) => at.slice(0, 4))) {
      const parts = this.#years.get(year) ?? [];
      this.#years.set(year, parts);
      parts.push(encodeLines(group));
    }
  }

  /** The newest changes, newest first. */
  newest(): PublishedChange[] {
    return this.#newest.list();
  }

  newestListed(): ListedChange[] {
    return joinEntries(this.#newestListed.list());
  }

  /** The first day whose changes are all listed; undefined if every day is. */
  firstListedDay(): Day | undefined {
    const changes = this.#newestListed.list();
    const oldest = changes.length < maxChanges ? undefined : changes.at(-1);
    return oldest && addDays(cutDay(oldest.at), 1);
  }

  /** Years with changes, newest first. */
  years(): string[] {
    return [...this.#years.keys()].sort().reverse();
  }

  /** Yields `changes/<year>.json` for each year. */
  *yearFiles(): Generator<SiteFile> {
    for (const [year, parts] of this.#years) {
      yield { path: `changes/${year}.json`, body: renderYear(parts) };
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
    return this.#changes
      .toSorted((a, b) => newestFirst(createSortKey(a), createSortKey(b)))
      .slice(0, maxChanges);
  }
}

/** Changes as lines: a sort key and JSON. */
function encodeLines(changes: readonly PublishedChange[]): Uint8Array {
  const lines = changes.map((change) => `${createSortKey(change)}${JSON.stringify(change)}`);
  // Not a Buffer: small Buffers share a memory pool, so one keeps the others alive.
  return new TextEncoder().encode(lines.join('\n'));
}

/** A sort key in the order of publication: by instant, then component, then number. */
export function createSortKey({ at, id }: Sortable): string {
  const slash = id.lastIndexOf('/');
  return `${at}\t${id.slice(0, slash)}\t${id.slice(slash + 1).padStart(9, '0')}\t`;
}

/** `parts`: lines from `encodeLines`. No sort key has a brace, with which JSON begins. */
function renderYear(parts: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  const texts = parts
    .flatMap((part) => decoder.decode(part).split('\n'))
    .sort(newestFirst)
    .map((line) => line.slice(line.indexOf('{')));
  return renderLines('changes', texts);
}

/** `builds/<year>.json` for each year. `runs`: newest first. */
export function renderBuildFiles(runs: readonly Run[]): SiteFile[] {
  const byYear = Map.groupBy(runs, ({ at }) => at.slice(0, 4));
  return Array.from(byYear, ([year, group]) => {
    const texts = group.map((run) => JSON.stringify(run));
    return { path: `builds/${year}.json`, body: renderLines('builds', texts) };
  });
}

/** `changes.json`. */
export function renderChangesFile(changes: readonly PublishedChange[]): string {
  const texts = changes.map((change) => JSON.stringify(change));
  return renderLines('changes', texts);
}

/** A document with the newest texts that fit. `texts`: newest first. */
function renderLines(name: string, texts: readonly string[]): string {
  const lines: string[] = [];
  let length = 0;
  for (const text of texts) {
    length += Buffer.byteLength(text) + 2;
    if (length > maxYearLength) {
      break;
    }

    lines.push(text);
  }

  return lines.length === 0 ? `{"${name}": []}\n` : `{"${name}": [\n${lines.join(',\n')}\n]}\n`;
}
