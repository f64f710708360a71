import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSigningKey } from '../../../src/deliver/sign/signatures.ts';
import { ownProgram, runCli } from '../../harness/cli.ts';
import { fixtureDay } from '../../harness/checkout.ts';
import { copiedFrom } from '../../harness/page-command.ts';
import { edit } from '../../harness/signed-site.ts';
import { copyOfFixtureIndex, readJsonIn, temporaryFolder, writeIn } from '../../harness/root.ts';
import { siteOf, siteOfFixtureIndex } from '../../harness/site.ts';

const home = 'https://releases.example.com';
const pageIn = (out: string) => readFileSync(join(out, 'verify.html'), 'utf8');

const server = createServer((request, response) => {
  const path = join(served, request.url!);
  response.writeHead(existsSync(path) ? 200 : 404).end(existsSync(path) ? readFileSync(path) : 'not here');
});
let served: string;
let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

/** Runs a command of the page in a folder, with this program and the site that is served. Returns its exit code. */
function run(command: string, cwd = temporaryFolder()): Promise<number> {
  const own = command
    .replaceAll('npx release-index', `${process.execPath} ${ownProgram}`)
    .replaceAll(home, url);
  return new Promise((resolve) => {
    execFile('sh', ['-c', own], { cwd }, (error) => {
      resolve(error ? Number(error.code) : 0);
    });
  });
}

describe('a site without a key', () => {
  let out: string;
  beforeAll(() => {
    served = out = siteOfFixtureIndex();
  });

  it('has a command that verifies every file, and one for the attestation of GitHub', async () => {
    const all = copiedFrom(pageIn(out), 'Check of everything');

    expect(pageIn(out)).toContain('This site is unsigned');
    expect(pageIn(out)).not.toMatch(/minisign|attestations\//);
    expect(all).toBe(`npx release-index verify ${home} --digests-only\n`);
    expect(await run(all)).toBe(0);
    expect(copiedFrom(pageIn(out), 'Check of the build')).toContain(
      'gh attestation verify SHA256SUMS --repo example/release-index \\\n' +
        '    --signer-workflow example/release-index/.github/workflows/publish.yml --source-ref refs/heads/main\n',
    );
  });

  it('has commands that fail for changed and missing files', async () => {
    const oneFile = copiedFrom(pageIn(out), 'Check of one file');
    const mirror = copiedFrom(pageIn(out), 'Check of a mirror');
    const wholeMirror = copiedFrom(pageIn(out), 'Check of a whole mirror');
    const [whole, part, broken] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    for (const folder of [whole, broken]) cpSync(out, folder, { recursive: true });
    cpSync(join(out, 'svc.json'), join(part, 'svc.json'));
    writeFileSync(join(broken, 'svc.json'), '{}\n');

    expect(await run(oneFile)).toBe(0);
    expect(
      await Promise.all([whole, part, broken, temporaryFolder()].map((folder) => run(mirror, folder))),
    ).toEqual([0, 0, 1, 1]);
    expect(await Promise.all([whole, part].map((folder) => run(wholeMirror, folder)))).toEqual([0, 1]);
    expect(await run(oneFile.replaceAll('all.json', 'nothing.json'))).not.toBe(0);
  });
});

const hasMinisign = spawnSync('minisign', ['-v']).error === undefined;
const hasJq = spawnSync('jq', ['--version']).error === undefined;

describe.runIf(hasMinisign)('a site with a key', () => {
  it('has commands that accept only signed files', async () => {
    const folder = temporaryFolder();
    spawnSync('minisign', ['-G', '-W', '-p', 'a.pub', '-s', 'a.key'], { cwd: folder });
    const key = readSigningKey(readFileSync(join(folder, 'a.key'), 'utf8'));
    const root = copyOfFixtureIndex();
    const config = readJsonIn<object>(root, 'site/site.json');
    writeIn(root, 'site/site.json', { ...config, signingPublicKey: key.publicKey });
    served = siteOf(root);
    const signed = await runCli(['sign', '--root', root, '--out', served], {
      env: { RELEASE_INDEX_SIGNING_KEY: readFileSync(join(folder, 'a.key'), 'utf8') },
    });
    expect(signed.status, signed.stderr).toBe(0);
    const html = pageIn(served);
    const signature = copiedFrom(html, 'Check of the signature');
    const statement = copiedFrom(html, 'Check of a statement');
    const all = copiedFrom(html, 'Check of everything').replace('\n', ` --as-of ${fixtureDay}`);

    expect(html).toContain(`<code>${key.publicKey}</code>`.replaceAll('=', '&#x3D;'));
    expect(html).not.toContain('unsigned');
    expect(await run(signature)).toBe(0);
    expect(await run(all)).toBe(0);
    if (hasJq) expect(await run(statement)).toBe(0);
    edit(served, 'SHA256SUMS', (text) => `${text}#`);
    edit(served, 'attestations/build-agent.json', (text) => text.replace('"sig": "', '"sig": "AAAA'));
    expect(await run(signature)).toBe(1);
    if (hasJq) expect(await run(statement)).not.toBe(0);
  });
});
