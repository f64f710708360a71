import { beforeAll, expect, test } from 'vitest';
import { AccessKeys } from '../../../../src/core/schemas/access/access-keys.ts';
import { permissions, type Permission } from '../../../../src/core/schemas/access/permissions.ts';
import { covers } from '../../../harness/covers.ts';
import { copyOfFixtureIndex, readJsonIn, writeIn } from '../../../harness/root.ts';
import { siteOf } from '../../../harness/site.ts';
import { openWorkerHere, readVersion, type WorkerHere } from '../../../harness/worker-here.ts';
import { accessTo, baseUrl, keyOf, recorded } from '../../../ask/server/access/private-index.ts';

const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource/mcp"`;
const insufficient =
  'Bearer realm="mcp", error="insufficient_scope", ' +
  `error_description="The credential has no permission for this operation.", ${metadata}`;

interface Operation {
  readonly security: readonly { readonly credential: readonly Permission[] }[];
  readonly parameters?: readonly { readonly name?: string; readonly example?: unknown }[];
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** A key for each single permission. */
const keys = permissions.map((permission, place) => ({
  permission,
  secret: keyOf('abcdefghijkl'[place]!),
}));

let paths: OpenApi['paths'];
let ask: WorkerHere;

beforeAll(() => {
  const root = copyOfFixtureIndex();
  const access = accessTo('everything');
  writeIn(root, 'site/access.json', access);
  const out = siteOf(root);
  ({ paths } = readJsonIn<OpenApi>(out, 'openapi.json'));
  const stored = keys.map(({ permission, secret }) => ({
    ...recorded(secret),
    permissions: [permission],
  }));
  const secrets = { RELEASE_INDEX_ACCESS_KEYS: JSON.stringify(AccessKeys.parse(stored)) };
  ask = openWorkerHere(readVersion(out, { access, secrets }), baseUrl);
});

/** What an operation may need, written down independently of the program. */
function expectedFor(method: string, path: string): Permission {
  if (path === '/mcp') {
    return 'mcp';
  }
  if (/^\/(?:build-)?export\//.test(path)) {
    return 'export';
  }
  return method === 'post' ? 'scan' : 'read';
}

/** The address of an operation with the examples of its parameters. */
function addressOf(path: string, { parameters = [] }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const example = parameters.find((parameter) => parameter.name === name)?.example;
    return example === undefined ? 'svc' : encodeURIComponent(example as string);
  });
}

test('each operation needs the permission that openapi.json names, and no other one is enough', async () => {
  covers(
    'Requires the permission for the API',
    'Without project-level access control every token also gets the permission to access all data without an associated project',
    'Export permission',
    '403: no read permission for the package',
    '403: access to the resource',
  );
  const wrong: string[] = [];
  const needed = new Set<Permission>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (path === '/api/auth/token') {
        continue;
      }
      const expected = expectedFor(method, path);
      needed.add(expected);
      expect(operation.security, path).toEqual([{ credential: [expected] }]);
      const answers = keys.map(async ({ permission, secret }) => {
        const answer = await ask(baseUrl + addressOf(path, operation), {
          method: method.toUpperCase(),
          headers: { authorization: `Bearer ${secret}` },
        });
        await answer.body?.cancel();
        const isRefused = answer.status === 403;
        const challenge = answer.headers.get('www-authenticate');
        if (
          answer.status === 401 ||
          isRefused === (permission === expected) ||
          challenge !== (isRefused ? insufficient : null)
        ) {
          wrong.push(`${method} ${path} with ${permission}: ${answer.status} ${challenge}`);
        }
      });
      await Promise.all(answers);
    }
  }

  expect(wrong).toEqual([]);
  expect(Object.keys(paths).length).toBeGreaterThan(30);
  expect([...needed].sort()).toEqual(['export', 'mcp', 'read', 'scan']);
}, 120_000);

test('without a credential, nothing is exported, and the metadata names no issuer', async () => {
  covers('empty when none configured', 'Export: anonymous refused by default');
  const document = await ask(`${baseUrl}/.well-known/oauth-protected-resource/mcp`);

  expect(await document.json()).toMatchObject({ authorization_servers: [] });
  expect((await ask(`${baseUrl}/build-export/v2/builds/since/0`)).status).toBe(401);
});
