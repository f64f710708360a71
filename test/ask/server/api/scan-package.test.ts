import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  PackageScan,
  type PolicyScan,
} from '../../../../src/core/schemas/published/policy-scan.ts';
import { apiOf } from '../../../harness/api.ts';
import { temporaryFolder } from '../../../harness/root.ts';
import { run } from '../../../harness/run.ts';
import { serveSite } from '../../../harness/worker.ts';
import {
  builtOn,
  problemOf,
  recent,
  servePackages,
  type ServedPackages,
} from './served-packages.ts';
import { covers } from '../../../harness/covers.ts';

const home = 'https://releases.example.com';

let site: ServedPackages;

beforeAll(async () => {
  site = await servePackages(serveSite);
});

afterAll(() => site.close());

const svc = '/packages/generic/svc/2026.1/policy-scans/supported';

/** Address and package URL of the same item, and whether it is supported. */
const things: readonly [path: string, purl: string, status: PackageScan['status']][] = [
  ['generic/svc/2026.1', 'pkg:generic/svc@2026.1', 'satisfied'],
  ['generic/svc/v2026.01', 'pkg:generic/svc@v2026.01', 'satisfied'],
  ['generic/edge/1.0', 'pkg:generic/edge@1.0', 'not-applicable'],
  ['generic/svc/latest', 'pkg:generic/svc@latest', 'not-applicable'],
  ['generic/svc/1999.1', 'pkg:generic/svc@1999.1', 'not-applicable'],
  ['npm/%40example/kit/kit-1.0', 'pkg:npm/%40example/kit@kit-1.0', 'unsatisfied'],
  ['npm/@example/kit/kit-2.0', 'pkg:npm/%40example/kit@kit-2.0', 'satisfied'],
  ['npm/%40Example%2Fkit/kit-1.1+build', 'pkg:npm/%40Example%2Fkit@kit-1.1%2Bbuild', 'unsatisfied'],
  ['NPM/%40example/kit/1.1%2Bbuild', 'pkg:npm/%40example/kit@1.1%2Bbuild', 'unsatisfied'],
  ['pypi/kit.tools/2.0', 'pkg:pypi/kit.tools@2.0', 'satisfied'],
  ['maven/com.example/kit/2.0', 'pkg:maven/com.example/kit@2.0', 'satisfied'],
  ['docker/example%2Fdeep/kit/2.0', 'pkg:docker/example/deep/kit@2.0', 'satisfied'],
  [
    'docker/example%2Fdeep/kit/sha256:ab',
    'pkg:docker/example/deep/kit@sha256:ab',
    'not-applicable',
  ],
  ['npm/left-pad/1.3.0', 'pkg:npm/left-pad@1.3.0', 'not-applicable'],
  ['generic/__proto__/1.0', 'pkg:generic/__proto__@1.0', 'not-applicable'],
  ['generic/constructor/1.0', 'pkg:generic/constructor@1.0', 'not-applicable'],
  ['generic/hasOwnProperty/1.0', 'pkg:generic/hasOwnProperty@1.0', 'not-applicable'],
  ['npm/%F0%9F%98%80/1.0', 'pkg:npm/%F0%9F%98%80@1.0', 'not-applicable'],
  ['nothing/a%20b/1.0', 'pkg:nothing/a%20b@1.0', 'not-applicable'],
];
const policies = 'supported secure secured current patched lasting stable ours recent'.split(' ');

