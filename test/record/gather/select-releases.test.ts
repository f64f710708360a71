import { expect, onTestFinished, test } from 'vitest';
import { selectReleases } from '../../../src/record/gather/select-releases.ts';
import { TypedSource } from '../../../src/record/sources/index.ts';
import { gather, testHttp } from '../../harness/gathering.ts';
import { json } from '../../harness/imitated-upstream.ts';
import { serve, startUpstream } from '../../harness/upstream.ts';

const listed = ['v1.0', '1.1', '1.2.0', '2.0-RC-1', '2.0', '2025.3', 'latest', 'nightly-3.1'];

/** The versions of a list that a definition admits, and the findings about the others. */
function select(rules: object, { names = listed, takePrereleases = false } = {}) {
  const source = TypedSource.parse({ datasource: 'npm', packageName: 'agent', ...rules });
  const releases = names.map((name) => ({ name }));
  const selection = selectReleases(source, { releases }, takePrereleases);
  return {
    taken: [...selection.elements.keys()],
    refused: selection.skipped.map(({ message }) => message),
    listed: selection.ranks.size,
    whyNoneAdmitted: selection.whyNoneAdmitted,
  };
}

test('without rules, admits every stable version with a place in the order', () => {
  expect(select({})).toMatchObject({
    taken: ['v1.0', '1.1', '1.2.0', '2.0', '2025.3'],
    refused: [
      '"latest" has no place in the version order. Left out.',
      '"nightly-3.1" has no place in the version order. Left out.',
    ],
    listed: 6,
  });
});

test('admits prereleases if the definition does', () => {
  expect(select({}, { takePrereleases: true }).taken).toContain('2.0-RC-1');
});

test.each([
  ['/^\\d/', ['1.1', '1.2.0', '2.0', '2025.3']],
  ['!/^\\d/', ['v1.0']],
  ['/^V1/i', ['v1.0']],
  ['/^V1/', []],
  ['<2', ['v1.0', '1.1', '1.2.0']],
  ['1.x || >=2025', ['v1.0', '1.1', '1.2.0', '2025.3']],
])('allowedVersions %s', (allowedVersions, expected) => {
  expect(select({ allowedVersions }).taken).toEqual(expected);
});

test('extractVersion extracts the version from a name, and leaves out names that do not match', () => {
  expect(select({ extractVersion: '^(?:v|nightly-)(?<version>.+)$' })).toMatchObject({
    taken: ['1.0', '3.1'],
    refused: [],
  });
});

test('versions outside allowedVersions are still listed, so they are not withdrawn', () => {
  expect(select({ allowedVersions: '/^1\\./' })).toMatchObject({
    taken: ['1.1', '1.2.0'],
    listed: 6,
  });
});

test('rejects a name longer than any version before matching it', () => {
  const longest = `v1.${'1'.repeat(197)}`;
  const rules = { extractVersion: '^v(?<version>.+)$', allowedVersions: '!/^0/' };

  expect(select(rules, { names: [longest, `v1.${'1'.repeat(100_000)}`] })).toMatchObject({
    taken: [longest.slice(1)],
    refused: [`"v1.${'1'.repeat(95)}…" has no place in the version order. Left out.`],
  });
});

test.each([
  [
    'reports both days of a version, and uses the first',
    ['2026-02-02', '2026-01-31'],
    ['"1.0" is listed with the days 2026-02-02, 2026-01-31. Used 2026-02-02.'],
    '2026-02-02',
  ],
  ['reads two spellings of a day as one', ['2026-01-31', '31 January 2026'], [], '2026-01-31'],
  ['uses the only stated day', [undefined, '2026-01-31', undefined], [], '2026-01-31'],
  [
    'reports an unreadable day beside a readable one',
    ['soon', '2026-01-31'],
    ['"1.0" is listed with the days "soon", 2026-01-31. Used 2026-01-31.'],
    '2026-01-31',
  ],
  ['leaves a repeated unreadable day to the check of days', ['soon', 'soon'], [], 'soon'],
  ['leaves two unreadable days to the check of days', ['soon', 'later'], [], 'soon'],
])('of a version that is listed more than once, %s', (_, days, messages, used) => {
  const source = TypedSource.parse({ datasource: 'npm', packageName: 'agent' });
  const releases = days.map((releaseTimestamp) => ({ name: '1.0', releaseTimestamp }));

  const { elements, skipped } = selectReleases(source, { releases }, false);

  expect(skipped.map(({ message }) => message)).toEqual(messages);
  expect(elements.get('1.0')?.releaseTimestamp).toBe(used);
});

test.each([
  [
    { extractVersion: '^release-(?<version>.+)$' },
    'lists 3 names, none of which the definition admits: extractVersion leaves out 3',
  ],
  [
    { allowedVersions: '/^2/' },
    'lists 3 names, none of which the definition admits: allowedVersions leaves out 2, prereleases leaves out 1',
  ],
  [{}, undefined],
])('with %j, the rule that leaves out all names is %s', (rules, why) => {
  expect(select(rules, { names: ['1.0.0', '1.1.0', '2.0.0-rc.1'] }).whyNoneAdmitted).toBe(why);
});

test.each([
  [
    'endoflife-date',
    '/v1/products/agent',
    { result: { name: 'agent', releases: [{ name: '1', latest: { name: 'v1.2' } }] } },
    [{ version: '1.1' }, { version: '1.2' }],
  ],
  [
    'pypi',
    '/simple/agent/',
    { name: 'agent', 'project-status': { status: 'quarantined' }, versions: [], files: [] },
    [{ version: '1.1', deprecated: 'The project is quarantined.' }],
  ],
])(
  'extractVersion is not applied again to the versions that %s has, but no longer lists',
  async (datasource, path, document, expected) => {
    const upstream = await startUpstream(() => serve(new Map([[path, json(document)]])));
    const http = testHttp();
    onTestFinished(async () => {
      await http.close();
      await upstream.close();
    });
    const source = {
      datasource,
      packageName: 'agent',
      registryUrl: upstream.url,
      extractVersion: '^v(?<version>.+)$',
    };
    const releases = [{ version: '1.1', source: `${datasource}:agent` }];
    const result = await gather(
      { component: 'svc', definition: { sources: [source] }, releases },
      http,
    );

    expect(result.freshness.missing).toBeUndefined();
    expect(result.releases).toMatchObject(expected);
  },
);
