import { expect, onTestFinished, test } from 'vitest';
import { findAdapter } from '../../../src/record/sources/index.ts';
import { openRoot } from '../../../src/io/files/root.ts';
import { addComponent } from '../../../src/record/add/add-component.ts';
import { SourceError } from '../../../src/record/sources/datasource.ts';
import { rerouted, testHttp, today } from '../../harness/gathering.ts';
import { makeRoot, pathsIn, readJsonIn } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { json } from '../../harness/imitated-upstream.ts';
import { serve, startUpstream, type Document } from '../../harness/upstream.ts';

interface Case {
  /** The datasource and the package. */
  add: [string, string];
  documents: Record<string, Document>;
  /** Without `sources`. */
  definition: Record<string, string>;
  notes: string[];
}

const at = '2026-01-10T09:30:00Z';
const xml = (body: string): Document => ({
  type: 'text/xml',
  body,
  headers: { 'last-modified': at },
});
const wanted = (key: string, what: string) => `${key}: not stated; used ${what}`;
const github = 'https://github.com/example/agent';
const releases = "its repository's list of releases";

const ofPypi = { Homepage: 'https://example.com/', 'Release Notes': 'https://example.com/news' };
const pypiPage = 'https://pypi.example/project/agent/';
const ofImage = {
  'org.opencontainers.image.title': 'not this',
  'org.opencontainers.image.description': 'Serves.',
  'org.opencontainers.image.url': 'https://example.com/server',
  'org.opencontainers.image.source': github,
};
const sha = 'ab'.repeat(20);

const cases: Case[] = [
  {
    add: ['maven', 'com.example:agent'],
    documents: {
      '/com/example/agent/maven-metadata.xml': xml(
        '<metadata><versioning><versions><version>1.9</version><version>1.10</version><version>2.0-rc1</version></versions></versioning></metadata>',
      ),
      '/com/example/agent/1.9/agent-1.9.pom': xml('<project/>'),
      '/com/example/agent/1.10/agent-1.10.pom': xml(
        '<project><parent><groupId>com.example</groupId><artifactId>parent</artifactId><version>7</version></parent>' +
          '<name>Agent &amp; friends (${project.artifactId})</name><description>Uses ${some.property}</description></project>',
      ),
      '/com/example/parent/7/parent-7.pom': xml(
        '<project><name>Parent</name><description>Of all.</description><url>https://example.com/</url>' +
          '<scm><connection>scm:git:git@github.com:example/${project.artifactId}.git</connection></scm></project>',
      ),
    },
    definition: {
      ...{ title: 'Agent & friends (agent)', homepage: 'https://example.com/' },
      changelogUrl: `${github}/releases`,
    },
    notes: [wanted('changelogUrl', releases)],
  },
  {
    add: ['pypi', 'Example_Agent'],
    documents: {
      '/Example_Agent/json': json({
        info: { name: 'example-agent', summary: 'Builds.', home_page: '', project_urls: ofPypi },
        releases: { '1.0': [{ upload_time: at }] },
      }),
    },
    definition: {
      ...{ title: 'example-agent', description: 'Builds.' },
      ...{ homepage: 'https://example.com/', changelogUrl: 'https://example.com/news' },
    },
    notes: [],
  },
  {
    add: ['pypi', 'agent'],
    documents: {
      '/agent/json': json({
        info: { name: 'agent', package_url: pypiPage, project_urls: null },
        releases: { '1.0': [{ upload_time: at }] },
      }),
    },
    definition: { title: 'agent', homepage: pypiPage, changelogUrl: pypiPage },
    notes: ['homepage', 'changelogUrl'].map((key) => wanted(key, 'its page in the registry')),
  },
  {
    add: ['docker', 'example/server'],
    documents: {
      '/v2/example/server/tags/list?n=1000': json({ tags: ['1.0', '1.1'] }),
      '/v2/example/server/manifests/1.0': json({ config: { digest: 'sha256:a' } }),
      '/v2/example/server/manifests/1.1': json({
        manifests: [{ digest: 'sha256:of-linux', platform: { os: 'linux' } }],
        annotations: { 'org.opencontainers.image.title': 'Server' },
      }),
      '/v2/example/server/manifests/sha256:of-linux': json({ config: { digest: 'sha256:b' } }),
      '/v2/example/server/blobs/sha256:a': json({ created: at, config: { Labels: null } }),
      '/v2/example/server/blobs/sha256:b': json({ created: at, config: { Labels: ofImage } }),
    },
    definition: {
      ...{ title: 'Server', description: 'Serves.' },
      ...{ homepage: 'https://example.com/server', changelogUrl: `${github}/releases` },
    },
    notes: [wanted('changelogUrl', releases)],
  },
  {
    add: ['helm', 'agent'],
    documents: {
      '/index.yaml': {
        type: 'text/yaml',
        body: `entries:
  agent:
  - {name: agent, version: 1.9.0, created: ${at}, description: Older.}
  - {name: agent, version: 1.10.0, created: ${at}, description: Newest., home: "https://example.com/", sources: ["${github}/tree/main/chart"]}
`,
      },
    },
    definition: {
      ...{ title: 'agent', description: 'Newest.' },
      ...{ homepage: 'https://example.com/', changelogUrl: `${github}/releases` },
    },
    notes: [wanted('changelogUrl', releases)],
  },
  ...(['github-releases', 'github-tags'] as const).map((datasource): Case => ({
    add: [datasource, 'example/agent'],
    documents: {
      '/repos/example/agent': json({
        name: 'agent',
        description: null,
        homepage: '',
        html_url: github,
      }),
      '/repos/example/agent/releases?per_page=100': json([{ tag_name: 'v1.0', published_at: at }]),
      '/repos/example/agent/tags?per_page=100': json([{ name: 'v1.0', commit: { sha } }]),
      [`/repos/example/agent/commits/${sha}`]: json({ commit: { committer: { date: at } } }),
    },
    definition: { title: 'agent', homepage: github, changelogUrl: `${github}/releases` },
    notes: [wanted('homepage', "its repository's page")],
  })),
];

