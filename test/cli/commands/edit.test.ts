import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ChangesFile } from '../../../src/core/schemas/published/changes-file.ts';
import { linesOf, ownProgram } from '../../harness/cli.ts';
import { fixtureIndex } from '../../harness/checkout.ts';
import { definition, filesIn, makeRoot, pathsIn, readJsonIn, writeIn } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { typeOn } from '../../harness/terminal.ts';

const term = { policy: 'term', months: 24 };
const release = (version: string, day: string) => ({
  version,
  releaseTimestamp: day,
  timestampKind: 'published',
});

/** An index that was recorded a month ago. */
async function recordedIndex() {
  const root = makeRoot({
    'components/svc.json': definition({ title: 'The svc', support: term }),
    'components/old.json': definition({ replacedBy: 'svc' }),
    'data/svc.json': {
      releases: [
        release('1.0', '2026-01-01'),
        release('1.1', '2026-02-01'),
        release('2.0', '2026-03-01'),
      ],
    },
    'data/old.json': { releases: [release('9.0', '2025-01-01')] },
    'data/freshness/svc.json': { checkedOn: '2026-10-01', sources: {} },
  });
  await runHere(['record', '--root', root, '--as-of', '2026-10-01']);
  return {
    root,
    run: (day: string, ...args: string[]) => runHere([...args, '--root', root, '--as-of', day]),
    files: () => Object.entries(filesIn(root)).filter(([path]) => !path.startsWith('.cache')),
    /** The changes and the feed of a day. */
    async publishedOn(day: string) {
      for (const verb of ['record', 'build']) {
        const { status, stderr } = await runHere([verb, '--root', root, '--as-of', day]);
        expect(status, stderr).toBe(0);
      }
      const { changes } = readJsonIn<ChangesFile>(root, 'dist/changes.json');
      return {
        feed: readFileSync(`${root}/dist/feed.atom`, 'utf8'),
        changes: changes
          .filter(({ at }) => at.startsWith(day))
          .map(({ component, text }) => `${component}: ${text}`),
      };
    },
  };
}

test('each edit shows its consequences, writes nothing unasked, and is published on its day', async () => {
  const { root, run, files, publishedOn } = await recordedIndex();
  const before = files();
  const deprecate = [
    'deprecate',
    'svc',
    '>=1',
    '--reason',
    'Loses data.',
    '--url',
    'https://example.com/1',
  ];

  const unasked = await run('2026-11-01', ...deprecate);
  const dry = await run('2026-11-01', ...deprecate, '--dry-run');

  expect([unasked.status, dry.status]).toEqual([1, 0]);
  expect(unasked.stderr).toContain(
    'error: --yes: is needed without a terminal. Nothing was changed',
  );
  expect(files()).toEqual(before);
  expect(linesOf(dry.stdout)).toEqual([
    'svc: 3 releases are deprecated, 1 component loses its latest. Changes and feeds will say:',
    '  1.0 is deprecated: Loses data.',
    '  1.1 is deprecated: Loses data.',
    '  2.0 is deprecated: Loses data.',
    '  the latest release is none, instead of 2.0.',
  ]);

  const done = await run(
    '2026-11-01',
    'deprecate',
    'svc',
    '1.0',
    '1.1',
    '--reason',
    'Loses data.',
    '--yes',
  );
  expect(done.status, done.stderr).toBe(0);
  expect(readJsonIn(root, 'components/svc.json')).toMatchObject({
    support: term,
    deprecated: [{ versions: ['1.0', '1.1'], reason: 'Loses data.', since: '2026-11-01' }],
  });
  const deprecated = await publishedOn('2026-11-01');
  expect(deprecated.changes).toEqual([
    'svc: 1.1 is deprecated: Loses data.',
    'svc: 1.0 is deprecated: Loses data.',
  ]);
  expect(deprecated.feed).toContain('1.1 is deprecated');

  const correct = ['correct', 'svc', '2.0', '2026-03-15', '--reason', 'The registry was moved.'];
  const corrected = await run('2026-11-02', ...correct, '--yes');
  expect(corrected.status, corrected.stderr).toBe(0);
  expect((await publishedOn('2026-11-02')).changes).toContain(
    'svc: 2.0: the release day was 2026-03-01 and is 2026-03-15 now: The registry was moved.',
  );

  const renamed = await run('2026-11-03', 'rename', 'svc', 'server', '--yes');
  expect(renamed.status, renamed.stderr).toBe(0);
  expect(
    pathsIn(root).filter((path) => /svc|server/.test(path) && !path.startsWith('dist/')),
  ).toEqual([
    'components/server.json',
    'data/freshness/server.json',
    'data/journal/svc.ndjson',
    'data/server.json',
  ]);
  expect(readJsonIn(root, 'components/old.json')).toMatchObject({ replacedBy: 'server' });
  const onThird = await publishedOn('2026-11-03');
  expect(onThird.changes).toEqual(
    expect.arrayContaining(['server: svc is called server now.', 'old: Replaced by server.']),
  );
  expect(readJsonIn<object>(root, 'dist/svc.json')).toEqual(
    readJsonIn<object>(root, 'dist/server.json'),
  );

  const retire = ['retire', 'server', '--since', '2027-01-01', '--reason', 'Nobody uses it.'];
  const retired = await run('2026-11-04', ...retire, '--yes');
  expect(retired.stdout).toContain(
    'server: 1 release is deprecated, 1 component loses its latest.',
  );
  expect((await publishedOn('2026-11-04')).changes).toContainEqual(
    expect.stringContaining('server: 2.0 is deprecated: Nobody uses it.'),
  );
  expect(linesOf((await run('2026-11-04', 'record')).stdout)).toEqual(['record: nothing new.']);
  const checked = await run('2026-11-04', 'check');
  expect(checked.stderr).not.toContain('error');
});

