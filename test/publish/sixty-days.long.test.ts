/**
 * Runs an index for sixty days with incidents. Checks these rules:
 * - A run fails only if a person can do something about the cause.
 * - A run prints only the expected messages. Each command in a message works.
 * - No published release is lost, and no published event changes. After each day, the live site is compared with the live site of the day
 *   before.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays, type Day } from '../../src/core/day.ts';
import { program } from '../harness/example.ts';
import { copyFolder } from '../harness/index-folder.ts';
import { runKilled } from '../harness/killed-run.ts';
import {
  add,
  answers,
  daily,
  data,
  env,
  findRelease,
  follow,
  git,
  index,
  list,
  lists,
  push,
  readComponents,
  readLive,
  remove,
  site,
  start,
  variable,
  yank,
} from '../harness/operated-days.ts';
import { listReleases } from '../harness/operated-index.ts';

interface Incident {
  /** Makes the changes that happen before the run, for example upstream, by a colleague or by accident. */
  before?: (day: Day) => unknown;
  /** Set if there is no run on this day. */
  isPause?: true;
  /** The command to run instead of the usual one. */
  run?: string;
  /** The expected messages. The run must fail if one of them is an error. */
  says?: RegExp[];
  /** The beginnings of the commands in the messages. A person then runs these commands. */
  follows?: string[];
  /** Set if the run stops before it publishes. The test then repeats the run after the commands in `follows`. */
  stops?: true;
  after?: (day: Day) => unknown;
}

const waits = /^warning: svc: held since .+: 9 of 1[23] releases in use would be lost/;
const missing = (said: string) =>
  new RegExp(`^warning: tool \\(json:.+\\): ${said} recorded releases in all\\.`);
const lacks = /^error: live site has data that this checkout lacks: /;
const restore: Incident = { says: [lacks], follows: ['git restore --source'], stops: true };
const junk = Array.from({ length: 60 }, (_, place) => `1.0.0.${place}`);
const refused = `answered 401. The credential of ${variable} was refused. It may have expired, or it gives no access.`;
const expired = new RegExp(`^notice: tool .+ ${refused} Recorded data stays\\.$`);
const silent = /^notice: agent .+ answered 404\. Recorded data stays\.$/;

