import { expect, test } from 'vitest';
import { ask, type Asked } from '../../harness/ask-source.ts';
import { json, text, type Document, type Documents } from '../../harness/upstream.ts';

const type = 'application/vnd.pypi.simple.v1+json';
const sha256 = 'ab'.repeat(32);
const project = { datasource: 'pypi', packageName: 'py-3d.kit' };
const askAt = (registry: string, documents: Documents) =>
  ask((url) => ({ ...project, registryUrl: url + registry }), { documents });
const index = (rest: object): Document => ({ ...json({ files: [], ...rest }), type });
const wheel = (version: string, rest: object = {}) => ({
  filename: `py_3d_kit-${version}-py3-none-any.whl`,
  hashes: { sha256 },
  'upload-time': '2026-03-25T10:20:30.123456Z',
  ...rest,
});
const files = (...names: string[]) => names.map((filename) => ({ filename }));
const askIndex = (rest: object) => askAt('simple/', { '/simple/py-3d-kit/': index(rest) });
const versionsOf = ({ releases }: Asked) => releases.map(({ version }) => version);

test('pypi reads versions, days, digests and yanked files in one request', async () => {
  const { releases, asked, upstream } = await askIndex({
    versions: ['1.0', '1.1+local', '1.2', '1.3'],
    files: [
      wheel('1.0', { 'upload-time': '2026-03-26T00:00:00Z', yanked: 'bad wheel' }),
      { ...wheel('1.0'), filename: 'Py.3d.Kit-1.0.tar.gz', hashes: {} },
      wheel('1.1_local', { yanked: 'breaks Python 3.9' }),
      wheel('1.2', { yanked: true, hashes: {} }),
    ],
  });

  const releaseTimestamp = '2026-03-25T10:20:30Z';
  const digests = [`sha256:${sha256}`];
  expect(releases).toEqual([
    { version: '1.0', releaseTimestamp, digests },
    { version: '1.1+local', releaseTimestamp, deprecated: 'breaks Python 3.9', digests },
    { version: '1.2', releaseTimestamp, deprecated: 'no reason given' },
    { version: '1.3' },
  ]);
  expect(asked).toEqual(['GET /simple/py-3d-kit/']);
  expect(upstream.requests[0]?.headers.accept).toBe(type);
});

test('pypi unites tens of thousands of files of one version', async () => {
  const { releases } = await askIndex({ files: Array(20_000).fill(wheel('1.0')) });

  expect(releases).toEqual([
    { version: '1.0', releaseTimestamp: '2026-03-25T10:20:30Z', digests: [`sha256:${sha256}`] },
  ]);
});

// jfrog.com/help: the repository has `simple/` and `pypi/` below its path. devpi.net/docs: `+simple/`.
test.each([
  ['api/pypi/local/pypi/', '/api/pypi/local/simple/py-3d-kit/'],
  ['api/pypi/local/', '/api/pypi/local/simple/py-3d-kit/'],
  ['root/dev/+simple/', '/root/dev/+simple/py-3d-kit/'],
])('pypi finds the index of a registry at %s', async (registry, path) => {
  const { releases } = await askAt(registry, { [path]: index({ versions: ['1.0'] }) });

  expect(releases).toEqual([{ version: '1.0' }]);
});

test.each<[string, object, string[]]>([
  [
    'of a registry that lists only files',
    { files: files('py_3d_kit-4-1-py3-none-any.whl', 'py-3d-kit-5-1.zip', 'x') },
    ['4', '5-1'],
  ],
  [
    'that the index lists, alone',
    { versions: ['1.0'], files: files('py-3d-kit-1.0-docs.zip', 'py-3d-kit-2.zip') },
    ['1.0'],
  ],
])('pypi finds the versions %s', async (_, rest, expected) => {
  expect(versionsOf(await askIndex(rest))).toEqual(expected);
});

test.each<[object, string[], string | undefined]>([
  [{ status: 'quarantined', reason: 'haunted' }, [], 'The project is quarantined: haunted'],
  [{ status: 'deprecated' }, ['1.0'], 'The project is deprecated.'],
  [{ status: 'archived', reason: 'Done.' }, ['1.0'], undefined],
])('pypi reads the status %j of a project with %j', async (status, versions, deprecated) => {
  const answer = await askIndex({ 'project-status': status, versions });

  expect(versionsOf(answer)).toEqual(versions);
  expect([answer.deprecated, answer.isPartial]).toEqual([deprecated, versions.length === 0]);
});

test('pypi reads the older document for an index in HTML, but not for a wrong one', async () => {
  const askWith = (document: Document) =>
    askAt('simple/', {
      '/simple/py-3d-kit/': document,
      '/pypi/py-3d.kit/json': json({
        releases: {
          '1.0': [
            { upload_time_iso_8601: '2026-03-26T00:00:00Z', digests: { md5: '0', sha256 } },
            { upload_time_iso_8601: '2026-03-25T23:59:59.123456Z' },
          ],
          '1.1': [],
          '1.2': [{ yanked: true, yanked_reason: 'breaks' }],
        },
      }),
    });

  const { releases } = await askWith(text('<a href="x">x</a>', 'text/html'));
  expect(releases).toEqual([
    { version: '1.0', releaseTimestamp: '2026-03-25T23:59:59Z', digests: [`sha256:${sha256}`] },
    { version: '1.1' },
    { version: '1.2', deprecated: 'breaks' },
  ]);
  await expect(askWith(text('{"files":{}}', type))).rejects.toThrow('files: expected array');
});
