import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import {
  createCopies,
  listReleases,
  openRunning,
  type OperatedIndex,
} from '../harness/operated-index.ts';

const start = '2026-03-01';
const releases = listReleases(1);
const first = await openRunning(start, releases);
first.answers.set('svc', [...releases, { version: '1.1.0', releaseTimestamp: '2026-03-02' }]);
await first.commitDay(addDays(start, 1));
const open = createCopies(first);

const path = 'data/journal/svc.ndjson';
const editLine = (line: number, from: string, to: string) => (index: OperatedIndex) => {
  const lines = index.read(path).split('\n');
  lines[line - 1] = lines[line - 1]!.replace(from, to);
  index.write(path, lines.join('\n'));
};
const editDay = editLine(2, '"on":"2025', '"on":"2024');
const undoEdit = editLine(2, '"on":"2024', '"on":"2025');
const changeLines = (change: (lines: string[]) => string[]) => (index: OperatedIndex) =>
  index.write(path, change(index.read(path).split('\n')).join('\n'));
const addConflict = changeLines((lines) => lines.toSpliced(1, 0, '<<<<<<< HEAD'));
const repeatLine = changeLines((lines) => lines.toSpliced(1, 0, lines[0]!));
const restore = changeLines((lines) => lines.toSpliced(1, 1));
const commit = ({ commit: record }: OperatedIndex) => record();
const record = (days: number) => (index: OperatedIndex) => index.commitDay(addDays(start, days));
const append = async (index: OperatedIndex) => {
  index.answers.set('svc', [...releases, { version: '1.2.0' }]);
  await index.commitDay(addDays(start, 2));
};

test.for<[title: string, steps: ((index: OperatedIndex) => unknown)[], line?: number]>([
  ['a date was edited', [editDay], 2],
  ['a date was edited and committed', [editDay, commit], 2],
  ['the event of the last run was edited', [editLine(5, '1.1.0', '1.1.1')], 5],
  ['a date was edited, and a run appended its events', [editDay, append], 2],
  ['two lines were edited', [editDay, editLine(4, '"on":"2025', '"on":"2024')], 2],
  [
    'two lines were edited in two commits',
    [editDay, commit, editLine(4, '"on":"2025', '"on":"2024'), commit],
    2,
  ],
  ['a run followed the edit', [editDay, commit, record(2)], 2],
  ['three runs followed the edit', [editDay, commit, record(2), record(3), record(4)], 2],
  [
    'the line was edited twice, and a run followed',
    [editDay, commit, editLine(2, '"on":"2024', '"on":"2023'), commit, record(2)],
    2,
  ],
  ['an edit was undone after a run', [editDay, commit, record(2), undoEdit, commit, record(3)]],
  ['an edit was undone', [editDay, commit, undoEdit]],
  ['an edit was undone and committed', [editDay, commit, undoEdit, commit, record(2)]],
  ['a conflict was committed, and the journal was restored', [addConflict, commit, restore]],
  [
    'a conflict was committed, and the journal was restored and committed',
    [addConflict, commit, restore, commit, record(2)],
  ],
  ['a line stood twice, and was removed', [repeatLine, commit, restore, commit]],
  [
    'a damaged journal was restored with an edited line',
    [addConflict, commit, restore, editDay],
    2,
  ],
  ['the last run was reverted', [({ git }) => git('revert', '--no-edit', 'HEAD')]],
  ['a run appended its events', [append]],
  [
    'the component was renamed',
    [({ git }) => git('mv', path, path.replace('svc', 'server')), commit],
  ],
])(
  'check reports exactly the journal lines that differ from the published ones if %s',
  async ([, steps, line]) => {
    const index = open();
    for (const step of steps) {
      await step(index);
    }

    const { stderr } = await index.run('check', addDays(start, 4));

    const [, named, shown = ''] =
      /^error: .+, line (\d+) differs from commit.+ it: (.+)$/m.exec(stderr) ?? [];
    expect(named).toBe(line === undefined ? undefined : String(line));
    expect(stderr.includes('differs')).toBe(line !== undefined);
    if (line !== undefined) {
      const event = execFileSync('sh', ['-c', shown], { cwd: index.root, encoding: 'utf8' });
      const lines = index
        .read(path)
        .split('\n')
        .with(line - 1, event.trimEnd());
      index.write(path, lines.join('\n'));
      const again = await index.run('check', addDays(start, 4));
      expect(again.stderr.includes(`line ${line}: differs`)).toBe(false);
    }
  },
);

test('check works outside a Git repository', async () => {
  const index = open();
  editDay(index);
  rmSync(join(index.root, '.git'), { recursive: true });

  expect((await index.run('check', addDays(start, 3))).status).toBe(0);
});
