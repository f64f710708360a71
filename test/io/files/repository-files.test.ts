import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  rejectRepositoryProblems,
  rejectUncommitted,
} from '../../../src/io/files/repository-files.ts';
import type { InputError } from '../../../src/core/schemas/finding.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { checkout } from '../../harness/checkout.ts';
import { linesOf } from '../../harness/cli.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { definition, makeRoot, withGit, writeIn } from '../../harness/root.ts';

const ignored = (file: string) =>
  `${file}: git ignores files of this name, so no commit holds them. Remove the pattern that this names: git check-ignore -v --no-index ${file}`;
const linked = (file: string) =>
  `${file}: is a link, which may lead out of the index. Put the files themselves there`;

/** The problems of an index in git with a component, after a change of its files. */
function problemsAfter(change: (root: string) => void, isInGit = true): string[] {
  const dir = makeRoot({
    'components/svc.json': definition(),
    'data/svc.json': { releases: [] },
    'site/assets/own.css': '',
  });

  if (isInGit) {
    withGit(dir);
  }

  change(dir);

  try {
    rejectRepositoryProblems(openRoot(dir, checkout), { PATH: process.env['PATH'] });
    return [];
  } catch (error) {
    const { findings } = error as InputError;
    return findings.map(({ subject, message }) => `${subject}: ${message}`);
  }
}

const year = new Date().getUTCFullYear();

test.each([
  ['.gitignore', 'held.json', ['data/held.json']],
  ['data/.gitignore', 'held.json', ['data/held.json']],
  ['.gitignore', `data/runs/${year}.ndjson`, [`data/runs/${year}.ndjson`]],
  ['.gitignore', 'data/svc.json', ['data/svc.json']],
  ['.gitignore', 'journal/svc.ndjson', []],
  ['data/.gitignore', 'journal/svc.ndjson', ['data/journal/svc.ndjson']],
  ['site/.gitignore', '*.css', ['site/assets/own.css']],
  ['.git/info/exclude', 'decisions.ndjson', ['data/decisions.ndjson']],
  ['components/.gitignore', '*\n!svc.json', ['components/new-component.json']],
  ['.gitignore', 'dist/\n.cache/\n*.key', []],
])('the line in %s that ignores %j hides %j', (file, lines, hidden) => {
  expect(problemsAfter((root) => writeIn(root, file, lines))).toEqual(hidden.map(ignored));
});

