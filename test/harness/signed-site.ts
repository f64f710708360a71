import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type {
  ReleaseStatement,
  StatementBundle,
} from '../../src/core/schemas/published/statement.ts';
import { readSigningKey } from '../../src/deliver/sign/minisign.ts';
import { addComponent, createRoot, temporaryFolder } from './root.ts';
import { run } from './run.ts';
import { makeSecretKey } from './signing-key.ts';

/** Such a checkout, recorded and signed on a day, and the folder of its site. */
export async function makeSignedSite(day: string) {
  const signed = openSignedSite({ hasDigests: true });
  await signed.record(day);
  return { signed, site: await signed.make(day) };
}

export type SignedTestSite = ReturnType<typeof openSignedSite>;

/** The checkout of an index with a key: `svc`, and `edge-node`, which was called `edge` before. Statements need digests. */
export function openSignedSite({ hasDigests = false } = {}) {
  const secret = makeSecretKey();
  const key = readSigningKey(secret);
  const { publicKey } = key;
  const root = createRoot({ signingPublicKey: publicKey });
  const released = (name: string, version: string, releaseTimestamp: string, hex: string) => {
    const digests = { [`npm:${name}`]: { [`${name}@${version}`]: `sha256:${hex.repeat(64)}` } };
    return { version, releaseTimestamp, ...(hasDigests && { digests }) };
  };
  addComponent(root, 'svc', [released('svc', '2026.1', '2026-01-01', 'a')], {
    support: { policy: 'term', months: 18 },
  });
  addComponent(root, 'edge-node', [released('edge-node', '1.0', '2026-02-01', 'b')], {
    renamedFrom: ['edge'],
  });
  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-C', root.dir, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args],
      {
        encoding: 'utf8',
      },
    );
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'All of it');
  return {
    root,
    key,
    publicKey,
    /** Records the journal of a day, and what the index states about its releases. */
    async record(day: string): Promise<void> {
      const { status, stderr } = await run(['record', '--root', root.dir, '--as-of', day]);
      expect(status, stderr).toBe(0);
    },
    /** Builds for a day and signs. Returns the folder. */
    async make(day: string, ...args: string[]) {
      const out = join(temporaryFolder(), 'dist');
      const where = ['--root', root.dir, '--out', out, ...args];
      const built = await run(['build', '--as-of', day, ...where]);
      const signed = await run(['sign', ...where], { RELEASE_INDEX_SIGNING_KEY: secret });
      expect([built.status, signed.status], built.stderr + signed.stderr).toEqual([0, 0]);
      return out;
    },
  };
}

/** The signed statements about the releases of a component. */
export function bundlesIn(site: string, component: string): StatementBundle[] {
  const lines = readFileSync(join(site, `statements/${component}.ndjson`), 'utf8').trimEnd();
  return lines.split('\n').map((line) => JSON.parse(line) as StatementBundle);
}

export function statementIn({ dsseEnvelope }: StatementBundle): ReleaseStatement {
  const payload = Buffer.from(dsseEnvelope.payload, 'base64').toString();
  return JSON.parse(payload) as ReleaseStatement;
}

export function copyOf(site: string): string {
  const copy = join(temporaryFolder(), 'copy');
  cpSync(site, copy, { recursive: true });
  return copy;
}

/** Changes the text of a file. */
export function edit(site: string, path: string, change: (text: string) => string): void {
  const file = join(site, path);
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  expect(after, path).not.toBe(before);
  writeFileSync(file, after);
}