test('a policy scan has the result of the command for the checkout and for the published index, in three values', async () => {
  covers(
    'Evaluates named policy scans against a package',
    'status, three values',
    'Unknown is not-applicable, with its reason in details; the command scan has five values.',
    'satisfied, unsatisfied, not-applicable',
    'policyRemediation',
    'The others (uris, vulnerablePackage with predicateType, keyIds, buildTool) do not exist here.',
  );
  const args = ['scan', ...things.map(([, purl]) => purl), '--as-of', builtOn];
  const asked = [...args, ...policies.flatMap((policy) => ['--policy', policy]), '--json'];
  const here = await run([...asked, '--root', site.signed.root.dir]);
  const there = await run([...asked, '--index', site.url]);

  const answers: PackageScan[] = [];
  for (const [path, , status] of things) {
    for (const policy of policies) {
      const answer = await site.scan(`/packages/${path}/policy-scans/${policy}`);
      const body = await answer.text();
      expect(answer.status, body).toBe(200);
      const [result] = JSON.parse(body) as [PackageScan];
      if (policy === 'supported') {
        expect(result.status, path).toBe(status);
      }
      if (!['recent', 'ours'].includes(policy)) {
        // A built-in policy without a release to move to gives no advice.
        const { policyRemediation, details } = result;
        expect([path, policy, policyRemediation !== undefined]).toEqual([
          ...[path, policy, details.moveTo !== undefined],
        ]);
      }
      answers.push(result);
    }
  }

  const shapes = ['uris', 'vulnerablePackage', 'predicateType', 'keyIds', 'buildTool'];
  expect(answers.flatMap(({ details }) => shapes.filter((shape) => shape in details))).toEqual([]);
  const atHome = (text: string) => JSON.parse(text.replaceAll(site.url, `${home}/`)) as unknown;
  const inThreeValues = (text: string) =>
    (atHome(text) as { results: PolicyScan[] }).results.map((scan) => ({
      ...scan,
      status: scan.status === 'unknown' ? 'not-applicable' : scan.status,
    }));
  expect(z.array(PackageScan).parse(answers)).toEqual(answers);
  expect(answers).toEqual(inThreeValues(there.stdout));
  // A checkout is not signed.
  expect(inThreeValues(here.stdout)).toEqual(
    answers.map((answer) => ({ ...answer, attestationUri: null })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(
    new Set(['satisfied', 'unsatisfied', 'not-applicable']),
  );
});

test('what a policy asks and the index does not know is not applicable, with the reason', async () => {
  covers('status, three values', 'satisfied, unsatisfied, not-applicable');
  const answer = await site.scan('/packages/generic/svc/2026.1/policy-scans/secure');
  const [scan] = (await answer.json()) as [PackageScan];

  expect(scan).toMatchObject({
    status: 'not-applicable',
    details: { reason: expect.stringContaining('Advisories: not known.') },
  });
  expect(scan).not.toHaveProperty('policyRemediation');
});

test('a scan by a policy of this index has its texts, and an address that returns them', async () => {
  covers(
    'policyUri /policies/kind/name',
    'sourcedFromUri: URL of the build scan the data came from; null when none',
    'In dashboards, in the API, in queries of the provenance service',
  );
  const answer = await site.scan('/packages/generic/svc/2026.1/policy-scans/recent');

  const results = (await answer.json()) as [PackageScan];
  const described: unknown = await (await site.ask(results[0].policyUri)).json();
  expect(described).toEqual({ name: 'recent', isBuiltIn: false, ...recent });
  expect((await site.ask('/policies/built-in/recent')).status).toBe(404);
  expect(results).toEqual([
    {
      thing: 'pkg:generic/svc@2026.1',
      purl: 'pkg:generic/svc@2026.1',
      labels: { team: 'build' },
      status: 'unsatisfied',
      policyUri: '/policies/own/recent',
      policyDescription: recent.description,
      policyRemediation: recent.remediation,
      attestationUri: null,
      sourcedFromUri: null,
      details: expect.objectContaining({
        component: 'svc',
        version: '2026.1',
        reason: expect.stringMatching(
          /^The policy asks for releaseTimestamp:>=2026-01-15\. Of 2026\.1: releaseTimestamp \S+\.$/,
        ) as string,
      }) as object,
    },
  ]);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    vary: 'Accept',
  });
});

const fields = { sha256: 'Aa'.repeat(32), repositoryUrl: 'repo.example.com:8443/libs' };
const multipart = new FormData();
for (const [name, value] of Object.entries(fields)) {
  multipart.append(name, value);
}
const json = (body: unknown): RequestInit => ({
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
});

test.each<[string, RequestInit]>([
  ['nothing', {}],
  ['JSON', json(fields)],
  [
    'JSON with a charset',
    { ...json(fields), headers: { 'Content-Type': 'Application/JSON; charset=utf-8' } },
  ],
  ['JSON that states nothing', json({ sha256: null })],
  ['a form', { body: new URLSearchParams(fields) }],
  ['a form of parts', { body: multipart }],
])('a policy scan accepts %s', async (_what, init) => {
  covers('Namespace left out with its slash', 'POST …/policy-scans/name, JSON, form, multipart');
  const answer = await site.scan(svc, init);

  expect(answer.status, await answer.clone().text()).toBe(200);
  expect(await answer.json()).toHaveLength(1);
});

