import { lstatSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import { entriesBelow, isAbsent, sha256 } from '../../io/files/file-system.ts';
import type { Root } from '../../io/files/root.ts';
import { readDefinition } from '../../record/read-definition.ts';

/** The folders of `data/` that only runs write; `freshness` also before the first run. */
const foldersOfRuns = ['freshness', 'journal', 'runs', 'statements'] as const;

/** The file of `data/` that people append to. */
const fileOfPeople = 'data/decisions.ndjson';

/**
 * Finds changes that only runs may make: the gate and the journal rely on these files. `before` is the commit that `after` is to be
 * merged into, so a difference can only be by a person. The files of a renamed component may move.
 */
export function findForeignChanges(before: Root, after: Root): Finding[] {
  const [past, present] = [filesOfRuns(before), filesOfRuns(after)];
  const isFirst = ![...past.keys()].some((file) => file.startsWith('data/runs/'));
  const changed = [...new Set([...past.keys(), ...present.keys()])]
    .filter((file) => past.get(file) !== present.get(file))
    .filter((file) => !(isFirst && file.startsWith('data/freshness/')))
    .filter((file) => present.has(file) || !isOfRemoved(after, file));
  const moved = new Set(changed.flatMap((file) => movedFrom(after, file, past, present)));
  const remedy = 'Only runs write it: take the version of the published branch';

  const findings = changed
    .filter((file) => !moved.has(file))
    .sort()
    .map((file) => {
      const oldState = present.has(file) ? 'is changed' : 'is gone';
      const state = past.has(file) ? oldState : 'is new';
      return fileProblem(file, `${state}. ${remedy}`);
    });
  return [...findings, ...findChangedLine(before, after)];
}

/** Whether a component was removed with all that people write of it: the gate judges the removal. */
function isOfRemoved({ dir }: Root, file: string): boolean {
  const [, component] = /^data\/(?:freshness|journal|statements)\/([^/]+)\.\w+$/.exec(file) ?? [];
  const paths = [`components/${component}.json`, `data/${component}.json`];
  return component !== undefined && paths.every((path) => isAbsent(join(dir, path)));
}

/** Both paths of a file that moved with its component; empty if it did not. */
function movedFrom(
  after: Root,
  file: string,
  past: ReadonlyMap<string, string>,
  present: ReadonlyMap<string, string>,
): string[] {
  const [, folder, component, ending] = /^data\/(\w+)\/([^/]+)(\.\w+)$/.exec(file) ?? [];
  if (component === undefined || past.has(file)) {
    return [];
  }

  const { renamedFrom = [] } = readDefinition(after, component).value ?? {};
  const old = renamedFrom
    .map((name) => `data/${folder}/${name}${ending}`)
    .find((path) => !present.has(path) && past.get(path) === present.get(file));
  return old === undefined ? [] : [old, file];
}

/** The digests of all files that only runs write, by path. */
function filesOfRuns({ dir }: Root): Map<string, string> {
  const held = join(dir, 'data/held.json');
  const paths = foldersOfRuns
    .map((folder) => join(dir, 'data', folder))
    .filter((folder) => !isAbsent(folder))
    .flatMap((folder) => [...entriesBelow(folder)])
    .map((entry) => join(entry.parentPath, entry.name));

  return new Map(
    [...paths, ...(isAbsent(held) ? [] : [held])].map((path) => {
      const content = lstatSync(path).isFile() ? sha256(readFileSync(path)) : 'no file';
      return [relative(dir, path).replaceAll('\\', '/'), content];
    }),
  );
}

/** The first line of the file that is not as it was recorded: lines are only added. */
function findChangedLine(before: Root, after: Root): Finding[] {
  const [past, present] = [before, after].map(({ dir }) => {
    const path = join(dir, fileOfPeople);
    return isAbsent(path) ? '' : readFileSync(path, 'utf8');
  }) as [string, string];
  if (present.startsWith(past)) {
    return [];
  }

  const lines = present.split('\n');
  const position = past.split('\n').findIndex((line, index) => line !== lines[index]);
  const message = `line ${position + 1} is not as it was recorded. Lines are only added: restore the file from git`;
  return [fileProblem(fileOfPeople, message)];
}
