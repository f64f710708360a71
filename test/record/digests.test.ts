import { expect, test } from 'vitest';
import { openGathering } from '../harness/gathering.ts';
import { digestOf as hex, sha256 as sha } from '../harness/imitation.ts';
import { json, text, type Documents } from '../harness/upstream.ts';

/** By version, the files that upstream states, by a letter that stands for their bytes. */
type Files = Readonly<Record<string, string>>;

const listFiles = <T>(files: Files, describe: (version: string, hex?: string) => T) =>
  Object.entries(files).flatMap(([version, letters]) =>
    letters === ''
      ? describe(version)
      : Array.from(letters, (each) => describe(version, hex(each))),
  );

const upstreams: Record<string, (files: Files) => Documents> = {
  'github-releases': (files) => ({
    '/repos/example/agent/releases?per_page=100': json(
      Object.entries(files).map(([tag_name, letters]) => ({
        tag_name,
        assets: Array.from(letters, (name) => ({ name, digest: sha(name) })),
      })),
    ),
  }),
  json: (files) => ({
    '/agent.json': json(
      listFiles(files, (version, digest) => ({ version, digest: digest ?? null })),
    ),
  }),
  helm: (files) => {
    const agent = listFiles(files, (version, digest) => ({ version, digest }));
    return { '/index.yaml': text(JSON.stringify({ entries: { agent } }), 'text/yaml') };
  },
  crate: (files) => {
    const lines = listFiles(files, (vers, cksum) => JSON.stringify({ vers, cksum }));
    return { '/ag/en/agent': text(lines.join('\n')) };
  },
  pypi: (files) => {
    const list = listFiles(files, (version, sha256 = '0') => ({
      filename: `agent-${version}-${sha256}-any.whl`,
      hashes: sha256 === '0' ? {} : { sha256 },
    }));
    const body = JSON.stringify({ versions: Object.keys(files), files: list });
    return { '/simple/agent/': text(body, 'application/vnd.pypi.simple.v1+json') };
  },
  docker: (files) => ({
    '/v2/agent/tags/list?n=1000': json({ tags: Object.keys(files) }),
    ...Object.fromEntries(
      Object.entries(files).map(([tag, [letter]]) => [
        `/v2/agent/manifests/${tag}`,
        letter ? json({}, { 'docker-content-digest': sha(letter) }) : json(''),
      ]),
    ),
  }),
};
const [github, list, helm] = ['github-releases', 'json', 'helm'].map((name) => upstreams[name]!);

const source =
  (name: string, more: object = {}) =>
  (url: string) => ({
    datasource: name,
    ...(name === 'json'
      ? { url: `${url}agent.json` }
      : { packageName: name === 'github-releases' ? 'example/agent' : 'agent', registryUrl: url }),
    ...more,
  });

/** A day gives, by version, the letter of the recorded digest, with `!` for other bytes. */
async function open(...sources: ((url: string) => object)[]) {
  const { gather, state } = await openGathering((url) => sources.map((create) => create(url)));
  return {
    state,
    async gather(documents: Documents = {}) {
      const { recorded } = await gather(documents);
      return Object.fromEntries(
        recorded.releases.map(({ version, digest, republishedOn }) => {
          const letter = [...'abcdefx'].find((each) => sha(each) === digest) ?? digest ?? '';
          return [version, `${letter}${republishedOn ? '!' : ''}`];
        }),
      );
    },
  };
}