test.each(policies)(
  'bytes and a repository that cannot be compared change nothing of the policy %s, and are named',
  async (policy) => {
    covers(
      'Evaluate: sha256',
      'Not required here: a version can be judged without its bytes. Bytes that cannot be compared change nothing, and details.message says so.',
      'Evaluate: repositoryUrl, the repository containing the package',
      'Not required here. One that cannot be compared changes nothing, and details.message says so; a text that is no address of a repository is 400.',
    );
    const stated = { sha256: '0'.repeat(64), repositoryUrl: 'https://repo.example.com/evil/evil' };
    for (const path of ['generic/svc/2026.1', 'npm/%40example/kit/kit-1.0']) {
      const address = `/packages/${path}/policy-scans/${policy}`;

      const [plain] = (await (await site.scan(address)).json()) as [PackageScan];
      const [scan] = (await (await site.scan(address, json(stated))).json()) as [PackageScan];

      const { component, version, reason } = plain.details;
      expect([scan.status, scan.details.reason]).toEqual([plain.status, reason]);
      const others = component === 'kit' ? ', only sha1 and sha512' : '';
      expect(scan.details.message).toBe(
        `No sha256 digest of ${version} is recorded${others}. The source repository of ${component} is not recorded.`,
      );
    }
  },
);

test('a policy scan accepts SHA-512, and names it where none is recorded', async () => {
  const sha256 = `sha512:${'a'.repeat(128)}`;

  const [scan] = (await (await site.scan(svc, json({ sha256 }))).json()) as [PackageScan];

  expect([scan.status, scan.details.message]).toEqual([
    'satisfied',
    'No sha512 digest of 2026.1 is recorded.',
  ]);
});

test.each([
  ['a', 'satisfied', undefined],
  ['b', 'unsatisfied', `sha256:${'b'.repeat(64)} is not a digest that is recorded for 1.0.`],
])(
  'a policy scan judges the bytes of a release by their digest: %s',
  async (digit, status, message) => {
    covers('Evaluate: sha256', 'details: policy-specific; of the shapes seen, message');
    const path = '/packages/generic/constructor/1.0/policy-scans/stable';

    const answer = await site.scan(path, json({ sha256: digit.repeat(64) }));

    const [scan] = (await answer.json()) as [PackageScan];
    expect([scan.status, scan.details.message]).toEqual([status, message]);
  },
);

test.each([
  ['github.com/example/agent', 'satisfied', undefined],
  ['https://github.com/Example/agent.git', 'satisfied', undefined],
  ['git@github.com:example/agent.git', 'satisfied', undefined],
  ['ssh://git@github.com:22/example/agent', 'satisfied', undefined],
  ['git+https://www.github.com/example/agent.git', 'satisfied', undefined],
  ['git://github.com/example/agent', 'satisfied', undefined],
  ['git://github.com:9418/example/agent', 'satisfied', undefined],
  ['https://github.com:443/example/agent.git/', 'satisfied', undefined],
  [
    'https://github.com/other/agent',
    'unsatisfied',
    'agent is built from https://github.com/example/agent, not from https://github.com/other/agent.',
  ],
  [
    'https://github.com:8443/example/agent',
    'unsatisfied',
    'agent is built from https://github.com/example/agent, not from https://github.com:8443/example/agent.',
  ],
  [
    'git@github.com:22/example/agent.git',
    'unsatisfied',
    'agent is built from https://github.com/example/agent, not from git@github.com:22/example/agent.git.',
  ],
])(
  'a policy scan compares the repository with that of the definition: %s',
  async (repositoryUrl, status, message) => {
    covers('Evaluate: repositoryUrl, the repository containing the package');
    const path = '/packages/generic/agent/1.0/policy-scans/stable';

    const answer = await site.scan(path, json({ repositoryUrl }));

    const [scan] = (await answer.json()) as [PackageScan];
    expect([scan.status, scan.details.message]).toEqual([status, message]);
  },
);

