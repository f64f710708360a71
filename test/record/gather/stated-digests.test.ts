import { expect, test } from 'vitest';
import { checkReleases } from '../../../src/record/gather/stated-release.ts';
import { entryOf } from '../../harness/merging.ts';
import { again, gather } from '../../harness/acceptance.ts';

const hex = 'ab'.repeat(32);

function stated(digests: Record<string, string>) {
  const refused: string[] = [];
  const [release] = checkReleases([{ version: '1.0', digests }], '2026-06-01', (message) =>
    refused.push(message),
  );
  return { digests: release!.digests, refused };
}

test.each([
  `sha256:${hex}`,
  hex.toUpperCase(),
  `SHA256:${hex}`,
  `sha256-${Buffer.from(hex, 'hex').toString('base64')}`,
  `sha256-${Buffer.from(hex, 'hex').toString('base64')}?option`,
  `md5:${'0'.repeat(32)} ${hex} nonsense`,
])('digests are recorded in one form, however they are written: %s', (text) => {
  expect(stated({ file: text })).toEqual({ digests: { file: `sha256:${hex}` }, refused: [] });
});

test.each([
  ['file', 'none'],
  ['file', `sha512:${hex}`],
  ['file', `sha256-${'A'.repeat(20)}`],
  ['file', `${hex} `.repeat(100)],
  ['__proto__', hex],
  ['two words', hex],
  ['a'.repeat(300), hex],
])('digests are refused where they are none: %s %s', (artifact, text) => {
  const { digests, refused } = stated(Object.fromEntries([[artifact, text]]));

  expect(digests).toBeUndefined();
  expect(refused).toEqual([
    expect.stringMatching(/^"1\.0": ".*": expected a digest of SHA-1, .* Left out\.$/),
  ]);
});

test('digests are recorded for at most a hundred artifacts of a release', () => {
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`f${index}`, hex]));
  const { digests, refused } = stated(many);

  expect(Object.keys(digests!)).toHaveLength(100);
  expect(refused).toEqual([
    '"1.0": states digests of 101 artifacts. Accepted the first 100, by name.',
  ]);
});

test('digests of a stronger algorithm are added to recorded ones, and only equal algorithms are compared', () => {
  const [sha1, sha512] = [`sha1:${'1'.repeat(40)}`, `sha512:${'5'.repeat(128)}`];
  const say = (digest: string) => [{ version: '1.0', digests: { file: digest } }];
  let result = gather(say(sha1), { recorded: ['1.0'] });
  for (const next of [sha512, `${sha512} ${sha1}`]) {
    result = again(result, say(next), { day: '2026-06-02' });
  }

  expect(result.messages).toEqual([]);
  expect(entryOf(result, '1.0').digests).toEqual({ 'npm:x': { file: `${sha1} ${sha512}` } });
});

test('digests of a moving name are not recorded', () => {
  const [old, now] = ['sha256:' + '1'.repeat(64), 'sha256:' + '2'.repeat(64)];
  const image = (version: string, digest: string) => ({ version, digests: { [version]: digest } });
  const first = gather([image('1.25', old), image('1.25.3', old)], { recorded: [] });
  const later = again(first, [image('1.25', now), image('1.25.3', old), image('1.25.4', now)], {
    day: '2026-06-02',
  });

  expect(later.messages).toEqual([]);
  expect(entryOf(later, '1.25').digests).toBeUndefined();
  expect(entryOf(later, '1.25.4').digests).toEqual({ 'npm:x': { '1.25.4': now } });
});
