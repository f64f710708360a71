import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HeldFile } from '../../src/core/schemas/recorded/waits.ts';
import { createRoot, readJsonIn, temporaryFolder, type TestRoot } from './root.ts';
import { runHere } from './run-here.ts';

export type IndexInGit = ReturnType<typeof indexIn>;

const folderOptions: Readonly<Record<string, string>> = {
  daily: '--to',
  plan: '--to',
  publish: '--to',
};

/** An address that is unknown without asking the network: a label of a host name has at most 63 characters. */
const unknownUrl = `https://${'x'.repeat(64)}.example.org`;

/** An index in a repository, whose site goes to a folder. */
export function openIndexInGit() {
  const root = createRoot({ releasesUrl: unknownUrl, hosting: 'files' });
  root.write('.gitignore', 'dist/\n.cache/\n');
  execFileSync('git', ['-C', root.dir, 'init', '--quiet', '--initial-branch=main']);
  // Written at once: a start of git takes as long as many a test.
  appendFileSync(
    join(root.dir, '.git/config'),
    '[user]\nname = Jane\nemail = jane@example.com\n[maintenance]\nauto = false\n',
  );
  return indexIn(root, temporaryFolder());
}

/** An index with the files, the history and the published site of another, which takes less than to make it again. */
export function copyIndexInGit(index: IndexInGit): IndexInGit {
  const root = createRoot();
  const served = temporaryFolder();
  // Git takes a file with another time for changed until it has read it.
  const options = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
  cpSync(index.root.dir, root.dir, options);
  cpSync(index.served, served, options);
  return indexIn(root, served);
}

function indexIn(root: TestRoot, served: string) {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root.dir, ...args], { encoding: 'utf8' }).trim();
  return {
    root,
    /** The folder of the published site. */
    served,
    git,
    /** Commits every file. */
    commit(message = 'Change') {
      git('add', '--all');
      git('commit', '--quiet', '--message', message);
    },
    /** Runs a command line on a day. */
    run(line: string, day: string) {
      const [verb = '', ...args] = line.split(' ');
      const folder = folderOptions[verb];
      const to = folder === undefined ? [] : [folder, served];
      const env = { PATH: process.env['PATH']!, NO_COLOR: '1', CI: '1' };
      return runHere([verb, ...args, '--root', root.dir, '--as-of', day, ...to], env);
    },
    /** The text of a published file, or `404`. */
    live(path: string) {
      const file = join(served, path);
      return existsSync(file) ? readFileSync(file, 'utf8') : '404';
    },
    held: () => readJsonIn<HeldFile>(root.dir, 'data/held.json').held,
  };
}
