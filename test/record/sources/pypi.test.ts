import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/record/sources/index.ts';
import { ask, json } from '../../harness/asking.ts';

const source = (registryUrl: string): Source => ({
  datasource: 'pypi',
  packageName: 'example-agent',
  registryUrl,
});

function project(releases: unknown, name = 'example-agent') {
  return { '/example-agent/json': json({ info: { name }, releases }) };
}

describe('pypi, read by its older document', () => {
  it('dates a version by its earliest file', async () => {
    const { releases } = await ask(source, {
      documents: project({
        '1.0': [
          { upload_time_iso_8601: '2026-03-26T00:00:00.000001Z' },
          { upload_time_iso_8601: '2026-03-25T23:59:59.123456Z' },
          { upload_time_iso_8601: null },
        ],
      }),
    });

    expect(releases).toEqual([{ version: '1.0', releaseTimestamp: '2026-03-25T23:59:59Z' }]);
  });

  it('passes on an unreadable time, to be quoted when rejected', async () => {
    const { releases } = await ask(source, {
      documents: project({ '1.0': [{ upload_time_iso_8601: 'yesterday' }] }),
    });

    expect(releases).toEqual([{ version: '1.0', releaseTimestamp: 'yesterday' }]);
  });

  it('reads the time without a zone if a server states no other', async () => {
    const { releases } = await ask(source, {
      documents: project({ '1.0': [{ upload_time: '2026-03-25T10:20:30' }] }),
    });

    expect(releases).toEqual([{ version: '1.0', releaseTimestamp: '2026-03-25T10:20:30Z' }]);
  });

  it('lists a version without files, without a day', async () => {
    const { releases } = await ask(source, { documents: project({ '1.0': [] }) });

    expect(releases).toEqual([{ version: '1.0' }]);
  });

  it('treats a version as deprecated once all its files are yanked', async () => {
    const { releases } = await ask(source, {
      documents: project({
        '1.0': [
          { yanked: true, yanked_reason: null },
          { yanked: true, yanked_reason: 'breaks Python 3.9' },
        ],
        '1.1': [{ yanked: true, yanked_reason: 'bad wheel' }, { yanked: false }],
        '1.2': [{ yanked: true, yanked_reason: null }],
      }),
    });

    expect(releases).toEqual([
      { version: '1.0', deprecated: 'breaks Python 3.9' },
      { version: '1.1' },
      { version: '1.2', deprecated: '' },
    ]);
  });

  it.each(['Example_Agent', 'EXAMPLE.AGENT', 'example--agent'])(
    'knows the project by the name %s',
    async (name) => {
      const { releases } = await ask(source, { documents: project({ '1.0': [] }, name) });

      expect(releases).toEqual([{ version: '1.0' }]);
    },
  );
});

const indexType = 'application/vnd.pypi.simple.v1+json';

function index(rest: object) {
  const document = { meta: { 'api-version': '1.4' }, name: 'example-agent', files: [], ...rest };
  return { ...json(document), type: indexType };
}

const wheel = (version: string, rest: object = {}) => ({
  filename: `example_agent-${version}-py3-none-any.whl`,
  hashes: { sha256: 'ab'.repeat(32) },
  'upload-time': '2026-03-25T10:20:30.123456Z',
  ...rest,
});

