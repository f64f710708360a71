import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtInPolicies } from '../../../src/io/files/policies.ts';
import { readSigningKey } from '../../../src/deliver/sign/signatures.ts';
import { linesOf } from '../../harness/cli.ts';
import { sha256 } from '../../../src/io/files/sha256.ts';
import { addComponent, createRoot, temporaryFolder, type TestRoot } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { makeSecretKey } from '../../harness/signing-key.ts';
import { covers } from '../../harness/covers.ts';

const [ofNpm, ofImage, commit] = ['a'.repeat(128), 'b'.repeat(64), 'c'.repeat(40)];
const secret = makeSecretKey();

let root: TestRoot;
let folder: string;
let file: string;

beforeAll(() => {
  root = createRoot();
  const digests = {
    'npm:@example/agent': { '@example/agent@1.1': `sha512:${ofNpm}` },
    'docker:example/agent': { '1.1': `sha256:${ofImage}` },
    'github-tags:example/agent': { 'v1.1': `sha1:${commit}` },
  };
  addComponent(
    root,
    'agent',
    [
      { version: '1.0' },
      { version: '1.1', releaseTimestamp: '2026-03-03', digests },
      { version: '2.0' },
    ],
    {
      support: { policy: 'latest-lines', count: 2, line: 2 },
      sources: [{ datasource: 'npm', packageName: '@example/agent' }],
    },
  );
  folder = temporaryFolder();
  file = join(folder, 'vsa.jsonl');
  writeFileSync(join(folder, 'secret.key'), secret);
});

const scan = (...args: string[]) =>
  run([
    ...['scan', ...args, '--root', root.dir, '--as-of', '2026-04-01'],
    ...['--base-url', 'https://releases.example.com'],
  ]);
const attest = (...args: string[]) =>
  scan(...args, '--attest', file, '--key', join(folder, 'secret.key'));

interface Envelope {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly { readonly sig: string }[];
}

/** The statements whose signature openssl finds good over the pre-authentication encoding of DSSE. */
function openVerified(): { subject: object[]; predicate: Record<string, unknown> }[] {
  const [pem, signature, signed] = [
    join(folder, 'key.pem'),
    join(folder, 'sig'),
    join(folder, 'pae'),
  ];
  const raw = Buffer.from(readSigningKey(secret).publicKey, 'base64').subarray(10);
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]).toString(
    'base64',
  );
  writeFileSync(pem, `-----BEGIN PUBLIC KEY-----\n${der}\n-----END PUBLIC KEY-----\n`);
  return linesOf(readFileSync(file, 'utf8')).map((line) => {
    const { payload, payloadType, signatures } = JSON.parse(line) as Envelope;
    const body = Buffer.from(payload, 'base64');
    writeFileSync(signature, Buffer.from(signatures[0]!.sig, 'base64'));
    writeFileSync(
      signed,
      `DSSEv1 ${payloadType.length} ${payloadType} ${body.length} ${body.toString()}`,
    );
    const options = [
      '-verify',
      '-pubin',
      '-inkey',
      pem,
      '-rawin',
      '-in',
      signed,
      '-sigfile',
      signature,
    ];
    const verified = execFileSync('openssl', ['pkeyutl', ...options], { encoding: 'utf8' });
    expect(verified).toContain('Verified Successfully');
    expect(payloadType).toBe('application/vnd.in-toto+json');
    return JSON.parse(body.toString()) as { subject: object[]; predicate: Record<string, unknown> };
  });
}

test('scan --attest writes a signed summary of each satisfied result, and of no other', async () => {
  covers(58, 155);
  const before = new Date().toISOString();

  const things = ['agent@1.0', 'pkg:npm/%40example/agent@1.1', 'agent@2.0', 'left-pad@1.0'];
  const ran = await attest(...things, '--policy', 'supported', '--policy', 'stable');

  expect(ran.status).toBe(1);
  expect(ran.stdout).toContain(`Attested in ${file}: 2 results.`);
  expect(ran.stderr).toContain('agent@2.0 is not attested: no digest of its artifacts is recorded');
  const statements = openVerified();
  expect(statements).toHaveLength(2);
  const [first, second] = statements;
  const { description, remediation, query } = builtInPolicies['supported']!;
  const content = JSON.stringify({ description, remediation, query });
  // The fields that https://slsa.dev/spec/v1.1/verification_summary requires, and no level of a track.
  expect(first).toEqual({
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: '@example/agent@1.1', digest: { sha512: ofNpm } }],
    predicateType: 'https://slsa.dev/verification_summary/v1',
    predicate: {
      verifier: {
        id: 'https://releases.example.com',
        version: { 'release-index': expect.stringMatching(/^\d/) as string },
      },
      timeVerified: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as string,
      resourceUri: 'pkg:npm/%40example/agent@1.1',
      policy: {
        uri: 'https://releases.example.com/policies/built-in/supported',
        digest: { sha256: sha256(Buffer.from(content)) },
        content: Buffer.from(content).toString('base64'),
      },
      verificationResult: 'PASSED',
      verifiedLevels: ['SLSA_BUILD_LEVEL_UNEVALUATED'],
      slsaVersion: '1.1',
    },
  });
  expect(String(first!.predicate['timeVerified']) >= before.slice(0, 19)).toBe(true);
  expect(second!.predicate['policy']).toMatchObject({
    uri: 'https://releases.example.com/policies/built-in/stable',
  });
});

test('the subject of a summary is the digest of the document, or all recorded digests', async () => {
  await attest('agent@1.1', '--policy', 'supported');
  const [all] = openVerified();
  const bom = {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6' },
    components: [{ name: 'agent', version: '1.1', hashes: [{ alg: 'SHA-256', content: ofImage }] }],
  };
  writeFileSync(join(folder, 'bom.json'), JSON.stringify(bom));
  await attest(join(folder, 'bom.json'), '--policy', 'supported');
  const [stated] = openVerified();

  expect(all).toMatchObject({ predicate: { resourceUri: 'pkg:generic/agent@1.1' } });
  expect(all!.subject).toEqual([
    { name: '@example/agent@1.1', digest: { sha512: ofNpm } },
    { name: '1.1', digest: { sha256: ofImage } },
    { name: 'v1.1', digest: { gitCommit: commit } },
  ]);
  expect(stated!.subject).toEqual([{ name: '1.1', digest: { sha256: ofImage } }]);
});

test('scan --attest empties the file of an earlier run', async () => {
  await attest('agent@1.1', '--policy', 'supported');

  expect((await attest('agent@1.0')).status).toBe(1);
  expect(readFileSync(file, 'utf8')).toBe('');
});

test('scan --attest needs a readable key before it scans', async () => {
  const other = join(folder, 'other.jsonl');
  const alone = await scan('agent@1.1', '--attest', other);
  const missing = await scan('agent@1.1', '--attest', other, '--key', join(folder, 'none.key'));
  const wrong = await scan('agent@1.1', '--attest', other, '--key', file);

  expect([alone.status, missing.status, wrong.status]).toEqual([2, 3, 3]);
  expect(alone.stderr).toContain('scan accepts --attest FILE and --key FILE only together');
  expect(missing.stderr).toContain('none.key: cannot be read');
  expect(wrong.stderr).toContain('is not the content of a minisign secret key file');
  expect(existsSync(other)).toBe(false);
});
