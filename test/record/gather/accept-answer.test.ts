import { describe, expect, test } from 'vitest';
import { again, day, gather, recordedBy, ten, versionsOf, withdrawn } from '../../harness/acceptance.ts';
import { entryOf } from '../../harness/merging.ts';

const nextDay = '2026-06-02';

describe('a version outlier', () => {
  test.each([
    { recorded: ['2026.1', '2026.2'], version: '2027.1', isCalendar: true },
    { recorded: ['2026.1', '2026.2'], version: '9999.0', isCalendar: true },
    { recorded: ten, version: '11.0', isCalendar: false },
    { recorded: ['0.1'], version: '11', isCalendar: false },
    { recorded: ten, version: '99999999999999999999.0', isCalendar: false },
  ])('is held alone: $version', ({ recorded, version, isCalendar }) => {
    const greatest = recorded.at(-1)!;
    const result = gather([...recorded, version, `${greatest}.1`], { recorded });

    expect(versionsOf(result)).toContain(`${greatest}.1`);
    expect(versionsOf(result)).not.toContain(version);
    expect(result.messages).toEqual([
      `svc (npm:x): Held ${version}: ${
        isCalendar
          ? `its year has not begun, and the highest recorded version is ${greatest}`
          : `more than ten times the highest recorded version (${greatest})`
      }. Other versions were accepted. If upstream is right, run: gather svc --accept`,
    ]);
    expect(result.sources.map(({ kind }) => kind)).toEqual(['held', 'answered']);
    expect(result.freshness.sources['npm:x']).toMatchObject({ answeredOn: day, heldSince: day });
    expect(result.kept).toEqual(['npm:x', 'maven:g:a']);

    const later = again(result, [...recorded, version, `${greatest}.1`], { day: nextDay });
    expect(later.changes).toEqual([]);
    const accepted = again(later, [...recorded, version, `${greatest}.1`], { day: nextDay, accept: true });
    expect(versionsOf(accepted)).toContain(version);
    expect(accepted.freshness.sources['npm:x']).not.toHaveProperty('heldSince');
  });

  test.each([
    { recorded: ['2025.4'], version: '2026.1' },
    { recorded: ten, version: '10.0' },
    { recorded: ['0.1'], version: '10.0' },
    { recorded: [], version: '9999.0' },
  ])('is not $version after $recorded', ({ recorded, version }) => {
    expect(gather([...recorded, version], { recorded }).messages).toEqual([]);
  });

  test('waits on although steps up to it were taken', () => {
    const ladder = [...ten, '9.0', '80.0', '700.0'];
    let result = gather(ten);
    for (const on of [nextDay, '2026-06-03', '2026-06-04']) {
      result = again(result, ladder, { day: on });
      result = again(result, ladder, { day: on });
    }

    expect(versionsOf(result)).toEqual(['0.9', ...ten, '9.0']);
  });

  test('may have waited for long: its day is believed once it is accepted', () => {
    const listed = [...ten, { version: '2026.1', releaseTimestamp: '2026-05-30T10:00:00Z' }];
    const first = again(gather(ten), listed);
    const later = again(first, listed, { day: '2026-08-01' });

    const accepted = again(later, listed, { day: '2026-08-01', accept: true });

    expect(entryOf(accepted, '2026.1').releaseTimestamp).toBe('2026-05-30T10:00:00Z');
  });
});

describe('an answer that deprecates', () => {
  const flagged = (count: number) =>
    ten.map((version, index) => (index < count ? { version, deprecated: 'no' } : { version }));
  const flags = ({ releases }: { releases: readonly { deprecated?: string | undefined }[] }) =>
    releases.filter(({ deprecated }) => deprecated !== undefined).length;

  test('a fifth of the versions is believed', () => {
    const result = gather(flagged(2));

    expect(flags(result)).toBe(2);
    expect(result.messages).toEqual([]);
  });

  test('every version, because the registry has locked the package as unsafe, is accepted at once', () => {
    const locked = { deprecated: 'The project is quarantined: malware', isQuarantined: true };
    const result = gather(ten.map((version) => ({ version, ...locked })));

    expect(flags(result)).toBe(10);
    expect(result.messages).toEqual([]);
  });

  test('the newest alone is believed, however few there are', () => {
    const result = gather(['1.0', { version: '1.1', deprecated: 'bad' }], { recorded: ['1.0', '1.1'] });

    expect(flags(result)).toBe(1);
  });

  test('more than a fifth is accepted without its deprecations', () => {
    const result = gather([...flagged(3), { version: '2.0' }]);

    expect(flags(result)).toBe(0);
    expect(versionsOf(result)).toContain('2.0');
    expect(result.messages).toEqual([
      'svc (npm:x): deprecates 3 of 10 versions in use (1.0, 1.1, 1.2). Held the deprecations; ' +
        'the rest was accepted. If upstream is right, run: gather svc --accept',
    ]);
    expect(flags(again(result, [...flagged(3), '2.0'], { accept: true }))).toBe(3);
  });

  test('the last version in use is accepted without its deprecation', () => {
    const recorded = recordedBy('npm:x', ten).map((entry, index) =>
      index < 9 ? { ...entry, deprecated: 'no' } : entry,
    );

    const result = gather(flagged(10), { recorded });

    expect(flags(result)).toBe(9);
    expect(result.messages[0]).toContain(
      'deprecates 1 of 1 version in use (1.9), which leaves none. Held the deprecations;',
    );
  });
});

