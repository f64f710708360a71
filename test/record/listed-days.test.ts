import { expect, test } from 'vitest';
import type { RecordedRelease } from '../../src/core/schema/recorded.ts';
import { listOtherDays } from '../../src/record/listed-days.ts';
import { recordedRelease } from '../harness/recorded.ts';

const recorded = (...releases: Partial<RecordedRelease>[]) => ({
  releases: releases.map(({ version = '1.0', ...values }) => recordedRelease(version, values)),
});
const none = recorded();

test.each<
  [string, former: Partial<RecordedRelease>[], listedDay: string | undefined, count: number]
>([
  ['another day', [], '2026-01-02', 1],
  ['another day than on the day before', [{ listedDay: '2026-01-03' }], '2026-01-02', 1],
  ['the other day of the day before', [{ listedDay: '2026-01-02' }], '2026-01-02', 0],
  ['the recorded day', [], '2026-01-01', 0],
  ['no day', [], undefined, 0],
])('an own list that gives %s', (_, former, listedDay, count) => {
  expect(listOtherDays('svc', recorded(...former), recorded({ listedDay }))).toHaveLength(count);
});

test('the warning names both days of each release, and what to do', () => {
  expect(listOtherDays('svc', none, recorded({ listedDay: '2026-01-02' }))).toEqual([
    {
      ...{ subject: 'svc', level: 'warning' },
      message:
        'its own list gives another day than data/svc.json for 1 release: 1.0 (2026-01-02, recorded: 2026-01-01). ' +
        'The recorded day stays. If the list is right, write its day into data/svc.json as "releaseTimestamp", and remove "timestampKind"',
    },
  ]);
});

test('the warning names at most five releases', () => {
  const versions = ['1', '2', '3', '4', '5', '6'];
  const own = recorded(...versions.map((version) => ({ version, listedDay: '2026-01-02' })));
  const [warning] = listOtherDays('svc', none, own);

  expect(warning!.message).toContain('for 6 releases: 1 (');
  expect(warning!.message.match(/recorded: 2026/g)).toHaveLength(5);
});
