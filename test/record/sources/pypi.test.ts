import { expect, it } from 'vitest';
import type { TypedSource } from '../../../src/record/sources/index.ts';
import { ask, json, type Asking } from '../../harness/asking.ts';

const source = (registryUrl: string): TypedSource => ({
  datasource: 'pypi',
  packageName: 'example-agent',
  registryUrl,
});

const project = (files: object[]) => ({
  '/example-agent/json': json({ info: { name: 'example--AGENT' }, releases: { '1.0': files } }),
});
const yanked = (yanked_reason: string | null) => ({ yanked: true, yanked_reason });

it.each<[string, object[], object]>([
  [
    'is dated by its earliest file',
    [
      { upload_time_iso_8601: '2026-03-26T00:00:00.000001Z' },
      { upload_time_iso_8601: '2026-03-25T23:59:59.123456Z' },
      { upload_time_iso_8601: null },
    ],
    { releaseTimestamp: '2026-03-25T23:59:59Z' },
  ],
  [
    'keeps an unreadable time, to be quoted when rejected',
    [{ upload_time_iso_8601: 'yesterday' }],
    { releaseTimestamp: 'yesterday' },
  ],
  [
    'is dated by a time without a zone if there is no other',
    [{ upload_time: '2026-03-25T10:20:30' }],
    { releaseTimestamp: '2026-03-25T10:20:30Z' },
  ],
  ['has no day without files', [], {}],
  [
    'is deprecated if all its files are yanked',
    [yanked(null), yanked('breaks')],
    { deprecated: 'breaks' },
  ],
  ['is deprecated if its files are yanked without a reason', [yanked(null)], { deprecated: '' }],
  ['is not deprecated if a file is not yanked', [yanked('bad wheel'), { yanked: false }], {}],
])('pypi by its older document: a version %s', async (_, files, stated) => {
  const { releases } = await ask(source, { documents: project(files) });

  expect(releases).toEqual([{ version: '1.0', ...stated }]);
});

it('pypi by its older document rejects that of another project, and reads digests', async () => {
  const file = {
    filename: 'example_agent-1.0.zip',
    digests: { md5: '0', sha256: 'ab'.repeat(32) },
  };
  const { releases } = await ask(source, { documents: project([file]) });

  expect(releases).toEqual([{ version: '1.0', digests: { [file.filename]: 'ab'.repeat(32) } }]);
  const other = { '/example-agent/json': json({ info: { name: 'other' }, releases: {} }) };
  await expect(ask(source, { documents: other })).rejects.toThrow('got that of "other"');
});

const type = 'application/vnd.pypi.simple.v1+json';
const index = (rest: object) => ({
  ...json({ meta: { 'api-version': '1.4' }, name: 'example-agent', files: [], ...rest }),
  type,
});
const wheel = (version: string, rest: object = {}) => ({
  filename: `example_agent-${version}-py3-none-any.whl`,
  hashes: { sha256: 'ab'.repeat(32) },
  'upload-time': '2026-03-25T10:20:30.123456Z',
  ...rest,
});
/** Asks a registry whose Index API has this document. */
const askIndex = (rest: object, more: Asking = {}) =>
  ask((url) => source(`${url}simple/`), {
    documents: { '/simple/example-agent/': index(rest) },
    ...more,
  });
const filesOf = (...filenames: string[]) => filenames.map((filename) => ({ filename }));

it('pypi by its Index API reads versions, days, digests and yanked files in one request', async () => {
  const { releases, requests } = await askIndex({
    versions: ['1.0', '1.1+local', '1.2', '1.3'],
    files: [
      wheel('1.0', { 'upload-time': '2026-03-26T00:00:00Z' }),
      { ...wheel('1.0'), filename: 'Example.Agent-1.0.tar.gz', hashes: {} },
      wheel('1.1_local', { yanked: 'breaks Python 3.9' }),
      wheel('1.2', { yanked: true, hashes: {} }),
    ],
  });

  const releaseTimestamp = '2026-03-25T10:20:30Z';
  const digestOf = (version: string) => ({ [wheel(version).filename]: 'ab'.repeat(32) });
  expect(releases).toEqual([
    { version: '1.0', releaseTimestamp, digests: digestOf('1.0') },
    {
      version: '1.1+local',
      releaseTimestamp,
      deprecated: 'breaks Python 3.9',
      digests: digestOf('1.1_local'),
    },
    { version: '1.2', releaseTimestamp, deprecated: '' },
    { version: '1.3' },
  ]);
  expect(requests.map(({ path }) => path)).toEqual(['/simple/example-agent/']);
  expect(requests[0]!.headers.accept).toContain(type);
});

