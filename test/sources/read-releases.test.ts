import { expect, test } from 'vitest';
import {
  checkRelease,
  type StatedRelease,
  parseTimestamp,
} from '../../src/sources/read-releases.ts';

const day = '2026-06-30';
const hex = (letter: string, length: number) => letter.repeat(length);

test.each<[string, Partial<StatedRelease>, object]>([
  ['a day of today', { releaseTimestamp: day }, { releaseTimestamp: `${day}T00:00:00Z` }],
  ['a reason on one line', { deprecated: ' Loses\n data. ' }, { deprecated: 'Loses data.' }],
  [
    'digests in all forms, sorted and once',
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
])('a release is taken with %s', (_, stated, expected) => {
  const checked = checkRelease({ version: '1.0', ...stated }, day);

  expect(checked).toEqual({ release: { version: '1.0', ...expected }, notes: [] });
});

test.each<[string, Partial<StatedRelease>, string]>([
  ['a day before 2000', { releaseTimestamp: '1970-01-01T00:00:00Z' }, 'got "1970-01-01T00:00:00Z"'],
  [
    'a plain link',
    { changelogUrl: 'http://a.example/?key=x' },
    'expected an https: address; got "http://a.example/?…"',
  ],
])('a release is taken without %s, with a note', (_, stated, note) => {
  const { release, notes } = checkRelease({ version: '1.0', ...stated }, day);

  expect(release).toEqual({ version: '1.0' });
  expect(notes).toEqual([expect.stringContaining(note)]);
});

test.each([
  ['2026-03-25T10:20:30.123456789+02:00', '2026-03-25T08:20:30Z'],
  ['2026-03-25 14:30:00,5', '2026-03-25T14:30:00Z'],
  ['2026-03-25T14:30Z', '2026-03-25T14:30:00Z'],
  ['2026-03-25 14:30 UTC', '2026-03-25T14:30:00Z'],
  ['06th of June, 2025', '2025-06-06T00:00:00Z'],
  ['1 Sept. 2025', '2025-09-01T00:00:00Z'],
  ['  May\n1st 2026 ', '2026-05-01T00:00:00Z'],
])('%j is %s', (text, expected) => {
  expect(parseTimestamp(text)).toBe(expected);
});

test.each([
  '2026-02-30',
  '2026-03-25T24:00:00Z',
  '01/02/2025',
  '25 Foo 2026',
  '25 Marc 2026',
  'yesterday',
  '1774434030',
  '',
])('%j is no day with one meaning', (text) => {
  expect(parseTimestamp(text)).toBeUndefined();
});
