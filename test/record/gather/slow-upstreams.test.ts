import { describe, expect, test } from 'vitest';
import { addDays } from '../../../src/core/dates.ts';
import type { SourceRelease } from '../../../src/record/sources/source.ts';
import { again, day, gather, ten, versionsOf, type AcceptanceResult } from '../../harness/acceptance.ts';
import { entryOf } from '../../harness/merging.ts';
import { judgeOn } from '../../harness/judging.ts';
import { expectNobodyMisled, recordedHistories, replay } from '../../harness/upstream-simulation.ts';

type List = readonly (string | SourceRelease)[];

/** The runs of consecutive days, the first of which lists what is recorded. */
function daysOf(lists: readonly List[], recorded: readonly string[] = ten): AcceptanceResult[] {
  const results = [gather(recorded, { recorded })];
  for (const [index, list] of lists.entries())
    results.push(again(results.at(-1)!, list, { day: addDays(day, index + 1) }));
  return results;
}

const latestOf = ({ releases }: AcceptanceResult) => judgeOn('2026-12-01', releases).latest?.version;

/** The day of the list, from 1, on which something is held, and why. */
const firstHeld = (results: readonly AcceptanceResult[]) => {
  const index = results.findIndex(({ sources }) => sources.some(({ kind }) => kind === 'held'));
  return { index, message: results[index]?.messages[0] };
};

describe('an upstream that walks back, one newest version a day,', () => {
  const eight = ten.slice(0, 8);
  const walk = daysOf(
    [7, 6, 5, 4, 3, 2].map((count) => eight.slice(0, count)),
    eight,
  );

  test('is held on the second day, and the latest version gives way once', () => {
    expect(walk.map(latestOf)).toEqual(['1.7', '1.6', '1.6', '1.6', '1.6', '1.6', '1.6']);
    expect(firstHeld(walk)).toEqual({
      index: 2,
      message:
        'svc (npm:x): no longer lists 2 of the 8 versions it listed in the last 30 days (1.6, 1.7). Nothing of it was accepted. ' +
        'If upstream is right, run: gather svc --accept',
    });
  });

  test('is held by the second version taken back where it has too many versions for a fifth', () => {
    const many = Array.from({ length: 40 }, (_, index) => `1.${index}`);
    const results = daysOf([many.slice(0, 39), many.slice(0, 38)], many);

    expect(results.map(latestOf)).toEqual(['1.39', '1.38', '1.38']);
    expect(firstHeld(results).message).toContain(
      'takes back 1.38, 1.39, so that the latest version would fall by more than one release within 14 days. Nothing of it was accepted.',
    );
  });

  test('stays held however long it waits', () => {
    let result = walk.at(-1)!;
    for (const days of [20, 40, 80, 160]) {
      result = again(result, eight.slice(0, 2), { day: addDays(day, days) });
      expect(latestOf(result)).toBe('1.6');
    }
  });

  test('is accepted by a person, and later measured anew', () => {
    const accepted = again(walk.at(-1)!, eight.slice(0, 2), { day: addDays(day, 6), accept: true });
    expect(latestOf(accepted)).toBe('1.1');

    const later = again(accepted, ['1.0', '1.1', '1.2'], { day: addDays(day, 7) });
    expect(later.messages).toEqual([]);
    expect(latestOf(later)).toBe('1.2');
  });

  test('may take back one version, and another a month later', () => {
    const many = Array.from({ length: 40 }, (_, index) => `1.${index}`);
    const first = daysOf([many.slice(0, 39)], many).at(-1)!;

    const second = again(first, many.slice(0, 38), { day: addDays(day, 31) });

    expect(latestOf(second)).toBe('1.37');
    expect(second.sources.map(({ kind }) => kind)).toEqual(['answered', 'answered']);
  });
});

test('an upstream that calls one newest version a day a prerelease is held on the second day', () => {
  const flagged = (count: number) => ten.map((version, index) => ({ version, isPrerelease: index >= count }));

  const results = daysOf([9, 8, 7].map(flagged));

  expect(results.map(latestOf)).toEqual(['1.9', '1.8', '1.8', '1.8']);
});

test('an upstream that publishes above what it takes back is held, too', () => {
  const results = daysOf([
    [...ten.slice(0, 9), { version: '1.9', deprecated: 'no' }, '1.10'],
    [...ten.slice(0, 9), { version: '1.9', deprecated: 'no' }],
  ]);

  expect(results.map(latestOf)).toEqual(['1.9', '1.10', '1.10']);
});

test('two greatest versions that vanish at once are held, however many others there are', () => {
  const many = Array.from({ length: 40 }, (_, index) => `1.${index}`);

  const results = daysOf([many.slice(0, 38)], many);

  expect(results.map(latestOf)).toEqual(['1.39', '1.39']);
});

