import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays } from '../../../src/core/model/dates.ts';
import { foldEdits } from '../../../src/core/model/edits.ts';
import type { PublishedChange } from '../../../src/core/schemas/published/changes-file.ts';
import type { RecordedRelease } from '../../../src/core/schemas/recorded/recorded.ts';
import { linesOf } from '../../harness/cli.ts';
import { readJsonIn } from '../../harness/root.ts';
import { renameComponent } from '../../harness/runbook.ts';
import { openLivingIndex } from './living-index.ts';

/* 400 days of an index of 60 components. A person is told of each cause once, and nothing is lost. */

const start = '2025-09-01';
const lastDay = 400;
const mostAlerts = 15;
const ofSecond = '(20 components: lib-41, lib-42, lib-43, lib-44, lib-45 and 15 more)';

/** Changes that no edit makes. */
const upstreamTypes = new Set(['released', 'withdrawn', 'restored']);

/** An alert as a person reads it: heading of the runbook, cause with its components, words of the message. */
type Alert = [heading: string, subject: string, says: string];

/** An event before the run of a day, and the new alert that the run raises. */
type Incident = [day: number, what: string, happens?: (() => unknown) | undefined, alert?: Alert];

const held = 'Held until you decide';
const silent = 'Silent for too long';
const invalid = 'Invalid file or folder';
const unpublished = 'The site was not published';
const keyEnds = 'Access keys that end soon';
const wrongClock = 'The clock is wrong';

