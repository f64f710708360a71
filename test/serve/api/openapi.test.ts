import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { exampleRoot } from '../../harness/example.ts';
import { buildExample } from '../../harness/site.ts';

interface Operation {
  operationId: string;
  security?: { bearer?: string[] }[];
}

const text = readFileSync(join(buildExample(), 'openapi.json'), 'utf8');
const document = JSON.parse(text) as {
  servers: object[];
  paths: Record<string, Record<string, Operation>>;
};
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method, path, ...operation })),
);

test('openapi.json is valid, and small enough for a client to read often', async () => {
  expect(await new Validator().validate(text)).toMatchObject({ valid: true });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(80_000);
});

test('openapi.json names the address of the index', () => {
  const settings = readFileSync(join(exampleRoot, 'site/site.json'), 'utf8');

  expect(document.servers).toEqual([{ url: /"releasesUrl": "(.+?)"/.exec(settings)![1] }]);
});

test('each operation names its permission', () => {
  const named = operations.map(({ method, path, security }) => [
    `${method} ${path}`,
    security?.[1]?.bearer?.[0],
  ]);
  const place = '/packages/{type}/{namespace}/{name}/{version}';
  const short = '/packages/{type}/{name}/{version}';

  expect(Object.fromEntries(named.filter(([line]) => !line!.includes('.json')))).toEqual({
    'get /api/releases': 'read',
    'get /api/components': 'read',
    'get /api/components/{component}': 'read',
    'get /api/components/{component}/releases/{version}': 'read',
    'get /api/builds': 'read',
    'get /build-export/{version}/builds/since/{date}': 'export',
    'get /build-export/{version}/builds/sinceBuild/{buildId}': 'export',
    'get /build-export/{version}/build/{buildId}/events': 'export',
    'get /policies/{kind}/{policy}': 'read',
    ...Object.fromEntries(
      [place, short].flatMap((path) => [
        [`post ${path}/policy-scans/{policy}`, 'scan'],
        [`post ${path}/attestations`, 'scan'],
        [`get ${path}/{digest}/attestations/{instance}/{id}`, 'scan'],
      ]),
    ),
    'post /api/auth/token': 'accessDataWithoutAssociatedProject',
    'post /mcp': 'mcp',
    'get /.well-known/oauth-protected-resource/mcp': undefined,
  });
});

test('the files of a site are described, and need no credential', () => {
  const files = operations.filter(({ path }) => path.endsWith('.json'));

  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/{component}.json', '/index.json', '/all.json', '/status.json']),
  );
  expect(files.filter(({ security }) => security)).toEqual([]);
});
