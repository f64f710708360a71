import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkout, fixtureDay } from '../harness/checkout.ts';
import { siteOfFixtureIndex } from '../harness/site.ts';
import { serveSite, type ServedSite } from '../harness/worker.ts';

const description = load(
  readFileSync(join(checkout, 'test/fixtures/endoflife-v1.openapi.yml'), 'utf8'),
);
const folder = 'endoflife/api/v1';

let out: string;
let site: ServedSite;

beforeAll(async () => {
  out = siteOfFixtureIndex(fixtureDay);
  site = await serveSite(out);
});

afterAll(() => site?.close());

/** The errors of an answer by the description of the API, which requires a day for the first release. */
function problemsOf(schema: string, answer: unknown): unknown[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(description as object, 'api');
  const validate = ajv.compile({ $ref: `api#/components/schemas/${schema}` });
  if (validate(answer)) {
    return [];
  }
  return validate.errors!.filter(({ params }) => params['missingProperty'] !== 'releaseDate');
}

const readFile = (path: string): unknown => JSON.parse(readFileSync(join(out, path), 'utf8'));

test.each([
  ['UriListResponse', ''],
  ['ProductListResponse', '/products'],
  ['FullProductListResponse', '/products/full'],
  ['ProductResponse', '/products/svc'],
  ['ProductReleaseResponse', '/products/svc/releases/latest'],
  ['UriListResponse', '/categories'],
  ['ProductListResponse', '/categories/app'],
  ['UriListResponse', '/tags'],
  ['ProductListResponse', '/tags/app'],
  ['UriListResponse', '/identifiers'],
  ['IdentifierListResponse', '/identifiers/purl'],
  ['IdentifierListResponse', '/identifiers/cpe'],
])('the host answers a %s at %s, and the same with a slash at the end', async (schema, path) => {
  const [plain, slashed] = await Promise.all(
    ['', '/'].map((end) => fetch(new URL(`${folder}${path}${end}`, site.url))),
  );

  expect(plain!.headers.get('content-type')).toBe('application/json');
  const text = await plain!.text();
  expect(problemsOf(schema, JSON.parse(text))).toEqual([]);
  expect(slashed!.redirected).toBe(false);
  expect(await slashed!.text()).toBe(text);
});

test('every link in a list has an answer, and every product is valid by the description of the API', async () => {
  const uris: string[] = [];
  for (const list of ['', '/categories', '/tags', '/identifiers', '/products']) {
    const answer = await fetch(new URL(`${folder}${list}`, site.url));
    const { result } = (await answer.json()) as { result: { uri: string }[] };
    uris.push(...result.map(({ uri }) => new URL(uri).pathname));
  }

  expect(uris.length).toBeGreaterThan(10);
  for (const uri of uris) {
    const answer = await fetch(new URL(uri, site.url));
    expect(answer.status, uri).toBe(200);
    const document: unknown = await answer.json();
    if (/products\/.+/.test(uri)) {
      expect(problemsOf('ProductResponse', document), uri).toEqual([]);
    }
  }
});

test('the answer about a release line equals the file of its product, in both versions', async () => {
  const get = async (path: string) => (await fetch(new URL(path, site.url))).json();
  const { result } = readFile(`${folder}/products/svc`) as {
    result: { releases: { name: string }[] };
  };
  const cycles = readFile('endoflife/api/svc.json') as { cycle: string }[];

  for (const [asked, index] of [
    ['latest', 0],
    [cycles[1]!.cycle, 1],
  ] as const) {
    expect(await get(`${folder}/products/svc/releases/${asked}`)).toMatchObject({
      result: result.releases[index],
    });
    const { cycle: _, ...expected } = cycles[index]!;
    expect(await get(`endoflife/api/svc/${asked}.json`)).toEqual(expected);
  }
});

test.each([
  `${folder}/products/svc/releases/0.1`,
  'endoflife/api/svc/0.1.json',
  `${folder}/tags/os`,
])('the host has nothing at %s', async (path) => {
  expect((await fetch(new URL(path, site.url))).status).toBe(404);
});