describe('pypi, read by its Index API', () => {
  it('reads versions, days, digests and yanked files in one request', async () => {
    const { releases, requests } = await ask((url) => source(`${url}pypi/`), {
      documents: {
        '/simple/example-agent/': index({
          versions: ['1.0', '1.1+local', '1.2', '1.3'],
          files: [
            wheel('1.0', { 'upload-time': '2026-03-26T00:00:00Z' }),
            { ...wheel('1.0'), filename: 'Example.Agent-1.0.tar.gz', hashes: {} },
            wheel('1.1_local', { yanked: 'breaks Python 3.9' }),
            wheel('1.2', { yanked: true, hashes: {} }),
          ],
        }),
      },
    });

    expect(releases).toEqual([
      {
        version: '1.0',
        releaseTimestamp: '2026-03-25T10:20:30Z',
        digests: { 'example_agent-1.0-py3-none-any.whl': 'ab'.repeat(32) },
      },
      {
        version: '1.1+local',
        releaseTimestamp: '2026-03-25T10:20:30Z',
        deprecated: 'breaks Python 3.9',
        digests: { 'example_agent-1.1_local-py3-none-any.whl': 'ab'.repeat(32) },
      },
      { version: '1.2', releaseTimestamp: '2026-03-25T10:20:30Z', deprecated: '' },
      { version: '1.3' },
    ]);
    expect(requests.map(({ path }) => path)).toEqual(['/simple/example-agent/']);
    expect(requests[0]!.headers.accept).toContain(indexType);
  });

  // jfrog.com/help: the repository has `simple/` and `pypi/` below its path; local ones give no `releases` in the latter.
  it.each(['api/pypi/local/simple/', 'api/pypi/local/pypi/', 'api/pypi/local/'])(
    'reads a registry such as Artifactory at %s',
    async (path) => {
      const { releases } = await ask((url) => source(`${url}${path}`), {
        documents: {
          '/api/pypi/local/simple/example-agent/': index({ versions: ['1.0'], files: [wheel('1.0')] }),
          '/api/pypi/local/pypi/example-agent/json': json({ info: { name: 'example-agent' } }),
        },
      });

      expect(releases).toMatchObject([{ version: '1.0', releaseTimestamp: '2026-03-25T10:20:30Z' }]);
    },
  );

  // devpi.net/docs: version 1.0 of the API, which lists neither versions nor days.
  it('reads a registry such as devpi, which lists only files', async () => {
    const files = ['example_agent-1.0-py3-none-any.whl', 'example-agent-1.1.post2.tar.gz', 'notes.txt'];
    const { releases } = await ask((url) => source(`${url}root/dev/+simple/`), {
      documents: {
        '/root/dev/+simple/example-agent/': {
          ...index({ meta: { 'api-version': '1.0' }, files: files.map((filename) => ({ filename })) }),
          type: 'application/json',
        },
      },
    });

    expect(releases).toEqual([{ version: '1.0' }, { version: '1.1.post2' }]);
  });

  it("finds the version in a file name despite digits and hyphens in the project's name", async () => {
    const { releases } = await ask(
      (url) => ({ datasource: 'pypi', packageName: 'py-3d.kit', registryUrl: `${url}simple/` }),
      {
        documents: {
          '/simple/py-3d-kit/': index({
            name: 'py-3d-kit',
            files: ['py_3d_kit-4-1-py3-none-any.whl', 'py-3d-kit-5-1.zip'].map((filename) => ({ filename })),
          }),
        },
      },
    );

    expect(releases.map(({ version }) => version)).toEqual(['4', '5-1']);
  });

  it('deprecates all versions of a quarantined project with the reason, even if none is listed any more', async () => {
    const ofStatus = (status: object, versions: string[], listedBefore: string[] = []) =>
      ask((url) => source(`${url}simple/`), {
        documents: { '/simple/example-agent/': index({ 'project-status': status, versions }) },
        listedBefore,
      });
    const haunted = { status: 'quarantined', reason: 'the project is haunted' };
    const deprecated = 'The project is quarantined: the project is haunted';

    expect((await ofStatus(haunted, ['1.0'])).releases).toEqual([{ version: '1.0', deprecated }]);
    expect((await ofStatus(haunted, [], ['1.0', '1.1'])).releases).toEqual([
      { version: '1.0', deprecated },
      { version: '1.1', deprecated },
    ]);
    expect((await ofStatus({ status: 'deprecated' }, ['1.0'])).releases).toEqual([
      { version: '1.0', deprecated: 'The project is deprecated.' },
    ]);
    expect((await ofStatus({ status: 'archived', reason: 'Done.' }, ['1.0'])).releases).toEqual([
      { version: '1.0' },
    ]);
  });

  it('falls back to the older document if the Index API is only in HTML, but not if it fails', async () => {
    const older = { '/pypi/example-agent/json': json({ releases: { '1.0': [] } }) };
    const atSimple = (document: Record<string, unknown>) =>
      ask((url) => source(`${url}simple/`), {
        documents: { ...older, '/simple/example-agent/': document as never },
      });

    expect((await atSimple({ type: 'text/html', body: '<a href="x">x</a>' })).releases).toEqual([
      { version: '1.0' },
    ]);
    await expect(atSimple({ type: indexType, body: '{"files":{}}' })).rejects.toThrow(
      'files: expected array; got {}',
    );
  });
});
