/** Operates an index in a Git repository of its own, day by day. Its sources answer on loopback. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { createContext, type Context } from '../../src/cli/context.ts';
import { recordAnswers, recordDay } from '../../src/cli/run/daily.ts';
import { gather, type Asked } from '../../src/cli/sources.ts';
import type { Day } from '../../src/core/day.ts';
import { InputError } from '../../src/core/errors.ts';
import type { Recorded } from '../../src/core/schema/recorded.ts';
import { withhold } from '../../src/judge/withhold.ts';
import { openData, type DataFiles } from '../../src/record/data-files.ts';
import { collect, runCli, type Ended } from './cli.ts';
import {
  copyFolder,
  createFolder,
  links,
  openIndex,
  usualSettings,
  type IndexFolder,
} from './index-folder.ts';
import { listen } from './listen.ts';

export interface ListedRelease {
  version: string;
  releaseTimestamp?: string;
  isDeprecated?: boolean;
  digest?: string;
  isStop?: boolean;
}

/** The answer of a source: a list of releases, or any text with its content type. A source without an answer responds with 404. */
export type SourceAnswer =
  readonly ListedRelease[] | { type: string; body: string; status?: number };

interface Sources {
  /** The answers of the sources, by component. Tests change them from day to day. */
  answers: Map<string, SourceAnswer>;
  /** The paths of all requests to the sources so far. */
  requests: string[];
  /** How many milliseconds the clock of the sources is ahead. */
  clock: { aheadMs: number };
}

export interface OperatedIndex extends Omit<IndexFolder, 'run' | 'prepare'>, Sources {
  /** The address of the sources. For example, `<url>/svc.json` has the list of `svc`. */
  url: string;
  data: DataFiles;
  /** Reads the recorded data of a component, without the changes that are held until a person accepts them. */
  readEffective(component: string): Recorded;
  git(...args: readonly string[]): string;
  /** Adds a component with one source that answers with these releases. */
  define(component: string, releases: SourceAnswer, definition?: object): void;
  /** Commits all changes in the checkout. */
  commit(message?: string): void;
  /** Runs a command line as of a day. The default is today. */
  run(line: string, day?: Day, env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** Contacts the sources and records a day as `daily` does. Does not commit, because a commit would take more time. */
  record(day: Day, asked?: Asked): Promise<Ended>;
  /** Contacts the sources, and reports their answers, as `gather` does. */
  gather(day: Day, asked?: Asked): Promise<Ended>;
  /** Runs `daily` up to and including its commit. With `push`, it also pushes the commit. */
  commitDay(day: Day, push?: boolean): Promise<Ended>;
  /** Clones the remote repository. The clone has the same sources. */
  clone(): OperatedIndex;
}

/** The folder of a new index and its remote repository. Every index of a test process begins as a copy of it. */
let begun: string | undefined;

/** Opens an index without components. The first commit of a test also commits its settings. */
export async function openOperatedIndex(settings: object = {}): Promise<OperatedIndex> {
  const folder = copyFolder((begun ??= begin()));
  const sources: Sources = { answers: new Map(), requests: [], clock: { aheadMs: 0 } };
  const url = await serve(sources);
  const index = openClone(folder, join(folder, 'index'), url, sources);
  index.write('site/site.json', {
    ...usualSettings,
    releasesUrl: `${url}/site`,
    repositoryUrl: 'https://github.com/example/index',
    ...settings,
  });
  return index;
}

function begin(): string {
  const folder = createFolder();
  const root = join(folder, 'index');
  const init = ['init', '--quiet', '--template=', '--initial-branch=main'];
  execFileSync('git', [...init, '--bare', `${folder}/remote`]);
  execFileSync('git', [...init, root]);
  configure(root, remote);
  writeFileSync(join(root, '.gitignore'), 'dist/\n.cache/\n');
  const commands = 'git add --all && git commit --quiet --message=Begin && git push --quiet';
  execFileSync('sh', ['-c', commands], { cwd: root });
  return folder;
}

/** The remote has a relative path, so that a copy of the folder contains its own remote. */
const remote = `[remote "origin"]
url = ../remote
fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
remote = origin
merge = refs/heads/main
`;

/** Appends Git's settings to `.git/config` directly, because starting `git config` would take as long as a test. */
function configure(root: string, more = ''): void {
  const settings =
    '[user]\nname = Jane\nemail = jane@example.com\n[maintenance]\nauto = false\n[gc]\nauto = 0\n';
  appendFileSync(join(root, '.git/config'), settings + more);
}

function openClone(folder: string, root: string, url: string, sources: Sources): OperatedIndex {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim();
  const data = openData(root);
  const index: OperatedIndex = {
    ...openIndex(root),
    ...sources,
    url,
    git,
    data,
    readEffective(component) {
      const held = data.readHeld().filter((hold) => hold.component === component);
      return withhold(data.readRecorded(component), held);
    },
    define(component, releases, definition = {}) {
      sources.answers.set(component, releases);
      index.write(`components/${component}.json`, {
        title: component,
        ...links,
        sources: [{ datasource: 'json', url: `${url}/${component}.json` }],
        ...definition,
      });
    },
    commit(message = 'Change') {
      // Starting a program from the large process of a test worker takes longer than the program. So one shell starts both commands.
      const commands = 'git add --all && git commit --quiet --message "$1"';
      execFileSync('sh', ['-c', commands, 'sh', message], { cwd: root, stdio: 'pipe' });
    },
    run: (line, day, env) =>
      runCli(
        [...line.split(' '), '--root', root, ...(day === undefined ? [] : ['--as-of', day])],
        env,
      ),
    record: (day, asked = {}) => runHere(root, day, (context) => recordAnswers(context, asked)),
    gather: (day, asked) => runHere(root, day, (context) => gather(context, asked)),
    commitDay: (day, push) => runHere(root, day, (context) => recordDay(context, { push })),
    clone() {
      const target = mkdtempSync(join(folder, 'clone-'));
      execFileSync('git', ['clone', '--quiet', '--template=', `${folder}/remote`, target]);
      configure(target);
      return openClone(folder, target, url, sources);
    },
  };
  return index;
}

/** Runs a part of `daily` in this process. This is faster than the whole command, which also builds the site. */
async function runHere(
  root: string,
  day: Day,
  work: (context: Context) => Promise<unknown>,
): Promise<Ended> {
  const [stdout, stderr] = [collect(), collect()];
  const streams = { stdout: stdout.stream, stderr: stderr.stream };
  const context = createContext({ argv: [], env: {}, ...streams }, new AbortController().signal);
  Object.assign(context, { root, day });
  context.report.verb = 'daily';
  try {
    await work(context);
  } catch (error) {
    if (!(error instanceof InputError)) {
      throw error;
    }
    context.report.problem(...error.problems);
    context.status = 1;
  }
  return { status: context.status, stdout: stdout.text(), stderr: stderr.text() };
}

function serve({ answers, requests, clock }: Sources): Promise<string> {
  return listen((request, response) => {
    const path = request.url ?? '';
    response.setHeader('date', new Date(Date.now() + clock.aheadMs).toUTCString());
    const answer = answers.get(path.replace(/^\/|\.json$/g, ''));
    // `daily` also asks for the published site, which does not exist. These requests are not counted.
    if (!path.startsWith('/site/')) {
      requests.push(path);
    }
    if (answer === undefined) {
      response.writeHead(404).end();
    } else if ('body' in answer) {
      response.writeHead(answer.status ?? 200, { 'content-type': answer.type }).end(answer.body);
    } else {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ releases: answer }));
    }
  });
}

