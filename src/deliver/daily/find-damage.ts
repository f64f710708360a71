import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { fileProblem, isError, type Finding } from '../../core/schemas/finding.ts';
import { HeldFile } from '../../core/schemas/held.ts';
import { counted } from '../../core/text.ts';
import { parseDocument, readDocument } from '../../io/files/documents.ts';
import {
  fetchHistory,
  GitError,
  headOf,
  openGit,
  readAtCommit,
  type Git,
} from '../../io/files/git.ts';
import { listJournals, readJournal } from '../../io/files/journal.ts';
import { readFreshness, readRecordedData, readSiteConfig } from '../../io/files/read.ts';
import { cacheFolder, journalPath, listComponents, type Root } from '../../io/files/root.ts';
import { commitsOfRuns, mostRuns } from '../../record/counted.ts';
import { readEditedDefinition } from '../../record/definition.ts';
import { appended, heldFile, openRepository, type RepositoryInput } from './record-data.ts';

export interface Damage {
  /** Whether the run must stop, since the damage affects the whole index. */
  readonly isFatal: boolean;
  readonly findings: Finding[];
  /** For gathering and recording: without the damaged components. */
  readonly working: Root;
  /** For building and publishing: with the last good files of damaged components. */
  readonly published: Root;
}

/**
 * Finds components whose files are unreadable or lack data of the last commit: gathering would record the missing releases
 * again, with today as their day. Their published state stays. A damaged component that was never recorded is left out.
 */
export function findDamage(input: RepositoryInput): Damage {
  const { root } = input;
  const lost = findLosses(input);
  const ofIndex = lost.flatMap(({ component, findings }) =>
    component === undefined ? findings : [],
  );
  const restoring = ofIndex.map(({ message, ...finding }) => ({
    ...finding,
    message: `${message}. Restore it: git restore ${finding.file}. Nothing was gathered`,
  }));
  const findings: Finding[] = [];
  const folders = new Map<string, string | undefined>();
  // Definitions inherit defaults from the site configuration, so without it all would look damaged. The build reports it.
  const names = readSiteConfig(root).value ? listComponents(root).names : [];
  for (const name of names) {
    const ofData = lost.flatMap((one) => (one.component === name ? one.findings : []));
    const problems = ofData.length > 0 ? ofData : problemsOf(root, name);
    if (problems.length === 0) {
      continue;
    }
    const good = restoreCopy(input, name);
    findings.push(...problems, remedyFor(name, problems, good?.commit));
    // Leaving out a live component would break the builds of its users, so the build reports the damage.
    if (good || !existsSync(journalPath(root, name))) {
      folders.set(name, good?.folder);
    }
  }
  const leftOut = new Map(Array.from(folders.keys(), (name) => [name, undefined]));
  return {
    isFatal: ofIndex.length > 0,
    findings: [...restoring, ...findings],
    working: { ...root, damaged: leftOut },
    published: { ...root, damaged: folders },
  };
}

function problemsOf(root: Root, name: string): Finding[] {
  const reads = [readEditedDefinition, readRecordedData, readFreshness, readJournal];
  return reads.flatMap((read) => read(root, name).findings.filter(isError));
}

function remedyFor(
  name: string,
  problems: readonly Finding[],
  commit: string | undefined,
): Finding {
  const files = [...new Set(problems.map(({ file, subject }) => file ?? subject))];
  const state = commit ? 'stays as it was published last' : 'is not published';
  const remedy = commit
    ? `, or restore it: git restore --source=${commit} -- ${files.join(' ')}`
    : '';
  return fileProblem(files[0]!, `${name} ${state} until this is right. Correct it${remedy}`);
}

/** Copies the files of a component from the newest commit of a run in which all are readable. */
function restoreCopy(
  input: RepositoryInput,
  name: string,
): { commit: string; folder: string } | undefined {
  const { root, env } = input;
  if (headOf(root.dir, env) === undefined) {
    return undefined;
  }
  const files = [
    `components/${name}.json`,
    ...['data', 'data/freshness'].map((part) => `${part}/${name}.json`),
    `data/journal/${name}.ndjson`,
  ];
  const folder = join(cacheFolder(root), 'last-good', name);
  const isGood = (commit: string) => {
    rmSync(folder, { recursive: true, force: true });
    for (const file of files) {
      const content = readAtCommit(root.dir, commit, file);
      if (content === undefined) {
        continue;
      }
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), content);
    }
    return problemsOf({ ...root, damaged: new Map([[name, folder]]) }, name).length === 0;
  };
  const commit = commitsOfRuns(openHistory(input)).find(isGood);
  return commit === undefined ? undefined : { commit, folder };
}

