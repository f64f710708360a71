import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { PackageScan } from '../../../src/core/schemas/published/policy-scan.ts';
import type { ReleaseStatement } from '../../../src/core/schemas/published/statement.ts';
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
beforeAll(async () => {
  const secret = readFileSync(join(checkout, '.ci/example-signing-key'), 'utf8');
  const where = ['--root', checkout, '--out', out];
  const built = await run(['build', ...where, '--as-of', '2026-11-22']);
  const signed = await run(['sign', ...where], { RELEASE_INDEX_SIGNING_KEY: secret });
  expect([built.status, signed.status], built.stderr + signed.stderr).toEqual([0, 0]);
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
  );
  const ask = apiOf(out);
  const key = createPublicKey(readFileSync(join(out, 'signing-key.pem')));
  const signed = pathsIn(join(out, 'statements')).map((path) => path.replace('.ndjson', ''));

  expect(signed).not.toEqual([]);
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
