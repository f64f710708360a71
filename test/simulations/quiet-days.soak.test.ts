import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { copyIndexInGit, openIndexInGit, type IndexInGit } from '../harness/index-in-git.ts';
import { addComponent, filesIn, readJsonIn } from '../harness/root.ts';
import { renameComponent } from '../harness/runbook.ts';

const releases = Array.from({ length: 8 }, (_, minor) => ({
  version: `1.${minor}`,
  releaseTimestamp: `2026-01-1${minor}`,
  timestampKind: 'published',
}));

type Edit = (index: IndexInGit) => unknown;

const isThere = ({ root }: IndexInGit, path: string) => existsSync(join(root.dir, path));
/** The component has another name after one of the edits. */
const nameIn = (index: IndexInGit) => (isThere(index, 'components/svc.json') ? 'svc' : 'server');
const write =
  (folder: string, content: string | object, ending = 'json'): Edit =>
  (index) =>
    index.root.write(`${folder}/${nameIn(index)}.${ending}`, content);
const remove =
  (...folders: string[]): Edit =>
  (index) => {
    const name = nameIn(index);
    for (const folder of folders) {
      rmSync(join(index.root.dir, `${folder}/${name}.json`), { force: true });
    }
  };
const define =
  (about: object): Edit =>
  (index) => {
    const path = `components/${nameIn(index)}.json`;
    const text = isThere(index, path) ? index.root.read(path) : '';
    if (text.length > 1) {
      index.root.write(path, { ...readJsonIn<object>(index.root.dir, path), ...about });
    }
  };
const term = { policy: 'term', months: 1 };

const edits: Readonly<Record<string, Edit>> = {
  'a name': (index) => {
    const isDefined = isThere(index, 'components/svc.json');
    const isSound = isDefined && index.root.read('components/svc.json') !== '{';
    if (isSound && isThere(index, 'data/svc.json')) {
      renameComponent(index.root.dir, 'svc', 'server');
    }
  },
  'a title': define({ title: 'Another' }),
  'deprecated releases': define({ deprecated: [{ versions: '<1.7', reason: 'A slip.' }] }),
  'a shorter term': define({ support: term }),
  'a shorter default': ({ root }) => root.configure({ defaults: { support: term } }),
  'the newest line alone': define({ support: { policy: 'latest-lines', count: 1 } }),
  'stated ends': define({
    support: { policy: 'dated', lines: { '1.0': '2026-01-31', '1.9': '2027-01-01' } },
  }),
  'a replacement': define({
    ...{ replacedBy: 'agent', support: { policy: 'ended', until: '2026-02-01' } },
  }),
  'a broken definition': write('components', '{'),
  'broken data': write('data', '{'),
  'broken freshness': write('data/freshness', '{'),
  'an emptied journal': (index) => {
    if (isThere(index, `data/journal/${nameIn(index)}.ndjson`)) {
      write('data/journal', '', 'ndjson')(index);
    }
  },
  'data without releases': write('data', { releases: releases.slice(6) }),
  'a lost data file': remove('data'),
  'a removed component': remove('components', 'data'),
};

let recorded: IndexInGit;

beforeAll(async () => {
  recorded = openIndexInGit();
  addComponent(recorded.root, 'agent', releases);
  addComponent(recorded.root, 'svc', releases);
  recorded.commit();
  expect((await recorded.run('daily', '2026-06-01')).status).toBe(0);
});

/** What waits, and what readers find, after a day. */
async function runOn(index: IndexInGit, day: string) {
  const { stderr } = await index.run('daily', day);
  expect(stderr).not.toContain('    at ');
  const served = Object.entries(filesIn(index.served)).filter(([path]) =>
    /^(?:(?:latest|supported)\/)?(?:agent|server|svc)\.(?:json|txt)$/.test(path),
  );
  const held = isThere(index, 'data/held.json') ? index.held().map(({ id }) => id) : [];
  return { held, served: Object.fromEntries(served) };
}

const names = Object.keys(edits);
const together = names.flatMap((first, place) => [
  [first],
  ...names.slice(place + 1).map((second) => [first, second]),
]);
const afterEachOther = names.flatMap((first) =>
  names.filter((second) => second !== first).map((second) => [first, second] as const),
);

test.each(together)(
  '%s and %s: what waits goes on waiting on days without an edit',
  async (...kinds) => {
    const index = copyIndexInGit(recorded);
    for (const kind of kinds) {
      edits[kind]?.(index);
    }
    if (index.git('status', '--porcelain') !== '') {
      index.commit('Edit');
    }

    const first = await runOn(index, '2026-06-02');

    expect(Object.keys(first.served).join()).toMatch(/\b(?:server|svc)\.json/);
    expect(await runOn(index, '2026-06-03')).toEqual(first);
    expect(await runOn(index, '2026-06-04')).toEqual(first);
  },
);

test.each(afterEachOther)(
  '%s, then %s: what waits goes on waiting on days without an edit',
  async (...kinds) => {
    const index = copyIndexInGit(recorded);
    for (const [place, kind] of kinds.entries()) {
      edits[kind]!(index);
      if (index.git('status', '--porcelain') !== '') {
        index.commit('Edit');
      }
      await runOn(index, `2026-06-0${2 + place}`);
    }

    const quiet = await runOn(index, '2026-06-04');

    expect(await runOn(index, '2026-06-05')).toEqual(quiet);
  },
);

test.each(names)(
  '%s: what a person accepts waits no more, and nothing else changes',
  async (kind) => {
    const index = copyIndexInGit(recorded);
    edits[kind]!(index);
    index.commit('Edit');
    const first = await runOn(index, '2026-06-02');
    const held = first.held.length > 0 ? index.held() : [];
    // A damaged file is mended, not accepted.
    const ids = held.filter((wait) => wait.kind !== 'files').map(({ id }) => id);
    if (ids.length > 0) {
      expect((await index.run(`accept ${ids.join(' ')}`, '2026-06-03')).status).toBe(0);
      index.commit('Accept');
    }

    const next = await runOn(index, '2026-06-03');

    expect(next.held).toEqual(first.held.filter((id) => !ids.includes(id)));
    expect(await runOn(index, '2026-06-04')).toEqual(next);
  },
);
