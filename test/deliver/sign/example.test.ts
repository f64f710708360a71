import { createPublicKey, verify } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { PackageScan } from '../../../src/core/schemas/published/policy-scan.ts';
import type {
  ReleaseStatement,
  StatementBundle,
} from '../../../src/core/schemas/published/statement.ts';
import { apiOf } from '../../harness/api.ts';
import { checkout } from '../../harness/checkout.ts';
import { covers } from '../../harness/covers.ts';
import { pathsIn, temporaryFolder } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';

interface Envelope {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly { readonly sig: string }[];
}

const out = join(temporaryFolder(), 'dist');
const where = ['--root', checkout, '--out', out, '--as-of', '2026-11-24'];
beforeAll(async () => {
  const built = await run(['build', ...where]);
  expect(built.status, built.stderr).toBe(0);
});

/** The pre-authentication encoding of DSSE (github.com/secure-systems-lab/dsse, protocol.md). */
function encoded({ payload, payloadType }: Envelope): Buffer {
  const body = Buffer.from(payload, 'base64');
  const head = `DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `;
  return Buffer.concat([Buffer.from(head), body]);
}

test('a scan of the example leads to a statement that a visitor opens and verifies', async () => {
  covers(
    'attestationUri: path /packages/…/digestType:digest/attestations/instance/id, the digest of the package',
    'Null where nothing about the release is signed, as for all but two releases of the example.',
  );
  const ask = apiOf(out);
  const key = createPublicKey(readFileSync(join(out, 'signing-key.pem')));
  const signed = pathsIn(join(out, 'statements')).map((path) => path.replace('.ndjson', ''));

  const unsigned = await ask('/packages/generic/svc/2026.3/policy-scans/stable', {
    method: 'POST',
  });
  expect(await unsigned.json()).toMatchObject([{ attestationUri: null }]);
  expect(signed).toHaveLength(2);
  for (const component of signed) {
    const latest = readFileSync(join(out, `latest/${component}.txt`), 'utf8').trim();
    const scanned = await ask(`/packages/generic/${component}/${latest}/policy-scans/stable`, {
      method: 'POST',
    });
    const [{ attestationUri }] = (await scanned.json()) as [PackageScan];
    const [envelope] = (await (await ask(attestationUri!)).json()) as [Envelope];
    const payload = Buffer.from(envelope.payload, 'base64').toString();
    const { subject, predicate } = JSON.parse(payload) as ReleaseStatement;

    const signature = Buffer.from(envelope.signatures[0]!.sig, 'base64');
    expect(verify(undefined, encoded(envelope), key, signature), component).toBe(true);
    expect(predicate).toMatchObject({ component, version: latest });
    expect(attestationUri).toContain(`/sha512:${subject[0]!.digest['sha512']}/`);
  }
});

test('the example says at its doors that only its statements are signed', async () => {
  const signed = 'The key of site/site.json signed 2 statements about releases';

  const verified = await run(['verify', ...where]);
  const compared = await run(['verify', ...where, '--digests-only']);

  expect([verified.status, verified.stderr]).toEqual([
    1,
    `error: SHA256SUMS: is not signed here, so nobody vouches for the files, though each is as it lists them. ${signed}. Check only integrity: --digests-only\n`,
  ]);
  expect(compared.status).toBe(0);
  for (const text of [
    readFileSync(join(out, 'use.html'), 'utf8').replaceAll(/<[^>]+>/g, ''),
    readFileSync(join(out, 'openapi.json'), 'utf8'),
  ]) {
    expect(text).toMatch(/SHA256SUMS(?: of this site)? is not signed/);
  }
});

test('a statement of the example that was changed, or that another key signed, is found', async () => {
  const copy = join(temporaryFolder(), 'dist');
  cpSync(out, copy, { recursive: true });
  const path = join(copy, 'statements/build-agent-npm.ndjson');
  const bundle = JSON.parse(readFileSync(path, 'utf8')) as StatementBundle;
  const { payload } = bundle.dsseEnvelope;
  const changed = Buffer.from(payload, 'base64').toString().replace('no-promise', 'supported');
  bundle.dsseEnvelope.payload = Buffer.from(changed).toString('base64');
  writeFileSync(path, JSON.stringify(bundle));

  const compared = await run(['verify', copy, '--root', checkout, '--as-of', '2026-11-24']);

  expect(compared.status).toBe(1);
  expect(compared.stderr).toMatch(
    /^error: statements\/build-agent-npm.ndjson: its statement was not signed by the key /,
  );
});
