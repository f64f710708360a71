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
  rubygems: (files) => ({
    '/api/v1/versions/agent.json': json(
      listFiles(files, (number, digest) => ({ number, sha: digest ?? null })),
    ),
  }),
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
const filesFollow = ['github-releases', 'pypi', 'rubygems'];
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
    // Another file may follow.
    const [a, lateE] = filesFollow.includes(name) ? ['', ''] : ['a', 'e'];

    const first = documents({ '1.0': 'a', '1.1': 'cd' });
    expect(await gather(first)).toEqual({ '1.0': a, '1.1': b });
    expect(await gather(first)).toEqual({ '1.0': 'a', '1.1': b });
    // A late file.
    const late = { '1.0': 'ab', '1.1': 'cd', '1.2': e };
    expect(await gather(documents(late))).toEqual({ '1.0': 'a', '1.1': b, '1.2': e });
    // The first file is gone, and a release without any gets one.
    const gone = { ...late, '1.0': isImage ? 'a' : 'b', '1.2': 'e' };
    expect(await gather(documents(gone))).toEqual({ '1.0': 'a', '1.1': b, '1.2': lateE });
    expect(await gather(documents(gone))).toEqual({ '1.0': 'a', '1.1': b, '1.2': 'e' });
    const other = documents({ ...late, '1.0': 'x', '1.2': 'ef' });
    for (const recorded of [await gather(other), await gather(other)]) {
      expect(recorded).toEqual({ '1.0': 'a!', '1.1': b, '1.2': 'e' });
    }
  },
);

test.each<[name: string, days: string[], digest: string]>([
  ['of two files that come one by one, none', ['c', 'cd', 'cd', 'cd'], ''],
  ['a file that came alone on two days, also after another one came', ['c', 'c', 'cd'], 'c'],
  ['the file that is left, on the second day without another one', ['cd', 'd', 'd'], 'd'],
  ['not the first of two that took turns', ['c', 'd', 'c'], ''],
])('without a map, %s', async (_, days, digest) => {
  // A pattern may fit a further file, too.
  const withPattern = ['github-releases', { digestOf: '^[a-f]$' }] as const;
  for (const [name, more] of [...filesFollow.map((each) => [each] as const), withPattern]) {
    const { gather } = await open(source(name, more));
    let recorded;
    for (const files of days) {
      recorded = await gather(upstreams[name]!({ '1.0': files }));
    }

    expect([name, recorded]).toEqual([name, { '1.0': expect.stringMatching(`^${digest}!?$`) }]);
  }
});

/** By name, the letter of its bytes; in capitals where all names had one. */
async function openFiles(...sources: ((url: string) => object)[]) {
  const { gather } = await openGathering((url) => sources.map((create) => create(url)));
  return async (documents: Documents = {}) => {
    const { recorded } = await gather(documents);
    return recorded.releases.map(({ version, digest, files = {}, hasAllFiles, republishedOn }) => {
      const letters = Object.values(files).map((each) => [...'abx'].find((at) => sha(at) === each));
      const text = hasAllFiles ? letters.join('').toUpperCase() : letters.join('');
      return `${version} ${text}${republishedOn ? '!' : ''}${digest ? ' digest' : ''}`;
    });
  };
}

/** The names of files and their bytes. */
const publish = (files: Readonly<Record<string, string>>, tag_name = '1.0') => {
  const assets = Object.entries(files).map(([name, bytes]) => ({ name, digest: sha(bytes) }));
  return json([{ tag_name, assets }]);
};
const githubPath = '/repos/example/agent/releases?per_page=100';

test('files by name come one by one, stay, and are told when other bytes take their place', async () => {
  const digestOf = { amd64: '^agent_amd64', arm64: '^agent_arm64' };
  const gather = await openFiles(source('github-releases', { digestOf }));
  const [amd64, arm64] = ['agent_amd64.tgz', 'agent_arm64.tgz'];
  const days: [files: Record<string, string>, recorded: string][] = [
    [{ [amd64]: 'a' }, '1.0 a'],
    [{ [amd64]: 'a', 'notes.txt': 'n' }, '1.0 a'],
    // Two fit the pattern: none is guessed.
    [{ [amd64]: 'a', [arm64]: 'b', 'agent_arm64.deb': 'x' }, '1.0 a'],
    [{ [amd64]: 'a', [arm64]: 'b' }, '1.0 AB'],
    [{ [amd64]: 'a' }, '1.0 AB'],
    [{ [amd64]: 'a', [arm64]: 'x' }, '1.0 AB!'],
  ];
  for (const [files, recorded] of days) {
    expect(await gather({ [githubPath]: publish(files) })).toEqual([recorded]);
  }
});

test('names that a definition adds or corrects change nothing of releases that had all', async () => {
  const first = { amd64: 'agent_amd64' };
  const { gather, state } = await openGathering((url) => [
    source('github-releases', { digestOf: first })(url),
  ]);
  const old = { 'agent_amd64.tgz': 'a', 'agent_amd64.sig': 'b' };
  await gather({ [githubPath]: publish({ 'agent_amd64.tgz': 'a' }) });
  const before = state.recorded.releases;

  const digestOf = { amd64: 'amd64.sig$', arm64: 'arm64' };
  const later = await openGathering(
    (url) => [source('github-releases', { digestOf })(url)],
    before,
  );
  const { recorded } = await later.gather({ [githubPath]: publish(old) });

  expect(recorded.releases).toEqual([
    expect.objectContaining({ files: { amd64: sha('a') }, hasAllFiles: true }),
  ]);
  expect(recorded.releases[0]).not.toHaveProperty('republishedOn');
});

test('files of a list have all names that it states of any release', async () => {
  const gather = await openFiles(source('json'));
  const list = (files: object) => ({
    '/agent.json': json([
      { version: '1.0', files: { a: hex('a'), b: hex('b') } },
      { version: '1.1', digest: hex('a'), files },
    ]),
  });

  expect(await gather(list({ b: hex('x') }))).toEqual(['1.0 AB', '1.1 x digest']);
  expect(await gather(list({ a: hex('a'), b: hex('x') }))).toEqual(['1.0 AB', '1.1 AX digest']);
  // Neither a name nor a digest.
  expect(await gather(list({ 'A b': hex('a'), a: 'none' }))).toEqual(['1.0 AB', '1.1 AX digest']);
});

test.each([
  ['^b$', 'abc', 'b'],
  ['b', 'b', 'b'],
  ['^[ab]', 'abc', ''],
])('digestOf %j takes of the files %j the digest of %j', async (digestOf, files, digest) => {
  const { gather } = await open(source('github-releases', { digestOf }));
  await gather(github!({ '1.0': files }));

  expect(await gather(github!({ '1.0': files }))).toEqual({ '1.0': digest });
});

test('the meant file may come later, and digestOf may', async () => {
  const { gather, state } = await open(source('github-releases', { digestOf: '^b' }));
  await gather(github!({ '1.0': 'a', '1.1': 'ab' }));
  const before = await gather(github!({ '1.0': 'a', '1.1': 'ab' }));
  delete state.recorded.releases[1]!.digest;
  await gather(github!({ '1.0': 'ab', '1.1': 'ab' }));
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
  await named.gather(documents);

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
