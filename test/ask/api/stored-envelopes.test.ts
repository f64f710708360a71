import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleFromJSON } from '@sigstore/bundle';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bundleMediaType, type AttestationBundle } from '../../../src/core/schemas/published/statement.ts';
import { jsonSchemaOf } from '../../../src/site/render/json-schemas.ts';
import { sha256 } from '../../../src/io/files/sha256.ts';
import { readJsonIn } from '../../harness/root.ts';
import { siteOfFixtureIndex } from '../../harness/site.ts';
import { serveSite } from '../../harness/worker.ts';
import { problemOf, servePackages, type ServedPackages } from './served-packages.ts';
import { covers } from '../../harness/covers.ts';

let site: ServedPackages;

beforeAll(async () => {
  site = await servePackages();
});

afterAll(() => site.close());

const ajv = new Ajv2020({ strict: false });
const isEnvelopes = ajv.compile(jsonSchemaOf('envelopes'));

describe('stored envelopes', () => {
  const digestOf = (component: string) => sha256(readFileSync(join(site.out, `${component}.json`)));
  const pathOf = (thing: string, component: string, digest = `sha256:${digestOf(component)}`) =>
    `/packages/${thing}/${digest}/attestations/site/${component}`;

  test.each([
    ['generic/svc/2026.1', 'svc'],
    ['generic/edge/1.0', 'edge'],
    ['npm/%40example/kit/kit-1.0', 'kit'],
  ])('of %s hold by the key alone, for a verifier that is not ours', async (thing, component) => {
    covers(13, 72, 73, 74, 157);
    const answer = await site.ask(pathOf(thing, component));
    const envelopes = (await answer.json()) as AttestationBundle['dsseEnvelope'][];
    const key = createPublicKey(readFileSync(join(site.out, 'signing-key.pem')));
    const keyId = envelopes[0]!.signatures[0]!.keyid;
    const trust = toTrustMaterial(TrustedRoot.fromJSON({}), () => ({ publicKey: key, validFor: () => true }));
    const verifier = new Verifier(trust, { ctlogThreshold: 0, tlogThreshold: 0, timestampThreshold: 0 });
    const entity = (dsseEnvelope: object) =>
      toSignedEntity(
        bundleFromJSON({
          mediaType: bundleMediaType,
          verificationMaterial: { publicKey: { hint: keyId } },
          dsseEnvelope,
        }),
      );

    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(isEnvelopes(envelopes), ajv.errorsText(isEnvelopes.errors)).toBe(true);
    expect(envelopes).toHaveLength(1);
    expect(() => verifier.verify(entity(envelopes[0]!))).not.toThrow();
    const forged = Buffer.from(envelopes[0]!.payload, 'base64').toString().replace(component, 'other');
    const payload = Buffer.from(forged).toString('base64');
    expect(() => verifier.verify(entity({ ...envelopes[0]!, payload }))).toThrow();
    const stored = readJsonIn<AttestationBundle[]>(site.out, `attestations/${component}.json`);
    expect(envelopes).toEqual(stored.map(({ dsseEnvelope }) => dsseEnvelope));
    const { subject } = JSON.parse(Buffer.from(envelopes[0]!.payload, 'base64').toString()) as {
      subject: { name: string; digest: object }[];
    };
    expect(subject).toContainEqual({ name: `${component}.json`, digest: { sha256: digestOf(component) } });
  });

  test('come a line each, and not again to one who has them', async () => {
    covers(159);
    const path = pathOf('generic/svc/2026.1', 'svc', `SHA256:${digestOf('svc')}`.replace('SHA256', 'sha256'));
    const lines = await site.ask(path, { headers: { Accept: 'application/x-ndjson' } });
    const etag = lines.headers.get('etag')!;

    expect(lines.headers.get('content-type')).toBe('application/x-ndjson');
    expect(lines.headers.get('vary')).toBe('Accept');
    expect(await lines.text()).toMatch(/^\{"payload":.+\}\n$/);
    const again = await site.ask(path, {
      headers: { Accept: 'application/x-ndjson', 'If-None-Match': etag },
    });
    expect(again.status).toBe(304);
    expect((await site.ask(path, { headers: { 'If-None-Match': etag } })).status).toBe(200);
  });

  test.each<[string, string, string?]>([
    ['generic/svc/2026.1', 'svc', 'sha256:ab'],
    ['generic/svc/2026.1', 'svc', `md5:${'0'.repeat(32)}`],
    ['generic/svc/2026.1', 'svc', '0'.repeat(64)],
    ['generic/svc/2026.1', 'svc', `sha256:${'g'.repeat(64)}`],
  ])('of %s, %s, are not asked for by %s', async (thing, component, digest) => {
    expect(await problemOf(await site.ask(pathOf(thing, component, digest)), 400)).toMatchObject({
      parameter: 'digest',
      expected: 'sha256: and the 64 hexadecimal digits of a digest',
    });
  });

  test.each<[string, string, string | undefined, string]>([
    ['generic/svc/2026.1', 'svc', `sha256:${'0'.repeat(64)}`, 'svc.json has another digest now: sha256:'],
    [
      'generic/svc/2026.1',
      'svk',
      `sha256:${'0'.repeat(64)}`,
      'There is no component "svk". Did you mean "svc"?',
    ],
    ['generic/svc/2026.1', '__proto__', `sha256:${'0'.repeat(64)}`, 'There is no component "__proto__"'],
    ['generic/svc/1999.1', 'svc', undefined, '1999.1 belongs to no known release line'],
    ['npm/left-pad/1.0', 'svc', undefined, 'The index does not know "pkg:npm/left-pad@1.0".'],
    ['generic/svc/2026.1', 'kit', undefined, 'The package belongs to svc, not to kit.'],
  ])('of %s, %s, %s, are not there, and that is said', async (thing, component, digest, expected) => {
    covers(214);
    const { detail } = await problemOf(await site.ask(pathOf(thing, component, digest)), 404);

    expect(detail).toContain(expected);
  });

  test('are not there where an instance has another name, and cannot be written to', async () => {
    covers(154, 210);
    const path = pathOf('generic/svc/2026.1', 'svc');

    for (const storage of ['store', 's3:bucket', 'af:name']) {
      const { detail } = await problemOf(await site.ask(path.replace('/site/', `/${storage}/`)), 404);
      expect(detail).toBe(`There is no storage "${storage}" here, only site.`);
    }
    const { detail } = await problemOf(await site.ask(path.replace('/site/', '/s3:/')), 400);
    expect(detail).toBe('instance: expected site, or a storage in the form kind:name; got "s3:"');
    const answer = await site.scan(path);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    await problemOf(answer, 405);
  });
});

test.each(['generic/svc/2026.1', 'npm/%40example/kit/1.0'])(
  'statements about %s are not made here, and the command that makes them is named',
  async (thing) => {
    const body = JSON.stringify({ sha256: '0'.repeat(64), repositoryUrl: 'https://example.com/libs' });
    const answer = await site.scan(`/packages/${thing}/attestations`, {
      body,
      headers: { 'content-type': 'application/json' },
    });

    expect((await problemOf(answer, 501)).detail).toBe(
      'Nothing is signed here: the host has no signing key. The command does it with yours: npx release-index scan ITEM --attest FILE --key FILE.',
    );
  },
);

test('an index that is not signed says so', async () => {
  const folder = siteOfFixtureIndex();
  const unsigned = await serveSite(folder);
  try {
    const digest = sha256(readFileSync(join(folder, 'svc.json')));
    const path = `/packages/generic/svc/2026.3/sha256:${digest}/attestations/site/svc`;
    const { detail } = await problemOf(await fetch(new URL(path, unsigned.url)), 404);

    expect(detail).toBe('This index is not signed, so there are no statements.');
  } finally {
    await unsigned.close();
  }
});
