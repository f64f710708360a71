import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { JournalEvent } from '../../../src/core/schemas/recorded/journal.ts';
import type { Run } from '../../../src/core/schemas/recorded/runs.ts';
import type { Wait } from '../../../src/core/schemas/recorded/waits.ts';
import type { ChangesFile } from '../../../src/core/schemas/published/changes-file.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { recordJournal } from '../../../src/record/journal/record-journal.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import {
  addComponent,
  definition,
  makeRoot,
  readJsonIn,
  withGit,
  writeIn,
} from '../../harness/root.ts';
import { covers } from '../../harness/covers.ts';

let root: string;
const journal = () => join(root, 'data/journal/svc.ndjson');
const record = (day: string) => runCli(['record', '--root', root, '--as-of', day]);
const linesIn = (path: string) => readFileSync(path, 'utf8').split('\n').filter(Boolean);
const events = () => linesIn(journal()).map((line) => JSON.parse(line) as JournalEvent);
/** The versions of all events, whose ids are their places. */
function recordedVersions(): unknown[] {
  expect(events().map(({ id }) => id)).toEqual(events().map((_, index) => index + 1));
  return events().map(({ version }) => version);
}
const runs = () =>
  linesIn(join(root, 'data/runs/2026.ndjson')).map((line) => JSON.parse(line) as Run);
const releasesOf = (...versions: string[]) => ({
  releases: versions.map((version) => ({
    version,
    releaseTimestamp: '2026-01-01',
    firstSeen: '2026-01-02',
  })),
});

beforeEach(() => {
  root = withGit(
    makeRoot({
      'components/svc.json': definition(),
      'data/svc.json': releasesOf('1.0', '1.1'),
    }),
  );
});

test('record appends new events once, with a later instant for each run', async () => {
  covers('Ordered by receive-and-process time', 'They are ordered by the instant of recording.');
  await record('2026-02-01');
  const before = readFileSync(journal(), 'utf8');
  await record('2026-02-01');
  writeIn(root, 'data/svc.json', releasesOf('1.0', '1.1', '1.2', '1.3'));
  const deprecated = [{ versions: ['1.0'], reason: 'Malicious' }];
  writeIn(root, 'components/svc.json', definition({ deprecated }));
  const third = await record('2026-02-01');

  expect(readFileSync(journal(), 'utf8').startsWith(before)).toBe(true);
  expect(events().map(({ at, type, version }) => `${at} ${type} ${version}`)).toEqual([
    '2026-02-01T00:00:00.000Z released 1.0',
    '2026-02-01T00:00:00.000Z released 1.1',
    '2026-02-01T00:00:00.001Z released 1.2',
    '2026-02-01T00:00:00.001Z released 1.3',
    '2026-02-01T00:00:00.001Z deprecated 1.0',
  ]);
  expect(events()[0]).toMatchObject({ component: 'svc', initial: true });
  expect(linesOf(third.stdout)).toEqual(['svc: 3 events recorded.']);
});

test('record writes the runs, except repeats of the previous run on the same day', async () => {
  await record('2026-02-01');
  await record('2026-02-01');
  await record('2026-02-02');

  expect(runs().map(({ asOf, events: count }) => [asOf, count])).toEqual([
    ['2026-02-01', 2],
    ['2026-02-02', 0],
  ]);
  expect(new Set(runs().map(({ id }) => id)).size).toBe(2);
});

test('record writes a run after which another change waits, or which used a decision', () => {
  const at = '2026-02-01T00:00:00.000Z';
  const run = { id: '0123456789abc', startedAt: at, program: '1', node: '24', requested: ['x'] };
  const recordRun = (changes: Pick<Run, 'waits' | 'accepted'>) => {
    recordJournal({
      root: openRoot(root, root),
      day: '2026-02-01',
      components: new Map(),
      now: new Date(at),
      run: { ...run, components: 0, asked: 0, ...changes },
    });
    return runs().length;
  };
  const wait = (id: string): Wait => ({
    ...{ id, component: 'svc', kind: 'change', since: '2026-02-01', causes: ['npm:x'] },
    reason: 'One release less.',
  });

  expect(recordRun({ waits: [wait('svc-0000000001')] })).toBe(1);
  expect(recordRun({ waits: [wait('svc-0000000001')] })).toBe(1);
  expect(recordRun({ waits: [wait('svc-0000000002')] })).toBe(2);
  expect(recordRun({ waits: [wait('svc-0000000002')], accepted: ['svc-0000000001'] })).toBe(3);
  expect(recordRun({ waits: [wait('svc-0000000002')] })).toBe(3);
});

