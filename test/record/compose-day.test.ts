import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import {
  createCopies,
  listReleases,
  openRunning,
  type OperatedIndex,
  type SourceAnswer,
} from '../harness/operated-index.ts';

const start = '2026-03-01';
const next = addDays(start, 1);
const third = addDays(start, 2);

const news = { version: '1.5.7', releaseTimestamp: next };
const list = listReleases(6).map((release) => {
  return { ...release, digest: `sha256:${'a'.repeat(64)}` };
});

const open = createCopies(await openRunning(start, list, ['svc', 'agent']));
const listNews = ({ answers }: OperatedIndex) =>
  ['svc', 'agent'].forEach((component) => answers.set(component, [...list, news]));
const versionsOf = (index: OperatedIndex, component = 'svc') =>
  index.data.readRecorded(component).releases.map(({ version }) => version);

/** A bad answer instead of the usual list, and the expected message on each of two days. A run with an error must fail. */
test.for<[name: string, answer: SourceAnswer, first?: RegExp | undefined, second?: RegExp]>([
  [
    'all releases yanked',
    list.map((release) => ({ ...release, isDeprecated: true })),
    /^error: svc: held .*12 of 1[23] releases in use would be lost/m,
    /^warning: svc: held /m,
  ],
  [
    'another product with higher versions',
    ['20.0', '21.0', '22.0'].map((version) => ({ version })),
    /^error: svc: held .*20\.0 is far above the recorded versions/m,
    /^error: svc: held .*releases in use would be lost/m,
  ],
  [
    'replaced files',
    list.map((release) => ({ ...release, digest: `sha256:${'b'.repeat(64)}` })),
    /^error: svc: upstream replaced the files of 1\.0\.0, .* The recorded digests stay\. Ask the maintainers whether they did it\.$/m,
  ],
  [
    'an empty list',
    { type: 'application/json', body: '{"releases": []}' },
    /^notice: .* lists no version/m,
  ],
])(
  'a bad answer is held or reported, and never changes recorded data: %s',
  async ([, answer, ...says]) => {
    const index = open();
    const before = index.data.readRecorded('svc').releases;
    listNews(index);
    index.answers.set('svc', 'body' in answer ? answer : [...answer, news]);

    for (const [position, day] of [next, third].entries()) {
      const { status, stderr } = await index.record(day);
      const expected = says[position] ?? /^/;
      expect(stderr).toMatch(expected);
      expect(status, stderr).toBe(expected.source.startsWith('^error') ? 1 : 0);
    }

    // No recorded release is lost or changed, and the new release is recorded.
    const after = new Map(
      index.readEffective('svc').releases.map((release) => [release.version, release]),
    );
    for (const { version, releaseTimestamp, digests } of before) {
      expect(after.get(version)).toMatchObject({ version, releaseTimestamp, digests });
    }
    expect(versionsOf(index, 'agent')).toContain('1.5.7');
    expect(after.has('1.5.7')).toBe(!('body' in answer));

    // After the printed commands, nothing is held.
    for (const { command } of index.data.readHeld()) {
      const accepted = await index.run(command.replace('npx release-index ', ''), third);
      expect(accepted.status).toBe(0);
    }
    expect((await index.record(addDays(third, 1))).status).toBe(0);
    expect(index.data.readHeld()).toEqual([]);
  },
);

test('a run without new releases changes only the file of runs, and asks each source once', async () => {
  const index = open();
  // A leftover of a killed run. The next run removes it.
  index.write('data/svc.json.1.part', '{');
  index.requests.length = 0;

  expect(await index.commitDay(next)).toMatchObject({ status: 0, stderr: '' });
  expect(index.git('status', '--porcelain')).toBe('');

  expect(index.requests.sort()).toEqual(['/agent.json', '/svc.json']);
  expect(index.git('show', '--name-only', '--format=%s', 'HEAD').split('\n')).toEqual([
    'data: nothing new',
    '',
    'data/runs/2026.ndjson',
  ]);
});

