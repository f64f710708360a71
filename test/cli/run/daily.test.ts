import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { text } from 'node:stream/consumers';
import { runCli } from '../../harness/cli.ts';
import { listen } from '../../harness/listen.ts';
import { createFolder } from '../../harness/index-folder.ts';
import {
  createCopies,
  listReleases,
  openDefined,
  openRunning,
} from '../../harness/operated-index.ts';

const begun = await openDefined(listReleases(2), ['svc', 'tool']);
const openBegun = createCopies(begun);

test('a first day says what it recorded, committed and published', async () => {
  const index = openBegun();
  const site = join(createFolder(), 'site');
  const before = index.git('rev-parse', 'HEAD');

  const first = await index.run(`daily --push --to ${site}`, '2026-11-01');
  const head = index.git('rev-parse', 'HEAD');

  expect(first.stdout.split('\n')).toEqual([
    'svc: added with 8 events',
    'tool: added with 8 events',
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
  const index = openBegun();

  const { status, stderr } = await index.run(`daily --to ${index.root}`, '2026-11-01');

  expect(stderr).toContain('holds other files than the site of an index. Nothing was sent.');
  expect(status).toBe(1);
  expect(index.data.readRuns()).toEqual([]);
});

test('sources of one host that are gone, or ask to sign in, are one alert', async () => {
  const index = await openRunning('2026-11-01', listReleases(1), ['agent', 'svc', 'tool']);
  index.answers.delete('agent');
  index.answers.set('svc', { type: 'text/html', body: '<!doctype html><p>Sign in' });
  index.answers.set('tool', { type: 'application/json', body: '{' });

  const { stderr } = await index.record('2026-11-05');

  const source = (name: string) => `${name} (json:${index.url}/${name}.json)`;
  expect(stderr.split('\n').filter((line) => !line.startsWith('notice: '))).toEqual([
    `error: ${source('agent')}: last answered on 2026-11-01: GET ${index.url}/agent.json answered 404. 2 more sources of this host: ${source('svc')}, ${source('tool')}.`,
    '',
  ]);
});

test('without its remote, a day publishes what is recorded, and is red', async () => {
  const index = openBegun();
  const site = join(createFolder(), 'site');
  const daily = (day: string) => index.run(`daily --push --to ${site}`, day);
  expect(await daily('2026-11-01')).toMatchObject({ status: 0 });
  const asOf = () => JSON.parse(readFileSync(join(site, 'status.json'), 'utf8')) as object;
  index.git('remote', 'set-url', 'origin', '/nowhere');
  index.requests.length = 0;

  const away = await daily('2026-11-02');

  expect(away.stderr).toMatch(/^error: git pull: .*nowhere/m);
  expect(away.stderr).toContain(
    'error: daily: asked and recorded nothing, since it could not be pushed. The site is built from what is recorded.',
  );
  expect([away.status, index.requests]).toEqual([1, []]);
  expect(asOf()).toMatchObject({ asOf: '2026-11-02' });
  // What was never pushed is not published.
  index.git('commit', '--quiet', '--allow-empty', '--message=Edit');
  expect(await daily('2026-11-03')).toMatchObject({ status: 1, stdout: '' });
  expect(asOf()).toMatchObject({ asOf: '2026-11-02' });
});

test('a command is told how a day and a publication ended', async () => {
  const told: string[] = [];
  const hook = await listen((request, response) => {
    void text(request).then((body) => {
      told.push(body);
      response.writeHead(told.length === 3 ? 500 : 204).end();
    });
  });
  const RELEASE_INDEX_NOTIFY = `curl -fsS --json @- ${hook}`;
  const index = openBegun();
  index.edit('site/site.json', { hosting: { folder: join(createFolder(), 'site') } });
  index.commit();
  const run = (verb: string, day: string) =>
    runCli([verb, '--root', index.root, '--as-of', day], { RELEASE_INDEX_NOTIFY });

  await run('daily', '2026-11-01');
  index.answers.set('svc', [...listReleases(2), { version: '9999.0' }]);
  const held = await run('daily', '2026-11-02');
  index.write('components/svc.json', '{');
  const stopped = await run('daily', '2026-11-03');
  const published = await run('publish', '2026-11-03');

  const news = ['svc: added with 8 events', 'tool: added with 8 events'];
  const waits = [{ subject: 'svc', isDue: true }];
  const wrong = [{ level: 'error', subject: 'components/svc.json' }];
  expect(told.map((body) => JSON.parse(body) as object)).toMatchObject([
    { ...none, asOf: '2026-11-01', events: news },
    { asOf: '2026-11-02', exit: 1, problems: [{}], alerts: waits, held: [{ component: 'svc' }] },
    { ...none, asOf: '2026-11-03', exit: 1, problems: wrong },
    { ...none, verb: 'publish', asOf: '2026-11-03' },
  ]);
  expect([held.status, stopped.status, published.status]).toEqual([1, 1, 0]);
  expect(stopped.stderr).toContain('warning: RELEASE_INDEX_NOTIFY: its command ended with 22');
});
const none = { verb: 'daily', exit: 0, problems: [], alerts: [], held: [], events: [] };

const recorded = openBegun();
const good = recorded.git('rev-parse', '--short', 'HEAD');
const { stderr } = await recorded.record('2026-11-01');
expect(stderr).toBe('');
recorded.commit('Record');
const openRecorded = createCopies(recorded);

const source = { datasource: 'json', url: `${begun.url}/svc.json` };
test.each<[mistake: string, edit: object | string, says: string]>([
  ['no JSON', '{', 'is no JSON: '],
  [
    'a pattern that admits nothing',
    { sources: [{ ...source, allowedVersions: '/^9/' }] },
    'admits none of its ',
  ],
  ['a successor that nobody has', { replacedBy: 'nobody' }, 'replacedBy: expected another'],
  ['the name of another component', { aliases: ['tool'] }, '"tool" names svc, tool'],
  [
    'two mistakes',
    { titel: 'x', homepage: 'y' },
    'homepage: expected an https: address without credentials; got "y"',
  ],
])('%s costs no other component its news', async (_, edit, says) => {
  const index = openRecorded();
  if (typeof edit === 'string') {
    index.write('components/svc.json', edit);
  } else {
    index.edit('components/svc.json', edit);
  }
  index.commit('Edit');
  ['svc', 'tool'].forEach((name) => index.answers.set(name, listReleases(3)));
  const days = [
    await index.commitDay('2026-11-02'),
    await index.run('daily --skip-publish', '2026-11-03'),
  ];
  for (const { status, stderr } of days) {
    const [error = '', ...others] = stderr.split('\n').filter((line) => line.startsWith('error:'));
    expect(error).toContain(`error: components/svc.json: ${says}`);
    expect(error).toContain(
      `Until it is corrected, svc is judged by its definition of commit ${good}.`,
    );
    expect([status, others]).toEqual([1, []]);
  }
  const read = (path: string) => JSON.parse(index.read(`dist/${path}`)) as object;
  expect(read('status.json')).toMatchObject({ asOf: '2026-11-03' });
  for (const name of ['svc', 'tool']) {
    expect(read(`details/${name}.json`)).toMatchObject({ latest: '1.2.3' });
  }
  expect(await index.run('check', '2026-11-03')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(`components/svc.json: ${says}`) as string,
  });
});

test('a definition that could never be read stops the day, with the mistakes of all', async () => {
  const index = openRecorded();
  index.write('components/new.json', { titel: 'x' });
  index.write('components/svc.json', '{');
  index.commit();

  const { status, stderr } = await index.run('daily', '2026-11-01');

  expect(stderr).toMatch(/^error: components\/new\.json: unknown key "titel"/m);
  expect(stderr).toMatch(/^error: components\/svc\.json: is no JSON/m);
  expect(status).toBe(1);
  expect(index.data.readRuns()).toHaveLength(1);
});
