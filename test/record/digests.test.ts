import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { addDays } from '../../src/core/day.ts';
import { Definition } from '../../src/core/schema/definition.ts';
import type { Recorded } from '../../src/core/schema/recorded.ts';
import { gatherComponent } from '../../src/record/gather.ts';
import { createTestHttp } from '../harness/ask-source.ts';
import { json, serve, startUpstream, text, type Documents } from '../harness/upstream.ts';

/** By version, the files that upstream states, by a letter that stands for their bytes. */
type Files = Readonly<Record<string, string>>;

const hex = (letter: string) => createHash('sha256').update(letter).digest('hex');
const sha = (letter: string) => `sha256:${hex(letter)}`;
const each = <T>(files: Files, describe: (version: string, letter: string) => T) =>
  Object.entries(files).flatMap(([version, letters]) =>
    [...(letters || '-')].map((letter) => describe(version, letter)),
  );
const orNone = (letter: string) => (letter === '-' ? undefined : hex(letter));

interface Imitation {
  source: (url: string) => object;
  documents: (files: Files) => Documents;
}

const upstreams: Record<string, Imitation> = {
  'github-releases': {
    source: (url) => ({
      datasource: 'github-releases',
      packageName: 'example/agent',
      registryUrl: `${url}api/`,
    }),
    documents: (files) => ({
      '/api/repos/example/agent/releases?per_page=100': json(
        Object.entries(files).map(([version, letters]) => ({
          tag_name: `v${version}`,
          assets: Array.from(letters, (letter) => ({
            name: `${letter}.zip`,
            digest: sha(letter),
          })),
        })),
      ),
    }),
  },
  json: {
    source: (url) => ({ datasource: 'json', url: `${url}agent.json` }),
    documents: (files) => ({
      '/agent.json': json(
        each(files, (version, letter) => ({ version, digest: orNone(letter) ?? null })),
      ),
    }),
  },
  helm: {
    source: (url) => ({ datasource: 'helm', packageName: 'agent', registryUrl: `${url}charts` }),
    documents: (files) => ({
      '/charts/index.yaml': text(
        JSON.stringify({
          entries: {
            agent: each(files, (version, letter) => ({ version, digest: orNone(letter) })),
          },
        }),
        'text/yaml',
      ),
    }),
  },
  crate: {
    source: (url) => ({ datasource: 'crate', packageName: 'agent', registryUrl: `${url}crates` }),
    documents: (files) => ({
      '/crates/ag/en/agent': text(
        each(files, (vers, letter) => JSON.stringify({ vers, cksum: orNone(letter) })).join('\n'),
      ),
    }),
  },
  pypi: {
    source: (url) => ({ datasource: 'pypi', packageName: 'agent', registryUrl: `${url}simple/` }),
    documents: (files) => ({
      '/simple/agent/': text(
        JSON.stringify({
          versions: Object.keys(files),
          files: each(files, (version, letter) => ({
            filename: `agent-${version}-${letter}-any.whl`,
            hashes: { sha256: orNone(letter) },
          })),
        }),
        'application/vnd.pypi.simple.v1+json',
      ),
    }),
  },
  docker: {
    source: (url) => ({
      datasource: 'docker',
      packageName: 'agent',
      registryUrl: `${url}oci`,
    }),
    documents: (files) => ({
      '/oci/v2/agent/tags/list?n=1000': json({ tags: Object.keys(files) }),
      ...Object.fromEntries(
        each(files, (version, letter) => [
          `/oci/v2/agent/manifests/${version}`,
          letter === '-' ? json('', {}) : json({}, { 'docker-content-digest': sha(letter) }),
        ]).reverse(),
      ),
    }),
  },
};

/** Gathers a component on one day after the other. */
async function open(createSources: (url: string) => object[]) {
  let documents: Documents = {};
  const { url } = await startUpstream(() => (request, response) => {
    serve(documents)(request, response);
  });
  const definition = Definition.parse({
    title: 'Agent',
    homepage: 'https://a.example/',
    changelogUrl: 'https://a.example/',
    sources: createSources(url),
  });
  const state = { recorded: { releases: [] } as Recorded, day: '2026-06-28' };
  return {
    state,
    /** By version, the letter of the recorded digest, with `!` for other bytes. */
    async gather(upstream: Documents) {
      documents = upstream;
      state.day = addDays(state.day, 1);
      const http = createTestHttp();
      const input = { component: 'agent', definition, recorded: state.recorded, freshness: {} };
      const { signal } = new AbortController();
      const gathered = await gatherComponent(input, { day: state.day, http, root: '', signal });
      await http.close();
      state.recorded = JSON.parse(JSON.stringify(gathered.recorded)) as Recorded;
      const letters = [...'abcdefgx'];
      return Object.fromEntries(
        state.recorded.releases.map(({ version, digest, republishedOn }) => [
          version.replace('v', ''),
          `${letters.find((letter) => sha(letter) === digest) ?? digest ?? ''}${republishedOn ? '!' : ''}`,
        ]),
      );
    },
  };
}

