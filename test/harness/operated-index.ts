import { execFileSync } from 'node:child_process';
import { onTestFinished, vi } from 'vitest';
import type { Day } from '../../src/core/model/dates.ts';
import { createRoot, temporaryFolder } from './root.ts';
import { runHere } from './run-here.ts';

/** The time of day of every run, answer and commit. */
const timeOfDay = 'T04:23:00Z';

/** An index in a repository with a remote, the checkout in which it runs, and the clone of a person. */
export function openOperatedIndex(start: Day, site: object = {}) {
  const root = createRoot(site);
  const [remote, clone] = [temporaryFolder(), temporaryFolder()];

  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());

  const index = {
    root,
    /** Folder of the person's clone. */
    clone,
    today: start,
    setDay(day: Day) {
      index.today = day;
      vi.setSystemTime(`${day}${timeOfDay}`);
    },
    git: (...args: string[]) => gitIn(root.dir, ...args),
    gitIn: (folder: string, ...args: string[]) => gitIn(folder, ...args),
    environment: () => environment(),
    /** Runs a verb in the checkout, or in another folder. */
    run: (line: string, folder = root.dir) =>
      runHere([...line.split(' '), '--root', folder, '--as-of', index.today], environment()),
    /** What a person does in the clone, with the commit and the push that follow. */
    async asPerson<T>(message: string, change: (folder: string) => Promise<T> | T): Promise<T> {
      gitIn(clone, 'pull', '--quiet', '--rebase');
      const result = await change(clone);
      gitIn(clone, 'add', '--all');
      gitIn(clone, 'commit', '--quiet', '--allow-empty', '--message', message);
      gitIn(clone, 'push', '--quiet');
      return result;
    },
  };

  const environment = () => ({
    PATH: process.env['PATH']!,
    HOME: remote,
    NO_COLOR: '1',
    CI: '1',
    GIT_AUTHOR_DATE: `${index.today}${timeOfDay}`,
    GIT_COMMITTER_DATE: `${index.today}${timeOfDay}`,
    GIT_AUTHOR_NAME: 'Jane',
    GIT_AUTHOR_EMAIL: 'jane@example.com',
    GIT_COMMITTER_NAME: 'Jane',
    GIT_COMMITTER_EMAIL: 'jane@example.com',
  });
  const gitIn = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      env: environment(),
      stdio: 'pipe',
    }).trim();

  index.setDay(start);
  root.write('.gitignore', 'dist/\n.cache/\n');
  index.git('init', '--quiet', '--bare', '--initial-branch=main', remote);
  index.git('init', '--quiet', '--initial-branch=main');
  index.git('add', '--all');
  index.git('commit', '--quiet', '--message', 'Begin the index');
  index.git('remote', 'add', 'origin', remote);
  index.git('push', '--quiet', '--set-upstream', 'origin', 'main');
  index.git('clone', '--quiet', remote, clone);
  return index;
}

/** The commands that a run tells a person to type, each once. */
export function commandsIn({ stdout, stderr }: { stdout: string; stderr: string }): string[] {
  const text = `${stdout}\n${stderr}`;
  const accepts = text.matchAll(/release-index (accept(?: [a-z0-9-]*[0-9a-f]{6,})+)/g);
  const restores = text.matchAll(/git restore \S+ -- [\w./-]*\w/g);
  return [
    ...new Set([
      ...Array.from(accepts, ([, line]) => line!),
      ...Array.from(restores, ([line]) => line),
    ]),
  ];
}
