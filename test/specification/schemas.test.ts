import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerProtected } from '../../src/ask/server/worker/auth-worker.ts';
import type { Env } from '../../src/ask/server/worker/worker.ts';
import { accessTo } from '../ask/server/access/private-index.ts';
import { dayAfterRuns, rootWithRuns, sound } from '../ask/server/api/recorded-runs.ts';
import { apiOf } from '../harness/api.ts';
import { checkout } from '../harness/checkout.ts';
import { readJsonIn } from '../harness/root.ts';
import { siteOf, siteOfFixtureIndex } from '../harness/site.ts';

const document = readFileSync(join(checkout, 'test/specification/specification.md'), 'utf8');

/** The part under a heading of the specification. */
function section(heading: string): string {
  const [, text] = document.split(`\n### ${heading}\n`);
  if (text === undefined) {
    throw new Error(`the specification has no section "${heading}"`);
  }
  return text.split(/^#+ /m)[0]!;
}

/** The rows of the only table under a heading: the cells of each. */
function table(heading: string): string[][] {
  const rows = section(heading)
    .split('\n')
    .filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const fieldsOf = (heading: string) => table(heading).map(([name]) => name!);
const codesIn = (text: string) => Array.from(text.matchAll(/`([^`]+)`/g), ([, code]) => code!);

/** The part of JSON Schema that the specification speaks of. */
interface Schema {
  readonly required?: readonly string[];
  readonly properties: Readonly<Record<string, Schema>>;
  readonly items: Schema;
  readonly enum?: readonly string[];
}

interface OpenApi {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly requestBody: Content;
          readonly responses: Readonly<Record<string, Content>>;
        };
      }
    >
  >;
}

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}

const openApi = readJsonIn<OpenApi>(siteOfFixtureIndex(), 'openapi.json');
const { schemas } = openApi.components;
const evaluation =
  openApi.paths['/packages/{type}/{namespace}/{name}/{version}/policy-scans/{policy}']!.post;

test('the result of a policy scan has the fields and the three values of the specification', () => {
  const rows = table('Policy scan result (PolicyScan.Result)');
  const fields = rows.map(([name]) => name!);
  const [, , statuses] = rows.find(([name]) => name === 'status')!;
  const result = evaluation.responses[200]!.content['application/json'].schema.items;

  expect(Object.keys(result.properties)).toEqual(expect.arrayContaining(fields));
  expect(result.properties['status']!.enum).toEqual(codesIn(statuses!));
  // Advice that names no way is absent.
  expect(fields.filter((name) => !result.required!.includes(name))).toEqual(['policyRemediation']);
});

test('a request to evaluate a policy has the fields of the specification', () => {
  const { schema } = evaluation.requestBody.content['application/json'];

  expect(Object.keys(schema.properties)).toEqual(fieldsOf('Provenance: evaluate request'));
});

test('a signed envelope has the fields of the specification, and each is required', () => {
  const { required } = schemas['envelopes']!.items;

  expect(required).toEqual(fieldsOf('Attestation envelope (DSSE)'));
});

test('a build in the list has the fields of the specification, and each is required', () => {
  const { required, properties } = schemas['found-builds']!.items;
  const [, , tools] = table('Build (export API, version 2)').find(([name]) => name === 'toolType')!;
  const [tool, ...others] = properties['buildToolType']!.enum!;

  expect(required).toEqual(fieldsOf('Build listing item (REST API)'));
  expect(codesIn(tools!)).toContain(tool);
  // A run that npm did not start has no tool of the specification.
  expect(others).toEqual(['unknown']);
});

test('a problem has the fields of the specification', () => {
  const [, sentence] = /RFC 7807 problem objects with fields (.+)\./.exec(document)!;
  const fields = codesIn(sentence!).filter((code) => code !== 'about:blank');

  expect(Object.keys(schemas['problem']!.properties)).toEqual(expect.arrayContaining(fields));
});

test('the files of components have the fields of the specification', () => {
  const [, ofFile, ofRelease] = /Component file shape: (.+?)\. Release item: (.+?)\. Releases/.exec(
    section('Release index files'),
  )!;
  const { required, properties } = schemas['component']!;
  const release = properties['releases']!.items;

  expect(required).toEqual(codesIn(ofFile!));
  expect(Object.keys(release.properties)).toEqual([...codesIn(ofRelease!), 'isStable']);
  expect(release.required).toEqual(['version', 'isDeprecated']);
});

test('an issuer has the keys and values of the specification', () => {
  const rows = table('Trusted issuer configuration');
  const access = readJsonIn<Schema>(join(checkout, 'site/schema'), 'access.json');
  const { required, properties } = access.properties['externalOauth']!.properties['issuers']!.items;
  const valuesOf = (name: string) => codesIn(rows.find(([key]) => key === name)![1]!);

  expect(Object.keys(properties).sort()).toEqual(rows.map(([name]) => name!).sort());
  expect(required).toEqual(
    rows.filter(([, , need]) => /^yes(?!.* unless)/.test(need!)).map(([name]) => name),
  );
  for (const name of ['accessTokenFormat', 'claimMapping']) {
    expect(properties[name]!.enum, name).toEqual(valuesOf(name));
  }
});

test('the metadata of the protected resource has the fields of the specification', async () => {
  const BASE_URL = 'https://releases.example.com';
  const request = new Request(`${BASE_URL}/.well-known/oauth-protected-resource/mcp`);
  const answer = await answerProtected(request, { BASE_URL } as Env, accessTo('mcp'));

  expect(Object.keys((await answer.json()) as object)).toEqual(
    fieldsOf('Protected resource metadata (MCP)'),
  );
});

test('messages of the export have the fields of the specification, and the tool is one of its tools', async () => {
  const ask = apiOf(siteOf(rootWithRuns(), dayAfterRuns));
  const answer = await ask(`/build-export/v2/build/${sound.id}/events`);
  const [build, event] = Array.from((await answer.text()).matchAll(/^data: (.*)$/gm), ([, data]) =>
    JSON.parse(data!),
  ) as [Record<string, unknown>, Record<string, unknown>];
  const rows = table('Build (export API, version 2)');
  const [, , tools] = rows.find(([name]) => name === 'toolType')!;
  const [, parts] = table('BuildEvent (both export versions)').find(([name]) => name === 'type')!;

  expect(Object.keys(build)).toEqual(rows.map(([name]) => name));
  expect(codesIn(tools!)).toContain(build['toolType']);
  expect(Object.keys(event)).toEqual(fieldsOf('BuildEvent (both export versions)'));
  expect(Object.keys(event['type'] as object)).toEqual(parts!.match(/\w+(?= \()/g));
});
