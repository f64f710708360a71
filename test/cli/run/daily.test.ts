import {
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Problem } from '../../../src/core/errors.ts';
import { joinSubject } from '../../../src/core/text.ts';
import { createFolder } from '../../harness/index-folder.ts';
import { createCopies, listReleases, openDefined } from '../../harness/operated-index.ts';

const begun = await openDefined(listReleases(2), ['svc', 'tool']);
const openBegun = createCopies(begun);

test('on the first day, daily prints what it recorded, committed and published', async () => {
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
    expect.stringMatching(/site: \d+ files, \d+ changed, 0 removed\. Published\.$/),
    '',
  ]);
  expect(first.stderr).not.toMatch(/^(?:error|warning|notice): /m);
  expect(first.status).toBe(0);
  expect(index.git('rev-parse', 'origin/main')).toBe(head);
  expect(index.data.readRuns().at(-1)).toMatchObject({ requested: ['daily'], commit: before });
});

test('daily rejects a target folder with other files before it records anything', async () => {
  const index = openBegun();

  const { status, stderr } = await index.run(`daily --to ${index.root}`, '2026-11-01');

  expect(stderr).toContain('has files, and is not the site of an index. Nothing was sent.');
  expect(status).toBe(1);
  expect(index.data.readRuns()).toEqual([]);
});

test('daily reports failing sources of the same host as one alert', async () => {
  const index = await openDefined(listReleases(1), ['agent', 'svc', 'tool']);
  await index.record('2026-11-01');
  index.answers.delete('agent');
  index.answers.set('svc', { type: 'text/html', body: '<!doctype html><p>Sign in' });
  index.answers.set('tool', { type: 'application/json', body: '{' });

  await index.record('2026-11-02');
  const { stderr } = await index.record('2026-11-05');

  const source = (name: string) => `${name} (json:${index.url}/${name}.json)`;
  // The three silent sources have the same host, so one message reports them all.
  expect(stderr).toBe(
    `error: ${source('agent')} has not answered since 2026-11-01: GET ${index.url}/agent.json answered 404. 2 more sources of this host are silent: ${source('svc')}, ${source('tool')}.\n`,
  );
});

const recorded = openBegun();
const { stderr } = await recorded.record('2026-11-01');
expect(stderr).toBe('');
recorded.commit('Record');
const openRecorded = createCopies(recorded);

test.each<[mistake: string, name: string, definition: object, says: string]>([
  ['an unknown key', 'new', { titel: 'x' }, 'unknown key "titel"'],
  ['a name that is an alias', 'kit', {}, 'several components share the name "kit": kit, svc'],
])(
  'daily leaves out a new component with %s, fails, and publishes the others',
  async (_, name, own, says) => {
    const index = openRecorded();
    const site = join(createFolder(), 'site');
    index.edit('components/svc.json', { aliases: ['kit'] });
    index.commit('Alias');
    const alias = index.git('rev-parse', '--short', 'HEAD');
    index.define(name, listReleases(1), own);
    // svc's new definition says that the new component replaces svc. But `daily` leaves out the new component, so this definition is wrong.
    // Until it is corrected, svc is judged by its earlier definition.
    index.edit('components/svc.json', { replacedBy: name });
    index.commit('Edit');
    index.answers.set('tool', listReleases(3));

    const { status, stderr } = await index.run(`daily --to ${site}`, '2026-11-02');

    expect(stderr.split('\n').filter((line) => line.startsWith('error: '))).toEqual([
      expect.stringMatching(`components/${name}.json: .*${says}.* ${name} is left out.$`),
      `error: components/svc.json: replacedBy: expected another component; got "${name}". Until it is corrected, svc is judged by its definition of commit ${alias}.`,
    ]);
    expect(status).toBe(1);
    const live = JSON.parse(readFileSync(join(site, 'all.json'), 'utf8')) as object;
    expect(live).toEqual({ components: { svc: expect.anything(), tool: expect.anything() } });
    expect(live).toMatchObject({ components: { tool: { tags: { latest: '1.2.3' } } } });
  },
);

test('daily --json lists in "problems" everything that it prints to standard error', async () => {
  const index = openRecorded();
  index.define('new', [], { titel: 'x' });
  index.commit();
  index.answers.delete('tool');

  const { status, stdout, stderr } = await index.run('daily --json --skip-publish', '2026-11-02');

  const { problems } = JSON.parse(stdout) as { problems: Problem[] };
  const lines = problems.map(
    ({ level = 'error', subject, message }) => `${level}: ${joinSubject(subject, message)}\n`,
  );
  expect(status).toBe(1);
  expect(lines.join('')).toBe(stderr);
  expect(stderr).toMatch(/^error: components\/new\.json: .+\nnotice: tool /);
});

test('daily stops if a component has never had a valid definition', async () => {
  const index = openRecorded();
  index.write('components/new.json', { titel: 'x' });
  index.git('mv', 'components/svc.json', 'components/server.json');
  index.git('mv', 'data/svc.json', 'data/server.json');
  index.edit('components/server.json', { homepage: 'x' });
  index.commit();

  const { status, stderr } = await index.run('daily', '2026-11-02');

  expect(stderr).toMatch(/^error: components\/new\.json: unknown key "titel"/m);
  expect(stderr).toMatch(/^error: components\/server\.json: homepage: /m);
  expect(status).toBe(1);
  expect(index.data.readRuns()).toHaveLength(1);
});

test('daily stops if .cache is a symbolic link', async () => {
  const index = openBegun();
  const victim = createFolder();
  mkdirSync(join(victim, 'precious'));
  writeFileSync(join(victim, 'big'), '');
  truncateSync(join(victim, 'big'), 600 * 2 ** 20);
  symlinkSync(victim, join(index.root, '.cache'));
  index.git('add', '--force', '.cache');
  index.git('commit', '--quiet', '--message=Link');

  expect(await index.run('daily --skip-publish', '2026-11-01')).toEqual({
    status: 1,
    stdout: '',
    stderr: 'error: .cache is a symbolic link. Put the file itself there\n',
  });
  expect(index.requests).toEqual([]);
  expect(readdirSync(victim)).toEqual(['big', 'precious']);
});
