import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSigningKey } from '../../../src/deliver/sign/minisign.ts';
import { pathsIn } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { makeSecretKey } from '../../harness/signing-key.ts';
import { openIndex, type TestIndex } from './index-of-three.ts';

const secret = makeSecretKey();
const { publicKey } = readSigningKey(secret);
let index: TestIndex;

beforeAll(async () => {
  index = await openIndex();
  index.root.configure({ signingPublicKey: publicKey });
  index.git('commit', '--quiet', '--all', '--message', 'Sign the index');
});

afterAll(() => index.close());

const stage = (name: string, day: string) => index.runDay(day, {}, { options: ['--stage', name] });
const sign = () => run(['sign', '--root', index.root.dir], { RELEASE_INDEX_SIGNING_KEY: secret });
const verify = (day: string) => run(['verify', index.served, '--key', publicKey, '--as-of', day]);

test('the stage "publish" needs the stage "build" before it, and publishes nothing unsigned', async () => {
  const early = await stage('publish', '2026-11-16');
  const built = await stage('build', '2026-11-16');
  const unsigned = await stage('publish', '2026-11-16');

  expect([early.status, early.stderr]).toEqual([
    1,
    expect.stringContaining('no site waits to be published. Run: daily --stage build'),
  ]);
  expect(built.status).toBe(0);
  expect([unsigned.status, unsigned.stderr]).toEqual([
    1,
    expect.stringContaining('promises a signature'),
  ]);
  expect(pathsIn(index.served)).toEqual([]);
});

test('after "sign", it needs no key; a damaged component stays as it was, and its alert outlives both stages', async () => {
  index.packages.svc.push('2026.6');
  index.root.write('components/edge-node.json', '{');
  index.git('commit', '--quiet', '--all', '--message', 'Spoil it');

  const built = await stage('build', '2026-11-17');
  const signed = await sign();
  const published = await stage('publish', '2026-11-17');

  expect([built.status, signed.status, published.status], signed.stderr).toEqual([1, 0, 1]);
  expect(published.stderr).toContain('edge-node');
  expect(index.versions('svc')).toContain('2026.6');
  expect(index.versions('edge-node')).toEqual(['1.0', '1.1']);
  expect((await verify('2026-11-17')).status).toBe(0);
});

test('what was changed after it was signed is not published', async () => {
  index.git('checkout', '--quiet', 'HEAD~2', '--', 'components/edge-node.json');
  index.git('commit', '--quiet', '--message', 'Restore it');
  await stage('build', '2026-11-18');
  await sign();
  writeFileSync(join(index.root.out, 'SHA256SUMS.minisig'), '\n');

  const { status, stderr } = await stage('publish', '2026-11-18');

  expect([status, stderr]).toEqual([1, expect.stringContaining('error: SHA256SUMS.minisig')]);
  expect((await verify('2026-11-17')).status).toBe(0);
});
