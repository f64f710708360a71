import { expect, test } from 'vitest';
import { checkAnswer, checkRelease } from '../../src/sources/read-releases.ts';
import type { StatedRelease } from '../../src/sources/types.ts';

const day = '2026-06-30';
const hex = (letter: string, length: number) => letter.repeat(length);

test.each<[string, Partial<StatedRelease>, object]>([
  ["today's date", { releaseTimestamp: day }, { releaseTimestamp: `${day}T00:00:00Z` }],
  ['a reason on one line', { deprecated: ' Loses\n data. ' }, { deprecated: 'Loses data.' }],
  [
    'digests in all formats, sorted and without duplicates',
    {
      digests: [
        `SHA256:${hex('B', 64)} ${hex('b', 64)}`,
        hex('a', 40),
        `sha512-${Buffer.alloc(64).toString('base64')}`,
        'sha256:short',
        null,
      ],
    },
    {
      digests: [`sha1:${hex('a', 40)}`, `sha256:${hex('b', 64)}`, `sha512:${hex('0', 128)}`],
    },
  ],
])('accepts a release with %s', (_, stated, expected) => {
  const checked = checkRelease({ version: '1.0', ...stated }, day);

  expect(checked).toEqual({ release: { version: '1.0', ...expected }, notes: [] });
});

test.each<[string, Partial<StatedRelease>, string]>([
  [
    'a date before 2000',
    { releaseTimestamp: '1970-01-01T00:00:00Z' },
    'got "1970-01-01T00:00:00Z"',
  ],
  [
    'an http: link',
    { changelogUrl: 'http://a.example/?key=x' },
    'expected an https: address; got "http://a.example/?…"',
  ],
])('leaves %s out of a release, and reports what was left out', (_, stated, note) => {
  const { release, notes } = checkRelease({ version: '1.0', ...stated }, day);

  expect(release).toEqual({ version: '1.0' });
  expect(notes).toEqual([expect.stringContaining(note)]);
});

test('checkRelease accepts only files with a valid name and a SHA-256', () => {
  const files = { amd64: hex('a', 64), 'A b': hex('b', 64), arm64: 'none', plain: hex('a', 64) };
  const urls = { amd64: 'https://a.example/1', arm64: 'https://a.example/2', plain: 'ftp://a' };
  const digest = `sha256:${hex('a', 64)}`;

  expect(checkRelease({ version: '1.0', files, urls }, day)).toMatchObject({
    release: { files: { amd64: { digest, url: 'https://a.example/1' }, plain: { digest } } },
    notes: [
      '"1.0": expected a name such as linux-amd64; got "A b". Left out.',
      '"1.0": expected the SHA-256 of arm64; got "none". Left out.',
      '"1.0": expected an https: address; got "ftp://a". Left out.',
    ],
  });
});

test('a file is listed once, even if several entries of a version have that file', () => {
  const asset = (name: string, letter: string) => ({ name, digest: hex(letter, 64) });
  const parts = [[asset('a', 'a'), asset('b', 'a')], [asset('a', 'a')], [asset('a', 'b')]];
  const stated = parts.map((assets) => ({ version: '1.0', assets }));
  const { releases } = checkAnswer({ releases: stated, notes: [] }, day);

  expect(releases.flatMap(({ assets = [] }) => assets)).toEqual([
    { name: 'a', digest: `sha256:${hex('a', 64)}` },
    { name: 'b', digest: `sha256:${hex('a', 64)}` },
    { name: 'a', digest: `sha256:${hex('b', 64)}` },
  ]);
});

test.each<[days: string[], expected: object]>([
  [['2026-07-01'], { plannedFor: '2026-07-01' }],
  [['2026-07-01', '2026-07-02'], { plannedFor: '2026-07-01' }],
  [['2026-06-30', '2026-07-02'], { releaseTimestamp: '2026-06-30T00:00:00Z' }],
  [['2026-07-02', '2026-06-30'], { releaseTimestamp: '2026-06-30T00:00:00Z' }],
])('an own list gives a release the days %j', (days, expected) => {
  const releases = days.map((releaseTimestamp) => ({ version: '1.0', releaseTimestamp }));
  const { releases: united, notes } = checkAnswer({ releases, notes: [] }, day, true);

  expect(united).toHaveLength(1);
  expect(united[0]!.plannedFor?.slice(0, 10)).toBe(
    (expected as { plannedFor?: string }).plannedFor,
  );
  expect(united[0]).toMatchObject(expected);
  expect(notes).toEqual([]);
});

test('a day in the future is a mistake if the list is not an own list', () => {
  const stated = { version: '1.0', releaseTimestamp: '2026-07-01' };
  const notes = [
    '"1.0": expected a date between 2000-01-01 and 2026-06-30; got "2026-07-01". The date is left out.',
  ];

  expect(checkRelease(stated, day)).toEqual({ release: { version: '1.0' }, notes });
  expect(checkAnswer({ releases: [stated], notes: [] }, day)).toEqual({
    releases: [{ version: '1.0' }],
    notes,
  });
});