test('a policy scan names the repository that is not recorded, in the message and as a reason', async () => {
  covers('Evaluate: repositoryUrl, the repository containing the package');
  const repositoryUrl = 'https://github.com/example/constructor';
  const path = '/packages/generic/constructor/1.0/policy-scans';

  const compared = await site.scan(`${path}/stable`, json({ repositoryUrl }));
  const asked = await site.scan(`${path}/ours`);

  expect(await compared.json()).toMatchObject([
    { details: { message: 'The source repository of constructor is not recorded.' } },
  ]);
  expect(await asked.json()).toMatchObject([
    {
      status: 'not-applicable',
      details: { reason: expect.stringContaining('repository unknown') },
    },
  ]);
});

const file = new FormData();
file.append('sha256', new Blob(['x']), 'x.txt');
const noDigest = 'sha256: expected a SHA-256 digest: 64 hexadecimal digits; got';
const noRepository =
  'repositoryUrl: expected the address of a repository, such as https://github.com/example/agent or git@github.com:example/agent.git, without credentials, query and white space; got';
const noVersion =
  'version: expected a version such as 2025.3, without white space and control characters; got';
test.each<[string, RequestInit, path?: string]>([
  [`${noDigest} "ab"`, json({ sha256: 'ab' })],
  [`${noDigest} 5`, json({ sha256: 5 })],
  [`${noDigest} {}`, { body: file }],
  [
    `${noDigest} "${'a'.repeat(64)} "`,
    { body: new URLSearchParams({ sha256: `${'a'.repeat(64)} ` }) },
  ],
  ...[
    'https://a b',
    'https://user:secret@host/',
    'https://git:secret@host/x',
    'user@host:x',
    'ftp://host/',
    '',
    'https://host/?token=x',
    'nonsense',
  ].map((repositoryUrl): [string, RequestInit] => [
    `${noRepository} ${JSON.stringify(repositoryUrl)}`,
    json({ repositoryUrl }),
  ]),
  ['sha: expected only sha256, repositoryUrl; got the field "sha"', json({ sha: '' })],
  [
    '__proto__: expected only sha256, repositoryUrl; got the field "__proto__"',
    json('{"__proto__": 1}'),
  ],
  ['sha256: expected this field once; got it repeatedly', json('{"sha256": null, "sha256": null}')],
  [
    'sha256: expected this field once; got it repeatedly',
    { body: new URLSearchParams(`sha256=${fields.sha256}&sha256=`) },
  ],
  ['body: expected a JSON object; got []', json([])],
  [`body: expected a JSON object; got "${'a'.repeat(116)}…`, json(`"${'a'.repeat(900_000)}"`)],
  ['body: expected UTF-8; got other bytes', { ...json(''), body: new Uint8Array([0xff, 0xfe]) }],
  [
    'body: expected a form as multipart/form-data; got something else',
    { body: 'x', headers: { 'Content-Type': 'multipart/form-data' } },
  ],
  [`${noVersion} "2026 1"`, {}, svc.replace('2026.1', '2026%201')],
  [String.raw`${noVersion} "2026.1\n"`, {}, svc.replace('2026.1', '2026.1%0A')],
  [
    'type: expected a type of package URLs, such as npm, maven or generic; got "a b"',
    {},
    svc.replace('generic', 'a%20b'),
  ],
  ['x: expected no parameters; got the parameter "x"', {}, `${svc}?x=1`],
])('a policy scan rejects: %s', async (detail, init, path = svc) => {
  covers(
    'Evaluate: repositoryUrl, the repository containing the package',
    'Errors are application/problem+json',
    'type about:blank, title, status, detail',
    '400: bad sha256, URL, digest, instance',
  );
  expect(await problemOf(await site.scan(path, init), 400)).toMatchObject({
    detail,
    title: 'Bad Request',
  });
});

test('a policy scan rejects invalid JSON', async () => {
  const { detail } = await problemOf(await site.scan(svc, json('{')), 400);

  expect(detail).toMatch(/^body: expected a JSON object; got /);
});

