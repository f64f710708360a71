import { expect, test } from 'vitest';
import { createReleaseSelector } from '../../../src/core/query/selection.ts';
import { isDistance } from '../../../src/core/query/distances.ts';
import { completeRow } from '../../../src/core/query/rows.ts';
import { releaseFieldSet } from '../../../src/core/query/fields.ts';
import { parseQuery } from '../../../src/core/query/parse.ts';
import { day, fieldSet, matches, rows, selections } from './selections.ts';

/** Without distances, which no document has. */
const records = rows.map((row) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !isDistance(name))),
);

test('a value that a line shares decides like the own value of each of its releases', () => {
  const catalogue = records.flatMap((shared) =>
    records.map((record) => ({
      lineFields: { component: 'svc', ...shared },
      releaseFields: { version: '1', ...record },
    })),
  );
  for (const [text] of selections) {
    const query = parseQuery(text, day, fieldSet);
    const expected = catalogue.map((release) =>
      matches(query, {
        ...release.lineFields,
        ...release.releaseFields,
        ...completeRow(release, day),
      }),
    );

    expect(catalogue.map(createReleaseSelector(query, day)), text).toEqual(expected);
  }
});

test('ages are equal for a day of the line and for a day of the release', () => {
  const times = [
    '2026-08-31T12:00:00Z',
    '2026-11-19T23:58:30Z',
    '2026-11-20T10:00:00Z',
    '2026-11-21T00:00:00Z',
  ];
  const ends = [undefined, '2026-11-20', '2026-11-21', '2027-02-18'];
  const releases = times.flatMap((releaseTimestamp) =>
    ends.map((supportedUntil) => ({
      version: '1',
      releaseTimestamp,
      ...(supportedUntil && { supportedUntil }),
    })),
  );
  const shared = releases.map((release) => ({
    lineFields: { component: 'svc', ...release },
    releaseFields: { version: '1' },
  }));
  const alone = releases.map((own) => ({
    lineFields: { component: 'svc' },
    releaseFields: own,
  }));
  for (const text of [
    'age:<1d',
    'age:P0D',
    '-age:>1d',
    'supportLeft:*',
    'supportLeft:<=24h',
    '-supportLeft:>1d or age:>80d',
  ]) {
    const query = parseQuery(text, day, releaseFieldSet);
    const expected = alone.map((release) => matches(query, completeRow(release, day)));
    for (const catalogue of [shared, alone]) {
      expect(catalogue.map(createReleaseSelector(query, day)), text).toEqual(expected);
    }
    expect(new Set(expected).size, text).toBe(2);
  }
});