test('a retired component keeps the release lines of a policy that it inherits', async () => {
  const { root, run } = await recordedIndex();
  writeIn(root, 'site/site.json', {
    ...readJsonIn<object>(fixtureIndex, 'site/site.json'),
    defaults: { support: { ...term, line: 1 } },
  });
  writeIn(root, 'components/svc.json', definition());

  expect((await run('2026-11-04', 'retire', 'svc', '--since', '2027-01-01', '--yes')).status).toBe(
    0,
  );

  expect(readJsonIn(root, 'components/svc.json')).toMatchObject({
    support: { policy: 'ended', line: 1 },
  });
});

test.each([
  [
    'deprecate svc 1.2 --reason Old',
    /^1 error: svc: 1\.2 includes no recorded release\. Did you mean /,
  ],
  ['deprecate svc 1.0', /^2 .*--reason is required/],
  ['retire scv', /^1 error: scv: there is no component of this name\. Did you mean "?svc/],
  [
    'rename svc old',
    /^1 error: old: is already a name of another component\. Nothing was written$/,
  ],
  ['rename svc Svc', /^2 .*expected a name of lower-case letters/],
  [
    'correct svc 1.0 2026-12-01 --reason Late',
    /^1 error: data\/svc\.json: 1\.0: .* is in the future/,
  ],
  ['correct svc 1.0 May --reason Late', /^2 .*<day>: /],
])('"%s" is rejected, and changes nothing', async (line, message) => {
  const { run, files } = await recordedIndex();
  const before = files();

  const { status, stderr } = await run('2026-11-01', ...line.split(' '), '--yes');

  expect(`${status} ${linesOf(stderr)[0]}`).toMatch(message);
  expect(files()).toEqual(before);
});

test('an edit on a terminal asks before it writes', async () => {
  const { root } = await recordedIndex();
  const command = `${process.execPath} ${ownProgram} deprecate svc 1.0 --reason Old. --root ${root} --as-of 2026-11-01`;
  const question = /Write this\? \[y\/N\]/g;

  const no = await typeOn(command, question, ['n']);
  const yes = await typeOn(command, question, ['y']);

  expect([no.status, yes.status]).toEqual([1, 0]);
  expect(readJsonIn(root, 'components/svc.json')).toMatchObject({
    deprecated: [{ versions: ['1.0'] }],
  });
});
