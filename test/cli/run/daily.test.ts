import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder, listReleases, openOperatedIndex } from '../../harness/operated-index.ts';

test('a first day says what it recorded, committed and published', async () => {
  const index = await openOperatedIndex();
  const site = join(createFolder(), 'site');
  ['agent', 'tool'].forEach((name) => index.define(name, listReleases(3)));
  index.commit();
  const before = index.git('rev-parse', 'HEAD');

  const first = await index.run(`daily --push --to ${site}`, '2026-11-01');
  const head = index.git('rev-parse', 'HEAD');

  expect(first.stdout.split('\n')).toEqual([
    'agent: added with 12 events',
    'tool: added with 12 events',
    `Committed ${head}, and pushed it.`,
    expect.stringMatching(/^Built .*dist\/: 2 components in \d+ files as of 2026-11-01\.$/),
    expect.stringMatching(/site: \d+ files, \d+ changed, 0 gone\. Published\.$/),
    '',
  ]);
  expect(first.stderr).not.toMatch(/^(?:error|warning|notice): /m);
  expect(first.status).toBe(0);
  expect(index.git('rev-parse', 'origin/main')).toBe(head);
  expect(index.data.readRuns().at(-1)).toMatchObject({ requested: ['daily'], commit: before });
});

test('a folder of other files is refused before anything is recorded', async () => {
  const index = await openOperatedIndex();
  index.define('agent', listReleases(1));
  index.commit();

  const { status, stderr } = await index.run(`daily --to ${index.root}`, '2026-11-01');

  expect(stderr).toContain('holds other files than the site of an index. Nothing was sent.');
  expect(status).toBe(1);
  expect(index.data.readRuns()).toEqual([]);
});

/** That of `svc`. */
let source: object;
const wrong = (keys: object) => (svc: object) => Object.assign(svc, keys);
test.each<[mistake: string, edit: ((svc: object) => void) | string, says: string]>([
  ['an unknown key', wrong({ titel: 'x' }), 'unknown key "titel"; did you mean title?'],
  ['no JSON', '{', 'is no JSON: '],
  [
    'a pattern that admits nothing',
    (svc) => ((svc as { sources: object[] }).sources[0] = { ...source, allowedVersions: '/^9/' }),
    'admits none of its ',
  ],
  ['a successor that nobody has', wrong({ replacedBy: 'nobody' }), 'replacedBy: expected another'],
  ['the name of another component', wrong({ aliases: ['tool'] }), '"tool" names svc, tool'],
  [
    'two mistakes',
    wrong({ titel: 'x', homepage: 'y' }),
    'homepage: expected an https: address without credentials; got "y"',
  ],
])('%s costs no other component its news', async (_, edit, says) => {
  const index = await openOperatedIndex();
  const site = join(createFolder(), 'site');
  ['svc', 'tool'].forEach((name) => index.define(name, listReleases(2)));
  index.edit('components/svc.json', (svc) => (source = svc.sources[0]));
  index.commit();
  const good = index.git('rev-parse', '--short', 'HEAD');
  expect(await index.run(`daily --to ${site}`, '2026-11-01')).toMatchObject({ status: 0 });

  if (typeof edit === 'string') {
    index.write('components/svc.json', edit);
  } else {
    index.edit('components/svc.json', edit);
  }
  index.commit('Edit');
  ['svc', 'tool'].forEach((name) => index.answers.set(name, listReleases(3)));
  for (const day of ['2026-11-02', '2026-11-03']) {
    const { status, stderr } = await index.run(`daily --to ${site}`, day);

    const [error = '', ...others] = stderr.split('\n').filter((line) => line.startsWith('error:'));
    expect(error).toContain(`error: components/svc.json: ${says}`);
    expect(error).toContain(
      `Until it is corrected, svc is judged by its definition of commit ${good}.`,
    );
    expect([status, others]).toEqual([1, []]);
    const read = (path: string) => JSON.parse(readFileSync(join(site, path), 'utf8')) as object;
    expect(read('status.json')).toMatchObject({ asOf: day });
    for (const name of ['svc', 'tool']) {
      expect(read(`details/${name}.json`)).toMatchObject({ latest: '1.2.3' });
    }
  }
  expect(await index.run('check', '2026-11-03')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`components/svc.json: ${says}`) as string,
  });
});

test('a definition that could never be read stops the day, with the mistakes of all', async () => {
  const index = await openOperatedIndex();
  ['svc', 'tool'].forEach((name) => index.define(name, listReleases(2)));
  index.commit();
  index.write('components/new.json', { titel: 'x' });
  index.write('components/svc.json', '{');
  index.commit();

  const { status, stderr } = await index.run('daily', '2026-11-01');

  expect(stderr).toMatch(/^error: components\/new\.json: unknown key "titel"/m);
  expect(stderr).toMatch(/^error: components\/svc\.json: is no JSON/m);
  expect(status).toBe(1);
  expect(index.data.readRuns()).toEqual([]);
});