describe('an upstream that deprecates slowly', () => {
  const flagged = (versions: readonly string[]) =>
    ten.map((version) => (versions.includes(version) ? { version, deprecated: 'no' } : { version }));

  test('is held before it has deprecated more than a fifth in a month', () => {
    const results = daysOf([2, 3, 4, 5, 6, 7, 8, 9].map((count) => flagged(ten.slice(0, count))));

    expect(results.at(-1)!.releases.filter(({ deprecated }) => deprecated !== undefined)).toHaveLength(2);
    expect(firstHeld(results)).toEqual({
      index: 2,
      message:
        'svc (npm:x): deprecates 3 of 10 versions in use 30 days ago (1.0, 1.1, 1.2). Held the deprecations; the rest was accepted. ' +
        'If upstream is right, run: gather svc --accept',
    });
  });

  test('is held at the second newest version, so that the latest version gives way once', () => {
    const results = daysOf([flagged(['1.9']), flagged(['1.9', '1.8']), flagged(['1.9', '1.8', '1.7'])]);

    expect(results.map(latestOf)).toEqual(['1.9', '1.8', '1.8', '1.8']);
    expect(firstHeld(results).message).toContain(
      'takes back 1.8, 1.9, so that the latest version would fall',
    );
  });

  test('is held, too, where it takes back one version and deprecates the next', () => {
    const results = daysOf([ten.slice(0, 9), [...ten.slice(0, 8), { version: '1.8', deprecated: 'no' }]]);

    expect(results.map(latestOf)).toEqual(['1.9', '1.8', '1.8']);
  });
});

describe('an upstream that builds a tower', () => {
  test('in steps is held at the step that is more than tenfold what it had a month ago', () => {
    const steps = ['9.0', '90.0', '900.0', '9000.0'];
    const results = daysOf(
      steps.map((_, index) => ['9.0', ...steps.slice(1, index + 2)]),
      ['9.0'],
    );

    expect(versionsOf(results.at(-1)!)).toEqual(['0.9', '9.0', '90.0']);
    expect(firstHeld(results).message).toContain(
      'Held 900.0: more than ten times the highest recorded version (9.0)',
    );
  });

  test.each([
    { recorded: ['2026.1', '2026.2'], version: '2026.99999999' },
    { recorded: ['1.2.3', '1.3.0'], version: '1.3.9999' },
    { recorded: ['1.2.3', '1.3.0'], version: '1.9999.0' },
    { recorded: ['1.2.3', '1.3.0'], version: '2.9999.0' },
  ])('by any group is held alone: $version', ({ recorded, version }) => {
    const result = gather([...recorded, version, `${recorded[1]}.1`], { recorded });

    expect(versionsOf(result)).not.toContain(version);
    expect(versionsOf(result)).toContain(`${recorded[1]}.1`);
    expect(result.messages[0]).toContain(`svc (npm:x): Held ${version}: 9999`);
  });
});

test('an upstream that adds fewer than a thousand versions a day is held before a thousand in a month', () => {
  const upTo = (count: number) => [...ten, ...Array.from({ length: count }, (_, index) => `1.9.${index}`)];
  const results = daysOf([upTo(1), upTo(600), upTo(1100), upTo(1700)]);

  expect(results.map(({ releases }) => releases.length)).toEqual([11, 12, 611, 611, 611]);
  expect(firstHeld(results).message).toContain(
    'lists 500 new versions, 1,100 versions in 30 days (1.9.600, ',
  );
});

describe('data that was restored to an earlier state', () => {
  const dated = (version: string, releaseTimestamp: string) => ({ version, releaseTimestamp });
  const full = [...ten, dated('1.10', '2026-06-03T00:00:00Z'), dated('1.11', '2026-06-04T00:00:00Z')];
  const before = gather(ten, { recorded: ten });
  const grown = again(before, full, { day: '2026-06-05' });
  const today = again(grown, full, { day: '2026-07-01' });
  const restored = { ...before, freshness: today.freshness };

  test('gets the stated days of what its source had listed', () => {
    const result = again(restored, full, { day: '2026-07-02' });

    expect(result.messages).toEqual([]);
    for (const version of ['1.10', '1.11'])
      expect(entryOf(result, version).releaseTimestamp).toBe(entryOf(today, version).releaseTimestamp);
    expect(entryOf(result, '1.10')).not.toHaveProperty('notListedOn');
  });

  test('is asked about where something new might hide among it, and then believes a person', () => {
    const withNew = [...full, dated('1.12', '2026-06-10T00:00:00Z')];

    const result = again(restored, withNew, { day: '2026-07-02' });
    expect(versionsOf(result)).toEqual(versionsOf(before));
    expect(result.messages[0]).toContain(
      'lists 3 versions (1.10, 1.11, 1.12) that the data lacks, with days long before its last answer (was data/ restored?). Nothing of it was accepted.',
    );

    const accepted = again(result, withNew, { day: '2026-07-02', accept: true });
    expect(entryOf(accepted, '1.10')).toMatchObject({ releaseTimestamp: '2026-06-03T00:00:00Z' });
  });

  test('is asked about where freshness says nothing of what was listed and more than 20 versions are late', () => {
    const listed = (count: number) => [
      ...ten,
      ...Array.from({ length: count }, (_, index) => dated(`1.9.${index}`, '2026-01-01T00:00:00Z')),
    ];
    const { listed: _, ...source } = today.freshness.sources['npm:x']!;
    const silent = { ...before, freshness: { sources: { ...today.freshness.sources, 'npm:x': source } } };

    expect(again(silent, listed(20), { day: '2026-07-02' }).releases).toHaveLength(31);
    expect(again(silent, listed(21), { day: '2026-07-02' }).messages[0]).toContain('was data/ restored?');
  });
});

test('of upstreams that lie at random, none misleads anybody', () => {
  expect(expectNobodyMisled(6, 60)).toBeGreaterThan(6);
});

test('honest histories are not held', () => {
  const histories = recordedHistories();

  expect(histories.flatMap((history) => replay(history).held)).toEqual([]);
  expect(histories.flat().length).toBeGreaterThan(40);
});