const incidents: Record<number, Incident> = {
  3: { before: () => add('svc', '1.8.4') },

  // Upstream no longer lists nine releases, and their removal is held. Meanwhile, another release is yanked.
  5: { before: () => remove('svc', (_, place) => place >= 24 && place < 33) },
  6: { says: [/^error: svc: held since .+: 9 of 13 .+ npx release-index accept svc-\w+$/] },
  7: { says: [waits] },
  8: {
    before: () => yank('svc', '1.8.4'),
    says: [waits],
    after() {
      expect(findRelease('svc', '1.8.4')).toMatchObject({ isDeprecated: true });
      expect(readComponents()['svc']!.tags).toEqual({ latest: '1.8.3' });
      const event = data.readJournal('svc').at(-1);
      expect(event).toMatchObject({ type: 'deprecated', version: '1.8.4' });
    },
  },
  9: { says: [waits] },
  10: {
    before() {
      list('svc', [...listReleases(9), { version: '1.8.4', isDeprecated: true }]);
    },
    after: () => expect(findRelease('svc', '1.6.0')).toMatchObject({ isDeprecated: false }),
  },

  // Upstream lists junk versions, withdraws them, and later withdraws another release.
  13: { before: () => add('tool', ...junk) },
  14: {
    before: () => remove('tool', ({ version }) => junk.includes(version)),
    says: [missing('60 releases are missing today, 60 of its 96')],
  },
  15: {
    says: [missing('60 releases are withdrawn today, 60 of its 96')],
    after: () => expect(findRelease('tool', '1.0.0.7')).toMatchObject({ isDeprecated: true }),
  },
  18: {
    before: () => remove('tool', (_, place) => place === 0),
    says: [missing('1 release is missing today, 61 of its 96')],
  },
  19: { says: [missing('1 release is withdrawn today, 61 of its 96')] },

  // On five days, the checkout lacks recorded data that is on the live site, each time for another reason.
  22: {
    before() {
      git('rm', '-r', '--quiet', 'data');
      push();
    },
    ...restore,
  },
  24: {
    before() {
      git('revert', '--no-edit', 'HEAD');
      push();
    },
    ...restore,
  },
  26: {
    before() {
      const other = index.clone();
      other.git('reset', '--quiet', '--hard', 'HEAD~2');
      other.git('push', '--quiet', '--force');
    },
    ...restore,
  },
  28: {
    before() {
      git('mv', 'components/proxy.json', 'components/gate.json');
      index.edit('components/gate.json', { renamedFrom: ['proxy'] });
      push();
    },
    says: [lacks],
    follows: [
      'mv data/proxy.json data/gate.json',
      'mv data/journal/proxy.ndjson data/journal/gate.ndjson',
    ],
    stops: true,
  },
  30: {
    async before(day) {
      expect(await index.clone().run(daily, day)).toMatchObject({ status: 0, stderr: '' });
    },
    run: `daily --to ${site}`,
    says: [lacks],
    follows: ['git pull'],
    stops: true,
  },

  // The host answers every request with an HTML page.
  33: {
    before: () => writeFileSync(join(site, 'SHA256SUMS'), '<!doctype html><p>Welcome'),
    says: [
      /^warning: live site: .+ The live site was not compared with data\//,
      /^error: live site: /,
    ],
    follows: ['npx release-index publish'],
    after: async () =>
      expect(await index.run(`verify --digests-only ${site}`)).toMatchObject({ status: 0 }),
  },

  // A component is renamed without "renamedFrom".
  34: {
    before() {
      git('mv', 'components/svc.json', 'components/server.json');
      push();
    },
    says: [
      /^error: svc is on the live site, and would be gone\. If svc was renamed to server, add "renamedFrom": \["svc"\] to components\/server\.json$/,
      /^error: publication: Nothing was sent/,
    ],
    async after(day) {
      index.edit('components/server.json', { renamedFrom: ['svc'] });
      push();
      const { stderr } = await index.run(daily, day, env);
      expect(await follow(stderr, day)).toEqual([
        'mv data/svc.json data/server.json',
        'mv data/journal/svc.ndjson data/journal/server.ndjson',
      ]);
      expect(await index.run(daily, day, env)).toMatchObject({ status: 0, stderr: '' });
      expect(findRelease('server', '1.8.4')).toMatchObject({ isDeprecated: true });
    },
  },

  // A component with a wrong address is added, and removed again.
  36: {
    before() {
      index.define('fresh', []);
      answers.delete('fresh');
      push();
    },
    says: [/^error: fresh \(json:.+\) has never answered: GET .+ answered 404\.$/],
    after: () => expect(readComponents()['fresh']!.releases).toEqual([]),
  },
  37: {
    before() {
      git('rm', '--quiet', 'components/fresh.json');
      push();
    },
    after: () => expect(readComponents()['fresh']).toBeUndefined(),
  },

  // A publication is killed halfway.
  39: {
    async before(day) {
      add('svc', '1.8.5');
      expect(await index.run('daily --push --skip-publish', day)).toMatchObject({ status: 0 });
      const { steps } = await runKilled(index, `publish --to ${copyFolder(site)}`, day);
      const killed = await runKilled(index, `publish --to ${site}`, day, Math.ceil(steps / 2));
      expect(killed).toMatchObject({ isKilled: true });
      expect((await index.run(`verify --digests-only ${site}`)).status).toBe(1);
    },
    after: async () =>
      expect(await index.run(`verify --digests-only ${site}`)).toMatchObject({ status: 0 }),
  },

  // Upstream removes releases on purpose, and a person accepts the removal.
  40: { before: () => remove('agent', (_, place) => place < 4) },
  41: {
    says: [/^error: agent: held since .+: 4 of 12 releases in use .+ npx release-index accept /],
    follows: ['npx release-index accept'],
  },

  // Two people each accept a hold on the same morning.
  42: {
    before() {
      add('agent', '2026.1');
      add('proxy', '2026.1');
    },
    says: [
      /^error: agent: held since .+: 2026\.1 is far above .+ npx release-index accept agent-\w+$/,
      /^error: gate: held since .+: 2026\.1 is far above .+ npx release-index accept gate-\w+$/,
    ],
    async after(day) {
      expect(findRelease('agent', '1.0.0')).toMatchObject({ isDeprecated: true });
      const people = [index.clone(), index.clone()];
      for (const [person, { command }] of data.readHeld().entries()) {
        const clone = people[person]!;
        const line = command.replace('npx release-index ', '');
        expect(await clone.run(line, day)).toMatchObject({ status: 0 });
        clone.commit('Accept');
        clone.git('pull', '--quiet', '--rebase');
        clone.git('push', '--quiet');
      }
    },
  },
  43: {
    after() {
      expect(data.readHeld()).toEqual([]);
      for (const component of ['agent', 'gate']) {
        expect(readComponents()[component]!.tags).toEqual({ latest: '2026.1' });
      }
    },
  },

  // A credential expires, and is renewed.
  44: {
    before: () => answers.set('tool', { type: 'application/json', body: '{}', status: 401 }),
    says: [expired],
  },
  45: { says: [expired] },
  46: { says: [expired] },
  47: {
    says: [new RegExp(`^error: tool \\(json:.+\\) has not answered since .+ ${refused}$`)],
  },
  48: { before: () => answers.set('tool', lists['tool']!) },

  // A source stops answering, and is repaired.
  49: { before: () => answers.delete('agent'), says: [silent] },
  50: { says: [silent] },
  51: { says: [silent] },
  52: { says: [/^error: agent \(json:.+\) has not answered since .+ answered 404\.$/] },
  53: { before: () => answers.set('agent', lists['agent']!) },

  // Somebody edits a definition to exclude releases, and a person accepts the removal.
  54: {
    before() {
      const sources = [
        { datasource: 'json', url: `${index.url}/tool.json`, allowedVersions: '>=1.3' },
      ];
      index.edit('components/tool.json', { sources });
      push();
    },
    says: [
      /^error: tool: \d+ of \d+ releases would be gone/,
      /^error: publication: Nothing was sent/,
    ],
    follows: ['npx release-index accept'],
    after: async (day) =>
      expect(await index.run(`publish --to ${site}`, day)).toMatchObject({ status: 0, stderr: '' }),
  },

  // There is no run for four days. Then a source fails once.
  55: { isPause: true },
  56: { isPause: true },
  57: { isPause: true },
  58: { isPause: true },
  59: {
    before: () => answers.delete('agent'),
    says: [
      /^warning: agent \(json:.+\) failed today: .+ answered 404\. No run asked it after .+\.$/,
    ],
  },
  60: {
    before() {
      answers.set('agent', lists['agent']!);
      add('proxy', '2026.2');
    },
  },
};

