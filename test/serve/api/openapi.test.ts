import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { openSiteApi, openFiles } from '../../harness/api.ts';
import { exampleRoot } from '../../harness/example.ts';
import { buildExample } from '../../harness/site.ts';

interface Operation {
  operationId: string;
  security?: { bearer?: string[] }[];
  responses: { 200: { content: Record<string, { schema: object }> } };
}

const site = buildExample();
const text = readFileSync(join(site, 'openapi.json'), 'utf8');
const document = JSON.parse(text) as {
  servers: object[];
  paths: Record<string, Record<string, Operation>>;
  components: object;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, ...operation })),
);

test('openapi.json is valid and has at most 92,000 bytes', async () => {
  expect(await new Validator().validate(text)).toMatchObject({ valid: true });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(92_000);
});

test('openapi.json names the address of the index', () => {
  const settings = readFileSync(join(exampleRoot, 'site/site.json'), 'utf8');

  expect(document.servers).toEqual([{ url: /"releasesUrl": "(.+?)"/.exec(settings)![1] }]);
});

test('each operation has a name of its own, and the paths with a namespace have one, too', () => {
  const names = operations.map(({ operationId }) => operationId);

  expect(new Set(names).size).toBe(names.length);
  for (const { path, operationId } of operations) {
    expect([path, operationId.startsWith('namespaced-')]).toEqual([
      path,
      path.includes('{namespace}'),
    ]);
  }
});

test('openapi.json describes the files of a site, and requires no credential for these files', () => {
  const files = operations.filter(({ path }) => path.endsWith('.json'));

  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/{component}.json', '/index.json', '/all.json', '/status.json']),
  );
  expect(files.filter(({ security }) => security)).toEqual([]);
});

/** Compiles the schema that openapi.json has for the JSON answer of an operation. */
function compileSchema(path: string, method = 'get') {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  const { schema } = document.paths[path]![method]!.responses[200].content['application/json']!;
  return ajv.compile({ ...schema, components: document.components });
}

const readSite = (path: string) => JSON.parse(readFileSync(join(site, path), 'utf8')) as any;

const filePaths = operations
  .map(({ path }) => path)
  .filter((path) => path.endsWith('.json') && !path.startsWith('/api/'));

test.each(filePaths)(
  'files at the path %s match the schema that openapi.json has for this path',
  (path) => {
    const validate = compileSchema(path);
    const { components, years } = readSite('status.json');
    const files = [
      ...Object.keys(components).map((component) => path.replace('{component}', component)),
      ...years.changes.map((year: string) => path.replace('{year}', year)),
    ].filter((file) => !file.includes('{') && existsSync(join(site, file)));

    expect(files.length).toBeGreaterThan(0);
    for (const file of new Set(files)) {
      expect(validate(readSite(file)) || [file, validate.errors]).toBe(true);
    }
    expect(validate({ unknown: null })).toBe(false);
  },
);

const loader = 'npm/%40gradle-tech/develocity-agent-loader/1.0.0';
const [bundle] = readFileSync(join(site, 'statements/build-agent-npm-loader.ndjson'), 'utf8').split(
  '\n',
);
/** A statement without the name of its key, because the name is optional in DSSE. */
const unnamed = JSON.parse(bundle!.replace(/,"keyid":"[^"]+"/, '')) as object;
const ask = openSiteApi(openFiles({ 'statements/build-agent-npm-loader.ndjson': unnamed }, site));

test.each([
  ['/api/releases', '/api/releases?query=component:svc'],
  ['/api/components'],
  ['/api/components/{component}', '/api/components/svc'],
  ['/api/components/{component}/releases/{version}', '/api/components/svc/releases/2020.1'],
  ['/api/{component}/{line}.json', '/api/svc/2025.1.json'],
  ['/api/builds'],
  ['/policies/{kind}/{policy}', '/policies/built-in/supported'],
])(
  'the answer of the endpoint %s matches its schema in openapi.json',
  async (path, address = path) => {
    const validate = compileSchema(path);
    const answer = (await (await ask(address)).json()) as object;

    expect(validate(answer) || validate.errors).toBe(true);
    expect(validate([null]) || validate({ unknown: null })).toBe(false);
  },
);

test('scan results and signed statements match their schemas in openapi.json', async () => {
  const place = '/packages/{type}/{namespace}/{name}/{version}';
  const scanned = await ask(`/packages/${loader}/policy-scans/stable`, { method: 'POST' });
  const scans = (await scanned.json()) as [{ attestationUri: string }];
  const statement = (await (await ask(scans[0].attestationUri)).json()) as [
    { signatures: object[] },
  ];
  const validateScans = compileSchema(`${place}/policy-scans/{policy}`, 'post');
  const validateStatement = compileSchema(`${place}/{digest}/attestations/{instance}/{id}`);

  expect(validateScans(scans) || validateScans.errors).toBe(true);
  expect(Object.keys(statement[0].signatures[0]!)).toEqual(['sig']);
  expect(validateStatement(statement) || validateStatement.errors).toBe(true);
  expect(validateStatement([{ ...statement[0], payload: 1 }])).toBe(false);
});
