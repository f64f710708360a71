import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { apiOf } from '../harness/api.ts';
import { fixtureDay } from '../harness/checkout.ts';
import { linesOf } from '../harness/cli.ts';
import { copyOfFixtureIndex, definition, makeRoot, readJsonIn, writeIn } from '../harness/root.ts';
import { run } from '../harness/run.ts';
import { siteOf } from '../harness/site.ts';

const cpe = String.raw`cpe:2.3:a:example:edge\!node:*:*:*:*:*:*:*:*`;
const own = ['pkg:npm/%40example/edge-node', 'pkg:github/example/edge-node'];
const further = ['pkg:NPM/@Example/Edge', 'pkg:oci/edge?repository_url=ghcr.io/example/edge'];
const all = [...own, 'pkg:npm/%40example/edge', 'pkg:docker/example/edge'];

let root: string;
let out: string;
let ask: ReturnType<typeof apiOf>;

beforeAll(() => {
  root = copyOfFixtureIndex();
  const edge = readJsonIn<object>(root, 'components/edge-node.json');
  writeIn(root, 'components/edge-node.json', {
    ...edge,
    aliases: ['Example Edge', 'ExEdge'],
    identifiers: { purl: further, cpe: [cpe] },
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

test('the identifiers of a component come from its sources and its definition', async () => {
  const details = readJsonIn<{ identifiers: object }>(out, 'details/edge-node.json');
  const answer = (await get('/api/components/edge-node')).body as { identifiers: object };
  const without = readJsonIn<object>(out, 'details/dashboard-bundle.json');

  const { result } = readJsonIn<{ result: object }>(out, 'endoflife/api/v1/products/edge-node');

  expect(details.identifiers).toEqual({ purl: all, cpe: [cpe] });
  expect(result).toMatchObject({
    identifiers: [...all.map((id) => ({ id, type: 'purl' })), { id: cpe, type: 'cpe' }],
  });
  expect(answer.identifiers).toEqual(details.identifiers);
  expect(without).not.toHaveProperty('identifiers');
});

test.each([
  'pkg:npm/%40example/edge-node',
  'pkg:npm/@example/edge-node@1.0.0',
  'pkg:npm/%40Example/edge',
  'pkg:npm/%40example/edge@99.0.0-rc.1?x=y#z',
  'pkg:oci/edge@sha256%3A0f?repository_url=ghcr.io/example/edge',
  'pkg:generic/edge-node@1.2',
])('the identifiers of a component find it over HTTP by %s', async (purl) => {
  expect(await named(`/api/components?purl=${encodeURIComponent(purl)}`)).toEqual(['edge-node']);
});

test('the identifiers of a component find nothing by another package', async () => {
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

test('the identifiers of a component find it in an address in any case, like its aliases', async () => {
  expect((await get('/api/components/EXAMPLE%20edge')).body).toMatchObject({
    component: 'edge-node',
  });
  expect((await get('/api/components/example')).status).toBe(404);
});

test('the identifiers of a component find it in a scan, and in the question of a person', async () => {
  const at = ['--root', root, '--as-of', fixtureDay];
  const { stdout } = await run([
    'scan',
    'pkg:npm/%40example/edge@1.0.0',
    'pkg:docker/example/edge@1.0.0',
    'exedge@1.0.0',
    ...['--policy', 'supported', '--json', ...at],
  ]);
  const explained = await run(['explain', 'pkg:docker/example/edge@1.0.0', '--json', ...at]);

  expect(JSON.parse(stdout)).toMatchObject([
    { details: { component: 'edge-node', version: '1.0.0' } },
    { details: { component: 'edge-node', version: '1.0.0' } },
    { details: { component: 'edge-node', version: '1.0.0' } },
  ]);
  expect(JSON.parse(explained.stdout)).toMatchObject({ component: 'edge-node' });
});

test('a CPE in a bill of materials finds the component', async () => {
  const product = 'cpe:2.3:a:example:edge\\!node';
  const components = [
    { name: 'x', cpe: `${product}:1.0.0:*:*:*:*:*:*:*` },
    { name: 'y', version: '1.0.0', cpe: `${product}:*:*:*:*:*:*:*:*` },
  ];
  writeIn(root, 'bom.json', { bomFormat: 'CycloneDX', specVersion: '1.6', components });
  const where = ['--root', root, '--as-of', fixtureDay, '--policy', 'supported', '--json'];

  const { stdout } = await run(['scan', join(root, 'bom.json'), ...where]);

  expect(JSON.parse(stdout)).toMatchObject([
    { status: 'unsatisfied', details: { component: 'edge-node', version: '1.0.0' } },
    { status: 'unsatisfied', details: { component: 'edge-node', version: '1.0.0' } },
  ]);
});

test('a check names every wrong and every shared identifier at once', async () => {
  const cpe = ['cpe:/a:example:shared'];
  const index = makeRoot({
    'components/one.json': definition({
      sources: [{ datasource: 'npm', packageName: '@example/one' }],
      identifiers: { purl: ['pkg:pypi/Shared_Name', 'pkg:generic/two'], cpe },
    }),
    'components/two.json': definition({
      aliases: ['ONE', 'Free'],
      identifiers: { purl: ['pkg:npm/@Example/One', 'pkg:pypi/shared-name'], cpe },
    }),
    'components/three.json': definition({
      identifiers: {
        purl: ['npm/x', 'pkg:npm/x@1', 'pkg:npm/y', 'pkg:npm/Y'],
        cpe: ['cpe:2.3:a:example'],
      },
    }),
  });
  const { status, stderr } = await run(['check', '--root', index, '--as-of', '2026-06-01']);
  const shared = (place: string, text: string, other: string) =>
    `identifiers.${place}: expected an identifier of no other component; got "${text}", which components/${other}.json has`;
  const noPurl = 'expected a package URL without a version, such as pkg:npm/%40example/agent';

  expect(status).toBe(1);
  expect(linesOf(stderr.replaceAll('error: components/', '')).toSorted()).toEqual([
    `one.json: ${shared('cpe[0]', 'cpe:/a:example:shared', 'two')}`,
    `one.json: ${shared('purl[0]', 'pkg:pypi/Shared_Name', 'two')}`,
    `one.json: ${shared('purl[1]', 'pkg:generic/two', 'two')}`,
    'three.json: identifiers.cpe[0]: expected a CPE of version 2.2 or 2.3; got "cpe:2.3:a:example"',
    'three.json: identifiers.purl: expected each package once; got ["npm/x","pkg:npm/x@1","pkg:npm/y","pkg:npm/Y"]',
    `three.json: identifiers.purl[0]: ${noPurl}; got "npm/x"`,
    `three.json: identifiers.purl[1]: ${noPurl}; got "pkg:npm/x@1"`,
    'two.json: aliases[0]: expected a name of no other component; got "ONE", which components/one.json has',
    `two.json: ${shared('cpe[0]', 'cpe:/a:example:shared', 'one')}`,
    `two.json: ${shared('purl[0]', 'pkg:npm/@Example/One', 'one')}`,
    `two.json: ${shared('purl[1]', 'pkg:pypi/shared-name', 'one')}`,
  ]);
});
