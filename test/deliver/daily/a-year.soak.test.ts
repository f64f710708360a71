import { execFileSync } from 'node:child_process';
import { chmodSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addDays, type Day } from '../../../src/core/dates.ts';
import { foldEdits } from '../../../src/core/edits.ts';
import type { HeldFile } from '../../../src/core/schemas/held.ts';
import type { PublishedChange } from '../../../src/core/schemas/published/changes-file.ts';
import type { RecordedRelease } from '../../../src/core/schemas/recorded.ts';
import type { DailyReport } from '../../../src/deliver/daily/daily-report.ts';
import { linesOf } from '../../harness/cli.ts';
import { createRoot, definition, readJsonIn, temporaryFolder } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { livingRegistry } from './living-registry.ts';

/* 400 days of an index of 60 components. Whatever goes wrong is told once, and nothing is lost. */

const start = '2025-09-01';
const lastDay = 400;
const quietDays = 25;
const mostAlerts = 15;
const names = Array.from({ length: 60 }, (_, index) => `lib-${String(index + 1).padStart(2, '0')}`);

/** Changes that no edit makes. */
const upstreamTypes = new Set(['released', 'withdrawn', 'restored']);

/** Something that happens before the run of a day, and the alerts that this run is the first to raise. */
type Incident = [day: number, happens: () => unknown, ...alerts: string[]];