test.for([addDays(start, -1), '2999-01-01'])('daily rejects the date %s', async (day) => {
  const index = open();

  const { status, stderr } = await index.record(day);

  expect([status, stderr]).toEqual([
    1,
    `error: day: expected a day from ${start}, the day of the last run, up to today; got ${day}, from the clock or --as-of\n`,
  ]);
  expect((await index.record(start)).status).toBe(0);
});

test('if no source answers, gather leaves data/ unchanged, and daily records a run', async () => {
  const index = open();
  index.answers.clear();

  const gathered = await index.run('gather', next);

  expect(gathered).toMatchObject({ status: 0 });
  expect(gathered.stdout).toMatch(
    /^Asked 2 sources: 2 did not answer\.\nhost +sources +reason +components\n127\.0\.0\.1:\d+ +2 +answered 404 +agent, svc\nTheir recorded data stays, so the index is complete\.\n$/,
  );
  expect(index.git('status', '--porcelain')).toBe('');
  expect((await index.record(next)).status).toBe(0);
  expect(index.data.readRuns().at(-1)).toMatchObject({ asOf: next, asked: 2, answered: 0 });
});

test('if a component has no remote source, gather says that no source had to be asked', async () => {
  const index = open();
  const sources = [{ datasource: 'static', releases: [{ version: '1.0' }] }];
  index.define('by-hand', [], { sources });

  expect((await index.run('gather by-hand', next)).stdout).toBe('No source had to be asked.\n');
});

test.each([
  ['gather', 'warning: sources: never answered, so nothing is recorded from them: %'],
  ['daily', 'lists no version. 1 more source of this host is silent: %.'],
])('the command %s reports only once that a source never answered', async (verb, says) => {
  const index = open();
  const unread = `${index.url}/new.json`;
  const sources = [`${index.url}/svc.json`, unread].map((url) => ({ datasource: 'json', url }));
  index.define('svc', list, { sources });
  // This source has never listed a version. A person recorded the release.
  index.define('by-hand', []);
  index.data.writeRecorded('by-hand', { releases: [{ version: '1.0', sources: [] }] });
  index.answers.delete('agent');

  const ended = verb === 'daily' ? await index.record(next) : await index.run(verb, next);

  const lines = ended.stderr.split('\n').filter((line) => line.includes(unread));
  expect(lines).toHaveLength(1);
  expect(ended.stderr).toContain(`${says.replace('%', `svc (json:${unread})`)}\n`);
  expect(ended.stdout).not.toContain('complete');
});

test('gather prints the number of notes about source lists, and gather --json prints the notes', async () => {
  const index = open();
  const ofNoDay = Array.from({ length: 40 }, (_, minor) => {
    return { version: `1.${minor}.0`, releaseTimestamp: '1900-01-01' };
  });
  index.answers.set('svc', ofNoDay);

  const printed = await index.run('gather', next);
  const { notes } = JSON.parse((await index.run('gather --json', next)).stdout) as {
    notes: string[];
  };
  const planned = await index.run('plan', next);

  expect(printed.stdout).toContain('40 notes on the lists. To read them');
  expect(notes).toHaveLength(40);
  expect(planned.stderr.match(/notice: svc .+/g)).toEqual([
    ...notes.slice(0, 5).map((note) => `notice: ${note}`),
    expect.stringMatching(/^notice: svc \(.+\): and 35 more notes$/),
  ]);
});

test('gather asks only the named components, and leaves the data of others unchanged', async () => {
  const index = open();
  listNews(index);

  await index.run('gather agent', next);

  expect(['svc', 'agent'].map((each) => versionsOf(index, each).length)).toEqual([24, 25]);
  expect(Object.values(index.data.readFreshness()['svc']!)).toMatchObject([{ answeredOn: start }]);
});