test('a run of record alone asked nothing, and names no path', async () => {
  await record('2026-02-01');
  await record('2026-02-01');

  const [run, ...more] = runs();
  expect(run).toMatchObject({ requested: ['record', '--root', '--as-of'], asked: 0, events: 2 });
  expect(run).not.toHaveProperty('answered');
  expect(JSON.stringify(run)).not.toContain(root);
  expect(more).toEqual([]);
});

test('record changes nothing for a day before the last recorded one, and reports it', async () => {
  await record('2026-02-01');
  const before = readFileSync(journal(), 'utf8');
  writeIn(root, 'data/svc.json', releasesOf('1.0'));
  const { status, stderr } = await record('2026-01-31');

  expect(status).toBe(1);
  expect(linesOf(stderr)).toContain(
    'error: clock: expected a day from 2026-02-01 on, that of the last run; got 2026-01-31. Nothing was recorded. Correct the clock or --as-of. If the last run had a wrong clock: git revert its commit',
  );
  expect(readFileSync(journal(), 'utf8')).toBe(before);
});

test.each([
  ['a part of a line', '{"id":3,"at":"2026-02-0'],
  ['a part of a character', Buffer.from('{"id":3,"reason":"ü').subarray(0, -1)],
])(
  'record ignores %s that a crash left at the end, with a warning, and writes over it',
  async (_, left) => {
    await record('2026-02-01');
    appendFileSync(journal(), left);
    writeIn(root, 'data/svc.json', releasesOf('1.0', '1.1', '1.2'));
    const built = await runCli(['build', '--root', root, '--as-of', '2026-02-01']);
    const { stderr } = await record('2026-02-02');

    expect(built.status).toBe(0);
    for (const text of [built.stderr, stderr]) {
      expect(text).toContain(
        'data/journal/svc.ndjson: line 3 is cut off and was ignored; the next run writes it anew',
      );
    }
    expect(recordedVersions()).toEqual(['1.0', '1.1', '1.2']);
  },
);

test('record continues after a last line without a line end, and after a run that wrote only some events', async () => {
  await record('2026-02-01');
  writeFileSync(journal(), linesIn(journal())[0]!);
  await record('2026-02-02');

  expect(recordedVersions()).toEqual(['1.0', '1.1']);
});

test('record reports an unfinished merge with the remedy, and loses nothing', async () => {
  await record('2026-02-01');
  const marked = `<<<<<<< HEAD\n${linesIn(journal()).join('\n')}\n=======\n>>>>>>> theirs\n`;
  writeFileSync(journal(), marked);
  const recorded = await record('2026-02-02');
  const built = await runCli(['build', '--root', root, '--as-of', '2026-02-02']);

  for (const { status, stderr } of [recorded, built]) {
    expect(status).toBe(1);
    expect(stderr).toContain(
      "data/journal/svc.ndjson: line 1: an unfinished merge of git. Keep the published branch's version of the file, then run:",
    );
  }
  expect(readFileSync(journal(), 'utf8')).toBe(marked);
});

test.each([
  [
    'a line that was removed',
    (lines: string[]) => lines.slice(1),
    'line 1: expected the component of the first event',
  ],
  [
    'an event of what was never released',
    (lines: string[]) => [lines[0]!, lines[1]!.replace('"released"', '"deprecated"')],
    'line 2: "1.1" was not released before',
  ],
  [
    'an end of support of no line',
    (lines: string[]) => [
      lines[0]!,
      lines[1]!.replace(/"type".*/, '"type":"support-ended","on":"2026-01-31"}'),
    ],
    'line 2: "support-ended" lacks "line"',
  ],
  [
    'a version that was released twice',
    (lines: string[]) => [lines[0]!, lines[1]!.replace('"1.1"', '"1.0"')],
    'line 2: "1.0" was already released before',
  ],
  [
    'a coming end in no number of days',
    (lines: string[]) => [
      lines[0]!,
      lines[1]!.replace(/"type".*/, '"type":"support-ending","on":"2026-01-31","line":"1.0"}'),
    ],
    'line 2: "support-ending" lacks "days"',
  ],
  [
    'an advisory that affects no versions',
    (lines: string[]) => [
      lines[0]!,
      lines[1]!.replace(
        /"type".*/,
        '"type":"advisory-published","on":"2026-01-31","advisory":"x_1"}',
      ),
    ],
    'line 2: "advisory-published" lacks "to"',
  ],
  [
    'an end of support that is no day',
    (lines: string[]) => [
      lines[0]!,
      lines[1]!.replace(
        /"type".*/,
        '"type":"support-announced","on":"2026-02-01","line":"1.0","phase":"support","to":"2026-02-30"}',
      ),
    ],
    'line 2: "to": expected a day that exists, YYYY-MM-DD; got "2026-02-30"',
  ],
  [
    'a corrected day that is no day',
    (lines: string[]) => [
      lines[0]!,
      lines[1]!.replace(
        /"type".*/,
        '"type":"corrected","on":"2026-02-01","version":"1.0","field":"releaseTimestamp","to":"soon"}',
      ),
    ],
    'line 2: "to": expected a day that exists, YYYY-MM-DD; got "soon"',
  ],
  ['a line that is no event', () => ['{"id":1}', '{}'], 'line 1: '],
])('record rejects %s', async (_, change, message) => {
  await record('2026-02-01');
  writeFileSync(journal(), `${change(linesIn(journal())).join('\n')}\n`);
  const { status, stderr } = await record('2026-02-02');

  expect(status).toBe(1);
  expect(stderr).toContain(`error: data/journal/svc.ndjson: ${message}`);
  expect(stderr).toContain('restore the file from git');
});

