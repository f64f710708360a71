import { expect, test } from 'vitest';
import { ask } from '../../harness/ask-source.ts';
import { json, reply, text, type Document, type Documents } from '../../harness/upstream.ts';

const type = 'application/vnd.pypi.simple.v1+json';
const sha256 = 'ab'.repeat(32);
const askIndex = (index: Document, documents: Documents = {}) =>
  ask((url) => ({ datasource: 'pypi', packageName: 'py-3d.kit', registryUrl: `${url}simple/` }), {
    documents: { '/simple/py-3d-kit/': index, ...documents },
  });

test('pypi sends one request, and prefers the JSON format of the index', async () => {
  const { asked, upstream } = await askIndex(json({ versions: ['1.0'], files: [] }));

  expect(asked).toEqual(['GET /simple/py-3d-kit/']);
  expect(upstream.requests[0]?.headers.accept).toBe(`${type}, text/html;q=0.1`);
});

test('pypi merges tens of thousands of files of one version', async () => {
  const wheel = { filename: 'py_3d_kit-1.0-py3-none-any.whl', hashes: { sha256 } };
  const files = Array.from({ length: 20_000 }, () => wheel);
  const { releases } = await askIndex(json({ files }));

  expect(releases).toEqual([{ version: '1.0', digests: [`sha256:${sha256}`] }]);
});

test.each([
  ['(x+x+)+y', `${'x'.repeat(40)}-1.0.tar.gz`, ['0.9']],
  ['(x+x+)+y', '(x+x+)+y-1.0.tar.gz', ['0.9', '1.0']],
  ['Pkg[extra', 'pkg[EXTRA-1.0-py3-none-any.whl', ['0.9', '1.0']],
  ['pkg(', 'pkg(-1.0.zip', ['0.9', '1.0']],
  ['*', '*-1.0.tgz', ['0.9', '1.0']],
  ['-', `${'-'.repeat(2 ** 20)}\n`, ['0.9']],
])(
  'pypi takes the name %s literally, not as a regular expression',
  async (packageName, filename, versions) => {
    const filenames = [filename, `${packageName}-0.9.zip`, 'other-2.0.zip'];
    const files = filenames.map((each) => ({ filename: each }));
    const { releases } = await ask(
      (url) => ({ datasource: 'pypi', packageName, registryUrl: `${url}simple/` }),
      { change: () => reply(200, { 'content-type': type }, JSON.stringify({ files })) },
    );

    expect(releases.map(({ version }) => version).sort()).toEqual(versions);
  },
);

test.each<[object, string[], string | undefined]>([
  [{ status: 'quarantined', reason: 'haunted' }, [], 'The project is quarantined: haunted'],
  [{ status: 'deprecated' }, ['1.0'], 'The project is deprecated.'],
  [{ status: 'archived', reason: 'Done.' }, ['1.0'], undefined],
])(
  'pypi reads the project status %j if the index lists %j',
  async (status, versions, deprecated) => {
    const answer = await askIndex(json({ 'project-status': status, versions, files: [] }));

    expect(answer.releases.map(({ version }) => version)).toEqual(versions);
    expect([answer.deprecated, answer.isPartial]).toEqual([deprecated, versions.length === 0]);
  },
);

test('pypi reads an HTML index with digests and yanked files', async () => {
  const page = `<!DOCTYPE html><html><body><h1>Links</h1>
<a href="../../files/py_3d_kit-1.0-py3-none-any.whl#sha256=${sha256}" data-requires-python="&gt;=3.8">py_3d_kit-1.0-py3-none-any.whl</a><br/>
<a data-yanked="breaks" href='py_3d_kit-1.1.tar.gz#md5=0'>py_3d_kit-1.1.tar.gz</a>
<A HREF="py_3d_kit-1.2.tar.gz" data-yanked>py_3d_kit-1.2.tar.gz</A>
<a href="/other">Home</a></body></html>`;
  const { asked, releases, notes } = await askIndex(text(page, 'text/html; charset=utf-8'));

  expect(asked).toEqual(['GET /simple/py-3d-kit/', 'GET /pypi/py-3d.kit/json']);
  expect(releases).toMatchObject([
    { version: '1.0', digests: [`sha256:${sha256}`] },
    { version: '1.1', deprecated: 'breaks' },
    { version: '1.2', deprecated: expect.any(String) },
  ]);
  expect(notes).toEqual([]);
  await expect(askIndex(text('<a href="x">Sign in</a>', 'text/html'))).rejects.toThrow(
    'is a web page without a file of the project',
  );
});

test('pypi uses the JSON API if the index is HTML', async () => {
  const askWith = (index: Document) =>
    askIndex(index, {
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
  await expect(askWith(text('{"files":{}}', type))).rejects.toThrow('files: expected a list');
});