test('plan prints the changes of a day, and writes nothing', async () => {
  const index = open();
  listNews(index);

  const { status, stdout } = await index.run('plan', next);

  expect(status).toBe(0);
  expect(stdout).toBe('agent 1.5.7: released\nsvc 1.5.7: released\nNothing was changed.\n');
  expect(index.git('status', '--porcelain')).toBe('');
});

test('plan --base prints the events and the file changes since a commit, and asks no source', async () => {
  const index = open();
  index.define('svc', list, {
    deprecated: [{ versions: ['1.0.0'], reason: 'leaks' }],
    support: { policy: 'dated', lines: { '1.4': '2027-01-01' } },
  });
  index.define('new', []);
  index.write('data/agent.json', `${index.read('data/agent.json')}\n`);
  index.write('site/templates/robots.hbs', '');
  index.write('.gitattributes', 'data/** binary');
  index.write('.gitignore', 'data/');
  index.edit('site/site.json', { plainHttpHosts: ['x.example.com'], datasource: 'mine' });
  index.requests.length = 0;

  const { status, stdout } = await index.run('plan --base main', next);

  expect(status).toBe(0);
  expect(stdout.split('\n')).toEqual([
    'svc: 16 of 24 releases would be gone or deprecated: 1.0.0, 1.0.1, 1.0.2, 1.0.3, 1.1.0 and 11 more',
    'svc 1.0.0: deprecated',
    ...['1.0', '1.1', '1.2', '1.3'].map((line) => `svc ${line}: support-ended`),
    expect.stringMatching(/^svc 1\.4: support-changed, none → 20\d\d-\d\d-\d\d$/),
    '6 events since main.',
    '.gitattributes: content',
    '.gitignore: content',
    'components/new.json: title, homepage, changelogUrl, sources',
    'components/svc.json: deprecated, support',
    'data/agent.json: white space',
    'site/site.json: datasource, plainHttpHosts',
    'site/templates/robots.hbs: content',
    '',
  ]);
  expect(index.requests).toEqual([]);
  expect((await index.run('plan --base nowhere', next)).status).toBe(1);
  const made = join(index.root, 'made');
  expect((await index.run(`plan --base=--output=${made}`, next)).status).toBe(1);
  expect(existsSync(made)).toBe(false);
});

test('if a catalogue of exploited vulnerabilities does not answer, the recorded entries of that catalogue stay', async () => {
  const index = open();
  index.define('svc', list, { advisories: [{ id: 'CVE-2026-1', affected: '<1.2' }] });
  const source = `${index.url}/kev.json`;
  index.edit('site/site.json', { exploited: [source] });
  index.commit();
  const entry = { cveID: 'CVE-2026-1', dateAdded: '2026-02-01', dueDate: '2026-03-20' };
  const body = JSON.stringify({ vulnerabilities: [entry] });
  index.answers.set('kev', { type: 'application/json', body });

  await index.record(next);
  index.answers.delete('kev');
  const { stderr } = await index.record(third);

  expect(stderr).toMatch(/exploited: .*404.* Recorded data stays\./);
  expect(index.data.readRecorded('svc').advisories).toEqual([
    { id: 'CVE-2026-1', exploitedSince: '2026-02-01', dueBy: '2026-03-20', source },
  ]);
});

test.each<[what: string, answer: SourceAnswer, message: RegExp]>([
  [
    'a new hold',
    [...list, ...['20.0', '21.0'].map((version) => ({ version }))],
    /^warning: svc: held since 2026-03-02: 20\.0 is far above the recorded versions .*: npx release-index accept svc-\w{10}$/m,
  ],
  [
    'ignored dates',
    [...['0.1.0', '0.2.0'].map((version) => ({ ...list[0]!, version })), ...list],
    /^warning: svc: 2 releases came late into the lists, so the dates that they give for them are ignored: 0\.1\.0 .*$/m,
  ],
])('gather warns of %s, and does not fail', async (_, answer, message) => {
  const index = open();
  index.answers.set('svc', answer);

  const { status, stderr } = await index.run('gather', next);

  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/^error/m);
  expect(status).toBe(0);
});