describe('--accept', () => {
  const shrunk = [...ten.slice(3, 9), '2.0'];

  test('accepts what is held, and withdraws missing versions', () => {
    const result = again(gather(shrunk), shrunk, { accept: true });

    expect(withdrawn(result)).toEqual(['1.0', '1.1', '1.2', '1.9']);
    expect(result.releases.at(-1)!.version).toBe('2.0');
    expect(result.messages).toEqual([]);
    expect(result.kept).toEqual(['npm:x', 'maven:g:a']);
  });

  test('holds an answer that differs from the one that was held', () => {
    const held = gather(shrunk);

    const other = again(held, ['1.3'], { day: nextDay, accept: true });

    expect(withdrawn(other)).toEqual([]);
    expect(other.messages).toEqual([
      expect.stringContaining(
        'Nothing of it was accepted. It differs from what has been held since 2026-06-01, so it is not accepted yet. ' +
          'If upstream is right, run: gather svc --accept',
      ),
    ]);
    expect(other.freshness.sources['npm:x']!.held).not.toBe(held.freshness.sources['npm:x']!.held);
    expect(withdrawn(again(other, ['1.3'], { day: nextDay, accept: true }))).toHaveLength(9);
  });

  test('accepts nothing that no run has held', () => {
    const result = gather(shrunk, { accept: true });

    expect(withdrawn(result)).toEqual([]);
    expect(result.messages[0]).toContain('Nothing of it was held before, so it is not accepted yet.');
  });

  test('of a page expects no more of it what it has forgotten, and withdraws nothing', () => {
    const result = again(gather([], { datasource: 'page' }), [], { datasource: 'page', accept: true });

    expect(withdrawn(result)).toEqual([]);
    expect(entryOf(result, '1.9')).not.toHaveProperty('source');
    expect(again(result, [], { datasource: 'page' }).messages).toEqual([]);
  });
});

describe('a day that upstream states for a new version', () => {
  const first = gather(ten);
  const stated = (releaseTimestamp: string) => [...ten, { version: '1.9.1', releaseTimestamp }];

  test('is accepted up to a week before the last answer that lacked the version', () => {
    const result = again(first, stated('2026-05-25T10:00:00Z'), { day: nextDay });

    expect(entryOf(result, '1.9.1')).toMatchObject({
      releaseTimestamp: '2026-05-25T10:00:00Z',
      timestampKind: 'published',
      notListedOn: day,
    });
    const dayBefore = again(first, stated('2026-06-01T10:00:00Z'), { day: nextDay });
    expect(entryOf(dayBefore, '1.9.1')).not.toHaveProperty('notListedOn');
  });

  test('is rejected where it is earlier, then and later', () => {
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

  test('is rejected, too, where it was stated only after the version was seen', () => {
    const undated = again(first, [...ten, '1.9.1'], { day: nextDay });

    const dated = again(undated, stated('2019-01-01T00:00:00Z'), { day: '2026-06-03' });

    expect(entryOf(dated, '1.9.1').timestampKind).toBe('observed');
    const sound = again(undated, stated('2026-06-01T08:00:00Z'), { day: '2026-06-03' });
    expect(entryOf(sound, '1.9.1')).toMatchObject({ timestampKind: 'published' });
    expect(entryOf(sound, '1.9.1')).not.toHaveProperty('notListedOn');
  });

  test('is accepted in the first answer, and in the first one for a changed definition', () => {
    const old = [{ version: '1.0', releaseTimestamp: '2019-01-01T00:00:00Z' }];

    expect(entryOf(gather(old, { recorded: [] }), '1.0').timestampKind).toBe('published');
    const sources = { 'npm:x': { answeredOn: '2026-05-31', definition: 'a'.repeat(64) } };
    const widened = gather([...ten, ...stated('2019-01-01T00:00:00Z')], { freshness: { sources } });
    expect(entryOf(widened, '1.9.1').timestampKind).toBe('published');
  });
});