test('a repository that git refuses to open is an error, and none without hidden files', () => {
  const dir = makeRoot({ 'components/svc.json': definition() });
  withGit(dir);
  const env = { PATH: process.env['PATH'], GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' };

  expect(() => rejectRepositoryProblems(openRoot(dir, checkout), env)).toThrow(
    /git: .*dubious ownership/,
  );
  expect(() => rejectUncommitted(openRoot(dir, checkout), env)).toThrow(/dubious ownership/);
});

test('a name with a space is quoted in the command to type', () => {
  const [problem] = problemsAfter((root) => {
    writeIn(root, 'site/assets/a b.css', '');
    writeIn(root, '.gitignore', 'a b.css');
  });

  expect(problem).toContain("git check-ignore -v --no-index 'site/assets/a b.css'");
});

test('a tracked file that a pattern covers is hidden: the next one of its name would be', () => {
  const problems = problemsAfter((root) => {
    writeIn(root, 'data/held.json', { held: [] });
    execFileSync('git', ['-C', root, 'add', '--all']);
    writeIn(root, '.gitignore', 'held.json');
  });

  expect(problems).toEqual([ignored('data/held.json')]);
});

test.each(['components/edge.json', 'data/runs', 'site/assets/file', 'site/snippets', 'data/.x'])(
  'a link at %s is found, also outside git',
  (path) => {
    const link = (root: string) => {
      mkdirSync(join(root, '.git'), { recursive: true });
      symlinkSync(join(root, '.git'), join(root, path));
    };

    expect(problemsAfter(link, true)).toEqual([linked(path)]);
    expect(problemsAfter(link, false)).toEqual([linked(path)]);
  },
);

test('a folder of another repository is found', () => {
  const nest = (root: string) => writeIn(root, 'data/.git', 'gitdir: ../.git/modules/data');

  expect(problemsAfter(nest)).toEqual([
    'data/.git: belongs to another repository. Keep the files of the index in one repository',
  ]);
});

test.each(['.cache', '.Cache'])(
  'tracked files of the cache are found, also as %s, and removed by the command of the message',
  (folder) => {
    let dir = '';
    const problems = problemsAfter((root) => {
      dir = root;
      writeIn(root, `${folder}/http/a.answer`, '');
      execFileSync('git', ['-C', root, 'add', '--force', folder]);
      writeIn(root, `${folder}/http/a.answer`, 'as a run writes it');
    });

    const command = `git rm -r --force ${folder}`;
    expect(problems).toEqual([
      `${folder}/http/a.answer: is tracked, and only runs write the cache. Remove it: ${command}`,
    ]);
    execFileSync('sh', ['-c', command], { cwd: dir });
    rejectRepositoryProblems(openRoot(dir, checkout), { PATH: process.env['PATH'] });
  },
);

test.each([
  ['components', ['components/svc.json']],
  ['components site', ['components/svc.json', 'site/site.json']],
])('edits of %s are committed by the command of the message', (folders, files) => {
  const dir = withGit(makeRoot({}));
  for (const file of files) {
    writeIn(dir, file, {});
  }

  const reject = () => rejectUncommitted(openRoot(dir, checkout), { PATH: process.env['PATH'] });

  const command = `git add ${folders} && git commit`;
  expect(reject).toThrow(`Commit it first: ${command}. For a look`);
  const author = '-c user.name=Jane -c user.email=jane@example.com';
  execFileSync('sh', ['-c', `${command.replace('git commit', `git ${author} commit`)} -m Edit`], {
    cwd: dir,
  });
  expect(reject).not.toThrow();
});

test.each([
  ['components/edge.json', '/proc/self/environ'],
  ['data/svc.json', '/etc/passwd'],
  ['site/site.json', '/etc/hostname'],
])('no command shows a character of the file behind the link %s', async (path, target) => {
  const { root, commit, run } = openIndexInGit();
  root.write('components/svc.json', definition());
  rmSync(join(root.dir, path), { force: true });
  mkdirSync(dirname(join(root.dir, path)), { recursive: true });
  symlinkSync(target, join(root.dir, path));
  commit();

  for (const line of ['check', 'explain svc', 'search svc', 'scan svc@1.0', 'gather', 'daily']) {
    const { status, stdout, stderr } = await run(line, '2026-06-01');

    expect(status, line).not.toBe(0);
    expect(`${stdout}${stderr}`, line).toContain(`${path}: is a link, which may lead out`);
    expect(`${stdout}${stderr}`, line).not.toContain('not JSON');
  }
});

test('check and every run refuse a link that would publish a folder of the computer', async () => {
  const { root, commit, run, served } = openIndexInGit();
  root.write('components/svc.json', definition());
  mkdirSync(join(root.dir, 'site'), { recursive: true });
  symlinkSync('../.git', join(root.dir, 'site/assets'));
  commit();

  for (const verb of ['check', 'build', 'gather', 'record', 'plan', 'publish', 'start', 'daily']) {
    const { status, stderr } = await run(verb, '2026-06-01');

    expect(status, verb).toBe(1);
    expect(linesOf(stderr).join('\n'), verb).toContain('site/assets: is a link');
  }

  expect([existsSync(join(root.dir, 'dist')), existsSync(join(served, 'index.html'))]).toEqual([
    false,
    false,
  ]);
});

test.each(['daily', 'gather', 'build'])(
  '%s writes nothing through a link in place of the cache',
  async (verb) => {
    const { root, git, commit, run } = openIndexInGit();
    root.write('components/svc.json', definition());
    symlinkSync('site', join(root.dir, '.cache'));
    git('add', '--force', '.cache');
    commit();

    const { status, stderr } = await run(verb, '2026-06-01');

    expect([status, stderr]).toEqual([1, expect.stringContaining('.cache: is ')]);
    expect(git('status', '--porcelain', '--ignored')).toBe('');
  },
);
