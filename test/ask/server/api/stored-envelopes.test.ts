import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StatementBundle } from '../../../../src/core/schemas/published/statement.ts';
import { apiOf } from '../../../harness/api.ts';
import { readJsonIn } from '../../../harness/root.ts';
import { run } from '../../../harness/run.ts';
import type { PolicyScan } from '../../../../src/core/schemas/published/policy-scan.ts';
import {
  builtOn,
  expectForm,
  packageDigests,
  packageFile,
  problemOf,
  record,
  servePackages,
  type ServedPackages,
} from './served-packages.ts';
import { covers } from '../../../harness/covers.ts';

let site: ServedPackages;

beforeAll(async () => {
  site = await servePackages();
});

afterAll(() => site.close());

const kit = 'npm/%40example/kit/kit-1.0';
const id = 'kit/1.0/2026-11-18';
const digest = `sha512:${packageDigests.sha512}`;
const pathOf = (thing = kit, of = digest, name = id) =>
  `/packages/${thing}/${of}/attestations/site/${encodeURIComponent(name)}`;

interface Told {
  readonly subject: readonly {
    readonly name: string;
    readonly digest: Readonly<Record<string, string>>;
  }[];
  readonly predicate: Readonly<Record<string, unknown>>;
}
const statementIn = ({ payload }: StatementBundle['dsseEnvelope']) =>
  JSON.parse(Buffer.from(payload, 'base64').toString()) as Told;

test.each(['sha1', 'sha512'] as const)(
  'the statement about a package is found by its %s, and is that of the signed bundles',
  async (algorithm) => {
    covers(
      'Publishes attestations built from build information, about a package by its own digest',
      'They are about what is recorded of a release.',
      'Left out: a statement is made from what is recorded of the package, and a run of the index says nothing about a package of its reader.',
      'Returns stored attestations as signed envelopes',
      'attestationUri: path /packages/…/digestType:digest/attestations/instance/id, the digest of the package',
      'DSSE payload: in-toto statement',
      'payloadType',
      'signatures {keyid, sig}',
      'type, namespace, name, version, digestType, digest, instance (s3:<bucket>, af:<name>), id',
      'The only instance is site; any other is rejected, with its name.',
      'GET …/{digestType}:{digest}/attestations/{instance}/{id} answers with the envelope, as long as there is the release',
    );
    const file = createHash(algorithm).update(readFileSync(packageFile)).digest('hex');
    const answer = await site.ask(pathOf(kit, `${algorithm}:${file}`));
    const envelopes = (await answer.json()) as StatementBundle['dsseEnvelope'][];
    const [bundle] = readFileSync(join(site.out, 'statements/kit.ndjson'), 'utf8').split('\n');

    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    expectForm('envelopes', envelopes);
    expect(envelopes).toEqual([(JSON.parse(bundle!) as StatementBundle).dsseEnvelope]);
    const statement = statementIn(envelopes[0]!);
    expectForm('release-statement', statement);
    expect(statement.subject).toEqual([{ name: '@example/kit@kit-1.0', digest: packageDigests }]);
    expect(statement.predicate).toMatchObject({
      id,
      component: 'kit',
      version: '1.0',
      on: '2026-11-18',
    });
  },
);

test('the statement about a package has the address in the scan result, or none without a recorded digest', async () => {
  const uriOf = async (thing: string) => {
    const answer = await site.scan(`/packages/${thing}/policy-scans/supported`);
    return ((await answer.json()) as [PolicyScan])[0].attestationUri;
  };

  expect(await uriOf(kit)).toBe(pathOf());
  expect(await uriOf('generic/kit/1.0')).toBe(pathOf('generic/kit/1.0'));
  expect(await uriOf('generic/svc/2026.1')).toBeNull();
});

test('the address of the statement about an image of an OCI package URL answers', async () => {
  const image = 'pkg:oci/kit@1.0?repository_url=registry.example.com/example/deep/kit';
  const { stdout } = await run(['scan', image, '--index', site.url, '--as-of', builtOn, '--json']);
  const { results } = JSON.parse(stdout) as { results: [PolicyScan] };

  expect((await site.ask(results[0].attestationUri!)).status).toBe(200);
});

