import { expect, test } from 'vitest';
import type { PublishedChange } from '../../../../src/core/schemas/published/changes-file.ts';
import { listChangeEntries } from '../../../../src/record/journal/events/change-entries.ts';
import { findGrowth } from '../../../harness/growth.ts';

const shared = { on: '2026-11-20', component: 'svc', text: '' };

function createRun(day: string, changes: readonly Partial<PublishedChange>[]): PublishedChange[] {
  return changes.map((change, index) => ({
    ...{ ...shared, id: `svc/${day}${index}`, at: `${day}T06:00:00Z`, type: 'released' },
    ...change,
  }));
}

test('counts releases, of which each may have several corrections', () => {
  const corrections = Array.from({ length: 11 }, (_, index) =>
    (['line', 'changelogUrl'] as const).map((field) => ({
      ...({ type: 'corrected', version: `1.${index}`, field } as const),
    })),
  );

  const [entry] = listChangeEntries(createRun('2026-11-20', corrections.flat()));

  expect(entry!.text).toBe('11 releases were corrected: from 1.0 to 1.10.');
});

test('counts release lines and releases by themselves', () => {
  const lines = Array.from({ length: 21 }, (_, index) => ({ line: `1.${index}` }));
  const changes = [...lines, { version: '2.0' }].map((subject) => ({
    ...({ type: 'deprecated', ...subject } as const),
  }));

  const texts = listChangeEntries(createRun('2026-11-20', changes)).map(({ text }) => text);

  expect(texts).toEqual([expect.anything(), '21 release lines are deprecated: from 1.0 to 1.20.']);
});

test('counts nothing in a component that only has a replacement', () => {
  const [entry] = listChangeEntries(
    createRun('2026-11-20', [{ type: 'replaced', to: 'server', initial: true }]),
  );

  expect(entry).toMatchObject({ text: 'svc was added with 0 release lines.', subjects: [] });
});

test('counts no advisory as a release line of a component that was added', () => {
  const advisory = { type: 'advisory-published', advisory: 'CVE-2026-1', to: '<2' } as const;
  const end = { type: 'support-announced', line: '1.0', to: '2026-12-31' } as const;
  const changes = [advisory, end].map((change) => ({ ...change, initial: true as const }));

  const [entry] = listChangeEntries(createRun('2026-11-20', changes));

  expect(entry).toMatchObject({ text: 'svc was added with 1 release line: 1.0.' });
});

test('lists the announced end of an old line beside a patch of it, but not that of a new line', () => {
  const announce = (line: string) =>
    ({ type: 'support-announced', line, to: '2027-01-01' }) as const;
  const changes = [
    ...createRun('2026-11-19', [{ version: '1.0.0', line: '1.0', initial: true }]),
    ...createRun('2026-11-20', [
      { version: '1.0.1', line: '1.0' },
      { version: '1.1.0', line: '1.1' },
      announce('1.0'),
      announce('1.1'),
    ]),
  ];

  const entries = listChangeEntries(changes).filter(({ type }) => type === 'support-announced');

  expect(entries.map(({ line }) => line)).toEqual(['1.0']);
});

// Work that grows with the square would take 64 times as long.
test.each<[type: 'support-announced' | 'support-ended', other: Partial<PublishedChange>]>([
  ['support-announced', { type: 'released' }],
  ['support-ended', { type: 'deprecated', rule: 'support policy' }],
])('eight times as many changes %s take less than 30 times as long', async (type, other) => {
  const measure = (count: number) => {
    const lines = Array.from({ length: count }, (_, minor) => `1.${minor}`);
    const run = createRun('2026-11-20', [
      ...lines.map((line) => ({ ...other, version: `${line}.0`, line })),
      ...lines.map((line) => ({ type, line, to: '2027-01-01' })),
    ]);
    const before = process.threadCpuUsage();
    listChangeEntries(run);
    return process.threadCpuUsage(before).user;
  };

  expect(await findGrowth(measure, 4000)).toBeLessThan(30);
});