test.each(cases)(
  'add writes the answer of the registry: $add',
  async ({ add, documents, ...expected }) => {
    const upstream = await startUpstream(() => serve(new Map(Object.entries(documents))));
    onTestFinished(() => upstream.close());
    const options = ['--registry-url', upstream.url, '--root', makeRoot({}), '--json'];

    const { status, stdout, stderr } = await runHere(['add', ...add, ...options], {
      HOME: '/nowhere',
    });

    expect([status, stderr]).toEqual([0, '']);
    const [datasource, packageName] = add;
    const sources = [{ datasource, packageName, registryUrl: upstream.url }];
    expect(JSON.parse(stdout)).toMatchObject({
      definition: { ...expected.definition, sources },
      notes: [...expected.notes, 'support: no end is stated; add a support policy to state one'],
      isWritten: true,
    });
  },
);

test.each([
  ['alpine', '/v2/repositories/library/alpine', '_/alpine'],
  ['example/server', '/v2/repositories/example/server', 'r/example/server'],
])('add links the page of %s on Docker Hub', async (packageName, path, page) => {
  const document = json({ name: 'image', description: ' An image. ' });
  const upstream = await startUpstream(() => serve(new Map([[path, document]])));
  const http = testHttp();
  onTestFinished(async () => {
    await http.close();
    await upstream.close();
  });
  const source = { datasource: 'docker', packageName };

  const described = await findAdapter(source).describe?.(source, {
    http: rerouted(http, { 'https://hub.docker.com/': upstream.url }),
    npmRegistry: () => undefined,
  });

  expect(described).toEqual({
    ...{ title: 'image', description: 'An image.' },
    registryPage: `https://hub.docker.com/${page}`,
  });
});