// jfrog.com/help: the repository has `simple/` and `pypi/` below its path; local ones give no `releases` in the latter.
it.each(['api/pypi/local/simple/', 'api/pypi/local/pypi/', 'api/pypi/local/'])(
  'pypi by its Index API reads a registry such as Artifactory at %s',
  async (path) => {
    const { releases } = await ask((url) => source(`${url}${path}`), {
      documents: {
        '/api/pypi/local/simple/example-agent/': index({
          versions: ['1.0'],
          files: [wheel('1.0')],
        }),
        '/api/pypi/local/pypi/example-agent/json': json({ info: { name: 'example-agent' } }),
      },
    });

    expect(releases).toMatchObject([{ version: '1.0', releaseTimestamp: '2026-03-25T10:20:30Z' }]);
  },
);

// devpi.net/docs: version 1.0 of the API, which lists neither versions nor days.
it('pypi by its Index API reads a registry such as devpi, which lists only files', async () => {
  const files = filesOf(
    'example_agent-1.0-py3-none-any.whl',
    'example-agent-1.1.post2.tar.gz',
    'notes.txt',
  );
  const document = {
    ...index({ meta: { 'api-version': '1.0' }, files }),
    type: 'application/json',
  };
  const { releases } = await ask((url) => source(`${url}root/dev/+simple/`), {
    documents: { '/root/dev/+simple/example-agent/': document },
  });

  expect(releases).toEqual([{ version: '1.0' }, { version: '1.1.post2' }]);
});

it("pypi by its Index API finds versions in file names despite digits and hyphens in the project's name", async () => {
  const files = filesOf('py_3d_kit-4-1-py3-none-any.whl', 'py-3d-kit-5-1.zip');
  const { releases } = await ask(
    (url) => ({ datasource: 'pypi', packageName: 'py-3d.kit', registryUrl: `${url}simple/` }),
    { documents: { '/simple/py-3d-kit/': index({ name: 'py-3d-kit', files }) } },
  );

  expect(releases.map(({ version }) => version)).toEqual(['4', '5-1']);
});

it("pypi by its Index API reads a platform's archive as a file of its version", async () => {
  const [source, archive, notes] = filesOf(
    'example-agent-1.0.tar.gz',
    'example-agent-1.0.linux-x86_64.tar.gz',
    'example-agent-1.0-docs.zip',
  );
  const versionsOf = async (rest: object) =>
    (await askIndex(rest)).releases.map(({ version }) => version);

  expect(await versionsOf({ files: [source, archive] })).toEqual(['1.0']);
  expect(await versionsOf({ versions: ['1.0'], files: [archive, notes] })).toEqual(['1.0']);
});

const haunted = { status: 'quarantined', reason: 'the project is haunted' };
const quarantined = 'The project is quarantined: the project is haunted';

it.each<[object, string[], string[], object[]]>([
  [haunted, ['1.0'], [], [{ version: '1.0', deprecated: quarantined }]],
  [haunted, [], ['1.0'], [{ version: '1.0', deprecated: quarantined }]],
  [
    { status: 'deprecated' },
    ['1.0'],
    [],
    [{ version: '1.0', deprecated: 'The project is deprecated.' }],
  ],
  [{ status: 'archived', reason: 'Done.' }, ['1.0'], [], [{ version: '1.0' }]],
])(
  'pypi by its Index API, of a project with %j reads %j, listed before: %j',
  async (status, versions, listedBefore, expected) => {
    const { releases } = await askIndex({ 'project-status': status, versions }, { listedBefore });

    expect(releases).toEqual(expected);
  },
);

it('pypi falls back to the older document if the Index API is only in HTML, but not if it fails', async () => {
  const older = { '/pypi/example-agent/json': json({ releases: { '1.0': [] } }) };
  const atSimple = (document: { type: string; body: string }) =>
    ask((url) => source(`${url}simple/`), {
      documents: { ...older, '/simple/example-agent/': document },
    });

  const html = await atSimple({ type: 'text/html', body: '<a href="x">x</a>' });
  expect(html.releases).toEqual([{ version: '1.0' }]);
  await expect(atSimple({ type, body: '{"files":{}}' })).rejects.toThrow(
    'files: expected array; got {}',
  );
});