function openHistory({ root, env }: RepositoryInput): Git {
  const git = openGit(root.dir, env);
  try {
    fetchHistory(git);
  } catch (error) {
    if (!(error instanceof GitError)) {
      throw error;
    }
  }
  return git;
}

interface Lost {
  /** Absent if the file belongs to the whole index. */
  readonly component?: string;
  readonly findings: readonly Finding[];
}

/** The changed files of `data/` that lost data. Empty outside a git repository. */
function findLosses(input: RepositoryInput): Lost[] {
  const { names } = listComponents(input.root);
  try {
    const { root, env } = input;
    const repository = openRepository(input);
    const head = openGit(root.dir, env)(['rev-parse', 'HEAD']).trim();
    const foreign = findForeignCommits(openHistory(input));
    const files = new Set([...repository.changedFiles(names), ...foreign.keys()]);
    return [...files].flatMap((file): Lost | [] => {
      const findings = lossOf(root, file, readAtCommit(root.dir, foreign.get(file) ?? head, file));
      const [, component] = /^data\/(?:journal\/)?([^/]+)\.(?:nd)?json$/.exec(file) ?? [];
      if (findings.length === 0) {
        return [];
      }
      return component !== undefined && names.includes(component)
        ? { component, findings }
        : { findings };
    });
  } catch (error) {
    if (error instanceof GitError) {
      return [];
    }
    throw error;
  }
}

/** Journals that were changed outside a run, each with the commit of the last run that changed it. */
function findForeignCommits(git: Git): Map<string, string> {
  const how = [
    '--format=%x00%H',
    '--name-only',
    '--no-renames',
    '--relative',
    `--max-count=${mostRuns}`,
  ];
  const commits = git(['log', ...how, 'HEAD', '--', 'data/journal', 'data/runs'])
    .split('\0')
    .slice(1);
  const byRuns = new Set<string>();
  const changed = new Set<string>();
  const foreign = new Map<string, string>();
  for (const [commit, ...files] of commits.map((text) => text.split('\n').filter(Boolean))) {
    const isOfRun = files.some((file) => file.startsWith('data/runs/'));
    for (const file of files.filter((one) => one.startsWith('data/journal/') && !byRuns.has(one))) {
      if (!isOfRun) {
        changed.add(file);
      } else if (changed.has(file)) {
        foreign.set(file, commit!);
      }
      if (isOfRun) {
        byRuns.add(file);
      }
    }
  }
  return foreign;
}

const CommittedData = z.object({ releases: z.array(z.object({ version: z.string() })) });

/** Does not report unreadable files of components: `problemsOf` finds them. */
function lossOf(root: Root, file: string, committed = ''): Finding[] {
  const path = join(root.dir, file);
  if (appended.test(file)) {
    const isWhole = existsSync(path)
      ? readFileSync(path, 'utf8').startsWith(committed)
      : journalTexts(root).some((text) => text.startsWith(committed));
    return isWhole ? [] : [fileProblem(file, 'does not begin with the lines of the last run')];
  }
  if (file === heldFile) {
    return existsSync(path) ? readDocument(path, file, HeldFile).findings : [];
  }
  const before = parseDocument(Buffer.from(committed), file, CommittedData).value?.releases ?? [];
  const after = existsSync(path) ? readDocument(path, file, CommittedData).value?.releases : [];
  const kept = new Set(after?.map(({ version }) => version));
  const gone = after ? before.filter(({ version }) => !kept.has(version)) : [];
  if (gone.length === 0) {
    return [];
  }
  const size = counted(before.length, 'release');
  return [fileProblem(file, `lacks ${gone.length} of the ${size} of the last commit`)];
}

/** The texts of all journals, to find the moved journal of a renamed component. */
function journalTexts(root: Root): string[] {
  return listJournals(root).map((name) => readFileSync(journalPath(root, name), 'utf8'));
}
