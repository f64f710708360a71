import { beforeAll, expect, test } from 'vitest';
import { apiOf } from '../harness/api.ts';
import { fixtureDay } from '../harness/checkout.ts';
import { linesOf } from '../harness/cli.ts';
import { copyOfFixtureIndex, definition, makeRoot, readJsonIn, writeIn } from '../harness/root.ts';
import { run } from '../harness/run.ts';
import { siteOf } from '../harness/site.ts';

const further = ['pkg:NPM/@Example/Edge', 'pkg:oci/edge?repository_url=ghcr.io/example/edge'];

let root: string;
let out: string;
let ask: ReturnType<typeof apiOf>;

beforeAll(() => {
  root = copyOfFixtureIndex();
  const edge = readJsonIn<object>(root, 'components/edge-node.json');
  writeIn(root, 'components/edge-node.json', {
    ...edge,
    aliases: ['Example Edge', 'ExEdge', ...further, 'pkg:npm/acme-edge', 'pkg:pypi/acme-edge'],
  });
  out = siteOf(root);
  ask = apiOf(out);
});

const get = async (path: string) => {
  const answer = await ask(path);
  return { status: answer.status, body: (await answer.json()) as never };
};
const named = async (path: string) =>
  ((await get(path)).body as { component: string }[]).map(({ component }) => component);

test.each([
  'pkg:npm/%40example/edge-node',
  'pkg:npm/@example/edge-node@1.0.0',
  'pkg:npm/%40Example/edge',
  'pkg:npm/%40example/edge@99.0.0-rc.1?x=y#z',
  'pkg:oci/edge@sha256%3A0f?repository_url=ghcr.io/example/edge',
  'pkg:generic/edge-node@1.2',
])('a package URL of a source or an alias finds the component over HTTP: %s', async (purl) => {
  expect(await named(`/api/components?purl=${encodeURIComponent(purl)}`)).toEqual(['edge-node']);
});

test('another package finds nothing', async () => {
  expect(await named('/api/components?purl=pkg:npm/%40example/other')).toEqual([]);
});

test.each(['edge-node', 'pkg:npm', 'pkg:npm/a b', ''])(
  'a text that is no package URL is rejected: %j',
  async (text) => {
    const { status, body } = await get(`/api/components?purl=${encodeURIComponent(text)}`);

    expect(status).toBe(400);
    expect(body).toMatchObject({ expected: 'a package URL such as pkg:npm/%40example/agent' });
  },
);

test('an alias finds the component in an address in any case', async () => {
  expect((await get('/api/components/EXAMPLE%20edge')).body).toMatchObject({
    component: 'edge-node',
  });
  expect((await get('/api/components/example')).status).toBe(404);
});

test('a name that packages of several registries share finds their one component', async () => {
  expect((await get('/api/components/acme-edge')).body).toMatchObject({ component: 'edge-node' });
});

test('an alias finds the component in a scan, and in the question of a person', async () => {
  const at = ['--root', root, '--as-of', fixtureDay];
  const { stdout } = await run([
    'scan',
    'pkg:npm/%40example/edge@1.0.0',
    'pkg:docker/example/edge@1.0.0',
    'exedge@1.0.0',
    ...['--policy', 'supported', '--json', ...at],
  ]);
  const explained = await run(['explain', 'pkg:docker/example/edge@1.0.0', '--json', ...at]);

  expect((JSON.parse(stdout) as { results: object[] }).results).toMatchObject([
    { details: { component: 'edge-node', version: '1.0.0' } },
    { details: { component: 'edge-node', version: '1.0.0' } },
    { details: { component: 'edge-node', version: '1.0.0' } },
  ]);
  expect(JSON.parse(explained.stdout)).toMatchObject({ component: 'edge-node' });
});

test('a check names every wrong and every shared alias at once', async () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  const ociTag = 'pkg:oci/agent?repository_url=ghcr.io/acme/agent&tag=1.0';
  const dockerDigest = `pkg:docker/acme/agent?digest=${digest}`;
  const image = `ghcr.io/acme/agent:1.0@${digest}`;
  const index = makeRoot({
    'components/one.json': definition({
      sources: [{ datasource: 'npm', packageName: '@example/one' }],
      aliases: ['pkg:pypi/Shared_Name', 'pkg:generic/two'],
    }),
    'components/two.json': definition({
      aliases: ['ONE', 'Free', 'pkg:npm/@Example/One', 'pkg:pypi/shared-name'],
    }),
    'components/three.json': definition({
      aliases: ['npm/x', 'pkg:npm/x@1', 'pkg:npm', ociTag, dockerDigest, image],
    }),
  });
  const { status, stderr } = await run(['check', '--root', index, '--as-of', '2026-06-01']);
  const shared = (place: number, text: string, other: string) =>
    `aliases[${place}]: expected a name of no other component; got "${text}", which components/${other}.json has`;
  const noPurl =
    'expected a name, or a package URL without a version such as pkg:docker/example/agent';

  expect(status).toBe(1);
  expect(linesOf(stderr.replaceAll('error: components/', '')).toSorted()).toEqual([
    `one.json: ${shared(0, 'pkg:pypi/Shared_Name', 'two')}`,
    `one.json: ${shared(1, 'pkg:generic/two', 'two')}`,
    `three.json: aliases[1]: ${noPurl}; got "pkg:npm/x@1"`,
    `three.json: aliases[2]: ${noPurl}; got "pkg:npm"`,
    `three.json: aliases[3]: ${noPurl}; got "${ociTag}"`,
    `three.json: aliases[4]: ${noPurl}; got "${dockerDigest}"`,
    `three.json: aliases[5]: ${noPurl}; got "…@${digest}"`,
    `two.json: ${shared(0, 'ONE', 'one')}`,
    `two.json: ${shared(2, 'pkg:npm/@Example/One', 'one')}`,
    `two.json: ${shared(3, 'pkg:pypi/shared-name', 'one')}`,
  ]);
});
