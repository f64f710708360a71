import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { fileProblem, isError, type Finding } from '../../core/schemas/finding.ts';
import type { Day } from '../../core/model/dates.ts';
import { HeldFile, type HeldChange } from '../../core/schemas/recorded/held.ts';
import { counted, toLine } from '../../core/text/text.ts';
import { parseDocument, readDocument } from '../../io/files/read-documents.ts';
import { headOf, readAtCommit } from '../../io/files/git.ts';
import { listJournals, readJournal } from '../../io/files/journal-files.ts';
import { readFreshness, readRecordedData, readSiteConfig } from '../../io/files/read.ts';
import {
  cacheFolder,
  journalPath,
  listComponents,
  type GoodFiles,
  type Root,
} from '../../io/files/root.ts';
import { sha256 } from '../../io/files/sha256.ts';
import {
  goodCommits,
  readLastGood,
  type GoodCommits,
  type LastGood,
} from '../../record/gate/last-good.ts';
import { readEditedDefinition } from '../../record/read-definition.ts';
import { appended, heldFile, Repository, type RepositoryInput } from './record-data.ts';

export interface Damage {
  /** Whether the run must stop, since the damage affects the whole index. */
  readonly isFatal: boolean;
  readonly findings: Finding[];
  /** Why the present state cannot be compared with the last run; empty if it can. */
  readonly incomparable: readonly Finding[];
  /** What waits until its files are readable. */
  readonly held: readonly HeldChange[];
  /** For gathering and recording: without components whose data is damaged. */
  readonly working: Root;
  /** For building and publishing: with the last good files of damaged components. */
  readonly published: Root;
}

/**
 * Finds components whose files are unreadable or lack data of the last run: gathering would record the missing releases
 * again, with today as their day. Their published state stays. A damaged component that was never recorded is left out.
 */
export function findDamage(input: RepositoryInput & { day: Day }): Damage {
  const { root, env, day } = input;
  const { lastGood, findings: comparison } = readLastGood(root, env);
  const lost = findLosses(input, lastGood);
  const findings = lost.filter(({ component }) => component === undefined).flatMap(remedyForIndex);
  const isFatal = findings.length > 0;

  const held: HeldChange[] = [];
  const working = new Map<string, GoodFiles | undefined>();
  const published = new Map<string, GoodFiles | undefined>();

  // Definitions inherit defaults from the site configuration, so without it all would look damaged. The build reports it.
  const names = readSiteConfig(root).value ? listComponents(root).names : [];

  for (const name of names) {
    const ofData = lost.filter(({ component }) => component === name);
    const problems =
      ofData.length > 0 ? ofData.flatMap((one) => one.findings) : problemsOf(root, name);
    if (problems.length === 0) {
      continue;
    }

    const good = lastGood && restoreCopy(input, lastGood, name, problems);

    findings.push(...problems, remedyFor(name, problems, good));
    held.push(heldFor(name, problems, day, good?.commits.definition));

    // Leaving out a live component would break the builds of its users, so the build reports the damage.
    if (good || !existsSync(journalPath(root, name))) {
      published.set(name, good?.files);
      working.set(name, good?.files.isDefinition ? good.files : undefined);
    }
  }

  return {
    isFatal,
    findings,
    incomparable: comparison.filter(isError),
    held,
    working: { ...root, damaged: working },
    published: { ...root, damaged: published },
  };
}

function problemsOf(root: Root, name: string): Finding[] {
  const reads = [readEditedDefinition, readRecordedData, readFreshness, readJournal];
  return reads.flatMap((read) => read(root, name).findings.filter(isError));
}

function remedyForIndex({ findings }: Lost): Finding[] {
  return findings.map((finding) => {
    const message = `${finding.message}. Restore it: git restore ${finding.file}. Nothing was gathered`;
    return { ...finding, message };
  });
}

function filesOf(problems: readonly Finding[]): string[] {
  return [...new Set(problems.map(({ file, subject }) => file ?? subject))];
}

