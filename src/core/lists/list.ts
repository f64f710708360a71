/** What a list states. No zod and no Node: pages load it. */
import type { Item } from '../index/item.ts';

export interface ReadList {
  readonly items: readonly Item[];
  /** Why the rest of it was not read. */
  readonly problems: readonly ListProblem[];
}

interface ListProblem {
  readonly message: string;
  /** What is in the line, where it is of one. */
  readonly entry?: string;
  /** Another list that it names, by its path. */
  readonly file?: string | undefined;
}

/** A text in a line of a list, and what it names; undefined where that is no version. */
export interface ListEntry {
  readonly line?: number;
  readonly text: string;
  readonly items: readonly Item[] | undefined;
  readonly file?: string | undefined;
}

export function joinEntries(entries: readonly ListEntry[]): ReadList {
  return {
    items: entries.flatMap(({ line, items = [] }) => items.map((item) => ({ ...item, line }))),
    problems: entries
      .filter(({ items }) => !items)
      .map(({ line, text, file }) => {
        const entry = text.slice(0, 100);
        const place = line === undefined ? '' : `line ${line}: `;
        const remedy = file === undefined ? '' : '; give that file, too';
        return { message: `${place}${entry}${remedy}`, entry, file };
      }),
  };
}

/** Without what a form matches there, so that all lines keep their numbers. */
export function blankOut(text: string, form: RegExp): string {
  return text.replaceAll(form, (block) => block.replaceAll(/./g, ''));
}
