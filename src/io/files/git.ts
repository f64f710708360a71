import { execFileSync } from 'node:child_process';

/** A git command failed, or its result is unusable. The message is one line. */
export class GitError extends Error {
  override readonly name = 'GitError';
  /** Absent for an unusable result. */
  override readonly cause: GitFailure | undefined;
  /** Everything that git printed. */
  readonly output: string;

  constructor(message: string, cause?: GitFailure) {
    super(message);
    this.cause = cause;
    this.output = `${cause?.stderr ?? ''}\n${cause?.stdout ?? ''}`;
  }
}

/** An error of `execFileSync`. */
interface GitFailure extends NodeJS.ErrnoException {
  status?: number | null;
  stderr?: Buffer;
  stdout?: Buffer;
}

/** Runs a command and returns what it prints. Throws a GitError. */
export type Git = (args: readonly string[], input?: string) => string;

/** Options before a command that must not run the hooks of the repository. */
export const withoutHooks = ['-c', 'core.hooksPath=/dev/null'];

/** Runs git in a folder. It prompts for nothing, and prints English. */
export function openGit(dir: string, env: NodeJS.ProcessEnv): Git {
  return (args, input) => runGit(dir, args, input, env).toString();
}

function runGit(dir: string, args: readonly string[], input = '', env?: NodeJS.ProcessEnv): Buffer {
  try {
    return execFileSync('git', ['-C', dir, ...args], {
      input,
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 1024 * 1024 * 1024,
      env: env && { ...env, GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
    });
  } catch (error) {
    const failure = error as GitFailure;
    const command = args[0] === '-c' ? args[2] : args[0];
    throw new GitError(`git ${command}: ${describeFailure(failure)}`, failure);
  }
}

/** The entries of output printed with `-z`. */
export function splitEntries(output: string): string[] {
  return output.split('\0').slice(0, -1);
}

/** The files that differ, by the options and revisions of `git diff`; a moved file by both of its names. Throws a GitError. */
export function listDifferences(git: Git, ...args: readonly string[]): string[] {
  return splitEntries(git(['diff', '--name-only', '--no-renames', '-z', ...args]));
}

/** The files of these folders that differ from the checked-out commit, also new ones, sorted. Paths are from the folder of `git`. */
export function listUncommitted(git: Git, ...folders: readonly string[]): string[] {
  const paths = ['--', ...folders];
  const changed = listDifferences(git, '--relative', 'HEAD', ...paths);
  const added = splitEntries(git(['ls-files', '--others', '--exclude-standard', '-z', ...paths]));
  return [...new Set([...changed, ...added])].sort();
}

/** The trimmed output of a command; undefined if it fails. */
export function askGit(git: Git, ...args: readonly string[]): string | undefined {
  try {
    return git(args).trim();
  } catch (error) {
    if (error instanceof GitError) {
      return undefined;
    }

    throw error;
  }
}

/** The checked-out commit of a folder; undefined outside of a repository, or without Git. */
export function readHead(dir: string, env: NodeJS.ProcessEnv): string | undefined {
  return askGit(openGit(dir, env), 'rev-parse', '--verify', 'HEAD');
}

/** Completes a shallow clone, which is what workflows check out. False if the folder has no commit. Throws a GitError. */
export function fetchHistory(git: Git): boolean {
  // Prints "true" or "false", and the commit; fails without a commit.
  const answer = askGit(git, 'rev-parse', '--is-shallow-repository', 'HEAD');
  if (answer?.startsWith('true')) {
    git(['fetch', '--quiet', '--unshallow']);
  }

  return answer !== undefined;
}

/**
 * The files with their contents. Omits files that their commit lacks. Git is started once, since each start takes some milliseconds.
 * Throws a GitError for an unknown commit.
 */
export function readAtCommits<File extends { commit: string; file: string }>(
  dir: string,
  files: readonly File[],
): (File & { content: string })[] {
  const input = files.map(({ commit, file }) => `${commit}:./${file}\n`).join('');
  const answer = runGit(dir, ['cat-file', '--batch'], input);
  const found: (File & { content: string })[] = [];
  let position = 0;

  for (const file of files) {
    // `<id> blob 2048` (or tree, or commit for another repository), the content and a line break; or only `<name> missing`.
    const start = answer.indexOf('\n', position) + 1;
    const line = answer.toString('utf8', position, start);
    const [, type, size] = / ([a-z]+) (\d+)\n$/.exec(line) ?? [];
    const end = start + Number(size ?? 0);
    position = size === undefined ? start : end + 1;
    if (type === 'blob') {
      found.push({ ...file, content: answer.toString('utf8', start, end) });
    } else {
      // Fails if there is no such commit.
      runGit(dir, ['ls-tree', '--end-of-options', file.commit]);
    }
  }

  return found;
}

function describeFailure({ code, message, stderr, stdout }: GitFailure): string {
  if (code === 'ENOENT') {
    return 'git is not installed';
  }

  const errors = String(stderr ?? '');
  if (errors.includes('tell me who you are')) {
    return 'no author is configured. Set one: git config user.name and git config user.email';
  }

  // git prints some errors to standard output.
  const lines = (errors.trim() || String(stdout ?? ''))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(hint:|To )/.test(line));
  return (lines.slice(0, 3).join(' ') || message.replace(/\n.*/s, '')).replace(/\.$/, '');
}