test('a year of 60 components and thirty incidents raises a few alerts, each right and once, and loses nothing', async () => {
  const latest = (count: number, line = 1) => ({
    support: { policy: 'latest-lines', count, line },
  });
  const index = await openLivingIndex({ start, components: 60, ofFirst: 40, ...latest(3) });
  const { root, names, first, second, registryOf, packageOf, git, verb, define } = index;
  const served = readJsonIn<{ hosting: { folder: string } }>(root.dir, 'site/site.json').hosting;
  const moved = { sources: [{ ...index.source('lib-09'), packageName: 'lib-09-next' }] };
  const flood = Array.from({ length: 1200 }, (_, number) => `1.9.${number}`);
  let message = '';

  const incidents: Incident[] = [
    [0, 'the first day'],
    [3, 'a registry is down', () => (second.trouble = 'closes')],
    [
      4,
      'it answers again; a greatest version and one in between are pulled, and one is deprecated',
      () => {
        second.trouble = undefined;
        index.pull('lib-01', 0);
        index.pull('lib-02', 3);
        packageOf('lib-03').deprecate(packageOf('lib-03').latest());
      },
    ],
    [
      20,
      'a version is republished',
      () => packageOf('lib-04').republish(packageOf('lib-04').latest()),
      [held, 'npm:lib-04: other bytes (lib-04)', 'sha512'],
    ],
    [
      22,
      'a person accepts it; a source lists 1,200 versions more',
      async () => {
        await index.acceptAll();
        packageOf('lib-05').disturb(flood);
      },
      [held, 'npm:lib-05: too many versions (lib-05)', '1,199 more'],
    ],
    [
      41,
      'it lists what it did; another lists one version',
      () => {
        packageOf('lib-05').mend();
        packageOf('lib-06').disturb([], 1);
      },
      [silent, 'lib-06: npm:lib-06', 'lists 1 of the 8 that it listed last'],
    ],
    [42, 'the next day'],
    [79, 'it lists what it did', () => packageOf('lib-06').mend()],
    [80, 'a registry is down', () => (second.trouble = 'closes')],
    [
      83,
      'it is still down',
      undefined,
      [silent, `${new URL(second.url).host} does not answer ${ofSecond}`, 'last answered on'],
    ],
    [86, 'nobody can mend it'],
    [
      100,
      'it answers again; the default policy gets stricter',
      () => {
        second.trouble = undefined;
        index.setDefault(latest(2));
      },
      [
        held,
        'site/site.json#defaults.support (48 components: lib-02, lib-03, lib-04, lib-06, lib-07 and 43 more)',
        'in use would change for the worse',
      ],
    ],
    [101, 'nobody decides'],
    [104, 'a person accepts it', index.acceptAll],
    [120, 'the default policy gets milder', () => index.setDefault(latest(4))],
    [
      125,
      'a policy gets stricter',
      () => define('lib-07', latest(1)),
      [held, 'components/lib-07.json', 'would change for the worse'],
    ],
    [
      144,
      'a person takes the edit back, makes another policy milder, and names lines by two numbers in a third',
      () => {
        define('lib-07');
        define('lib-08', latest(5));
        define('lib-18', latest(99, 2));
      },
    ],
    [145, 'a package moves', () => registryOf('lib-09').move('lib-09', 'lib-09-next')],
    [150, 'nobody follows it', undefined, [silent, 'lib-09: npm:lib-09', 'answered 404']],
    [
      152,
      'a person follows it; a damaged file is committed',
      () => {
        define('lib-09', moved);
        writeFileSync(
          join(root.dir, 'data/lib-11.json'),
          root.read('data/lib-11.json').slice(0, 500),
        );
        index.commit('Damage a file');
      },
      [invalid, 'data/lib-11.json', 'git restore --source='],
    ],
    [176, 'a person types the command of the alert', restore],
    [186, 'another checkout was faster', () => index.runElsewhere('now')],
    [190, 'a quiet day'],
    [
      191,
      'another checkout is faster during the run',
      () => index.runElsewhere('during the next push'),
      ['Gathered data could not be committed', 'data', 'others have pushed changes of data/'],
    ],
    ...(index.hasOwnDisk
      ? ([
          [
            215,
            'the disk is full',
            index.fillDisk,
            [unpublished, 'daily', 'No daily run left a report here'],
          ],
          [216, 'it has space again', index.freeDisk],
        ] satisfies Incident[])
      : []),
    [
      250,
      'the clock is ahead',
      () => (index.clockIsAheadBy = 200),
      [wrongClock, 'clock', 'is ahead'],
    ],
    [
      251,
      'it is right; a component is added',
      () => {
        index.clockIsAheadBy = 0;
        packageOf('lib-61').publish(index.today);
        define('lib-61');
      },
    ],
    [
      290,
      'a component is retired, and a release deprecated',
      async () => {
        const support = { policy: 'ended', since: '2026-12-31', deprecatedFrom: index.today };
        define('lib-14', { support, replacedBy: 'lib-15' });
        const deprecated = [{ versions: ['1.0.0'], reason: 'Old.', since: index.today }];
        define('lib-16', { deprecated });
        await index.acceptAll();
      },
    ],
    [
      329,
      'a component is renamed',
      () => {
        renameComponent(root.dir, 'lib-17', 'lib-seventeen');
        index.commit('Rename lib-17');
      },
    ],
    [330, 'a registry answers 503', () => (first.trouble = 503)],
    [331, 'it sends a page', () => (first.trouble = 'page')],
    [
      340,
      'it answers again; the index becomes private, with a key for ten days',
      async () => {
        first.trouble = undefined;
        await index.close(10);
      },
      [keyEnds, '.access/keys.json', 'jane (jane) expires after'],
    ],
    [350, 'the last day of the key'],
    [352, 'nobody replaced the key', undefined, [unpublished, 'RELEASE_INDEX_KEY', 'key new']],
    [
      353,
      'a person replaces it, and no key opens the live site',
      index.replaceKey,
      [unpublished, 'live site', 'answered 401'],
    ],
    [353, 'a person sends the list of keys to the host', index.sendKeys],
    [lastDay, 'the index becomes public', index.open],
  ];

  let [raised, published] = [0, 0];
  for (const [day, what, happens, alert] of incidents) {
    index.setDay(addDays(start, day));
    for (let count = 0; count < 4; count += 1) {
      packageOf(names[(published += 7) % 60]!).publish(index.today);
    }
    const head = git('rev-parse', 'HEAD');
    await happens?.();
    index.setDay(index.today);
    const edits = Number(git('rev-list', '--count', `${head}..HEAD`));

    const run = await verb('daily --push');

    const { fresh, isUrgent } = await index.readIssue();
    const errors = linesOf(run.stderr).filter((line) => line.startsWith('error: '));
    const where = `day ${day}, ${what}: ${errors.join('; ')}`;
    const [heading, subject, says] = alert ?? [];
    expect
      .soft(fresh, where)
      .toEqual(alert ? [{ heading, line: expect.stringContaining(says!) }] : []);
    expect
      .soft(fresh[0]?.line.startsWith(`${subject}: `) ?? true, `${where}: ${fresh[0]?.line}`)
      .toBe(true);
    expect.soft(run.status, where).toBe(isUrgent ? 1 : 0);
    const [commit, ...files] = git('log', '-1', '--format=%s', '--name-only').split('\n');
    const isNews = files.some((file) => file.startsWith('data/journal/'));
    expect.soft([commit!.endsWith(': nothing new'), isNews], where).not.toEqual([true, true]);
    raised += fresh.length;
    message = fresh[0]?.line ?? '';
    if (edits > 0 && day < 340) {
      expectOneEntryForEachEdit(edits, where);
    }
  }
  expect(raised).toBeLessThanOrEqual(mostAlerts);
  expectNothingLost();

  function restore(): void {
    const [command = ''] = /git restore \S+ -- [\w./-]*\w/.exec(message)!;
    execFileSync('sh', ['-c', command], { cwd: root.dir });
    index.commit('Restore it');
  }

  /** Feeds and pages show each edit as one entry, even if it changes many lines and releases. */
  function expectOneEntryForEachEdit(edits: number, where: string): void {
    const { changes } = readJsonIn<{ changes: PublishedChange[] }>(served.folder, 'changes.json');
    const ofToday = changes.filter(({ at }) => at.startsWith(index.today));
    const releases = ofToday.filter(({ type }) => type === 'released');
    const growing = new Set(releases.map(({ component }) => component));
    // A line that a release begins may end the oldest one, as the policy says.
    const ofEdits = ofToday.filter(
      ({ type, component, edit: of }) =>
        of !== undefined || !(upstreamTypes.has(type) || growing.has(component)),
    );
    const others = foldEdits(ofEdits);
    const told = others.map(({ type, text }) => `${type}: ${text}`);
    expect.soft(told.length, `${where}\n${told.join('\n')}`).toBeLessThanOrEqual(edits);
  }

  /** Each version that upstreams published in earnest, with its day, in data and site; and no line of a journal was changed. */
  function expectNothingLost(): void {
    for (const name of [...names, 'lib-61']) {
      const now = name === 'lib-17' ? 'lib-seventeen' : name;
      const { releases } = readJsonIn<{ releases: RecordedRelease[] }>(
        root.dir,
        `data/${now}.json`,
      );
      const live = readJsonIn<{ releases: RecordedRelease[] }>(
        served.folder,
        `${now}.json`,
      ).releases;
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
    const how = ['--numstat', '--no-renames', '--diff-filter=M', '--format=', '--'];
    const changes = git('log', ...how, ...appendOnly);
    const [shortened] = changes.split('\n').filter((line) => !/^\d+\t0\t/.test(line));
    expect(shortened).toBeUndefined();
    expect(git('rev-parse', 'HEAD')).toBe(git('rev-parse', 'origin/main'));
    expect(git('status', '--porcelain')).toBe('');
  }
}, 900_000);
