import { expect, test } from 'vitest';
import type { RecordedRelease } from '../../src/core/schema/recorded.ts';
import { listIgnoredDays } from '../../src/record/ignored-days.ts';
import { recordedRelease } from '../harness/recorded.ts';

const recorded = (...releases: [version: string, ignoredDay?: string][]) => ({
  releases: releases.map(([version, ignoredDay]) => {
    const values: Partial<RecordedRelease> = ignoredDay === undefined ? {} : { ignoredDay };
    return recordedRelease(version, values);
  }),
});

test('dates that were ignored for the first time are named, with what to do', () => {
  const former = recorded(['1.0', '2024-01-01'], ['1.1'], ['1.2']);
  const now = recorded(
    ['1.0', '2024-01-01'],
    ['1.1', '2024-02-01'],
    ['1.2'],
    ['1.3', '2024-03-01'],
  );

  expect(listIgnoredDays('svc', former, now)).toEqual([
    {
      ...{ subject: 'svc', level: 'warning' },
      message:
        '2 releases came late into the lists, so the dates that they give for them are ignored: 1.1 (2024-02-01), 1.3 (2024-03-01). ' +
        'Release lines that begin with them may end earlier. ' +
        'If a date is right, write it into data/svc.json as "releaseTimestamp", and remove "timestampKind"',
    },
  ]);
});

test('dates that were ignored before are not named again', () => {
  const known = recorded(['1.0', '2024-01-01']);

  expect(listIgnoredDays('svc', known, known)).toEqual([]);
  expect(listIgnoredDays('svc', recorded(), recorded(['1.0']))).toEqual([]);
});

test('at most five releases are named', () => {
  const versions = ['1', '2', '3', '4', '5', '6'];
  const now = recorded(...versions.map((version): [string, string] => [version, '2024-01-01']));
  const [warning] = listIgnoredDays('svc', recorded(), now);

  expect(warning!.message).toContain('6 releases came late');
  expect(warning!.message.match(/2024/g)).toHaveLength(5);
});
