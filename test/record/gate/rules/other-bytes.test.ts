import { expect, test } from 'vitest';
import { addDays } from '../../../../src/core/model/dates.ts';
import { listRecordedDigests } from '../../../../src/core/schemas/recorded/recorded.ts';
import { findChangedDigests } from '../../../../src/record/gate/rules/changed-data.ts';

const day = '2026-06-01';
const source = 'npm:x';
const digest = (digit: string) => `sha256:${digit.repeat(64)}`;
const [one, two, three] = ['1', '2', '3'].map(digest) as [string, string, string];
const sha1 = `sha1:${'4'.repeat(40)}`;

const data = (artifacts: Record<string, string> | undefined, more: object = {}) => ({
  releases: [{ version: '1.0', ...(artifacts && { digests: { [source]: artifacts } }), ...more }],
});
const old = { firstSeen: addDays(day, -31) };

type Artifacts = Record<string, string> | undefined;

test.each<[string, Artifacts, Artifacts, object, object[]]>([
  ['equal bytes', { file: one }, { file: one }, old, []],
  ['no bytes before', undefined, { file: one }, old, []],
  [
    'other bytes',
    { file: one },
    { file: two },
    {},
    [{ kind: 'replaced', artifact: 'file', recorded: one, digest: two }],
  ],
  [
    'no bytes now',
    { file: one },
    undefined,
    {},
    [{ kind: 'removed', artifact: 'file', recorded: one }],
  ],
  [
    'an artifact that is gone',
    { file: one, other: two },
    { file: one },
    {},
    [{ kind: 'removed', artifact: 'other', recorded: two }],
  ],
  [
    'one of two digests that is gone',
    { file: `${one} ${sha1}` },
    { file: one },
    {},
    [{ kind: 'removed', artifact: 'file', recorded: sha1 }],
  ],
  [
    'a renamed artifact',
    { 'v1.zip': one },
    { '1.zip': one },
    old,
    [{ kind: 'removed', artifact: 'v1.zip', recorded: one }],
  ],
  [
    'an artifact with the name of a method, in an old release',
    { file: one },
    { file: one, constructor: two },
    old,
    [{ kind: 'added', artifact: 'constructor', digest: two }],
  ],
  ['a new artifact', { file: one }, { file: one, other: two }, {}, []],
  [
    'a new artifact of an old release',
    { file: one },
    { file: one, other: two },
    old,
    [{ kind: 'added', artifact: 'other', digest: two }],
  ],
  [
    'a new artifact after 30 days',
    { file: one },
    { file: one, other: two },
    { firstSeen: addDays(day, -30) },
    [],
  ],
  [
    'two digests of a new artifact',
    { file: one },
    { file: one, other: `${two} ${sha1}` },
    old,
    [{ kind: 'added', artifact: 'other', digest: two }],
  ],
  [
    'a further digest',
    { file: one },
    { file: `${one} ${sha1}` },
    old,
    [{ kind: 'added', artifact: 'file', digest: sha1 }],
  ],
  [
    'bytes of another artifact',
    { file: one, other: two },
    { file: two, other: two },
    old,
    [{ kind: 'removed', artifact: 'file', recorded: one }],
  ],
  ['bytes under a second name', { file: one }, { file: one, copy: one }, old, []],
  ['an artifact without a digest', { file: one }, { file: one, other: '' }, old, []],
])('%s', (_, before, after, more, changed) => {
  expect(findChangedDigests(data(before, more), data(after, more), day)).toEqual(
    changed.map((entry) => ({ version: '1.0', source, ...entry })),
  );
});

test('a release that is gone has no other bytes', () => {
  expect(findChangedDigests(data({ file: one }, old), { releases: [] }, day)).toEqual([]);
});

test('the digests of a release, under all names', () => {
  const digests = { [source]: { file: `${one} ${sha1}` }, 'npm:y': { file: three } };

  expect([...listRecordedDigests({ version: '1.0', digests })]).toEqual([one, sha1, three]);
  expect([...listRecordedDigests({ version: '1.0' })]).toEqual([]);
});
