/**
 * Renames components: without "renamedFrom", with two components that claim one former name, or in
 * a way that changes ids of events.
 */
import { execSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { listReleases, type OperatedIndex } from '../harness/operated-index.ts';
import { dataFiles, move, next, publishDays, type Damage } from '../harness/published-days.ts';

const { open, publishedJournal } = await publishDays();
const later = addDays(next, 1);

/** Renames a component, and declares its former names. */
function rename(index: OperatedIndex, from: string, to: string, ...renamedFrom: string[]): void {
  move(from, to, dataFiles)(index, '');
  index.edit(`components/${to}.json`, { renamedFrom });
  index.commit('Rename');
}

const question =
  'If svc was renamed to server, add "renamedFrom": ["svc"] to components/server.json';

/**
 * Adds the "renamedFrom" that a message asks for, and runs the commands that the next messages
 * print.
 */
async function declare(index: OperatedIndex, site: string, message: string): Promise<void> {
  const [, names = '', file = ''] =
    /add "renamedFrom": (\[.+?\]) to (\S+\.json)/.exec(message) ?? [];
  index.edit(file, { renamedFrom: JSON.parse(names) as string[] });
  index.commit('Declare');
  let ended = await index.run(`daily --to ${site}`, later);
  for (let command; (command = /former name of a component: (mv .+)$/m.exec(ended.stderr)?.[1]);) {
    execSync(command, { cwd: index.root, stdio: 'pipe' });
    ended = await index.run(`daily --to ${site}`, later);
  }
  expect(ended).toMatchObject({ status: 0, stderr: '' });
}

const readIds = (site: string, path = 'feeds/svc.atom') =>
  Array.from(
    readFileSync(join(site, path), 'utf8').matchAll(/<id>tag:.*\/([\w-]+\/\d+)<\/id>/g),
    ([, id]) => id,
  );

test.for<[title: string, damage: Damage, said: string]>([
  [
    'only the definition was moved',
    move('svc', 'server'),
    `svc is on the live site, and would be gone. ${question}`,
  ],
  [
    'its data was moved too',
    move('svc', 'server', dataFiles),
    `14 of 14 events of svc. Nothing was changed. ${question}. Otherwise: Commit `,
  ],
  [
    'its data was moved too, and it has another source',
    (index, site) => {
      move('svc', 'server', dataFiles)(index, site);
      renameSync(join(index.root, 'components/server.json'), join(index.root, 'components/s.json'));
      index.define('server', [...listReleases(3), { version: '1.3.0' }, { version: '1.3.1' }]);
      index.write('components/s.json', undefined);
    },
    `14 of 14 events of svc. Nothing was changed. ${question}. Otherwise: Commit `,
  ],
  [
    'only the definition was moved, and upstream has new versions',
    (index, site) => {
      move('svc', 'server')(index, site);
      const news = Array.from({ length: 9 }, (_, patch) => ({ version: `1.4.${patch}` }));
      const all = [...listReleases(3), { version: '1.3.0' }, { version: '1.3.1' }, ...news];
      index.answers.set('svc', all);
    },
    `svc is on the live site, and would be gone. ${question}`,
  ],
])('daily asks whether a component was renamed if %s', async ([, damage, said]) => {
  const { index, site } = open();
  const ids = readIds(site);
  damage(index, site);
  index.commit('Move');

  const { status, stderr } = await index.run(`daily --to ${site}`, next);
  expect(stderr).toContain(said);
  expect(stderr.split(question)[0]).not.toContain('accept');
  expect(status).toBe(1);
  await declare(index, site, stderr);

  expect(index.read('data/journal/server.ndjson').startsWith(publishedJournal)).toBe(true);
  expect(existsSync(join(index.root, 'data/svc.json'))).toBe(false);
  expect(readIds(site).slice(-ids.length)).toEqual(ids);
  expect(readIds(site, 'feeds/server.atom')).toEqual(readIds(site));
});

test.each(['a day', 'a week'])(
  'daily refuses "renamedFrom" if readers have seen events of the new name for %s, and changes no journal',
  async (time) => {
    const { index, site } = open();
    const known = [...listReleases(3), { version: '1.3.0' }, { version: '1.3.1' }];
    move('svc', 'server')(index, site);
    index.commit('Move');
    const { stderr } = await index.run(`daily --to ${site}`, next);
    const [, accept = ''] = /npx release-index (accept [\w-]+)/.exec(stderr) ?? [];
    expect(await index.run(accept, next)).toMatchObject({ status: 0 });
    index.commit('Accept');
    const days = time === 'a day' ? 1 : 7;
    for (let day = 0; day < days; day += 1) {
      const news = Array.from({ length: 9 * day }, (_, patch) => ({ version: `1.4.${patch}` }));
      index.answers.set('svc', [...known, ...news]);
      await index.run(`daily --to ${site}`, addDays(next, day));
    }
    const ids = readIds(site, 'feeds/server.atom');
    index.edit('components/server.json', { renamedFrom: ['svc'] });
    index.commit('Declare');
    const last = addDays(next, days);

    expect(await index.run(`daily --to ${site}`, last)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'components/server.json: renamedFrom: readers know events of both names, so leave svc out of renamedFrom. Nothing was changed',
      ),
    });
    index.edit('components/server.json', { renamedFrom: undefined });
    index.commit('Leave it out');
    expect(await index.run(`daily --to ${site}`, last)).toMatchObject({ status: 0 });
    expect(readIds(site, 'feeds/server.atom').slice(-ids.length)).toEqual(ids);
  },
);

