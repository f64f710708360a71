import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { addDays, type Day } from '../../../src/core/model/dates.ts';
import { runCli } from '../../harness/cli.ts';
import { commandsIn, openOperatedIndex } from '../../harness/operated-index.ts';
import { definition, readJsonIn, temporaryFolder, writeIn } from '../../harness/root.ts';
import { livingRegistry } from './living-registry.ts';

type Actions = Awaited<ReturnType<typeof openOperatedWorld>>['actions'];

/** An action and its arguments. */
export type Step = { [Name in keyof Actions]: [Name, ...Parameters<Actions[Name]>] }[keyof Actions];

export type OperatedWorld = Awaited<ReturnType<typeof openOperatedWorld>>;

/** An index of npm packages with ends and advisories, the people who work on it, and what may happen to both. */
export async function openOperatedWorld(start: Day, names: readonly string[]) {
  const registries = {
    first: await livingRegistry(),
    second: await livingRegistry(),
    ends: await livingRegistry(),
  };
  const { first, second, ends } = registries;
  const registryOf = (name: string) => (name > 'lib-08' && name < 'lib-13' ? second : first);
  const packageOf = (name: string) => registryOf(name).packageOf(name);
  const source = (name: string, packageName = name) => ({
    datasource: 'npm',
    packageName,
    registryUrl: registryOf(name).url,
  });
  const sources = (name: string) => [
    source(name),
    ...(name === 'lib-12' ? [{ datasource: 'osv', url: `${ends.url}advisories.json` }] : []),
  ];
  const served = temporaryFolder();
  const index = openOperatedIndex(start, {
    releasesUrl: 'https://releases.example.org',
    hosting: { folder: served },
    staleAfterDays: 3,
    defaults: { support: { policy: 'term', months: 24 } },
  });
  const [saved, lost] = [temporaryFolder(), { head: '' }];
  const printed = new Map<Day, string>();
  const state = { sleeps: false, edited: '' };

  const define = (folder: string, name: string, about: object) =>
    writeIn(
      folder,
      `components/${name}.json`,
      definition({ title: name, sources: sources(name), ...about }),
    );
  const edit = async (message: string, change: (folder: string) => unknown) => {
    await index.asPerson(message, change);
    state.edited = index.gitIn(index.clone, 'rev-parse', 'HEAD');
  };
  const editText = (file: string, change: (text: string) => string) =>
    edit(`Change ${file}`, (folder) => {
      const path = join(folder, file);
      writeFileSync(path, change(readFileSync(path, 'utf8')));
    });
  const typed = async (line: string, folder: string) => {
    if (line.startsWith('git ')) {
      execFileSync('sh', ['-c', line], { cwd: folder });
      return;
    }
    const { status, stderr } = await index.run(line, folder);
    expect.soft(status, `${line}\n${stderr}`).toBe(0);
  };

  const actions = {
    /** A registry closes connections, answers with this status or with a page, or is well. */
    trouble(name: keyof typeof registries, trouble?: 'closes' | 'page' | number) {
      registries[name].trouble = trouble;
    },
    keepOldest: (name: string, count: number) => packageOf(name).keep(0, count),
    keepNewest: (name: string, count: number) => packageOf(name).keep(-count),
    disturb: (name: string, versions: readonly string[]) => packageOf(name).disturb(versions),
    /** Lists what it published. */
    mend: (name: string) => packageOf(name).mend(),
    deprecate: (name: string, which: 'all' | 'latest') => packageOf(name).deprecate(which),
    restore: (name: string) => packageOf(name).restore(),
    republish: (name: string, version: string, bytes: string) =>
      packageOf(name).republish(version, bytes),
    publishAt: (name: string, stated: Day) => packageOf(name).publish(index.today, stated),
    listLate: (name: string, versions: readonly string[]) =>
      packageOf(name).listLate(versions, addDays(start, -900)),
    /** The ends of the lines of lib-10, so many days earlier than first stated. */
    stateEnds(earlier?: number) {
      const eolFrom = earlier === undefined ? null : addDays('2027-06-01', -earlier);
      const releases = ['1', '2', '3', '4'].map((name) => ({ name, isEol: false, eolFrom }));
      ends.documents.set('/v1/products/lib-10', { result: { name: 'lib-10', releases } });
    },
    advise: (documents: readonly object[]) =>
      void ends.documents.set('/advisories.json', documents),

    define: (name: string, about: object) =>
      edit(`Define ${name}`, (folder) => define(folder, name, about)),
    /** As a pull request that brings its own decision. */
    defineAccepted: (name: string, about: object) =>
      edit(`Define ${name} and accept it`, async (folder) => {
        define(folder, name, about);
        index.gitIn(folder, 'add', '--all');
        index.gitIn(folder, 'commit', '--quiet', '--message', `Define ${name}`);
        const plan = await index.run('plan', folder);
        const commands = commandsIn(plan);
        expect.soft(commands, plan.stderr).not.toEqual([]);
        for (const command of commands) {
          await typed(command, folder);
        }
      }),
    /** Defines the source with further keys. */
    defineSource: (name: string, about: object) =>
      edit(`Define ${name}`, (folder) =>
        define(folder, name, { sources: [{ ...source(name), ...about }] }),
      ),
    add: (name: string, packageName: string) =>
      edit(`Add ${name}`, (folder) => {
        if (packageName === name) {
          packageOf(name).publishBefore(index.today);
        }
        define(folder, name, { sources: [source(name, packageName)] });
      }),
    configure: (changes: object) =>
      edit('Configure', (folder) => {
        const file = 'site/site.json';
        writeIn(folder, file, { ...readJsonIn<object>(folder, file), ...changes });
      }),
    spoil: (file: string, content: string) => editText(file, () => content),
    cut: (file: string) => editText(file, (text) => text.slice(0, 500)),
    cutLines: (file: string) => editText(file, (text) => text.split('\n').slice(0, -3).join('\n')),
    remove: (file: string) => edit(`Remove ${file}`, (folder) => rmSync(join(folder, file))),
    removeComponent: (name: string) =>
      edit(`Remove ${name}`, (folder) => {
        const data = ['', 'freshness/', 'statements/', 'journal/'].flatMap((part) =>
          ['json', 'ndjson'].map((ending) => `data/${part}${name}.${ending}`),
        );
        for (const file of [`components/${name}.json`, ...data]) {
          rmSync(join(folder, file), { force: true });
        }
      }),
    forgetReleases: (name: string, count: number) =>
      edit(`Forget releases of ${name}`, (folder) => {
        const file = `data/${name}.json`;
        const data = readJsonIn<{ releases: object[] }>(folder, file);
        writeIn(folder, file, { ...data, releases: data.releases.slice(0, -count) });
      }),
    editDay: (name: string, version: string, day: Day, isSaid: boolean) =>
      edit(`Edit a day of ${name}`, (folder) => {
        const file = `data/${name}.json`;
        const data = readJsonIn<{ releases: { version: string }[] }>(folder, file);
        const corrected = isSaid && { corrected: { on: index.today, reason: 'The notes say so.' } };
        const releases = data.releases.map((release) =>
          release.version === version
            ? { ...release, releaseTimestamp: day, ...corrected }
            : release,
        );
        writeIn(folder, file, { ...data, releases });
        if (isSaid) {
          packageOf(name).history.set(version, day);
        }
      }),
    /** Takes the last edit back. */
    revert: () =>
      edit('Revert', (folder) => {
        index.gitIn(folder, 'revert', '--no-commit', state.edited);
      }),

    /** A person types, in a clone, each command that the run of that day printed. */
    type: (day: number) =>
      edit('Type what was printed', async (folder) => {
        const commands = commandsIn({ stdout: printed.get(addDays(start, day)) ?? '', stderr: '' });
        expect.soft(commands, `commands of day ${day}`).not.toEqual([]);
        for (const command of commands) {
          await typed(command, folder);
        }
      }),
    async typeWrong(line: string) {
      const { status } = await index.run(line, index.clone);
      expect.soft(status, line).toBe(1);
      expect.soft(index.gitIn(index.clone, 'status', '--porcelain'), line).toBe('');
    },

    sleep: () => void (state.sleeps = true),
    moveClock: (days: number) => index.setDay(addDays(index.today, days)),
    async killRun(ms: number) {
      const { ...env } = index.environment();
      await runCli(['daily', '--push', '--root', index.root.dir, '--as-of', index.today], {
        env,
        onStart: (child) => void setTimeout(() => child.kill('SIGKILL'), ms),
      });
    },
    /** Runs the day in the clone, which pushes now or while the run is about to. */
    async runElsewhere(pushes: 'now' | 'during the next push') {
      index.gitIn(index.clone, 'pull', '--quiet', '--rebase');
      expect.soft((await index.run('daily --skip-publish', index.clone)).status).toBe(0);
      if (pushes === 'now') {
        index.gitIn(index.clone, 'push', '--quiet');
        return;
      }
      const push = `env -u GIT_DIR git -C ${index.clone} push --quiet`;
      const hook = join(index.root.dir, '.git/hooks/pre-push');
      writeFileSync(hook, `#!/bin/sh\nrm "$0"\n${push}\n`, { mode: 0o755 });
    },
    loseCommits(count: number) {
      index.gitIn(index.clone, 'pull', '--quiet', '--rebase');
      lost.head = index.gitIn(index.clone, 'rev-parse', 'HEAD');
      index.gitIn(index.clone, 'reset', '--quiet', '--hard', `HEAD~${count}`);
      index.gitIn(index.clone, 'push', '--quiet', '--force');
    },
    findCommits() {
      index.gitIn(index.clone, 'reset', '--quiet', '--hard', lost.head);
      index.gitIn(index.clone, 'push', '--quiet', '--force');
    },
    replaceTarget() {
      renameSync(served, `${served}-away`);
      writeFileSync(served, '');
    },
    mendTarget() {
      rmSync(served);
      renameSync(`${served}-away`, served);
    },
    saveSite: () => cpSync(served, saved, { recursive: true }),
    restoreSite() {
      rmSync(served, { recursive: true });
      cpSync(saved, served, { recursive: true });
    },
  };

  actions.stateEnds(0);
  actions.advise([]);
  for (const name of names) {
    packageOf(name).publishBefore(start);
  }
  await index.asPerson('Define', (folder) => {
    for (const name of names) {
      define(folder, name, {});
    }
    const ofEnds = { datasource: 'endoflife-date', product: 'lib-10', registryUrl: ends.url };
    define(folder, 'lib-10', { support: { policy: 'stated', source: ofEnds } });
  });

  return {
    index,
    served,
    packageOf,
    actions,
    isWell: (name: string) => registryOf(name).trouble === undefined,
    setDay(day: Day) {
      index.setDay(day);
      state.sleeps = false;
      for (const registry of Object.values(registries)) {
        registry.today = day;
      }
    },
    /** The daily run, and what it printed; undefined where nothing runs. */
    async run(day: Day) {
      if (state.sleeps) {
        return undefined;
      }
      const run = await index.run('daily --push');
      printed.set(day, `${run.stdout}\n${run.stderr}`);
      return run;
    },
    /** The components of what waits, by id. */
    waiting(): Map<string, string> {
      const file = join(index.root.dir, 'data/held.json');
      const held = existsSync(file)
        ? readJsonIn<{ held: { id: string; component?: string }[] }>(
            index.root.dir,
            'data/held.json',
          ).held
        : [];
      return new Map(
        held.map(({ id, component }) => [id, component ?? id.slice(0, id.lastIndexOf('-'))]),
      );
    },
  };
}

export async function takeStep({ actions }: OperatedWorld, [name, ...args]: Step): Promise<void> {
  await (actions[name] as (...args: unknown[]) => unknown)(...args);
}
