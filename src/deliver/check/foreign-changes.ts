import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import {
  describePath,
  isAbsent,
  listEntriesBelow,
  readIfThere,
  sha256,
} from '../../io/files/file-system.ts';
import {
  decisionsFile,
  definitionFile,
  heldFile,
  listComponents,
  recordedFile,
  type Root,
} from '../../io/files/root.ts';
import { readDefinitions } from '../../record/read-definition.ts';
import type { Digests } from '../../site/digests.ts';
import { findState, listDifferences } from './file-changes.ts';

/** The folders of `data/` that only runs write. Before the first run, gathering writes `freshness`, too. */
const foldersOfRuns = ['freshness', 'journal', 'runs', 'statements'];

/**
 * Finds changes that only runs may make: the gate and the journal rely on these files. `before` is the commit that `after` is to be
 * merged into, so a difference can only be by a person. The files of a renamed component may move.
 */
export function findForeignChanges(before: Root, after: Root): Finding[] {
  const past = digestFilesOfRuns(before);
  const present = digestFilesOfRuns(after);
  const isFirst = !past.keys().some((file) => file.startsWith('data/runs/'));
  const definitions = readDefinitions(after, listComponents(after).names);
  const movedFiles = findMovedFiles(definitions, past, present);
  const findings: Finding[] = [];

  for (const file of listDifferences(past, present)) {
    const isAllowed =
      movedFiles.has(file) ||
      (isFirst && file.startsWith('data/freshness/')) ||
      (!present.has(file) && isOfRemovedComponent(after, file, definitions));
    if (!isAllowed) {
      const state = findState(file, past, present);
      const message = `is ${state}. Only runs write it: take the version of the published branch`;
      findings.push(fileProblem(file, message));
    }
  }

  return [...findings, ...checkDecisionLines(before, after)];
}

type Definitions = ReturnType<typeof readDefinitions>;

/** `data/journal/svc.ndjson` */
const componentFile = /^data\/(freshness|journal|statements)\/([^/]+)(\.\w+)$/;

/**
 * Whether the component of a file of runs was removed with its definition and data: the gate judges the removal. A renamed component
 * keeps its files.
 */
function isOfRemovedComponent({ dir }: Root, file: string, definitions: Definitions): boolean {
  const [, , component = ''] = componentFile.exec(file) ?? [];
  const paths = [definitionFile(component), recordedFile(component)];
  const isRenamed = definitions
    .values()
    .some(({ value }) => value?.renamedFrom?.includes(component));
  return component !== '' && !isRenamed && paths.every((path) => isAbsent(join(dir, path)));
}

/** The former and the new paths of files that moved with their component. */
function findMovedFiles(
  definitions: Definitions,
  past: Digests,
  present: Digests,
): ReadonlySet<string> {
  const moved = new Set<string>();

  for (const [file, digest] of present) {
    const [, folder, component = '', ending] = componentFile.exec(file) ?? [];
    const formerFile = definitions
      .get(component)
      ?.value?.renamedFrom?.map((name) => `data/${folder}/${name}${ending}`)
      .find((path) => !present.has(path) && past.get(path) === digest);
    if (formerFile !== undefined && !past.has(file)) {
      moved.add(formerFile).add(file);
    }
  }

  return moved;
}

/** The digests of all files that only runs write. */
function digestFilesOfRuns({ dir }: Root): Digests {
  const heldPath = join(dir, heldFile);
  const paths = isAbsent(heldPath) ? [] : [heldPath];
  for (const name of foldersOfRuns) {
    const folder = join(dir, 'data', name);
    const entries = isAbsent(folder) ? [] : listEntriesBelow(folder);
    for (const entry of entries) {
      paths.push(join(entry.parentPath, entry.name));
    }
  }

  const digests = new Map<string, string>();
  for (const path of paths) {
    // A link differs from every file, also from one with the same bytes.
    const digest = lstatSync(path).isFile() ? sha256(readFileSync(path)) : 'no file';
    digests.set(describePath(dir, path), digest);
  }
  return digests;
}

/** Decisions are only added: reports the first recorded line that differs. */
function checkDecisionLines(before: Root, after: Root): Finding[] {
  const past = readDecisionLines(before);
  const present = readDecisionLines(after);
  if (present.startsWith(past)) {
    return [];
  }

  const lines = present.split('\n');
  const position = past.split('\n').findIndex((line, index) => line !== lines[index]);
  const message = `line ${position + 1} is not as it was recorded. Lines are only added: restore the file from git`;
  return [fileProblem(decisionsFile, message)];
}

function readDecisionLines({ dir }: Root): string {
  return readIfThere(join(dir, decisionsFile))?.toString() ?? '';
}
