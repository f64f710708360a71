import { expect, test } from 'vitest';
import { again, byDatasource, day, gather, ten, withdrawn } from '../../harness/acceptance.ts';
import { versionsOf } from '../../harness/expectations.ts';
import { entryOf } from '../../harness/merging.ts';

const nextDay = '2026-06-02';

test.each([{ recorded: ten }, { recorded: ['1.8', '1.9'] }])(
  'a missing greatest version of $recorded.length is withdrawn at once with a warning',
  ({ recorded }) => {
    const result = gather([...recorded.slice(0, -1), '1.8.1'], { recorded });

    expect(withdrawn(result)).toEqual(['1.9']);
    expect(versionsOf(result)).toContain('1.8.1');
    expect(result.findings).toEqual([
      {
        level: 'warning',
        subject: 'svc',
        message:
          'npm:x no longer lists 1.9, the greatest version it listed. Withdrawn at once, as upstream pulled it; ' +
          'it stays recorded, and returns when it is listed again.',
      },
    ]);
  },
);

test('a missing greatest version is withdrawn at once even if an older one is missing since yesterday', () => {
  const first = gather(ten.slice(1));
  const second = again(first, ten.slice(1, 9), { day });

  expect(withdrawn(second)).toEqual([]);
  expect(withdrawn(again(first, ten.slice(1, 9), { day: nextDay }))).toEqual(['1.0', '1.9']);
});

test('a missing greatest version of a page stays, with advice for a person', () => {
  const result = gather(ten.slice(0, 9), { datasource: 'page' });

  expect(withdrawn(result)).toEqual([]);
  expect(result.messages).toEqual([
    `svc: ${byDatasource.page.id} no longer lists 1.9, the greatest version it listed. A page only adds, so it stays; ` +
      'if upstream pulled it, deprecate it in components/svc.json.',
  ]);
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

test('a stated day of a new version is accepted in the first answer for a definition', () => {
  const old = [{ version: '1.0', releaseTimestamp: '2019-01-01T00:00:00Z' }];

  expect(entryOf(gather(old, { recorded: [] }), '1.0').timestampKind).toBe('published');
  const sources = { 'npm:x': { answeredOn: '2026-05-31', definition: 'a'.repeat(64) } };
  const widened = gather([...ten, ...stated('2019-01-01T00:00:00Z')], { freshness: { sources } });
  expect(entryOf(widened, '1.9.1').timestampKind).toBe('published');
});