test('daily suggests no rename between two packages of the same repository', async () => {
  const { index, site } = open();
  const releases = [...listReleases(3), { version: '1.3.0' }, { version: '1.3.1' }];
  index.define('server', releases);
  index.git('rm', '--quiet', 'components/svc.json');
  index.commit('Exchange');

  const { stderr } = await index.run(`daily --to ${site}`, next);

  expect(stderr).toContain('svc is on the live site, and would be gone\n');
  expect(stderr).not.toContain('renamed');
});

test('if two components claim the same former name, daily leaves out the second component', async () => {
  const { index, site } = open();
  rename(index, 'svc', 'svc-a', 'svc');
  index.define('svc-b', listReleases(3), { renamedFrom: ['svc'] });
  index.commit('Split');

  const { status, stderr } = await index.run(`daily --to ${site}`, next);

  expect(stderr).toBe(
    'error: components/svc-b.json: several components share the name "svc": svc-a, svc-b. Until it is corrected, svc-b is left out.\n',
  );
  expect(status).toBe(1);
  const { asOf } = JSON.parse(readFileSync(join(site, 'status.json'), 'utf8')) as { asOf: string };
  expect(asOf).toBe(next);
  expect(existsSync(join(site, 'svc-a.json'))).toBe(true);

  index.edit('components/svc-b.json', { renamedFrom: undefined });
  index.commit('Correct');
  expect(await index.run(`daily --to ${site}`, later)).toMatchObject({ status: 0, stderr: '' });
});

test.for<[title: string, to: string, wrong: string[], right: string[]]>([
  ['the newest former name comes first', 'third', ['server', 'svc'], ['svc', 'server']],
  ['a former name is missing', 'third', ['server'], ['svc', 'server']],
  [
    'the component gets its first name back, which is missing',
    'svc',
    ['server'],
    ['svc', 'server'],
  ],
])(
  'daily stops before the ids of events change if %s in renamedFrom',
  async ([, to, wrong, right]) => {
    const { index, site } = open();
    rename(index, 'svc', 'server', 'svc');
    expect(await index.run(`daily --to ${site}`, next)).toMatchObject({ status: 0, stderr: '' });
    const ids = readIds(site, 'feeds/server.atom');
    rename(index, 'server', to, ...wrong);

    const { status, stderr } = await index.run(`daily --to ${site}`, later);
    const list = (names: string[]) => `[${names.map((name) => `"${name}"`).join(', ')}]`;
    expect(stderr).toContain(
      `error: components/${to}.json: renamedFrom: expected ${list(right)}; got ${list(wrong)}. Ids of its events begin with "svc/" on the live site, and would begin with "server/"`,
    );
    expect(status).toBe(1);
    expect(readIds(site, 'feeds/server.atom')).toEqual(ids);

    index.edit(`components/${to}.json`, { renamedFrom: right });
    index.commit('Correct');
    expect(await index.run(`daily --to ${site}`, later)).toMatchObject({ status: 0, stderr: '' });
    expect(readIds(site, `feeds/${to}.atom`).slice(-ids.length)).toEqual(ids);
    expect(readFileSync(join(site, `${to}.html`), 'utf8')).toContain('1.3.1');
  },
);

test("if changes.json lists no event of a component, daily reads the former name from the component's feed", async () => {
  const { index, site } = open();
  const changes = join(site, 'changes.json');
  execSync(`echo '{"changes": []}' > ${changes}`);
  rename(index, 'svc', 'server', 'gone', 'svc');

  const { stderr } = await index.run(`daily --to ${site}`, next);

  expect(stderr).toContain('renamedFrom: expected ["svc", "gone"]; got ["gone", "svc"]');
});

test('plan reports the rename of a component, but lists no events', async () => {
  const { index } = open();
  rename(index, 'svc', 'server', 'svc');

  const { stdout } = await index.run('plan --base HEAD~1', next);

  expect(stdout).toContain('svc is now server\n0 events since HEAD~1.\n');
});

test.for<[title: string, damage: (text: string) => string]>([
  ['an unknown key', (text) => text.replace('"title"', '"titel"')],
  ['a missing comma', (text) => text.replace(',', ' ')],
  ['a misspelt "renamedFrom"', (text) => text.replace('"renamedFrom"', '"renamedfrom"')],
])(
  'daily judges a renamed component by the last good definition if the new definition has %s',
  async ([, damage]) => {
    const { index, site } = open();
    move('svc', 'server', dataFiles)(index, site);
    index.edit('components/server.json', { renamedFrom: ['svc'] });
    index.write('components/server.json', damage(index.read('components/server.json')));
    index.commit('Rename');

    const { status, stderr } = await index.run(`daily --to ${site}`, next);

    expect(stderr).toMatch(
      /^error: components\/server\.json.+ server is judged by its definition of commit \w+\.\n$/,
    );
    expect(status).toBe(1);
    expect(existsSync(join(site, 'server.json'))).toBe(true);
    expect(readIds(site)).toEqual(readIds(site, 'feeds/server.atom'));
  },
);

test('the message about a wrong definition in a shallow clone names the command that fetches older commits', async () => {
  const { index, site } = open();
  index.edit('components/svc.json', { titel: 'Svc' });
  index.commit('Mistake');
  index.git('push', '--quiet');
  const shallow = index.clone();
  shallow.git('fetch', '--quiet', '--depth=1');
  shallow.git('reflog', 'expire', '--expire=now', '--all');

  const { stderr } = await shallow.run(`daily --to ${site}`, next);
  const [, command = ''] = /Run this again after: (git .+)$/m.exec(stderr) ?? [];
  execSync(command, { cwd: shallow.root, stdio: 'pipe' });

  expect((await shallow.run(`daily --to ${site}`, next)).stderr).toContain(
    'svc is judged by its definition of commit',
  );
});
