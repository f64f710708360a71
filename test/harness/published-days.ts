/** Publishes an index into a folder on three days, and offers ways to damage its history afterwards. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { createCopies, listReleases, openDefined, type OperatedIndex } from './operated-index.ts';

export const start = '2025-12-30';
/** The day after the three published days. */
export const next = addDays(start, 3);
export const journal = 'data/journal/svc.ndjson';

/**
 * Publishes an index on three days. `open` copies the index and its published site. Copies share the sources, so use one copy at a time.
 */
export async function publishDays() {
  const releases = listReleases(3);
  const first = await openDefined(releases, ['agent', 'svc']);
  // The site is in the folder that `open` copies, so each copy has its own site.
  const published = join(first.root, '../site');
  for (const patch of [0, 1, 2]) {
    const news = Array.from({ length: patch }, (_, each) => ({ version: `1.3.${each}` }));
    first.answers.set('svc', [...releases, ...news]);
    const ended = await first.run(`daily --push --to ${published}`, addDays(start, patch));
    expect(ended).toMatchObject({ status: 0 });
  }

  const openCopy = createCopies(first);
  return {
    publishedJournal: first.read(journal),
    at: first.data.readRuns().at(-1)!.at,
    open() {
      const index = openCopy();
      return { index, site: join(index.root, '../site') };
    },
  };
}

/**
 * Damages an index or its published site. If the function returns a clone, the test continues in that clone. Otherwise, the test commits
 * all changes.
 */
export type Damage = (index: OperatedIndex, site: string) => unknown;

/**
 * Renames the files of a component with `git mv`: its definition, and the other files in `folders`. Each item of `folders` is a path with
 * `*` for the component's name: `data/*.json` → `data/svc.json`.
 */
export const move =
  (from: string, to: string, folders: readonly string[] = []): Damage =>
  ({ git }) => {
    for (const path of ['components/*.json', ...folders]) {
      git('mv', path.replace('*', from), path.replace('*', to));
    }
  };
export const dataFiles = ['data/*.json', 'data/journal/*.ndjson'];

/** Edits the lines of a file. */
export function editLines(path: string, edit: (lines: string[]) => string[]): Damage {
  return (index) => index.write(path, edit(index.read(path).split(/(?<=\n)/)).join(''));
}

export const all = (...damages: Damage[]): Damage => {
  return (...place) => damages.forEach((damage) => damage(...place));
};
