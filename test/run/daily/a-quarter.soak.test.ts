import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays } from '../../../src/core/model/dates.ts';
import type { RecordedRelease } from '../../../src/core/schemas/recorded/recorded.ts';
import type { Alert } from '../../../src/run/daily/alerts.ts';
import { runCli } from '../../harness/cli.ts';
import { readJsonIn } from '../../harness/root.ts';
import { renameComponent } from '../../harness/runbook.ts';
import { openLivingIndex } from './living-index.ts';
import { livingRegistry } from './living-registry.ts';

/* 20 components over 97 days with 32 incidents: each alert is right, comes once, and has one id. */

const start = '2026-01-05';
const lastDay = 100;
/** Days without a run. */
const silentDays = new Set([48, 49, 50, 51, 52, 53, 54]);

const held = 'held';
const stale = 'stale';
const invalid = 'input';
const unpublished = 'publish';

/** What a person is told: kind, cause with its components, and words of the message. */
type Told = readonly [kind: Alert['kind'], cause: string, says: string];

/** What happens before the run of a day, and the new alerts of that run. */
interface Incident {
  readonly day: number;
  readonly what: string;
  readonly happens?: () => unknown;
  readonly alerts?: readonly Told[];
}

test('20 components live through 97 days and 32 incidents, each alert right, once and with one id', async () => {
  const index = await openLivingIndex({
    start,
    components: 20,
    ofFirst: 14,
    support: { policy: 'term', months: 24 },
  });
  const { root, names, first, second, packageOf, git, verb, define } = index;
  const served = readJsonIn<{ hosting: { folder: string } }>(root.dir, 'site/site.json').hosting
    .folder;
  const ends = await livingRegistry();
  const term = (months: number) => ({ support: { policy: 'term', months } });

  /** The ends of the lines of lib-20, so many days earlier than first stated. */
  const stateEnds = (earlier: number) =>
    void ends.documents.set('/v1/products/lib-20', {
      result: {
        name: 'lib-20',
        releases: ['1', '2', '3', '4'].map((name) => ({
          name,
          isEol: false,
          eolFrom: addDays('2027-06-01', -earlier),
        })),
      },
    });
  const source = { datasource: 'endoflife-date', product: 'lib-20', registryUrl: ends.url };

  stateEnds(0);
  define('lib-20', { support: { policy: 'stated', source } });

  const heldBy = (name: string) => `npm:${name}`;
  let lastMessages: string[] = [];
  let [pulled, lostHead] = ['', ''];

  const restore = () => {
    for (const message of lastMessages) {
      const [command = ''] = /git restore \S+ -- [\w./-]*\w/.exec(message) ?? [];
      execFileSync('sh', ['-c', command], { cwd: root.dir });
    }
    index.commit('Restore');
  };
  const spoil = (file: string, content: string) => {
    writeFileSync(join(root.dir, file), content);
    index.commit(`Spoil ${file}`);
  };
  const cut = (file: string) =>
    spoil(file, readFileSync(join(root.dir, file), 'utf8').slice(0, 500));
  const pullOldest = (name: string) =>
    packageOf(name).pull(Object.keys(packageOf(name).listed(index.today))[0]!);
  const accept = async (name: string) => {
    const { held: waiting } = readJsonIn<{ held: { id: string; component: string }[] }>(
      root.dir,
      'data/held.json',
    );
    const ids = waiting.filter(({ component }) => component === name).map(({ id }) => id);
    expect((await verb(`accept ${ids.join(' ')}`)).status).toBe(0);
    index.commit(`Accept ${ids.join(' ')}`);
  };

  const incidents: Incident[] = [
    { day: 3, what: 'a registry is down for six days', happens: () => (second.trouble = 'closes') },
    {
      day: 6,
      what: 'it is still down',
      alerts: [[stale, `${new URL(second.url).host} does not answer`, 'last answered on']],
    },
    { day: 9, what: 'it answers again', happens: () => (second.trouble = undefined) },
    { day: 10, what: 'a source of ends answers 503', happens: () => (ends.trouble = 503) },
    { day: 12, what: 'it answers again', happens: () => (ends.trouble = undefined) },
    {
      day: 13,
      what: 'a latest release vanishes',
      happens: () => packageOf('lib-01').pull((pulled = packageOf('lib-01').latest())),
    },
    { day: 15, what: 'it returns', happens: () => packageOf('lib-01').relist(pulled) },
    {
      day: 16,
      what: 'two components have other bytes',
      happens: () => ['lib-02', 'lib-03'].map((name) => packageOf(name).republish('1.0.0')),
      alerts: [
        [held, `${heldBy('lib-02')}: other bytes`, '1.0.0 was republished'],
        [held, `${heldBy('lib-03')}: other bytes`, '1.0.0 was republished'],
      ],
    },
    {
      day: 18,
      what: 'a person accepts one, and upstream takes back the other',
      happens: async () => {
        await accept('lib-02');
        packageOf('lib-03').republish('1.0.0', '1.0.0');
      },
    },
    {
      day: 20,
      what: 'a release is built anew each day',
      happens: () => packageOf('lib-04').republish('1.0.0', 'a'),
      alerts: [[held, `${heldBy('lib-04')}: other bytes`, '1.0.0 was republished']],
    },
    ...['b', 'c', 'd', 'e', 'f'].map((bytes, place) => ({
      day: 21 + place,
      what: 'it is built anew',
      happens: () => packageOf('lib-04').republish('1.0.0', bytes),
    })),
    {
      day: 26,
      what: 'it has the first bytes again',
      happens: () => packageOf('lib-04').republish('1.0.0', '1.0.0'),
    },
    ...[27, 28].map((day) => ({
      day,
      what: 'a source loses a release each day',
      happens: () => pullOldest('lib-05'),
    })),
    { day: 29, what: 'a third one', happens: () => pullOldest('lib-05') },
    {
      day: 30,
      what: 'a fourth one, and the third is withdrawn',
      happens: () => pullOldest('lib-05'),
      alerts: [[held, heldBy('lib-05'), 'would have changed for the worse within 30 days']],
    },
    {
      day: 40,
      what: 'it lists all again',
      happens: () => {
        for (const version of packageOf('lib-05').history.keys()) {
          packageOf('lib-05').relist(version);
        }
      },
    },
    {
      day: 41,
      what: 'a policy is mistyped',
      happens: () => define('lib-06', term(1)),
      alerts: [[held, 'components/lib-06.json', 'would change for the worse']],
    },
    {
      day: 42,
      what: 'a default is mistyped',
      happens: () => index.setDefault(term(1)),
      alerts: [[held, 'site/site.json#defaults.support', 'would change for the worse']],
    },
    {
      day: 44,
      what: 'both are taken back',
      happens: () => {
        define('lib-06');
        index.setDefault(term(24));
      },
    },
    {
      day: 45,
      what: 'ends are stated 300 days earlier',
      happens: () => stateEnds(300),
      alerts: [[held, 'support endoflife-date:lib-20', 'would end too early']],
    },
    {
      day: 46,
      what: 'they are taken back, and stated 60 days earlier',
      happens: () => stateEnds(60),
    },
    { day: 55, what: 'runs go on after a week without any' },
    {
      day: 56,
      what: 'the clock is ahead',
      happens: () => moveClock(66),
      alerts: [['clock', 'clock', 'is ahead']],
    },
    { day: 57, what: 'it is right', happens: () => (index.clockIsAheadBy = 0) },
    {
      day: 58,
      what: 'the clock is behind',
      happens: () => moveClock(-20),
      alerts: [[invalid, 'gather', 'Correct the clock or --as-of']],
    },
    { day: 59, what: 'it is right', happens: () => (index.clockIsAheadBy = 0) },
    ...(index.hasOwnDisk
      ? [
          {
            day: 60,
            what: 'the disk is full',
            happens: index.fillDisk,
            alerts: [[unpublished, 'daily', 'No daily run left a report here'] as const],
          },
          { day: 61, what: 'it has space again', happens: index.freeDisk },
        ]
      : []),
    { day: 62, what: 'a run is killed', happens: () => killARun(500) },
    { day: 63, what: 'another checkout was faster', happens: () => index.runElsewhere('now') },
    {
      day: 64,
      what: 'another checkout is faster during the run',
      happens: () => index.runElsewhere('during the next push'),
      alerts: [['commit', 'data', 'others have pushed changes of data/']],
    },
    {
      day: 66,
      what: 'a commit damages two files',
      happens: () => ['lib-07', 'lib-08'].map((name) => cut(`data/${name}.json`)),
      alerts: [
        [invalid, 'data/lib-07.json', 'git restore --source='],
        [invalid, 'data/lib-08.json', 'git restore --source='],
      ],
    },
    { day: 68, what: 'a person types the commands of the alerts', happens: restore },
    { day: 69, what: 'a registry wants a credential', happens: () => (first.trouble = 401) },
    {
      day: 72,
      what: 'it still does',
      alerts: [[stale, `${new URL(first.url).host} answers 401`, 'RELEASE_INDEX_AUTH_']],
    },
    { day: 74, what: 'it answers again', happens: () => (first.trouble = undefined) },
    {
      day: 75,
      what: 'a component is renamed, one retired, and a release deprecated',
      happens: async () => {
        renameComponent(root.dir, 'lib-09', 'lib-nine');
        index.commit('Rename lib-09');
        define('lib-10', { support: { policy: 'ended', since: '2026-12-31' } });
        define('lib-11', { deprecated: [{ versions: ['1.0.0'], reason: 'Deletes files.' }] });
        await index.acceptAll();
      },
    },
    {
      day: 77,
      what: 'the folder to publish to is a file',
      happens: () => {
        renameSync(served, `${served}-away`);
        writeFileSync(served, '');
      },
      alerts: [[unpublished, '', 'folder']],
    },
    {
      day: 79,
      what: 'it is a folder again',
      happens: () => {
        rmSync(served);
        renameSync(`${served}-away`, served);
      },
    },
    {
      day: 80,
      what: '150 versions are made up, and a date is one elsewhere',
      happens: () => {
        packageOf('lib-12').disturb(Array.from({ length: 150 }, (_, patch) => `900.0.${patch}`));
        packageOf('lib-13').disturb(['20250101.0.0']);
      },
      alerts: [
        [held, `${heldBy('lib-12')}: implausible versions`, '900.0.0'],
        [held, `${heldBy('lib-13')}: implausible versions`, '20250101.0.0'],
      ],
    },
    {
      day: 83,
      what: 'they are gone; a retired component lists nothing',
      happens: () => {
        packageOf('lib-12').mend();
        packageOf('lib-13').mend();
        packageOf('lib-10').disturb([], 0);
      },
    },
    {
      day: 85,
      what: 'it lists all',
      happens: () => packageOf('lib-10').mend(),
    },
    { day: 86, what: 'a registry sends pages', happens: () => (first.trouble = 'page') },
    {
      day: 88,
      what: 'it answers again; a pattern admits nothing',
      happens: () => {
        first.trouble = undefined;
        const sources = [{ ...index.source('lib-14'), allowedVersions: '/^x/' }];
        define('lib-14', { sources });
      },
      alerts: [[held, 'components/lib-14.json', 'would fall from']],
    },
    {
      day: 90,
      what: 'it is taken back; a definition is no JSON',
      happens: () => {
        define('lib-14');
        spoil('components/lib-15.json', '{ "title": }');
      },
      alerts: [[invalid, 'components/lib-15.json', 'git restore --source=']],
    },
    { day: 91, what: 'a person types the command of the alert', happens: restore },
    {
      day: 92,
      what: 'a release has other bytes',
      happens: () => packageOf('lib-16').republish('1.0.0'),
      alerts: [[held, `${heldBy('lib-16')}: other bytes`, '1.0.0 was republished']],
    },
    {
      day: 95,
      what: 'it has its bytes; the remote loses three commits',
      happens: () => {
        packageOf('lib-16').republish('1.0.0', '1.0.0');
        lostHead = git('rev-parse', 'HEAD');
        git('reset', '--quiet', '--hard', 'HEAD~3');
        git('push', '--quiet', '--force');
      },
      alerts: [[unpublished, '', 'events that the journals lack']],
    },
    {
      day: 97,
      what: 'somebody has the lost commits',
      happens: () => {
        git('reset', '--quiet', '--hard', lostHead);
        git('push', '--quiet', '--force');
      },
    },
  ];

  const moveClock = (days: number) => {
    index.clockIsAheadBy = days;
    index.setDay(addDays(index.today, days));
  };

  const idsByCause = new Map<string, Set<string>>();

  for (let day = 0; day <= lastDay; day += 1) {
    index.setDay(addDays(start, day));
    packageOf(names[day % 20]!).publish(index.today);

    if (silentDays.has(day)) {
      continue;
    }

    const today = incidents.filter((one) => one.day === day);
    for (const { happens } of today) {
      await happens?.();
    }
    index.setDay(index.today);
    ends.today = first.today;

    const run = await verb('daily --push');

    const where = `day ${day}, ${today.map(({ what }) => what).join('; ')}: ${run.stderr.slice(0, 2000)}`;
    const { fresh, isUrgent } = await index.readIssue();
    const expected = today.flatMap(({ alerts = [] }) => alerts);
    const messages = fresh.map(({ line }) => line);
    lastMessages = messages.length > 0 ? messages : lastMessages;

    expect.soft(fresh.length, `${where}\n${messages.join('\n')}`).toBe(expected.length);
    for (const [, cause, says] of expected) {
      const line = messages.find((message) => message.includes(cause) && message.includes(says));
      expect.soft(line, `${where}\n${cause}: ${says}\n${messages.join('\n')}`).toBeDefined();
    }
    expect.soft(run.status, where).toBe(isUrgent && day !== 93 && day !== 94 ? 1 : 0);

    for (const { id, kind, cause } of readAttention()) {
      const key = `${kind} ${cause}`;
      idsByCause.set(key, (idsByCause.get(key) ?? new Set()).add(id));
    }
  }

  const ids = [...idsByCause.values()].map((ofCause) => [...ofCause]);
  expect(ids.filter(({ length }) => length > 1)).toEqual([]);
  expect(new Set(ids.flat()).size).toBe(ids.length);
  expectNothingLost();

  function readAttention(): Alert[] {
    // A full disk leaves no report.
    const isReported = existsSync(join(root.dir, '.cache/daily.json'));
    return isReported
      ? readJsonIn<{ attention: Alert[] }>(root.dir, '.cache/daily.json').attention
      : [];
  }

  async function killARun(ms: number): Promise<void> {
    await runCli(['daily', '--push', '--root', root.dir, '--as-of', index.today], {
      onStart: (child) => void setTimeout(() => child.kill('SIGKILL'), ms),
    });
  }

  /** Each version that upstreams published is recorded, and no line of a journal was changed. */
  function expectNothingLost(): void {
    for (const name of names) {
      const now = name === 'lib-09' ? 'lib-nine' : name;
      const { releases } = readJsonIn<{ releases: RecordedRelease[] }>(
        root.dir,
        `data/${now}.json`,
      );
      const listed = releases.filter(({ withdrawnSince }) => withdrawnSince === undefined);

      expect(listed.map(({ version }) => version).sort(), name).toEqual(
        [...packageOf(name).history.keys()].sort(),
      );
    }
    const lines = ['--numstat', '--no-renames', '--diff-filter=M', '--format=', '--'];
    const changes = git('log', ...lines, 'data/journal', 'data/runs', 'data/decisions.ndjson');

    expect(changes.split('\n').filter((line) => !/^\d+\t0\t/.test(line))).toEqual([]);
    expect(git('status', '--porcelain')).toBe('');
  }
}, 1_800_000);