test('the statement about a package stays, and a new one is added when its content changes', async () => {
  const { root, make } = site.signed;
  const before = (await (await site.ask(pathOf())).json()) as object[];
  const data = readJsonIn<{ releases: object[] }>(root.dir, 'data/kit.json');
  root.write('data/kit.json', { releases: [...data.releases, { version: '3.0' }] });
  await record(root.dir, '2026-11-19');
  const definition = readJsonIn<object>(root.dir, 'components/kit.json');
  root.write('components/kit.json', { ...definition, support: { policy: 'none' } });
  await record(root.dir, '2026-11-20');
  const next = apiOf(await make('2026-11-20'));
  const ask = async (path: string, init?: RequestInit) => (await next(path, init)).json();

  expect(await ask(pathOf())).toEqual(before);
  const [scan] = (await ask(`/packages/${kit}/policy-scans/supported`, { method: 'POST' })) as [
    PolicyScan,
  ];
  expect(scan.attestationUri).toBe(pathOf(kit, digest, 'kit/1.0/2026-11-20'));
  const [envelope] = (await ask(scan.attestationUri!)) as [StatementBundle['dsseEnvelope']];
  expect(statementIn(envelope).predicate).toMatchObject({ state: 'no-promise', on: '2026-11-20' });
});

test('the statement about a package is available as NDJSON, and is 304 for a client that has it', async () => {
  covers('application/x-ndjson by Accept');
  const lines = await site.ask(pathOf(), { headers: { Accept: 'application/x-ndjson' } });
  const etag = lines.headers.get('etag')!;

  expect(lines.headers.get('content-type')).toBe('application/x-ndjson');
  expect(lines.headers.get('vary')).toBe('Accept');
  expect(await lines.text()).toMatch(/^\{"payload":.+\}\n$/);
  const again = await site.ask(pathOf(), {
    headers: { Accept: 'application/x-ndjson', 'If-None-Match': etag },
  });
  expect(again.status).toBe(304);
  expect((await site.ask(pathOf(), { headers: { 'If-None-Match': etag } })).status).toBe(200);
});

test.each(['sha256:ab', `md5:${'0'.repeat(32)}`, '0'.repeat(64), `sha256:${'g'.repeat(64)}`])(
  'the statement about a package has no address with the digest %s',
  async (of) => {
    const expected = 'a digest such as sha512: and its hexadecimal digits';
    expect(await problemOf(await site.ask(pathOf(kit, of)), 400)).toMatchObject({ expected });
  },
);

test.each<[string, string, string, string]>([
  [kit, `sha256:${'0'.repeat(64)}`, id, 'This statement is not about sha256:'],
  [
    kit,
    digest,
    'kit/1.0/2026-11-17',
    'There is no statement "kit/1.0/2026-11-17" about this package.',
  ],
  [kit, digest, '__proto__', 'There is no statement "__proto__" about this package.'],
  ['generic/kit/2.0', digest, id, `There is no statement "${id}" about this package.`],
  ['generic/svc/1999.1', digest, id, 'The index lists no release "pkg:generic/svc@1999.1".'],
  ['npm/left-pad/1.0', digest, id, 'The index lists no release "pkg:npm/left-pad@1.0".'],
])('the statement of %s, %s, %s is 404 with a reason', async (thing, of, name, expected) => {
  covers('404: unknown id or instance');
  const { detail } = await problemOf(await site.ask(pathOf(thing, of, name)), 404);

  expect(detail).toContain(expected);
});

test('the statement about a package is 404 at another instance, and is read-only', async () => {
  covers(
    'type, namespace, name, version, digestType, digest, instance (s3:<bucket>, af:<name>), id',
    '400: bad sha256, URL, digest, instance',
  );
  for (const storage of ['store', 's3:bucket', 'af:name']) {
    const { detail } = await problemOf(
      await site.ask(pathOf().replace('/site/', `/${storage}/`)),
      404,
    );
    expect(detail).toBe(`There is no storage "${storage}" here, only site.`);
  }
  const { detail } = await problemOf(await site.ask(pathOf().replace('/site/', '/s3:/')), 400);
  expect(detail).toBe('instance: expected site, or a storage in the form kind:name; got "s3:"');
  const answer = await site.scan(pathOf());
  expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  await problemOf(answer, 405);
});

test('statements about other packages are not made here', async () => {
  covers(
    'POST …/attestations',
    'The operation answers 501, and names the command that signs.',
    'Left out: a host that anybody may ask must not hold the key that signs. Statements are signed by the run that publishes.',
    'Left out: there are no connectors, and nothing is published (58).',
    'Left out: nothing is published (58), so that there is no form.',
    'Left out: no operation publishes one over HTTP (58).',
  );
  const fields = { sha256: '0'.repeat(64), repositoryUrl: 'https://repo.example.com/kit' };
  const requests = [
    {},
    { body: JSON.stringify({ ...fields, buildScan: { ids: [], queries: [] }, annotations: {} }) },
    { body: new URLSearchParams({ ...fields, 'buildScan.ids': 'aaaaaaaaaaaa1' }) },
  ];

  for (const request of requests) {
    const answer = await site.scan('/packages/npm/%40example/kit/1.0/attestations', request);

    expect((await problemOf(answer, 501)).detail).toBe(
      'Nothing is signed here: the host has no signing key. The command "release-index sign" signs the statements of an index.',
    );
  }
});
