import { expect, test } from 'vitest';
import type { DetailsFile } from '../../../src/core/schemas/published/details-file.ts';
import type { RecordedRelease } from '../../../src/core/schemas/recorded/recorded.ts';
import { linesOf, runCli } from '../../harness/cli.ts';
import { answer, entryOf, merge } from '../../harness/merging.ts';
import { readJsonIn, smallRoot } from '../../harness/root.ts';

const sources = ['npm:a', 'npm:b'];
const first = { version: '1.0', releaseTimestamp: '2026-01-01T10:00:00Z' };

function dissentOf(recorded: readonly RecordedRelease[], ...answers: Parameters<typeof merge>[1]) {
  return entryOf(merge(recorded, answers, { sources }), '1.0').dissent;
}

const [linkA, linkB] = ['https://example.com/a', 'https://example.com/b'];

test.each<[string, object, object, object | undefined]>([
  [
    'days more than one apart',
    {},
    { releaseTimestamp: '2026-01-03T09:00:00Z' },
    { field: 'releaseTimestamp', value: '2026-01-03T09:00:00Z' },
  ],
  ['days one apart', {}, { releaseTimestamp: '2026-01-02T23:00:00Z' }, undefined],
  [
    'changelogs',
    { changelogUrl: linkA },
    { changelogUrl: linkB },
    { field: 'changelogUrl', value: linkB },
  ],
  ['a changelog that only one states', {}, { changelogUrl: linkB }, undefined],
  ['a deprecation that one has', {}, { deprecated: 'old' }, { field: 'deprecated', value: 'old' }],
  ['a deprecation that the other lacks', { deprecated: 'old' }, {}, { field: 'deprecated' }],
  ['other words for a deprecation', { deprecated: 'a' }, { deprecated: 'b' }, undefined],
  [
    'prerelease flags',
    { isPrerelease: false },
    { isPrerelease: true },
    { field: 'isPrerelease', value: 'true' },
  ],
])('two sources state different facts: %s', (_, a, b, dissent) => {
  const said = [answer('npm:a', [{ ...first, ...a }]), answer('npm:b', [{ ...first, ...b }])];

  expect(dissentOf([], ...said)).toEqual(
    dissent && [{ source: 'npm:b', ...dissent, over: 'npm:a' }],
  );
});

const other = { ...first, releaseTimestamp: '2026-02-01T10:00:00Z' };
const both = [answer('npm:a', [first]), answer('npm:b', [other])];
const { releases } = merge([], both, { sources });
const recorded = [
  { source: 'npm:b', field: 'releaseTimestamp', value: other.releaseTimestamp, over: 'npm:a' },
];

test('sources conflict until they agree, one no longer lists the release, or the definition drops one', () => {
  expect(dissentOf(releases, ...both)).toEqual(recorded);
  expect(dissentOf(releases, both[0]!, answer('npm:b', [first]))).toBeUndefined();
  expect(dissentOf(releases, both[0]!, answer('npm:b', ['1.1']))).toBeUndefined();
  expect(merge(releases, [both[0]!], { sources: ['npm:a'] }).releases[0]).not.toHaveProperty(
    'dissent',
  );
});

test('sources stay in conflict while one of them does not answer, or states the day only once', () => {
  expect(dissentOf(releases, both[0]!)).toEqual(recorded);
  expect(dissentOf(releases, answer('npm:a', ['1.0']), answer('npm:b', ['1.0']))).toEqual(recorded);
});

test.each([
  ['a deprecation', {}, { deprecated: 'old' }],
  ['a prerelease flag', { isPrerelease: false }, { isPrerelease: true }],
])('%s stays overruled while the source that takes precedence does not answer', (_, a, b) => {
  const second = answer('npm:b', [{ ...first, ...b }]);
  const { releases } = merge([], [answer('npm:a', [{ ...first, ...a }]), second], { sources });

  const later = merge(releases, [second], { sources });
  const alone = merge(releases, [second], { sources: ['npm:b'] });

  expect([later.releases, later.changes]).toEqual([releases, []]);
  expect(entryOf(alone, '1.0')).toMatchObject(b);
});

test('a source that changes its own statement conflicts with no other, and the recorded day stays', () => {
  const [, b] = both;
  const moved = merge([], [answer('npm:a', [first])], { sources }).releases;

  expect(dissentOf(moved, answer('npm:a', [other]), b!)).toBeUndefined();
  expect(
    entryOf(merge(moved, [answer('npm:a', [other])], { sources }), '1.0').releaseTimestamp,
  ).toBe(first.releaseTimestamp);
});

test('the source recorded first takes precedence in a conflict over days', () => {
  const before = merge([], [answer('npm:b', [other])], { sources }).releases;

  expect(dissentOf(before, ...both)).toEqual([
    { source: 'npm:a', field: 'releaseTimestamp', value: first.releaseTimestamp, over: 'npm:b' },
  ]);
});

test('a disagreement is told by explain and the details, with the source that takes precedence', async () => {
  const source = 'npm:agent at https://mirror.example/';
  const dissent = {
    source,
    field: 'releaseTimestamp',
    value: '2026-03-01T00:00:00Z',
    over: 'npm:agent',
  };
  const deprecated = { source, field: 'deprecated', value: 'old', over: 'npm:agent' };
  const root = smallRoot({
    'data/svc.json': { releases: [{ version: '1.0.0', dissent: [dissent, deprecated] }] },
  });
  const run = (...args: string[]) => runCli([...args, '--root', root, '--as-of', '2026-06-01']);

  await run('build');

  expect(linesOf((await run('explain', 'svc', '1.0.0')).stdout)).toEqual(
    expect.arrayContaining([
      `Sources disagree: ${source} states another release day: 2026-03-01T00:00:00Z. npm:agent takes precedence.`,
      `Sources disagree: ${source} states another deprecation upstream: old. npm:agent takes precedence.`,
    ]),
  );
  expect(readJsonIn<DetailsFile>(root, 'dist/details/svc.json').releases[0]?.disagreements).toEqual(
    [dissent, deprecated],
  );
});
