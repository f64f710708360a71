import { expect, test } from 'vitest';
import { maxNotesLength } from '../../../src/core/text/foreign-text.ts';
import { checkReleases } from '../../../src/record/gather/stated-release.ts';
import type { StatedRelease } from '../../../src/record/sources/datasource.ts';
import { again, gather } from '../../harness/acceptance.ts';
import { entryOf } from '../../harness/merging.ts';

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
    refused: [`"1.0": expected a date between 2000-01-01 and 2026-06-01; ${got}. Rejected.`],
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

test('keeps the first listed of several spellings and reports each of the others', () => {
  const versions = ['v1.0', '1.00', '2.0', '1.000'];
  const { stated, refused } = state(...versions.map((version) => ({ version })));

  expect(stated.map(({ version }) => version)).toEqual(['v1.0', '2.0']);
  expect(refused).toEqual([
    '"1.00" and "v1.0" are one version in two spellings. Kept the first listed.',
    '"1.000" and "v1.0" are one version in two spellings. Kept the first listed.',
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

const hex = 'ab'.repeat(32);

function stateDigests(digests: Record<string, string>) {
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
  expect(stateDigests({ file: text })).toEqual({ digests: { file: `sha256:${hex}` }, refused: [] });
});

test.each([
  ['file', 'none'],
  ['file', `sha512:${hex}`],
  ['file', `sha256-${'A'.repeat(20)}`],
  ['file', `${hex} `.repeat(100)],
])('digests are refused where they are none: %s %s', (artifact, text) => {
  const { digests, refused } = stateDigests(Object.fromEntries([[artifact, text]]));

  expect(digests).toBeUndefined();
  expect(refused).toEqual([
    expect.stringMatching(/^"1\.0": ".*": expected a digest of SHA-1, .* Left out\.$/),
  ]);
});

test.each(['__proto__', 'two words', '', 'a'.repeat(300)])(
  'a digest under the name "%s" is left out because of the name',
  (artifact) => {
    const { digests, refused } = stateDigests(Object.fromEntries([[artifact, hex]]));

    expect(digests).toBeUndefined();
    expect(refused).toEqual([
      expect.stringMatching(/^"1\.0": ".*": expected the name of an artifact\. Left out\.$/),
    ]);
  },
);

test('two digests of one algorithm contradict each other, so neither is recorded', () => {
  const other = 'cd'.repeat(32);

  expect(stateDigests({ file: `${hex} ${other}`, same: `${hex} sha256:${hex}` })).toEqual({
    digests: { same: `sha256:${hex}` },
    refused: [`"1.0": "file": has two digests, sha256:${hex} and sha256:${other}. Left out.`],
  });
});

test('digests are recorded for at most a hundred artifacts of a release', () => {
  const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`f${index}`, hex]));
  const { digests, refused } = stateDigests(many);

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

const readNotes = (notes: string) =>
  checkReleases([{ version: '1.0', notes }], '2026-06-01', expect.fail)[0]?.notes;

test.each([
  [
    "## What's Changed\r\n\r\n* Read [lists](https://example.com/1) faster\r\n",
    'Read lists faster',
  ],
  ['<!-- hidden --><p>Mends <b>pages</b></p><script>', 'Mends pages'],
  ['1. `a` is **b**: https://example.com', 'a is b:'],
  ['<h2 id="1">Changes</h2>\n<p>Reads lists faster</p>', 'Reads lists faster'],
  [
    '[![Build](https://example.com/a.svg)](https://example.com/1)\nReads ![](b.png)lists',
    'Reads lists',
  ],
  ['a\u202eb\u0007 c', 'ab c'],
  ['Changes\r\n=======\r\nReads lists faster', 'Reads lists faster'],
  ['Changes\n---\n\n- Reads lists faster\n---', 'Reads lists faster'],
  ['#1234 reads lists faster', '#1234 reads lists faster'],
  ['```sh\nnpm install agent\n```\nReads lists faster', 'Reads lists faster'],
  ['```\nnpm install agent', undefined],
  ['[Reads](https://example.com/list_(a)) lists faster', 'Reads lists faster'],
  ['* Read lists faster by @me in https://example.com/pull/1', 'Read lists faster by @me'],
  ['> - Reads lists faster', 'Reads lists faster'],
  ['> [!NOTE]\n> Reads lists faster', 'Reads lists faster'],
  ['**Full Changelog**: https://example.com/1...2', undefined],
  ['Changelog: https://example.com/1 \n\nReads lists faster', 'Reads lists faster'],
  ['# Only a heading', undefined],
  ['', undefined],
])('the first words of %j', (notes, words) => {
  expect(readNotes(notes)?.replaceAll(/\s+/g, ' ')).toBe(words);
});

test.each(['<', '- ', '1.', '[', '![](', '[](()', '<!--', '*', '```', 'a', 'https:', '> [!'])(
  'long notes of %j have few words',
  (part) => {
    const { length } = readNotes(part.repeat(500_000)) ?? '';
    expect(length).toBeLessThanOrEqual(maxNotesLength);
  },
);
