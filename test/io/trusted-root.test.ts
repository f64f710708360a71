import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { formatFinding, type Finding } from '../../src/core/schemas/finding.ts';
import { openTrustedRoot, shippedTrustedRoot } from '../../src/io/trusted-root.ts';
import { temporaryFolder, writeIn } from '../harness/root.ts';
import { startUpstream } from '../harness/upstream.ts';
import { client } from './http/harness.ts';

/** Canonical JSON: sorted keys, no white space, no fractions (github.com/theupdateframework/specification). */
function canonical(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(',')}]`;
  }
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value);
  }
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`;
}

/** A TUF repository on loopback, whose only target is a trusted root. */
async function openRepository() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
  const key = { keytype: 'ed25519', scheme: 'ed25519', keyval: { public: raw } };
  const keyid = createHash('sha256').update(canonical(key)).digest('hex');
  const expires = '2999-01-01T00:00:00Z';
  const signed = (type: string, version: number, fields: object) => {
    const content = { _type: type, spec_version: '1.0.0', version, expires, ...fields };
    const sig = sign(undefined, Buffer.from(canonical(content)), privateKey).toString('hex');
    return JSON.stringify({ signatures: [{ keyid, sig }], signed: content });
  };
  const role = { keyids: [keyid], threshold: 1 };
  const roles = { root: role, timestamp: role, snapshot: role, targets: role };
  const root = signed('root', 1, { consistent_snapshot: false, keys: { [keyid]: key }, roles });
  const files = new Map<string, string>();
  const server = await startUpstream(() => (request, response) => {
    const body = files.get(request.url!);
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  onTestFinished(() => server.close());
  return {
    url: server.url.replace(/\/$/, ''),
    root,
    requests: server.requests,
    files,
    publish(version: number, target: string, timestamp: object = {}) {
      const hashes = { sha256: createHash('sha256').update(target).digest('hex') };
      const targets = { 'trusted_root.json': { length: Buffer.byteLength(target), hashes } };
      const meta = (name: string) => ({ meta: { [name]: { version } } });
      files.set(
        '/timestamp.json',
        signed('timestamp', version, { ...meta('snapshot.json'), ...timestamp }),
      );
      files.set('/snapshot.json', signed('snapshot', version, meta('targets.json')));
      files.set('/targets.json', signed('targets', version, { targets }));
      files.set('/targets/trusted_root.json', target);
    },
  };
}

/** The shipped root with its first authorities. */
async function rootWith(authorities: number): Promise<string> {
  const shipped = await shippedTrustedRoot();
  const certificateAuthorities = shipped.certificateAuthorities.slice(0, authorities);
  return JSON.stringify(TrustedRoot.toJSON({ ...shipped, certificateAuthorities }));
}

/** Opens a repository's trusted root. Writes the repository's first root to the folder unless it exists. */
function opener(repository: { url: string; root: string }, env: NodeJS.ProcessEnv = {}) {
  const folder = temporaryFolder();
  const findings: string[] = [];
  writeIn(folder, 'root.json', JSON.parse(repository.root));
  const open = async (): Promise<TrustedRoot> => {
    const http = client({ env });
    const onFinding = (finding: Finding) => void findings.push(formatFinding(finding));
    return openTrustedRoot({ folder, env, http, onFinding, mirror: repository.url })();
  };
  return { open, findings };
}

const fromCopy =
  'trusted root: attestations are verified with the copy that came with this version';

test('requests the trusted root again when its copy has expired, and accepts only a signed one', async () => {
  const repository = await openRepository();
  const { open, findings } = opener(repository);
  const authorities = async () => (await open()).certificateAuthorities.length;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-01T00:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());

  repository.publish(1, await rootWith(1), { expires: '2026-11-08T00:00:00Z' });
  const first = await authorities();
  repository.publish(2, await rootWith(2));
  const kept = await authorities();
  vi.setSystemTime('2026-11-08T00:00:01Z');
  const renewed = await authorities();
  const asked = repository.requests.length;

  expect([first, kept, renewed]).toEqual([1, 1, 2]);
  expect(await authorities()).toBe(2);
  expect(repository.requests).toHaveLength(asked);
  expect([...new Set(findings)]).toEqual([
    'trusted root: attestations are verified with the public Sigstore (https://tuf-repo-cdn.sigstore.dev)',
  ]);
});

test("requests the trusted root through the environment's proxy", async () => {
  const repository = await openRepository();
  repository.publish(1, await rootWith(1));
  const proxy = await startUpstream(() => (request, response) => {
    response.end(repository.files.get(new URL(request.url!).pathname));
  });
  onTestFinished(() => proxy.close());

  const { open } = opener(
    { ...repository, url: 'http://tuf.localhost' },
    { http_proxy: proxy.url },
  );
  const { certificateAuthorities } = await open();

  expect(certificateAuthorities).toHaveLength(1);
  const paths = ['timestamp.json', 'snapshot.json', 'targets.json', 'targets/trusted_root.json'];
  expect(proxy.requests.map(({ path }) => path)).toEqual(
    paths.map((path) => `http://tuf.localhost/${path}`),
  );
});

test.each([
  ['leads into a local network', /an address in a local network/],
  ['is not signed', /^trusted root: could not be updated from Sigstore's repository \(.+\)$/],
])('uses the shipped copy if the repository %s', async (which, reason) => {
  const [repository, other] = [await openRepository(), await openRepository()];
  other.publish(1, await rootWith(1));
  const server = await startUpstream(() => (request, response) => {
    if (which === 'is not signed') {
      response.end(other.files.get(request.url!));
    } else {
      response.writeHead(302, { location: 'https://169.254.169.254/2.root.json' }).end();
    }
  });
  onTestFinished(() => server.close());

  const { open, findings } = opener({ ...repository, url: server.url.replace(/\/$/, '') });

  expect(await open()).toEqual(await shippedTrustedRoot());
  expect(findings).toEqual([expect.stringMatching(reason), fromCopy]);
});
