import { basename, join } from 'node:path';
import { quoteForShell } from '../core/text/foreign-text.ts';
import { formatCount, formatList } from '../core/text/wording.ts';
import { readIfThere } from '../io/files/file-system.ts';
import { askGit, listUncommitted, openGit, readHead, type Git } from '../io/files/git.ts';
import { firstCommit } from '../io/files/repository-files.ts';
import { programVersion } from '../io/program.ts';
import type { Invocation } from './command.ts';
import { createForgeFiles, readStarterInput, type Forge } from './starter/starter.ts';
import { findVersionMismatch, mergeUpdate } from './starter/written-files.ts';

/** A requirement of a publication, and whether it is met. */
export interface Requirement {
  subject: string;
  /** `unknown`: only a person or the forge knows. */
  state: 'ok' | 'missing' | 'unknown';
  message: string;
  /** A command, or a place in settings. */
  remedy?: string | undefined;
}

export function pass(subject: string, message: string): Requirement {
  return { subject, state: 'ok', message };
}

/** `remedy`: undefined if the message has it. */
export function fail(subject: string, message: string, remedy?: string): Requirement {
  return { subject, state: 'missing', message, remedy };
}

export function leaveOpen(subject: string, message: string, remedy: string): Requirement {
  return { subject, state: 'unknown', message, remedy };
}

/** Checks that git is installed, and that everything is committed and pushed. */
export function checkGit({ root, env }: Invocation): Requirement[] {
  const git = openGit(root.dir, env);
  const version = askGit(git, '--version');
  if (version === undefined) {
    return [fail('git', 'is not installed', 'https://git-scm.com/downloads')];
  }
  if (readHead(root.dir, env) === undefined) {
    return [fail('commit', 'there is none', firstCommit)];
  }

  return [
    pass('git', version.replace('git version ', '')),
    checkCommit(git),
    checkRemote(git),
    checkBranch(git),
  ];
}

function checkCommit(git: Git): Requirement {
  const files = listUncommitted(git, '.');
  if (files.length === 0) {
    return pass('commit', 'everything is committed');
  }

  const message = `${formatCount(files.length, 'file')} not committed`;
  return fail('commit', message, 'git add --all && git commit');
}

function checkRemote(git: Git): Requirement {
  const address = askGit(git, 'remote', 'get-url', 'origin');
  if (address === undefined) {
    return fail(
      'remote',
      'there is no origin',
      'git remote add origin <address of the repository>',
    );
  }

  // The address may have credentials: `https://jane:p@ss@example.com/index.git`.
  return pass('remote', address.replace(/\/\/[^/]+@/, '//'));
}

/** Checks that a branch is checked out, and that all commits are pushed. */
function checkBranch(git: Git): Requirement {
  const branch = askGit(git, 'symbolic-ref', '--short', 'HEAD');
  if (branch === undefined) {
    return fail('branch', 'none is checked out', 'git switch <branch>');
  }

  const push = `git push --set-upstream origin ${quoteForShell(branch)}`;
  const unpushedCount = askGit(git, 'rev-list', '--count', '@{upstream}..HEAD');
  if (unpushedCount === undefined) {
    return fail('branch', `${branch} has no upstream branch`, push);
  }

  return unpushedCount === '0'
    ? pass('branch', branch)
    : fail('branch', `${branch} has commits that are not pushed`, push);
}

/** Checks that the lock file of an index has the program. */
export function checkProgram({ root, checkout }: Invocation): Requirement {
  const lock = readIfThere(join(root.dir, 'package-lock.json'));
  if (!lock) {
    return fail('program', 'there is no package-lock.json', 'npm install');
  }

  return root.dir === checkout || lock.includes('"node_modules/release-index"')
    ? pass('program', programVersion)
    : fail('program', 'package-lock.json lacks it', 'npm install --save-exact release-index');
}

/** Checks that the forge runs "daily", by files as this version writes them. */
export function checkForge(
  { root, env, checkout }: Invocation,
  forges: readonly Forge[],
): Requirement {
  if (root.dir === checkout) {
    return pass('daily run', 'that of the program');
  }

  const remedy = 'npx release-index init --update';
  const [forge, ...others] = forges;
  if (forge === undefined) {
    return fail(
      'daily run',
      'no workflow, pipeline or Dockerfile runs it',
      `${remedy} (--ci gitlab, --ci none)`,
    );
  }

  if (others.length > 0) {
    const message = `there are files of ${formatList(forges, 3)}`;
    return fail('daily run', message, `${remedy} --ci ${forge}`);
  }

  const mismatch = findVersionMismatch(root.dir);
  if (mismatch) {
    return fail('daily run', mismatch.message, mismatch.remedy);
  }

  const outdated: string[] = [];
  for (const file of createForgeFiles({ ...readStarterInput(root, env), forge })) {
    const name = basename(file.path);
    const { content, isConflicting } = mergeUpdate(file, root.dir);
    if (isConflicting) {
      return fail('daily run', `${name} has changes of yours and of this version`, remedy);
    }
    if (content !== readIfThere(file.path)?.toString()) {
      outdated.push(name);
    }
  }

  return outdated.length === 0
    ? pass('daily run', forge)
    : fail('daily run', `this version writes ${outdated.join(', ')} differently`, remedy);
}