test('record gives no event an id if it cannot read which ids readers know', async () => {
  const index = openIndexInGit();
  const support = { policy: 'ended', until: '2026-03-01' };
  addComponent(index.root, 'svc', [{ version: '1.0' }], { support });
  index.commit();
  await index.run('record', '2026-02-01');
  index.commit('Record');
  const before = index.root.read('data/journal/svc.ndjson');
  index.root.write('data/decisions.ndjson', '{\n{}\n');

  const { status, stderr } = await index.run('record', '2026-03-02');

  expect(status).toBe(1);
  expect(stderr).toContain('error: data/decisions.ndjson: line 1: not JSON');
  expect(index.root.read('data/journal/svc.ndjson')).toBe(before);
});

test('record removes what a killed run left beside the files that it appends to', async () => {
  const leftovers = ['journal/.svc', 'runs/.2026', 'statements/.svc'].map(
    (file) => `data/${file}.ndjson.saving-4711`,
  );
  for (const file of leftovers) {
    writeIn(root, file, '{"id":');
  }

  await record('2026-02-01');

  expect(leftovers.filter((file) => existsSync(join(root, file)))).toEqual([]);
});

test('record leaves the warnings about releases of a readable component to the build', async () => {
  writeIn(root, 'data/svc.json', releasesOf('1.0', '01.0'));

  const { status, stderr } = await record('2026-02-01');

  expect([status, recordedVersions()]).toEqual([0, ['1.0']]);
  expect(stderr).not.toContain('01.0');
});

test('concurrent runs record each event once', async () => {
  await record('2026-02-01');
  writeIn(root, 'data/svc.json', releasesOf('1.0', '1.1', '1.2', '1.3', '1.4'));
  const both = await Promise.all([
    record('2026-02-02'),
    record('2026-02-02'),
    record('2026-02-02'),
  ]);

  expect(both.map(({ status }) => status)).toEqual([0, 0, 0]);
  expect(recordedVersions()).toEqual(['1.0', '1.1', '1.2', '1.3', '1.4']);
});

test('record writes the events of all other components if one is broken', async () => {
  writeIn(root, 'components/broken.json', {});
  const { status, stderr } = await record('2026-02-01');

  expect(status).toBe(1);
  expect(stderr).toContain('error: components/broken.json: ');
  expect(events()).toHaveLength(2);
});

test('a renamed component keeps its journal and ids, even if the file was not moved', async () => {
  writeIn(root, 'data/svc.json', releasesOf('1.0'));
  await record('2026-02-01');
  rmSync(join(root, 'components/svc.json'));
  writeIn(root, 'components/server.json', definition({ renamedFrom: ['svc'] }));
  renameSync(join(root, 'data/svc.json'), join(root, 'data/server.json'));
  await record('2026-02-02');
  await runCli(['build', '--root', root, '--as-of', '2026-02-02']);

  const { changes } = readJsonIn<ChangesFile>(root, 'dist/changes.json');
  expect(changes.map(({ id, component, text }) => [id, component, text])).toEqual([
    ['svc/2', 'server', 'svc is called server now.'],
    ['svc/1', 'svc', '1.0 was released on 2026-01-01.'],
  ]);
});

test('the changes of a component that left the index stay', async () => {
  await record('2026-02-01');
  rmSync(join(root, 'components/svc.json'));
  rmSync(join(root, 'data/svc.json'));
  writeIn(root, 'components/other.json', definition());
  await runCli(['build', '--root', root, '--as-of', '2026-02-02']);

  expect(readFileSync(join(root, 'dist/changes.json'), 'utf8')).toContain('"svc/2"');
});