test.each<[string, Record<string, Document>]>([
  ['knows no questions', {}],
  ['sends another document', { '/v1/query': json({ vulns: 'none' }) }],
  ['sends a page', { '/v1/query': { type: 'text/html', body: '<p>Sign in</p>' } }],
])(
  'add takes releases although OSV %s and no source of support answers, and fails without releases',
  async (_, ofOsv) => {
    const npm = findAdapter({ datasource: 'npm' }).defaultRegistry!;
    const packument = (name: string, versions: object) =>
      json({ name, homepage: 'https://example.com/', versions, time: { '1.0.0': at } });
    const listed = (name: string) => ({ identifier: `pkg:npm/${name}`, product: { name } });
    const documents = {
      '/agent': packument('agent', { '1.0.0': {} }),
      '/empty': packument('empty', {}),
      '/v1/identifiers/purl': json({ result: [listed('agent'), listed('empty')] }),
      ...ofOsv,
    };
    const upstream = await startUpstream(() => serve(new Map(Object.entries(documents))));
    const http = testHttp();
    onTestFinished(async () => {
      await http.close();
      await upstream.close();
    });
    const root = makeRoot({});
    const add = (name: string) =>
      addComponent(
        { name, source: { datasource: 'npm', packageName: name }, facts: {} },
        {
          ...{ root: openRoot(root, root), day: today, isDry: false, endoflifeDate: upstream.url },
          http: rerouted(http, { [npm]: upstream.url, 'https://api.osv.dev/': upstream.url }),
          npmRegistry: () => npm,
          isFree: () => true,
        },
      );

    const added = await add('agent');
    expect(added).not.toHaveProperty('missing');
    const { gathered, written, notes } = added as Extract<typeof added, { written: object }>;

    expect(gathered.sources.map(({ id, kind }) => [id.split(':')[0], kind])).toEqual([
      ['npm', 'answered'],
      ['support endoflife-date', 'failed'],
    ]);
    expect(written).toMatchObject({ sources: [{ datasource: 'npm', packageName: 'agent' }] });
    expect(notes).toContainEqual(expect.stringMatching(/^advisories: OSV did not answer/));
    expect(readJsonIn(root, 'data/agent.json')).toMatchObject({ releases: [{ version: '1.0.0' }] });
    await expect(add('empty')).rejects.toThrow(SourceError);
    expect(pathsIn(root)).not.toContain('components/empty.json');
  },
);

test('add sends no name to OSV where one package of the component is private', async () => {
  const npm = findAdapter({ datasource: 'npm' }).defaultRegistry!;
  const privateRegistry = 'https://npm.corp.example/';
  const facts = {
    homepage: 'https://example.com/',
    versions: { '1.0.0': {} },
    time: { '1.0.0': at },
  };
  const answers = {
    '/agent': json({ name: 'agent', ...facts }),
    '/@corp%2fagent': json({ name: '@corp/agent', ...facts }),
    '/v1/query': json({}),
  };
  const upstream = await startUpstream(() => serve(new Map(Object.entries(answers))));
  const http = testHttp();
  onTestFinished(async () => {
    await http.close();
    await upstream.close();
  });
  const root = makeRoot({});
  const hosts = { [npm]: upstream.url, [privateRegistry]: upstream.url };

  const added = await addComponent(
    {
      ...{ name: 'agent', source: { datasource: 'npm', packageName: 'agent' }, facts: {} },
      others: [{ datasource: 'npm', packageName: '@corp/agent' }],
    },
    {
      ...{ root: openRoot(root, root), day: today, isDry: false, skipsEndoflifeDate: true },
      http: rerouted(http, { ...hosts, 'https://api.osv.dev/': upstream.url }),
      npmRegistry: (name) => (name.startsWith('@corp/') ? privateRegistry : npm),
      isFree: () => true,
    },
  );

  expect(added).toMatchObject({
    gathered: { sources: [{ kind: 'answered' }, { kind: 'answered' }] },
  });
  expect(readJsonIn(root, 'components/agent.json')).toMatchObject({
    sources: [{ packageName: 'agent' }, { packageName: '@corp/agent' }],
  });
});