test('in sixty days with incidents, a run fails only if a person has to act', async () => {
  for (const [component, releases] of Object.entries(lists)) {
    index.define(component, releases);
  }
  const attributes = readFileSync(join(program, 'site/starter/dot-gitattributes'), 'utf8');
  index.write('.gitattributes', attributes);
  push();
  const published = new Map<string, string>();
  const readers = new Map<string, Set<string>>();
  const red: number[] = [];

  for (let number = 1; number <= 60; number += 1) {
    const day = addDays(start, number);
    const incident = incidents[number] ?? {};
    const { before, isPause, run = daily, says = [], follows, stops, after } = incident;
    if (isPause) {
      continue;
    }
    await before?.(day);
    const { status, stderr } = await index.run(run, day, env);
    const lines = stderr.split('\n').filter(Boolean);
    expect(lines, `day ${number}`).toEqual(
      says.map((said) => expect.stringMatching(said) as string),
    );
    const isRed = lines.some((line) => line.startsWith('error: '));
    expect(status, `day ${number}`).toBe(isRed ? 1 : 0);
    red.push(...(isRed ? [number] : []));

    if (follows) {
      expect(await follow(stderr, day), `day ${number}`).toEqual(follows);
    }
    if (stops) {
      expect(await index.run(daily, day, env), `day ${number}`).toMatchObject({
        status: 0,
        stderr: '',
      });
    }
    await after?.(day);
    compareWithBefore(number, day, published, readers);
  }

  expect(red).toEqual([6, 22, 24, 26, 28, 30, 33, 34, 36, 41, 42, 47, 52, 54]);
});

/** Checks that no published release is gone, and that no published event has changed. */
function compareWithBefore(
  number: number,
  day: Day,
  events: Map<string, string>,
  readers: Map<string, Set<string>>,
): void {
  const where = `day ${number}`;
  expect(readLive<{ asOf: Day }>('status.json').asOf, where).toBe(day);
  const names: Record<string, string> = { proxy: 'gate', svc: 'server' };
  const rename = (name: string) => names[name] ?? name;
  const published = new Map(
    Object.entries(readComponents()).map(([name, { releases }]) => {
      return [rename(name), new Set(releases.map(({ version }) => version))];
    }),
  );
  for (const component of new Set([...readers.keys(), ...published.keys()])) {
    const versions = published.get(component) ?? new Set();
    const lost = [...(readers.get(component) ?? [])].filter((version) => !versions.has(version));
    const isMeant = number === 54 && component === 'tool';
    expect(isMeant ? [] : lost, `${where}: ${component}`).toEqual([]);
    readers.set(component, versions);
  }

  const { changes } = readLive<{ changes: { component: string; id: number }[] }>('changes.json');
  for (const change of changes) {
    const { component, ...event } = change;
    const key = `${rename(component)} ${event.id}`;
    const text = JSON.stringify(event);
    expect(events.get(key) ?? text, `${where}: ${key}`).toBe(text);
    events.set(key, text);
  }
}
