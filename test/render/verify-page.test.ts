import { execFile, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSigningKey } from '../../src/proof/minisign.ts';
import { runCli } from '../harness/cli.ts';
import { copyOfFixtureIndex, readJsonIn, temporaryFolder, writeIn } from '../harness/root.ts';
import { siteOf } from '../harness/site.ts';

const home = 'https://releases.example.com';
const pageIn = (out: string) => readFileSync(join(out, 'verify.html'), 'utf8');

/** The commands of the page, as a person copies them. */
function commandsIn(html: string): string[] {
  return Array.from(html.matchAll(/<pre[^>]*><code>([^<]*curl[^<]*)/g), ([, text]) =>
    text!.replaceAll('&amp;', '&').replaceAll('&#x3D;', '='),
  );
}

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

/** Runs a command of the page in a folder, against the site that is served. Returns its exit code. */
function run(command: string, cwd = temporaryFolder()): Promise<number> {
  return new Promise((resolve) => {
    execFile('sh', ['-c', command.replaceAll(home, url)], { cwd }, (error) => {
      resolve(error ? Number(error.code) : 0);
    });
  });
}

describe('a site without a key', () => {
  let out: string;
  beforeAll(() => {
    served = out = siteOf(copyOfFixtureIndex());
  });

  it('says that it is unsigned', () => {
    expect(pageIn(out)).toContain('This site is unsigned');
    expect(pageIn(out)).not.toContain('minisign');
  });

  it('has commands that succeed over what is whole, and fail over what is not, and over what is not there', async () => {
    const [oneFile, mirror] = commandsIn(pageIn(out)) as [string, string];
    const [whole, part, broken] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    for (const folder of [whole, broken]) cpSync(out, folder, { recursive: true });
    cpSync(join(out, 'svc.json'), join(part, 'svc.json'));
    writeFileSync(join(broken, 'svc.json'), '{}\n');

    expect(await run(oneFile)).toBe(0);
    expect(
      await Promise.all([whole, part, broken, temporaryFolder()].map((folder) => run(mirror, folder))),
    ).toEqual([0, 0, 1, 1]);
    expect(await run(oneFile.replaceAll('all.json', 'nothing.json'))).not.toBe(0);
  });
});

const hasMinisign = spawnSync('minisign', ['-v']).error === undefined;

describe.runIf(hasMinisign)('a site with a key', () => {
  it('has a command that accepts its signature, and no other', async () => {
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
    const command = commandsIn(html).at(-1)!;

    expect(html).toContain(`<code>${key.publicKey}</code>`.replaceAll('=', '&#x3D;'));
    expect(html).not.toContain('unsigned');
    expect(await run(command)).toBe(0);
    writeFileSync(join(served, 'SHA256SUMS'), `${readFileSync(join(served, 'SHA256SUMS'), 'utf8')}#`);
    expect(await run(command)).toBe(1);
  });
});
