import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkout } from './harness/checkout.ts';
import { temporaryFolder } from './harness/root.ts';

const clone = join(temporaryFolder(), 'clone');
// A closed port: what the commands promise needs no upstream.
const closed = 'http://127.0.0.1:9';
const env = { ...process.env, HTTPS_PROXY: closed, HTTP_PROXY: closed };

let preview: ChildProcess | undefined;
afterAll(() => preview?.kill());

/** By npm itself, from what it installed before; a cache of npm without these packages leaves those of the checkout. */
function installPackages(): void {
  try {
    execFileSync('npm', ['ci', '--offline'], { cwd: clone, env, stdio: 'pipe' });
  } catch (error) {
    const { stderr } = error as { stderr: Buffer };
    expect(stderr.toString()).toContain('ENOTCACHED');
    console.log(
      'npm ci has no cached packages here: the packages of the checkout take their place',
    );
    symlinkSync(join(checkout, 'node_modules'), join(clone, 'node_modules'));
  }
}

test("the README's first commands lead to a statement that openssl verifies", async () => {
  const readme = readFileSync(join(checkout, 'README.md'), 'utf8');
  expect(readme).toContain('npm ci && npm start\nnpm run preview ');
  execFileSync('git', ['clone', '-q', '--shared', checkout, clone]);
  installPackages();

  execFileSync('npm', ['start'], { cwd: clone, env, stdio: 'pipe' });
  preview = spawn('npm', ['run', 'preview'], { cwd: clone, env });
  const printed: string[] = [];
  preview.stdout!.on('data', (text: Buffer) => printed.push(text.toString()));
  const address = () => /http:\/\/127\.0\.0\.1:\d+/.exec(printed.join(''))?.[0];
  await expect.poll(address).toBeDefined();
  const ask = (path: string, init?: RequestInit) => fetch(address()! + path, init);

  const scanned = await ask(
    '/packages/npm/%40gradle-tech/develocity-agent/4.1.1/policy-scans/stable',
    { method: 'POST' },
  );
  const [{ attestationUri }] = (await scanned.json()) as [{ attestationUri: string }];
  const [{ payload, payloadType, signatures }] = (await (await ask(attestationUri)).json()) as [
    { payload: string; payloadType: string; signatures: [{ sig: string }] },
  ];
  const body = Buffer.from(payload, 'base64');
  const files = {
    key: Buffer.from(await (await ask('/signing-key.pem')).arrayBuffer()),
    signature: Buffer.from(signatures[0].sig, 'base64'),
    signed: Buffer.concat([
      Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${body.length} `),
      body,
    ]),
  };
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), content);
  }
  const verified = execFileSync(
    'openssl',
    'pkeyutl -verify -pubin -inkey key -rawin -in signed -sigfile signature'.split(' '),
    { cwd: folder, encoding: 'utf8' },
  );

  expect(JSON.parse(body.toString())).toMatchObject({ predicate: { version: '4.1.1' } });
  expect(verified).toContain('Signature Verified Successfully');
  expect((await ask('/SHA256SUMS.minisig')).status).toBe(404);
});
