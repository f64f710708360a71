/** Days on which the recorded history is not the published one: what stops, what is said, and what the printed command does. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { formatDigests, parseDigests } from '../../src/core/sha256sums.ts';
import { copyFolder } from '../harness/index-folder.ts';
import { listen } from '../harness/listen.ts';
import {
  createCopies,
  listReleases,
  openDefined,
  type OperatedIndex,
} from '../harness/operated-index.ts';

const start = '2026-03-01';
const next = addDays(start, 3);
const releases = listReleases(3);
const first = await openDefined(releases, ['agent', 'svc']);
// Beside the index, so that a copy of it has one of its own.
const published = join(first.root, '../site');
for (const patch of [0, 1, 2]) {
  const news = Array.from({ length: patch }, (_, each) => ({ version: `1.3.${each}` }));
  first.answers.set('svc', [...releases, ...news]);
  const ended = await first.run(`daily --push --to ${published}`, addDays(start, patch));
  expect(ended).toMatchObject({ status: 0 });
}
// A site that is built again is not copied.
rmSync(first.out, { recursive: true });
const journal = 'data/journal/svc.ndjson';
const told = first.read(journal);

const openCopy = createCopies(first);

function open() {
  const index = openCopy();
  const site = join(index.root, '../site');
  const readers = (path: string) => readFileSync(join(site, path), 'utf8');
  return { index, site, readers };
}

const cut = (index: OperatedIndex, path: string, lines: number) =>
  index.write(path, index.read(path).replace(RegExp(`(?:.*\n){${lines}}$`), ''));
const isLast = /svc 1\.3\.1: released, event 14 \(2026-\S+Z\)/;
const advice =
  /Bring it back with git pull or, if nobody has pushed it, npx release-index (restore --from \S+)\. Nothing was changed$/m;

test.for<[title: string, damage: (index: OperatedIndex) => void, what: RegExp]>([
  ['data/ is removed', ({ git }) => git('rm', '-r', '--quiet', 'data'), isLast],
  ['a merge drops the last lines of a journal', (index) => cut(index, journal, 2), isLast],
  ['a journal is gone, and its releases', ({ git }) => git('rm', journal, 'data/svc.json'), isLast],
  ['a run is cut', (index) => cut(index, 'data/runs/2026.ndjson', 1), /the last run \(2026-/],
  [
    'its component has another name, and the journal was cut',
    (index) => {
      rename(index);
      cut(index, 'data/journal/server.ndjson', 2);
    },
    /server 1\.3\.1: released, event 14 /,
  ],
])('%s: nothing is recorded, and the command brings it back', async ([, damage, what]) => {
  const { index, site } = open();
  damage(index);
  index.commit('Merge');
  const head = index.git('rev-parse', 'HEAD');

  const stopped = await index.run(`daily --to ${site}`, next);

  expect(stopped.status).toBe(1);
  expect(stopped.stderr).toMatch(/^error: live site: \S+ has published what this checkout lacks: /);
  expect(stopped.stderr).toMatch(what);
  expect(index.requests).toEqual([]);
  expect([index.git('status', '--porcelain'), index.git('rev-parse', 'HEAD')]).toEqual(['', head]);

  const [, restore = ''] = advice.exec(stopped.stderr) ?? [];
  expect(await index.run(restore, next)).toMatchObject({ status: 0 });
  expect(await index.commitDay(next, false, site)).toMatchObject({ status: 0, stderr: '' });
  expect(index.read(journal) || index.read('data/journal/server.ndjson')).toBe(told);
});

function rename(index: OperatedIndex) {
  for (const path of ['components/*.json', 'data/*.json', 'data/journal/*.ndjson']) {
    index.git('mv', path.replace('*', 'svc'), path.replace('*', 'server'));
  }
  index.edit('components/server.json', { renamedFrom: ['svc'] });
}

test('where a checkout told something else, the printed commands go back to what was told', async () => {
  const { index, site } = open();
  index.write(journal, told.replaceAll('"line":"1.3"', '"line":"1.4"'));
  index.commit('Merge');

  const stopped = await index.run(`daily --to ${site}`, next);
  expect(stopped.stderr).toMatch(isLast);
  const [, restore = ''] = advice.exec(stopped.stderr) ?? [];
  const refused = await index.run(restore, next);
  const [, remove = ''] = /git (rm .*)$/m.exec(refused.stderr) ?? [];
  index.git(...remove.split(' '));

  expect(await index.run(restore, next)).toMatchObject({ status: 0 });
  expect(index.read(journal)).toBe(told);
});

test('a publication is compared, too, and --force skips it', async () => {
  const { index, site, readers } = open();
  cut(index, journal, 2);
  index.answers.set('svc', releases);
  await index.run('build', next);

  const refused = await index.run(`publish --to ${site}`, next);
  expect(refused.stderr).toMatch(isLast);
  expect(refused.stderr).toContain(
    'Then build again. Nothing was sent. To publish without looking',
  );
  expect(readers(journal)).toBe(told);

  expect(await index.run(`publish --force --to ${site}`, next)).toMatchObject({ status: 0 });
  expect(readers(journal)).not.toBe(told);
});

test('a site of an earlier program is compared by its newest events', async () => {
  const { index, site } = open();
  const list = join(site, 'SHA256SUMS');
  const digests = [...parseDigests(readFileSync(list, 'utf8'))];
  writeFileSync(
    list,
    formatDigests(new Map(digests.filter(([path]) => !path.startsWith('data/')))),
  );
  rmSync(join(site, 'data'), { recursive: true });
  const former = copyFolder(site);

  expect(await index.run(`daily --to ${site}`, next)).toMatchObject({ status: 0, stderr: '' });
  cpSync(former, site, { recursive: true });
  rmSync(join(site, 'data'), { recursive: true });
  cut(index, journal, 1);
  index.commit();
  const { status, stderr } = await index.run(`daily --to ${site}`, next);

  expect(stderr).toMatch(/lacks: svc 1\.3\.1 was released on .* Bring data\/ back as it was then/);
  expect(status).toBe(1);
});

test.each([401, 503])(
  'where the live site answers %i, a day is recorded with a warning',
  async (code) => {
    const { index } = open();
    const url = await listen((_, response) => response.writeHead(code).end());
    index.edit('site/site.json', { releasesUrl: url });
    index.commit();

    const { status, stderr } = await index.commitDay(next);

    expect(stderr).toContain(
      `warning: live site: ${url}/SHA256SUMS: cannot be read: status ${code}. It was not compared with data/`,
    );
    expect(status).toBe(0);
    expect(index.data.readRuns().at(-1)?.asOf).toBe(next);
  },
);

test('the journal of a component that is removed must stay', async () => {
  const { index, site } = open();
  index.git('rm', '--quiet', 'components/svc.json', 'data/svc.json');
  index.commit();
  expect((await index.commitDay(next, false, site)).status).toBe(0);

  index.git('rm', '--quiet', journal);
  index.commit();
  expect((await index.commitDay(next, false, site)).stderr).toMatch(isLast);
});