test.each(Object.entries(upstreams))(
  'the first SHA-256 that %s states alone stays for five days',
  async (name, documents) => {
    const { gather } = await open(source(name));
    // An image has one, which is read once.
    const isImage = name === 'docker';
    const [b, e] = isImage ? ['c', 'e'] : ['', ''];

    expect(await gather(documents({ '1.0': 'a', '1.1': 'cd' }))).toEqual({ '1.0': 'a', '1.1': b });
    // A late file.
    const late = { '1.0': 'ab', '1.1': 'cd', '1.2': e };
    expect(await gather(documents(late))).toEqual({ '1.0': 'a', '1.1': b, '1.2': e });
    // The first file is gone, and a release without any gets one.
    const gone = { ...late, '1.0': isImage ? 'a' : 'b', '1.2': 'e' };
    expect(await gather(documents(gone))).toEqual({ '1.0': 'a', '1.1': b, '1.2': 'e' });
    const other = documents({ ...late, '1.0': 'x', '1.2': 'ef' });
    for (const recorded of [await gather(other), await gather(other)]) {
      expect(recorded).toEqual({ '1.0': 'a!', '1.1': b, '1.2': 'e' });
    }
  },
);

test.each([
  ['^b$', 'abc', 'b'],
  ['b', 'b', 'b'],
  ['^[ab]', 'abc', ''],
])('digestOf %j takes of the files %j the digest of %j', async (digestOf, files, digest) => {
  const { gather } = await open(source('github-releases', { digestOf }));

  expect(await gather(github!({ '1.0': files }))).toEqual({ '1.0': digest });
});

test('the meant file may come later, and digestOf may', async () => {
  const { gather, state } = await open(source('github-releases', { digestOf: '^b' }));
  const before = await gather(github!({ '1.0': 'a', '1.1': 'ab' }));
  delete state.recorded.releases[1]!.digest;
  const after = await gather(github!({ '1.0': 'ab', '1.1': 'ab' }));

  expect(before).toEqual({ '1.0': '', '1.1': 'b' });
  expect(after).toEqual({ '1.0': 'b', '1.1': 'b' });
});

test('the digests of a component come from one source, also while it is silent', async () => {
  const { gather } = await open(source('helm'), source('json'));
  const releases = list!({ '1.0': 'c', '1.1': 'd' });

  expect(await gather(releases)).toEqual({ '1.0': '', '1.1': '' });
  const both = { ...helm!({ '1.0': 'a' }), ...releases };
  expect(await gather(both)).toEqual({ '1.0': 'a', '1.1': '' });
  expect(await gather(releases)).toEqual({ '1.0': 'a', '1.1': '' });
});

test('a source without digests leaves them to the next one, and digestOf decides', async () => {
  const plain = { datasource: 'static', releases: [{ version: '0.9' }] };
  const second = await open(() => plain, source('helm'));
  const named = await open(source('helm'), source('github-releases', { digestOf: '^d' }));
  const documents = { ...helm!({ '1.0': 'a' }), ...github!({ '1.0': 'cd' }) };

  expect(await second.gather(documents)).toEqual({ '0.9': '', '1.0': 'a' });
  expect(await named.gather(documents)).toEqual({ '1.0': 'd' });
});

test.each<[title: string, source: (url: string) => object, documents: Documents]>([
  [
    'a commit of a repository with SHA-256',
    source('gitlab-tags'),
    {
      '/api/v4/projects/agent/repository/tags?per_page=100': json([
        { name: '1.0', commit: { id: hex('a') } },
      ]),
    },
  ],
  [
    'a tag that is rebuilt',
    source('docker', { rebuildsTags: true }),
    upstreams['docker']!({ '1.0': 'a' }),
  ],
  [
    'another algorithm',
    source('json'),
    { '/agent.json': json([{ version: '1.0', digest: `sha512:${'a'.repeat(128)}` }]) },
  ],
])('%s is no digest of a release', async (_, create, documents) => {
  const { gather } = await open(create);

  expect(await gather(documents)).toEqual({ '1.0': '' });
});

test('what a definition states itself is recorded, and what a person corrects stays', async () => {
  const releases = [{ version: '1.0', digest: hex('a') }];
  const { gather, state } = await open(() => ({ datasource: 'static', releases }));

  expect(await gather()).toEqual({ '1.0': 'a' });
  state.recorded.releases[0]!.digest = sha('b');
  expect(await gather()).toEqual({ '1.0': 'b' });
});
