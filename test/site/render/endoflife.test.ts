import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkout, fixtureDay } from '../../harness/checkout.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { serveSite, type ServedSite } from '../../harness/worker.ts';

const description = load(readFileSync(join(checkout, 'test/fixtures/endoflife-v1.openapi.yml'), 'utf8'));
const folder = 'endoflife/api/v1/products';

let out: string;
let site: ServedSite;

beforeAll(async () => {
  out = siteOfFixtureIndex(fixtureDay);
  site = await serveSite(out);
});

afterAll(() => site?.close());

/** What the description of the API finds wrong with an answer. */
function problemsOf(schema: string, answer: unknown): unknown {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(description as object, 'api');
  const validate = ajv.compile({ $ref: `api#/components/schemas/${schema}` });
  return validate(answer) ? [] : validate.errors;
}

const readProduct = (name: string): unknown => JSON.parse(readFileSync(join(out, folder, name), 'utf8'));

test('every file is as the API of endoflife.date is described', () => {
  const names = readdirSync(join(out, folder)).filter((name) => name !== 'full');

  expect(names.length).toBeGreaterThan(5);
  for (const name of names) expect(problemsOf('ProductResponse', readProduct(name)), name).toEqual([]);
  expect(problemsOf('FullProductListResponse', readProduct('full'))).toEqual([]);
});

test('the description refuses a document without its required members', () => {
  expect(problemsOf('ProductResponse', { schema_version: '1.2.1' })).not.toEqual([]);
});

test('the host answers the list of products, a release line and the newest one', async () => {
  const get = async (path: string) => {
    const answer = await fetch(new URL(path, site.url));
    expect(answer.headers.get('content-type'), path).toBe('application/json');
    return answer.json() as Promise<{ result: { name: string; releases: { name: string }[] } }>;
  };
  const list = await get(folder);
  const product = await get(`${folder}/svc`);
  const [newest, second] = product.result.releases;

  expect(problemsOf('ProductListResponse', list)).toEqual([]);
  for (const [asked, expected] of [
    ['latest', newest],
    [second!.name, second],
  ] as const) {
    const answer = await get(`${folder}/svc/releases/${asked}`);
    expect(problemsOf('ProductReleaseResponse', answer)).toEqual([]);
    expect(answer.result).toEqual(expected);
  }
  expect((await fetch(new URL(`${folder}/svc/releases/0.1`, site.url))).status).toBe(404);
});
