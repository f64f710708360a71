import { expect, test } from 'vitest';
import { again, day, gather, ten, withdrawn } from '../../harness/acceptance.ts';
import { judgeOn } from '../../harness/judging.ts';
import { entryOf } from '../../harness/merging.ts';

const nextDay = '2026-06-02';

test('a greatest version that vanishes is withdrawn on the second day, as others are', () => {
  const once = gather(ten.slice(0, 9));
  const twice = again(once, ten.slice(0, 9), { day: nextDay });

  expect([withdrawn(once), withdrawn(twice)]).toEqual([[], ['1.9']]);
});

test('a greatest version that its source calls deprecated is out at once, with a warning', () => {
  const yanked = [...ten.slice(0, 9), { version: '1.9', deprecated: 'Leaks keys' }];
  const result = gather(yanked);
  const lesser = gather([{ version: '1.0', deprecated: 'Old' }, ...ten.slice(1)]);

  expect(entryOf(result, '1.9')).toMatchObject({ deprecated: 'Leaks keys', deprecatedSince: day });
  expect(result.findings.filter(({ level }) => level === 'warning')).toEqual([
    {
      level: 'warning',
      subject: 'svc',
      message:
        'upstream calls 1.9 deprecated, the greatest version until now: Leaks keys. It is deprecated at once; it stays recorded.',
    },
  ]);
  const { latest } = judgeOn(day, result.releases);
  expect(latest?.version).toBe('1.8');
  expect(lesser.findings.filter(({ level }) => level === 'warning')).toEqual([]);
  const beyond = { recorded: [...ten, '2.0'], ofSource: { allowedVersions: '<2' } };
  expect(gather(yanked, beyond).messages).toContain(result.messages[0]);
});

const first = gather(ten);
const stated = (releaseTimestamp: string) => [...ten, { version: '1.9.1', releaseTimestamp }];

test('a stated day of a new version is accepted up to a week before the last answer without it', () => {
  const result = again(first, stated('2026-05-25T10:00:00Z'), { day: nextDay });

  expect(entryOf(result, '1.9.1')).toMatchObject({
    releaseTimestamp: '2026-05-25T10:00:00Z',
    timestampKind: 'published',
    notListedOn: day,
  });
  const dayBefore = again(first, stated('2026-06-01T10:00:00Z'), { day: nextDay });
  expect(entryOf(dayBefore, '1.9.1')).not.toHaveProperty('notListedOn');
});

test('a stated day of a new version is rejected if it is earlier, in all runs', () => {
  const result = again(first, stated('2019-01-01T00:00:00Z'), { day: nextDay });
  const expected = { releaseTimestamp: nextDay, timestampKind: 'observed', notListedOn: day };

  expect(entryOf(result, '1.9.1')).toMatchObject(expected);
  expect(result.messages).toEqual([
    'svc: npm:x dates 1.9.1 2019-01-01T00:00:00Z, but did not list it on 2026-06-01. Rejected that day; ' +
      'the day of this run is recorded, as observed.',
  ]);
  const later = again(result, stated('2019-01-02T00:00:00Z'), { day: '2026-06-09' });
  expect(entryOf(later, '1.9.1')).toMatchObject(expected);
  expect(later.messages[0]).toContain('The recorded day stays.');
});

test('a stated day of a new version is also rejected if stated only after the version was seen', () => {
  const undated = again(first, [...ten, '1.9.1'], { day: nextDay });

  const dated = again(undated, stated('2019-01-01T00:00:00Z'), { day: '2026-06-03' });

  expect(entryOf(dated, '1.9.1').timestampKind).toBe('observed');
  const sound = again(undated, stated('2026-06-01T08:00:00Z'), { day: '2026-06-03' });
  expect(entryOf(sound, '1.9.1')).toMatchObject({ timestampKind: 'published' });
  expect(entryOf(sound, '1.9.1')).not.toHaveProperty('notListedOn');
});

test('a stated day of a version that waits is accepted, however the source spells the version', () => {
  const waits = [
    {
      ...{ id: 'svc-0123456789', component: 'svc', kind: 'outlier' as const, since: nextDay },
      ...{ causes: ['npm:x'], reason: 'Far above.', versions: ['1.900'] },
    },
  ];
  const respelled = { version: 'v1.900', releaseTimestamp: '2026-06-02T10:00:00Z' };
  const unchanged = again(first, ten, { day: '2026-06-19' });
  // The last answer listed what waits, too.
  const sources = Object.fromEntries(
    Object.entries(unchanged.freshness.sources).map(([id, { listed: _, ...source }]) => [
      id,
      source,
    ]),
  );

  const { freshness } = { freshness: { ...unchanged.freshness, sources } };
  const result = gather([...ten, respelled], {
    ...{ recorded: unchanged.releases, freshness, waits, day: '2026-06-20' },
  });

  expect(entryOf(result, 'v1.900').releaseTimestamp).toBe('2026-06-02T10:00:00Z');
});

test.each([
  ['rejected if only another source listed it', ten, 'observed'],
  ['accepted if the source listed it, too', [...ten, '1.900'], 'published'],
])('a stated day of a version that waits because of another source is %s', (_, listed, kind) => {
  const wait = {
    ...{ id: 'svc-0123456789', component: 'svc', kind: 'outlier' as const, since: nextDay },
    ...{ causes: ['npm:y'], reason: 'Far above.', versions: ['1.900'] },
  };
  const { freshness } = again(first, listed, { day: '2026-06-19' });
  const dated = ['1.900', '1.9.1'].map((version) => ({
    version,
    releaseTimestamp: '2026-06-03T10:00:00Z',
  }));

  const result = gather([...ten, ...dated], {
    ...{ recorded: first.releases, freshness, waits: [wait], day: '2026-06-20' },
  });

  expect(entryOf(result, '1.900').timestampKind).toBe(kind);
  expect(entryOf(result, '1.9.1').timestampKind).toBe('observed');
});

test('a stated day of a new version is accepted in the first answer for a definition', () => {
  const old = [{ version: '1.0', releaseTimestamp: '2019-01-01T00:00:00Z' }];

  expect(entryOf(gather(old, { recorded: [] }), '1.0').timestampKind).toBe('published');
  const sources = { 'npm:x': { answeredOn: '2026-05-31', definition: 'a'.repeat(64) } };
  const widened = gather([...ten, ...stated('2019-01-01T00:00:00Z')], { freshness: { sources } });
  expect(entryOf(widened, '1.9.1').timestampKind).toBe('published');
});