/** Opens an index with these components. The source of each component lists these releases. */
export async function openDefined(
  releases: SourceAnswer,
  components: readonly string[] = ['svc'],
): Promise<OperatedIndex> {
  const index = await openOperatedIndex();
  components.forEach((component) => index.define(component, releases));
  index.commit('Define');
  return index;
}

/** Opens an index with these components, makes its first run, and pushes the commit of that run. */
export async function openRunning(
  start: Day,
  releases: SourceAnswer,
  components?: readonly string[],
): Promise<OperatedIndex> {
  const index = await openDefined(releases, components);
  expect(await index.commitDay(start, true)).toMatchObject({ status: 0, stderr: '' });
  return index;
}

/**
 * Returns a function that copies the index in its current state, with the current answers of its sources. All copies share the sources, so
 * use one copy at a time.
 */
export function createCopies(index: OperatedIndex): () => OperatedIndex {
  const answers = [...index.answers];
  const { url, requests, clock } = index;
  return () => {
    const folder = copyFolder(dirname(index.root));
    index.answers.clear();
    answers.forEach(([path, answer]) => index.answers.set(path, answer));
    requests.length = 0;
    clock.aheadMs = 0;
    return openClone(folder, join(folder, 'index'), url, {
      answers: index.answers,
      requests,
      clock,
    });
  };
}

/** Lists releases `1.0.0, 1.0.1, …, 1.1.0, …`. The first is dated 1 January 2025, the second 2 January, and so on. */
export function listReleases(lines: number, patches = 4): ListedRelease[] {
  return Array.from({ length: lines * patches }, (_, index) => ({
    version: `1.${Math.floor(index / patches)}.${index % patches}`,
    releaseTimestamp: new Date(Date.UTC(2025, 0, 1 + index)).toISOString().slice(0, 10),
  }));
}