test(
  'a year of 60 components and thirty incidents raises a few alerts, each right and once, and loses nothing',
  { timeout: 900_000 },
  async () => {
    const [first, second] = [await livingRegistry(), await livingRegistry()];
    const registryOf = (name: string) => (name <= 'lib-40' ? first : second);
    const root = createRoot({ releasesUrl: 'https://releases.example.org', staleAfterDays: 3 });
    const served = join(temporaryFolder(), 'served');
    const remote = temporaryFolder();
    let today: Day = start;
    const env = () => ({
      PATH: process.env['PATH']!,
      HOME: remote,
      NO_COLOR: '1',
      GIT_AUTHOR_DATE: `${today}T04:30:00Z`,
      GIT_COMMITTER_DATE: `${today}T04:30:00Z`,
    });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', root.dir, ...args], { encoding: 'utf8', env: env() }).trim();
    const verb = (line: string) => runHere([...line.split(' '), '--root', root.dir, '--as-of', today], env());
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const commit = (message: string) => {
      git('add', '--all');
      git('commit', '--quiet', '--message', message);
    };
    const path = (file: string) => join(root.dir, file);
    const source = (name: string) => ({
      datasource: 'npm',
      packageName: name,
      registryUrl: registryOf(name).url,
    });
    const define = (name: string, about: object = {}) => {
      root.write(`components/${name}.json`, definition({ title: name, sources: [source(name)], ...about }));
      commit(`Define ${name}`);
    };
    const setDefault = (count: number) => {
      root.configure({ defaults: { support: { policy: 'latest-lines', count, line: 1 } } });
      commit(`Support ${count} lines`);
    };
    const acceptAll = async () => {
      for (const { id } of readJsonIn<HeldFile>(root.dir, 'data/held.json').held)
        expect((await verb(`accept ${id}`)).status).toBe(0);
      commit('Accept what is held');
    };
    const pull = (name: string, fromEnd: number) =>
      packageOf(name).pull([...packageOf(name).history.keys()].at(-1 - fromEnd)!);
    const packageOf = (name: string) => registryOf(name).packageOf(name);

    /* The index begins. */
    execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
    git('init', '--quiet', '--initial-branch=main');
    git('config', 'user.name', 'Jane');
    git('config', 'user.email', 'jane@example.com');
    root.configure({ hosting: { folder: served } });
    root.write('.gitignore', 'dist/\n.cache/\n');
    for (const name of names) {
      root.write(`components/${name}.json`, definition({ title: name, sources: [source(name)] }));
      for (let month = 0; month < 8; month += 1) packageOf(name).publish(addDays(start, 30 * month - 250));
    }
    setDefault(3);
    git('remote', 'add', 'origin', remote);
    git('push', '--quiet', '--set-upstream', 'origin', 'main');

    let options = '';
    let clockIsBehind = false;
    let damaged = '';
    const hook = join(remote, 'hooks/pre-receive');
    const nothing = () => undefined;
    const incidents: Incident[] = [
      [3, () => (second.trouble = 'closes')],
      [4, () => (second.trouble = undefined)],
      [10, () => pull('lib-01', 0)],
      [12, () => pull('lib-02', 3)],
      [14, () => packageOf('lib-03').deprecate(packageOf('lib-03').latest())],
      [20, () => packageOf('lib-04').republish(packageOf('lib-04').latest()), 'held npm:lib-04 of 1'],
      [21, nothing],
      [22, acceptAll],
      [
        40,
        () => packageOf('lib-05').disturb(Array.from({ length: 1200 }, (_, index) => `1.9.${index}`)),
        'held npm:lib-05 of 1',
      ],
      [41, () => packageOf('lib-05').mend()],
      [60, () => packageOf('lib-06').disturb([], 1)],
      [61, nothing, 'held npm:lib-06 of 1'],
      [63, () => packageOf('lib-06').mend()],
      [79, nothing],
      [80, () => (second.trouble = 'closes')],
      [83, nothing, `stale ${new URL(second.url).host} does not answer of 20`],
      [86, nothing],
      [88, () => (second.trouble = undefined)],
      [100, () => setDefault(2), 'held site/site.json of 60'],
      [101, nothing],
      [104, acceptAll],
      [120, () => setDefault(4)],
      [
        125,
        () => define('lib-07', { support: { policy: 'latest-lines', count: 1, line: 1 } }),
        'held components/lib-07.json of 1',
      ],
      [128, () => define('lib-07')],
      [135, () => define('lib-08', { support: { policy: 'latest-lines', count: 5, line: 1 } })],
      [144, nothing],
      [145, () => registryOf('lib-09').move('lib-09', 'lib-09-next')],
      [150, nothing, 'stale lib-09: npm:lib-09 of 1'],
      [152, () => define('lib-09', { sources: [{ ...source('lib-09'), packageName: 'lib-09-next' }] })],
      [
        165,
        () => writeFileSync(path('data/lib-10.json'), root.read('data/lib-10.json').slice(0, 500)),
        'input data/lib-10.json of 1',
      ],
      [166, () => git('restore', 'data/lib-10.json')],
      [
        175,
        () => {
          writeFileSync(path('data/lib-11.json'), root.read('data/lib-11.json').slice(0, 500));
          commit('Damage a file');
        },
        'input data/lib-11.json of 1',
      ],
      [
        176,
        () => {
          const [, restore = ''] = /restore it: (git restore \S+ -- \S+)/.exec(damaged)!;
          execFileSync('sh', ['-c', restore], { cwd: root.dir });
          commit('Restore it');
        },
      ],
      [
        185,
        () => {
          root.write('components/lib-12.json', '{"title": ');
          commit('Break a definition');
        },
        'input components/lib-12.json of 1',
      ],
      [186, () => define('lib-12')],
      [194, nothing],
      [195, () => (options = '--gathered')],
      [199, nothing, 'stale not gathered of 60'],
      [201, () => (options = '')],
      [
        215,
        () => {
          writeFileSync(hook, '#!/bin/sh\necho "the disk is full" >&2\nexit 1\n');
          chmodSync(hook, 0o755);
        },
        'commit data of 0',
      ],
      [216, () => rmSync(hook)],
      [
        230,
        () => {
          renameSync(served, `${served}.aside`);
          writeFileSync(served, '');
        },
        'publish live site of 0',
      ],
      [
        231,
        () => {
          rmSync(served);
          renameSync(`${served}.aside`, served);
        },
      ],
      [250, () => (clockIsBehind = true), 'clock clock of 0'],
      [251, () => (clockIsBehind = false)],
      [265, () => packageOf('lib-13').disturb(['2000026.1.0']), 'held npm:lib-13 of 1'],
      [267, () => packageOf('lib-13').mend()],
      [
        280,
        () => {
          packageOf('lib-61').publish(today);
          define('lib-61');
        },
      ],
      [
        290,
        async () => {
          await verb('retire lib-14 --since 2026-12-31 --replaced-by lib-15 --reason Gone --yes');
          commit('Retire lib-14');
        },
      ],
      [
        300,
        async () => {
          await verb('deprecate lib-16 1.0.0 --reason Broken --yes');
          commit('Deprecate a release');
        },
      ],
      [
        310,
        async () => {
          await verb('rename lib-17 lib-seventeen --yes');
          commit('Rename lib-17');
        },
      ],
      [329, nothing],
      [330, () => (first.trouble = 503)],
      [331, () => (first.trouble = undefined)],
    ];

    const days = new Set([...incidents.map(([day]) => day), lastDay]);
    for (let day = 0; day < lastDay; day += quietDays) days.add(day);
    const raised: string[] = [];
    let open: string[] = [];
    let published = 0;
    for (const day of [...days].sort((a, b) => a - b)) {
      today = addDays(start, day);
      vi.setSystemTime(`${today}T04:23:00Z`);
      const [, happens = nothing, ...alerts] = incidents.find(([on]) => on === day) ?? [];
      for (let count = 0; count < 4; count += 1) {
        const name = names[(published += 7) % 60]!;
        packageOf(name).publish(today);
      }
      const head = git('rev-parse', 'HEAD');
      await happens();
      const isEdited = git('rev-parse', 'HEAD') !== head;
      first.today = second.today = clockIsBehind ? addDays(today, -200) : today;

      const run = await verb(`daily --push${options === '' ? '' : ` ${options} ${temporaryFolder()}`}`);

      const { attention } = readJsonIn<DailyReport>(root.dir, '.cache/daily.json');
      const fresh = attention.filter(({ id }) => !open.includes(id));
      open = attention.map(({ id }) => id);
      damaged = attention[0]?.message ?? '';
      const told = fresh.map(({ kind, cause, components }) => `${kind} ${cause} of ${components.length}`);
      const errors = linesOf(run.stderr).filter((line) => line.startsWith('error: '));
      expect.soft(told, `day ${day}: ${errors.join('; ')}`).toEqual(alerts);
      expect.soft(run.status, `day ${day}`).toBe(attention.length === 0 ? 0 : 1);
      raised.push(...told);
      if (isEdited) expectOneEntryForEachEdit();
    }
    expect(raised.length).toBeLessThanOrEqual(mostAlerts);
    expectNothingLost();

    /** What an edit changes is one entry of feeds and pages, however many lines and releases it touches. */
    function expectOneEntryForEachEdit(): void {
      const { changes } = readJsonIn<{ changes: PublishedChange[] }>(served, 'changes.json');
      const ofToday = foldEdits(changes.filter(({ at }) => at.startsWith(today)));
      const others = ofToday.filter(({ type }) => !upstreamTypes.has(type));
      expect
        .soft(others.length, `day ${today}: ${others.map(({ type, text }) => `${type}: ${text}`).join('; ')}`)
        .toBeLessThan(2);
    }

    /** Each version that upstreams published in earnest, with its day, in data and site; and no line of a journal was changed. */
    function expectNothingLost(): void {
      for (const name of [...names, 'lib-61']) {
        const now = name === 'lib-17' ? 'lib-seventeen' : name;
        const { releases } = readJsonIn<{ releases: RecordedRelease[] }>(root.dir, `data/${now}.json`);
        const live = readJsonIn<{ releases: RecordedRelease[] }>(served, `${now}.json`).releases;
        const history = [...packageOf(name === 'lib-09' ? 'lib-09-next' : name).history].sort();
        for (const [where, found] of Object.entries({ releases, live })) {
          const days = found.map(({ version, releaseTimestamp = '' }) => [
            version,
            releaseTimestamp.slice(0, 10),
          ]);
          expect(days.sort(), `${where} of ${name}`).toEqual(
            history.map(([version, at]) => [version, at.slice(0, 10)]),
          );
        }
      }
      const appendOnly = ['data/journal', 'data/runs', 'data/decisions.ndjson'];
      const changes = git(
        'log',
        '--numstat',
        '--no-renames',
        '--diff-filter=M',
        '--format=',
        '--',
        ...appendOnly,
      );
      const [shortened] = changes.split('\n').filter((line) => !/^\d+\t0\t/.test(line));
      expect(shortened).toBeUndefined();
      expect(git('rev-parse', 'HEAD')).toBe(git('rev-parse', 'origin/main'));
      expect(git('status', '--porcelain')).toBe('');
    }
  },
);
