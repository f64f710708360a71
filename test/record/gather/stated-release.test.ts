import { expect, test } from 'vitest';
import { checkReleases } from '../../../src/record/gather/stated-release.ts';
import type { StatedRelease } from '../../../src/record/sources/datasource.ts';

function state(...releases: StatedRelease[]) {
  const refused: string[] = [];
  const stated = checkReleases(releases, '2026-06-01', (message) => refused.push(message));
  return { stated, refused };
}

test('sorts releases oldest first', () => {
  const { stated } = state({ version: '1.10' }, { version: '1.2' }, { version: '1.10-rc1' });

  expect(stated.map(({ version }) => version)).toEqual(['1.2', '1.10-rc1', '1.10']);
});

test.each([
  ['2026-06-01T23:59:59Z', '2026-06-01T23:59:59Z'],
  ['2026-06-02T01:30:00+02:00', '2026-06-01T23:30:00Z'],
  ['2000-01-01', '2000-01-01T00:00:00Z'],
])('accepts a day from 2000 to the day of the run: %s', (releaseTimestamp, instant) => {
  expect(state({ version: '1.0', releaseTimestamp })).toEqual({
    stated: [{ version: '1.0', releaseTimestamp: instant }],
    refused: [],
  });
});

test.each([
  ['2026-06-02', 'got "2026-06-02"'],
  ['1999-12-31T23:59:59Z', 'got "1999-12-31T23:59:59Z"'],
  ['1970-01-01T00:00:00Z', 'got "1970-01-01T00:00:00Z"'],
  ['yesterday', 'got "yesterday"'],
  ['', 'got ""'],
])('rejects the day "%s", and keeps the release without one', (releaseTimestamp, got) => {
  expect(state({ version: '1.0', releaseTimestamp })).toEqual({
    stated: [{ version: '1.0' }],
    refused: [`"1.0": expected a date between 2000-01-01 and today; ${got}. Rejected.`],
  });
});

test.each(['javascript:alert(1)', 'https://user:secret@example.com/'])(
  'leaves out the link %s, and keeps the release',
  (changelogUrl) => {
    const { stated, refused } = state({ version: '1.0', changelogUrl });

    expect(stated).toEqual([{ version: '1.0' }]);
    expect(state({ version: '1.0', changelogUrl: '' })).toEqual({ stated, refused: [] });
    expect(refused).toEqual([
      `"1.0": changelog link: expected an https: address; got "${changelogUrl}". Left out.`,
    ]);
  },
);

test('keeps the first listed of two spellings and reports the other, but not an exact repeat', () => {
  const { stated, refused } = state(
    { version: 'v1.0' },
    { version: '1.00' },
    { version: '2.0' },
    { version: '2.0' },
  );

  expect(stated.map(({ version }) => version)).toEqual(['v1.0', '2.0']);
  expect(refused).toEqual([
    '"1.00" and "v1.0" are one version in two spellings. Kept the first listed.',
  ]);
});

test("upstream's reason becomes one line without control characters, of a length a person reads", () => {
  const deprecated = `  first\r\n\u0000second\u2028third ${'long '.repeat(200)}`;

  const [release] = state({ version: '1.0', deprecated }).stated;

  expect(release!.deprecated).toMatch(/^first second third long .*…$/);
  expect(release!.deprecated!.length).toBeLessThanOrEqual(500);
});

test('takes characters that nobody sees out of every text of a release', () => {
  const listed = {
    version: '1.0',
    deprecated: 'Use \u202e2.0.',
  };

  expect(state(listed).stated).toEqual([{ version: '1.0', deprecated: 'Use 2.0.' }]);
});
