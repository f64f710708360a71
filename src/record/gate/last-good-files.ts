import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { inputError } from '../../core/schemas/finding.ts';
import type { Wait } from '../../core/schemas/recorded/journal.ts';
import { isAbsent } from '../../io/files/file-system.ts';
import { GitError, readAtCommits } from '../../io/files/git.ts';
import { readDocument } from '../../io/files/read-documents.ts';
import {
  openCacheFolder,
  definitionPath,
  journalPath,
  type FilePart,
  type LastGoodFiles,
  type Root,
} from '../../io/files/root.ts';
import type { LastRun } from './last-run.ts';

/** The commits of the accepted files of a component. */
export interface GoodCommits {
  definition: string;
  data: string;
}

/** The commits of the last run, or those at which the component has waited since. */
export function findGoodCommits({ commit, dataCommit, waits }: LastRun, name: string): GoodCommits {
  const waiting = waits.find((wait) => wait.component === name && (wait.commit ?? wait.dataCommit));
  return { definition: waiting?.commit ?? commit, data: waiting?.dataCommit ?? dataCommit };
}

/** The index to gather and build: components that wait keep the files of their last good commit. */
export function openAccepted(root: Root, waits: readonly Wait[]): Root {
  const lastGood = new Map<string, LastGoodFiles>();
  const leftOut = new Set<string>();

  for (const wait of waits) {
    const { component, kind, commit, dataCommit: data = commit } = wait;
    if (data !== undefined) {
      const commits = { definition: commit ?? data, data };
      lastGood.set(component, copyFiles(root, component, commits, listParts(root, wait)));
    } else if (kind === 'files') {
      leftOut.add(component);
    }
  }

  return { ...root, lastGood, leftOut };
}

/** The index with all files as people left them. */
export function openEdited({ dir, siteDir, siteDirs }: Root): Root {
  return { dir, siteDir, siteDirs };
}

/** The parts to take from a commit. A damaged or removed journal is among them. */
function listParts(root: Root, { component, kind, commit, dataCommit }: Wait): Set<FilePart> {
  const parts = new Set<FilePart>();
  if (commit !== undefined) {
    parts.add('definition');
  }

  if (dataCommit !== undefined) {
    parts.add('data');

    if (kind === 'files' || !existsSync(journalPath(root, component))) {
      parts.add('journal');
    }
  }

  return parts;
}

/** The folders with the files of each part, and the extension of these files. */
const partFolders: Record<FilePart, Record<string, string>> = {
  definition: { components: 'json' },
  data: { data: 'json', 'data/freshness': 'json' },
  journal: { 'data/journal': 'ndjson' },
};

/** Copies the parts of a component as of their commits. Throws an InputError if the history lacks them. */
export function copyFiles(
  root: Root,
  component: string,
  commits: GoodCommits,
  parts: ReadonlySet<FilePart>,
): LastGoodFiles {
  const folder = join(openCacheFolder(root), 'last-good', component);
  rmSync(folder, { recursive: true, force: true });

  try {
    const files = listGoodFiles(root, component, commits, parts);
    for (const { target, content } of readAtCommits(root.dir, files)) {
      mkdirSync(dirname(join(folder, target)), { recursive: true });
      writeFileSync(join(folder, target), content);
    }
  } catch (error) {
    if (!(error instanceof GitError)) {
      throw error;
    }

    const message = `cannot read the last accepted files of ${component}, which count while it waits: ${error.message}. Fetch the whole history: git fetch --unshallow`;
    throw inputError('gate', message);
  }

  return { folder, parts };
}

/** The files of these parts at their commits, each with its path among the copies. */
function listGoodFiles(
  root: Root,
  component: string,
  commits: GoodCommits,
  parts: ReadonlySet<FilePart>,
) {
  const files: { commit: string; file: string; target: string }[] = [];
  for (const part of parts) {
    const commit = part === 'definition' ? commits.definition : commits.data;
    // While a renamed component waits, runs record its data under the new name.
    const name = findName(openEdited(root), component, commit);
    for (const [path, extension] of Object.entries(partFolders[part])) {
      const file = `${path}/${name}.${extension}`;
      files.push({ commit, file, target: `${path}/${component}.${extension}` });
    }
  }

  // A definition is read with the defaults of its commit.
  if (parts.has('definition')) {
    const file = 'site/site.json';
    files.push({ commit: commits.definition, file, target: file });
  }

  return files;
}

const Renamed = z.looseObject({ renamedFrom: z.array(z.string()).optional() });

/** The names that a component had before it was renamed, oldest first. */
export function readFormerNames(root: Root, component: string): readonly string[] {
  const path = definitionPath(root, component);
  const definition = isAbsent(path) ? undefined : readDocument(path, component, Renamed).value;
  return definition?.renamedFrom ?? [];
}

/** The name that a component, which may be renamed, had in a commit. */
export function findName(root: Root, component: string, commit: string): string {
  const formerNames = readFormerNames(root, component);
  if (formerNames.length === 0) {
    return component;
  }

  const names = [component, ...formerNames.toReversed()];
  const files = names.map((name) => ({ name, commit, file: `components/${name}.json` }));
  return readAtCommits(root.dir, files)[0]?.name ?? component;
}