function remedyFor(
  name: string,
  problems: readonly Finding[],
  good: GoodCopy | undefined,
): Finding {
  const files = filesOf(problems);
  const commit = good?.files.isDefinition ? good.commits.definition : good?.commits.data;
  const state = commit ? 'stays as it was published last' : 'is not published';
  const remedy = commit
    ? `, or restore it: git restore --source=${commit} -- ${files.join(' ')}`
    : '';

  return fileProblem(files[0]!, `${name} ${state} until this is right. Correct it${remedy}`);
}

function heldFor(
  component: string,
  problems: readonly Finding[],
  since: Day,
  commit: string | undefined,
): HeldChange {
  const texts = problems.map(({ message }) => toLine(message));

  return {
    id: `${component}-${sha256('files').slice(0, 10)}`,
    component,
    kind: 'files',
    since,
    causes: filesOf(problems),
    reason: texts[0]!,
    consequences: texts.length,
    examples: texts.slice(0, 5),
    ...(commit !== undefined && { commit }),
  };
}

interface GoodCopy {
  readonly commits: GoodCommits;
  readonly files: GoodFiles;
}

/** Copies the files of a component as of its last good state; undefined if it never had one. */
function restoreCopy(
  { root, env }: RepositoryInput,
  lastGood: LastGood,
  name: string,
  problems: readonly Finding[],
): GoodCopy | undefined {
  const commits = goodCommits(root, env, lastGood, name);
  const definition = `components/${name}.json`;
  const isDefinition = filesOf(problems).every((file) => file === definition);
  const data = [`data/${name}.json`, `data/freshness/${name}.json`, `data/journal/${name}.ndjson`];
  const files = { folder: join(cacheFolder(root), 'last-good', name), isDefinition };

  rmSync(files.folder, { recursive: true, force: true });
  copyFiles(root, commits.definition, [definition], files.folder);
  copyFiles(root, commits.data, isDefinition ? [] : data, files.folder);

  const copy = { ...root, damaged: new Map([[name, files]]) };

  return problemsOf(copy, name).length === 0 ? { commits, files } : undefined;
}

function copyFiles(root: Root, commit: string, paths: readonly string[], folder: string): void {
  for (const path of paths) {
    const content = readAtCommit(root.dir, commit, path);
    if (content !== undefined) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  }
}

interface Lost {
  /** Undefined if the file belongs to the whole index. */
  readonly component: string | undefined;
  readonly findings: readonly Finding[];
}

/**
 * The files of `data/` that lost data since the last good state, in commits or without; without such a state, since the last
 * commit. Empty outside a git repository.
 */
function findLosses(input: RepositoryInput, lastGood: LastGood | undefined): Lost[] {
  const { root, env } = input;
  const base = lastGood?.recorded ?? headOf(root.dir, env);
  if (base === undefined) {
    return [];
  }

  const { names } = listComponents(root);
  const repository = new Repository(input);
  const bases = new Map<string, string>();

  for (const name of lastGood ? names : []) {
    bases.set(name, goodCommits(root, env, lastGood!, name).data);
  }

  const lost: Lost[] = [];

  for (const commit of new Set([base, ...bases.values()])) {
    for (const file of repository.changedFiles(names, commit)) {
      const [, name = ''] = /^data\/(?:journal\/)?([^/]+)\.(?:nd)?json$/.exec(file) ?? [];
      const isBase = (bases.get(name) ?? base) === commit;
      const findings = isBase ? lossOf(root, file, readAtCommit(root.dir, commit, file)) : [];

      if (findings.length > 0) {
        lost.push({ component: names.find((one) => one === name), findings });
      }
    }
  }

  return lost;
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
  const remaining = new Set(after?.map(({ version }) => version));
  const gone = after ? before.filter(({ version }) => !remaining.has(version)) : [];
  if (gone.length === 0) {
    return [];
  }

  const size = counted(before.length, 'release');

  return [fileProblem(file, `lacks ${gone.length} of the ${size} of the last run`)];
}

/** The texts of all journals, to find the moved journal of a renamed component. */
function journalTexts(root: Root): string[] {
  return listJournals(root).map((name) => readFileSync(journalPath(root, name), 'utf8'));
}