test.each<[string, RequestInit]>([
  ['text/plain', { body: 'x', headers: { 'Content-Type': 'text/plain' } }],
  ['application/xml', { body: 'x', headers: { 'Content-Type': 'application/xml' } }],
  ['no Content-Type', { body: new Uint8Array([1]) }],
  [
    'gzip',
    { ...json('{}'), headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' } },
  ],
])('a policy scan does not accept %s', async (what, init) => {
  const { detail } = await problemOf(await site.scan(svc, init), 415);

  expect(detail).toContain(`got ${what}`);
});

test('a policy scan is 404 for an unknown policy, with a suggestion', async () => {
  covers('404: unknown policy');
  for (const [policy, meant] of [
    ['suported', ' Did you mean "supported"?'],
    ['__proto__', ''],
    ['own%2Frecent', ''],
  ]) {
    const path = `/packages/generic/svc/2026.1/policy-scans/${policy}`;
    const { detail } = await problemOf(await site.scan(path), 404);
    expect(detail).toBe(
      `There is no policy "${decodeURIComponent(policy!)}".${meant} Policies are ${policies.join(', ')}.`,
    );
  }
});

test.each([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['application/json, application/x-ndjson', 'application/json'],
  ['application/x-ndjson, */*', 'application/json'],
  ['application/x-ndjson;q=0.5, application/json;q=0.4', 'application/x-ndjson'],
  ['application/json;q=0, application/*', 'application/x-ndjson'],
  ['application/x-ndjson;q=5, application/json', 'application/json'],
  ['text/html, application/*;q=0.1', 'application/json'],
])('a policy scan with Accept: %s comes as %s', async (accept, expected) => {
  covers('application/json array by default', 'application/x-ndjson by Accept');
  const answer = await site.scan(svc, accept === undefined ? {} : { headers: { Accept: accept } });
  const body = await answer.text();

  expect(answer.headers.get('content-type')).toBe(expected);
  if (expected === 'application/json') {
    expect(JSON.parse(body)).toHaveLength(1);
  } else {
    expect(body).toMatch(/^\{.+\}\n$/);
  }
});

test.each([
  'text/html',
  'application/json;q=0',
  'application/json;q=-1',
  'application/problem+json',
])('a policy scan does not come as %s', async (accept) => {
  await problemOf(await site.scan(svc, { headers: { Accept: accept } }), 406);
});

test('a policy scan is only a POST, from pages of any origin', async () => {
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
    const answer = await site.ask(svc, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('POST, OPTIONS');
  }
  const asked = await site.ask(svc, {
    method: 'OPTIONS',
    headers: { Origin: 'https://example.com' },
  });
  expect(asked.status).toBe(204);
  expect(Object.fromEntries(asked.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': expect.stringContaining('Content-Type') as string,
  });
});

/** Sends bytes in chunks, without a Content-Length. */
const send = (bytes: number) => {
  const chunks = Array.from({ length: Math.ceil(bytes / 1000) }, () =>
    new TextEncoder().encode(' '.repeat(1000)),
  );
  const body = ReadableStream.from([...chunks, new TextEncoder().encode('{}')]);
  return site.scan(svc, { ...json(''), body, duplex: 'half' });
};

test('a policy scan accepts a body of at most 1 MB, with and without a stated length', async () => {
  expect((await send(999_000)).status).toBe(200);
  for (const answer of [await send(8_000_000), await site.scan(svc, json(' '.repeat(1_000_001)))]) {
    expect(await problemOf(answer, 413)).toMatchObject({
      detail: 'body: expected at most 1,000,000 bytes; got more',
      title: 'Content Too Large',
    });
  }
  expect((await site.scan(svc)).status).toBe(200);
});

test('policy scans at one time are all answered', async () => {
  covers(
    'Left out: a scan opens no connection, so there is no pool; any number of scans is answered.',
    'Left out: as 215, there is no pool of connections.',
  );
  const scans = await Promise.all(Array.from({ length: 300 }, () => site.scan(svc)));

  expect(new Set(scans.map(({ status }) => status))).toEqual(new Set([200]));
});

test('a policy scan is 503 if a file of the index cannot be read', async () => {
  covers(
    'Left out: a scan asks no external service; files that cannot be read are 503, with Retry-After.',
  );
  const broken = join(temporaryFolder(), 'dist');
  cpSync(site.out, broken, { recursive: true });
  rmSync(join(broken, 'policies.json'));

  const answer = await apiOf(broken)(svc, { method: 'POST' });

  await problemOf(answer, 503);
  expect(answer.headers.get('retry-after')).toBe('10');
});

test('a question about a version of a package is about the version of the component', async () => {
  const question = encodeURIComponent('pkg:npm/%40example/kit@kit-1.0');

  const answer = await site.ask(`/api/answers?question=${question}`);

  expect(await answer.json()).toMatchObject({ component: 'kit', version: '1.0', isListed: true });
});