test.each(Object.entries(upstreams))(
  'the first SHA-256 that %s states alone stays for five days',
  async (name, { source, documents }) => {
    const { gather } = await open((url) => [source(url)]);
    // An image has one, which is read once.
    const isImage = name === 'docker';
    const b = isImage ? 'c' : '';

    expect(await gather(documents({ '1.0': 'a', '1.1': 'cd' }))).toEqual({ '1.0': 'a', '1.1': b });
    // A late file.
    const e = isImage ? 'e' : '';
    const late = { '1.0': 'ab', '1.1': 'cd', '1.2': e };
    expect(await gather(documents(late))).toEqual({ '1.0': 'a', '1.1': b, '1.2': e });
    // The first file is gone, and a release without any gets one.
    const gone = { ...late, '1.0': isImage ? 'a' : 'b', '1.2': 'e' };
    expect(await gather(documents(gone))).toEqual({ '1.0': 'a', '1.1': b, '1.2': 'e' });
    // Other bytes.
    const other = { ...late, '1.0': 'x', '1.2': 'ef' };
    expect(await gather(documents(other))).toEqual({ '1.0': 'a!', '1.1': b, '1.2': 'e' });
    expect(await gather(documents(other))).toEqual({ '1.0': 'a!', '1.1': b, '1.2': 'e' });
  },
);

const { 'github-releases': github, json: list, helm } = upstreams as Record<string, Imitation>;

test.each<[pattern: string, files: string, digest: string]>([
  ['^b\\.zip$', 'abc', 'b'],
  ['b', 'b', 'b'],
  ['^[ab]', 'abc', ''],
  // The meant file comes later: a single other one is not it.
  ['^b', 'a', ''],
])('digestOf %j takes of the files %j the digest of %j', async (digestOf, files, digest) => {
  const { gather } = await open((url) => [{ ...github!.source(url), digestOf }]);

  expect(await gather(github!.documents({ '1.0': files }))).toEqual({ '1.0': digest });
});

test('the meant file may come later, and digestOf may', async () => {
  const { gather, state } = await open((url) => [{ ...github!.source(url), digestOf: '^b' }]);
  const before = await gather(github!.documents({ '1.0': 'a', '1.1': 'ab' }));
  delete state.recorded.releases[1]!.digest;

  expect(before).toEqual({ '1.0': '', '1.1': 'b' });
  expect(await gather(github!.documents({ '1.0': 'ab', '1.1': 'ab' }))).toEqual({
    '1.0': 'b',
    '1.1': 'b',
  });
});

test('the digests of a component come from one source, also while it is silent', async () => {
  const { gather } = await open((url) => [helm!.source(url), list!.source(url)]);
  const charts = helm!.documents({ '1.0': 'a' });
  const releases = list!.documents({ '1.0': 'c', '1.1': 'd' });

  expect(await gather(releases)).toEqual({ '1.0': '', '1.1': '' });
  expect(await gather({ ...charts, ...releases })).toEqual({ '1.0': 'a', '1.1': '' });
  expect(await gather(releases)).toEqual({ '1.0': 'a', '1.1': '' });
});

test('a source without digests leaves them to the next one, and digestOf decides', async () => {
  const plain = { datasource: 'static', releases: [{ version: '0.9' }] };
  const second = await open((url) => [plain, helm!.source(url)]);
  const named = await open((url) => [
    helm!.source(url),
    { ...github!.source(url), digestOf: '^d' },
  ]);
  const documents = { ...helm!.documents({ '1.0': 'a' }), ...github!.documents({ '1.0': 'cd' }) };

  expect(await second.gather(documents)).toEqual({ '0.9': '', '1.0': 'a' });
  expect(await named.gather(documents)).toEqual({ '1.0': 'd' });
});

test.each<[what: string, source: (url: string) => object, documents: Documents]>([
  [
    'a commit of a repository with SHA-256',
    (url) => ({ datasource: 'gitlab-tags', packageName: 'group/agent', registryUrl: url }),
    {
      '/api/v4/projects/group%2fagent/repository/tags?per_page=100': json([
        { name: '1.0', commit: { id: hex('a') } },
      ]),
    },
  ],
  [
    'a tag that is rebuilt',
    (url) => ({ ...upstreams['docker']!.source(url), rebuildsTags: true }),
    upstreams['docker']!.documents({ '1.0': 'a' }),
  ],
  [
    'the chart of an application',
    (url) => ({ ...helm!.source(url), field: 'appVersion' }),
    {
      '/charts/index.yaml': text(
        `entries: {agent: [{version: "5", appVersion: "1.0", digest: ${hex('a')}}]}`,
        'text/yaml',
      ),
    },
  ],
  [
    'another algorithm',
    (url) => list!.source(url),
    { '/agent.json': json([{ version: '1.0', digest: `sha512:${'a'.repeat(128)}` }]) },
  ],
])('%s is no digest of a release', async (_, source, documents) => {
  const { gather } = await open((url) => [source(url)]);

  expect(await gather(documents)).toEqual({ '1.0': '' });
});

test('what a definition states itself is recorded, and what a person corrects stays', async () => {
  const { gather, state } = await open(() => [
    { datasource: 'static', releases: [{ version: '1.0', digest: hex('a') }] },
  ]);

  expect(await gather({})).toEqual({ '1.0': 'a' });
  state.recorded.releases[0]!.digest = sha('b');
  expect(await gather({})).toEqual({ '1.0': 'b' });
});
