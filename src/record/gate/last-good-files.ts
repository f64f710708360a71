import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { inputError } from '../../core/schemas/finding.ts';
import type { Wait } from '../../core/schemas/recorded/waits.ts';
import { isAbsent, makeFolder, writeFile } from '../../io/files/file-system.ts';
import { GitError, readAtCommits } from '../../io/files/git.ts';
import { readDocument } from '../../io/files/read-documents.ts';
import { readLastWaits } from '../../io/files/recorded-files.ts';
import {
  openCacheFolder,
  definitionFile,
  definitionPath,
  freshnessFile,
  journalFile,
  journalPath,
  listComponents,
  recordedFile,
  type FilePart,
  type LastGoodFiles,
  type Root,
} from '../../io/files/root.ts';
import type { LastRun } from './last-run.ts';
import { hasGoodCommit } from './rules/waiting-change.ts';

/** The commits of the last good files of a component. */
export interface GoodCommits {
  definition: string;
  data: string;
}

/** The commits of the last run, or earlier ones whose files replace those of a component that waits. */
export function findGoodCommits({ commit, dataCommit, waits }: LastRun, name: string): GoodCommits {
  const held = waits.find((wait) => wait.component === name && hasGoodCommit(wait));
  return { definition: held?.commit ?? commit, data: held?.dataCommit ?? dataCommit };
}

/** The index to gather and build. Components that wait have their last good files; damaged ones without any are left out. */
export function openAccepted(root: Root, waits = readLastWaits(root)): Root {
  const lastGood = new Map<string, LastGoodFiles>();
  const leftOut = new Set<string>();

  for (const wait of renameWaits(openEdited(root), waits)) {
    const commits = listCommits(root, wait);
    if (commits.size > 0) {
      lastGood.set(wait.component, copyFiles(root, wait.component, commits));
    } else if (wait.kind === 'files') {
      leftOut.add(wait.component);
    }
  }

  return { ...root, lastGood, leftOut };
}

/** The index with all files as people left them. */
export function openEdited({ dir, siteDir, siteDirs }: Root): Root {
  return { dir, siteDir, siteDirs };
}

/** The commit of each part that a wait replaces. A damaged or removed journal is replaced with the data. */
function listCommits(root: Root, { component, kind, commit, dataCommit }: Wait) {
  const commits = new Map<FilePart, string>();
  if (commit !== undefined) {
    commits.set('definition', commit);
  }

  if (dataCommit !== undefined) {
    commits.set('data', dataCommit);

    if (kind === 'files' || !existsSync(journalPath(root, component))) {
      commits.set('journal', dataCommit);
    }
  }

  return commits;
}

/** Copies parts of a component, each as of its commit. Throws an InputError if the history lacks a commit. */
export function copyFiles(
  root: Root,
  component: string,
  commits: ReadonlyMap<FilePart, string>,
): LastGoodFiles {
  const folder = join(openCacheFolder(root), 'last-good', component);
  rmSync(folder, { recursive: true, force: true });

  const files = listFiles(root, component, commits);
  for (const { target, content } of readGoodFiles(root, component, files)) {
    makeFolder(dirname(join(folder, target)));
    writeFile(join(folder, target), content);
  }

  return { folder, parts: new Set(commits.keys()) };
}

/** The files of a component that their commits have. Throws an InputError if the history lacks a commit. */
export function readGoodFiles<File extends { commit: string; file: string }>(
  root: Root,
  component: string,
  files: readonly File[],
) {
  try {
    return readAtCommits(root.dir, files);
  } catch (error) {
    if (!(error instanceof GitError)) {
      throw error;
    }

    const message = `cannot read the last accepted files of ${component}, which count while it waits: ${error.message}. If the clone is shallow, fetch the whole history: git fetch --unshallow`;
    throw inputError('gate', message);
  }
}

/** The files of these parts at their commits, each with its path among the copies. */
function listFiles(root: Root, component: string, commits: ReadonlyMap<FilePart, string>) {
  const files: { commit: string; file: string; target: string }[] = [];
  for (const [part, commit] of commits) {
    // In the commit, the files may have a former name.
    const formerFiles = listPartFiles(part, findName(openEdited(root), component, commit));
    for (const [index, target] of listPartFiles(part, component).entries()) {
      files.push({ commit, file: formerFiles[index]!, target });
    }
  }

  return files;
}

function listPartFiles(part: FilePart, name: string): string[] {
  switch (part) {
    case 'definition':
      // A definition is read with the defaults of its commit.
      return [definitionFile(name), 'site/site.json'];
    case 'data':
      return [recordedFile(name), freshnessFile(name)];
    case 'journal':
      return [journalFile(name)];
  }
}

const Renamed = z.looseObject({ renamedFrom: z.array(z.string()).optional() });

/** The names that a component had before it was renamed, oldest first. */
export function readFormerNames(root: Root, component: string): readonly string[] {
  const path = definitionPath(root, component);
  const definition = isAbsent(path) ? undefined : readDocument(path, component, Renamed).value;
  return definition?.renamedFrom ?? [];
}

/** The waits, those of renamed components by their present names. */
export function renameWaits<SomeWait extends Wait>(
  root: Root,
  waits: readonly SomeWait[],
): readonly SomeWait[] {
  const isGone = ({ component }: Wait) => isAbsent(definitionPath(root, component));
  const { names } = listComponents(root);
  return waits.map((wait) => {
    const isFormer = (name: string) => readFormerNames(root, name).includes(wait.component);
    return isGone(wait) ? { ...wait, component: names.find(isFormer) ?? wait.component } : wait;
  });
}

/** The name that a component, which may be renamed, had in a commit. Throws an InputError if the history lacks it. */
export function findName(root: Root, component: string, commit: string): string {
  const formerNames = readFormerNames(root, component);
  if (formerNames.length === 0) {
    return component;
  }

  const names = [component, ...formerNames.toReversed()];
  const files = names.map((name) => ({ name, commit, file: definitionFile(name) }));
  return readGoodFiles(root, component, files)[0]?.name ?? component;
}
