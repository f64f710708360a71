import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSigningKey } from '../../../src/deliver/sign/signatures.ts';
import { runCli } from '../../harness/cli.ts';
import { fixtureDay } from '../../harness/checkout.ts';
import { copiedFrom, runCopied } from '../../harness/page-command.ts';
import { edit } from '../../harness/signed-site.ts';
import {
  copyOfFixtureIndex,
  readJsonIn,
  temporaryFolder,
  writeIn,
  withGit,
} from '../../harness/root.ts';
import { siteOf, siteOfFixtureIndex } from '../../harness/site.ts';
import { startSite } from '../../harness/static-site.ts';

const home = 'https://releases.example.com';
const pageIn = (out: string) => readFileSync(join(out, 'verify.html'), 'utf8');

/** Runs a command of the page against a site. Returns its exit code. */
async function run(command: string, url: string, cwd?: string): Promise<number> {
  return (await runCopied(command, url, { ...(cwd !== undefined && { cwd }) })).status;
}

describe('a site without a key', () => {
  const out = siteOfFixtureIndex();

  it('has a command that verifies every file, and one for the attestation of GitHub', async () => {
    const all = copiedFrom(pageIn(out), 'Check of everything');

    expect(pageIn(out)).toContain('This site is unsigned');
    expect(pageIn(out)).not.toMatch(/minisign|statements\//);
    expect(all).toBe(`npx release-index verify ${home} --digests-only\n`);
    expect(await run(all, await startSite(out))).toBe(0);
    expect(copiedFrom(pageIn(out), 'Check of the build')).toContain(
      'gh attestation verify SHA256SUMS --repo example/release-index \\\n' +
        '    --signer-workflow example/release-index/.github/workflows/release-index-publish.yml --source-ref refs/heads/main\n',
    );
  });

  it('has commands that fail for changed and missing files', async () => {
    const oneFile = copiedFrom(pageIn(out), 'Check of one file');
    const mirror = copiedFrom(pageIn(out), 'Check of a mirror');
    const wholeMirror = copiedFrom(pageIn(out), 'Check of a whole mirror');
    const [whole, part, broken] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    for (const folder of [whole, broken]) {
      cpSync(out, folder, { recursive: true });
    }
    cpSync(join(out, 'svc.json'), join(part, 'svc.json'));
    writeFileSync(join(broken, 'svc.json'), '{}\n');

    const url = await startSite(out);
    expect(await run(oneFile, url)).toBe(0);
    expect(
      await Promise.all(
        [whole, part, broken, temporaryFolder()].map((folder) => run(mirror, url, folder)),
      ),
    ).toEqual([0, 0, 1, 1]);
    expect(await Promise.all([whole, part].map((folder) => run(wholeMirror, url, folder)))).toEqual(
      [0, 1],
    );
    expect(await run(oneFile.replaceAll('all.json', 'nothing.json'), url)).not.toBe(0);
  });
});

const hasMinisign = spawnSync('minisign', ['-v']).error === undefined;
const hasJq = spawnSync('jq', ['--version']).error === undefined;

describe.runIf(hasMinisign)('a site with a key', () => {
  it('has commands that accept only signed files', async () => {
    const folder = temporaryFolder();
    spawnSync('minisign', ['-G', '-W', '-p', 'a.pub', '-s', 'a.key'], { cwd: folder });
    const key = readSigningKey(readFileSync(join(folder, 'a.key'), 'utf8'));
    const root = withGit(copyOfFixtureIndex());
    const config = readJsonIn<object>(root, 'site/site.json');
    writeIn(root, 'site/site.json', { ...config, signingPublicKey: key.publicKey });
    const data = readJsonIn<{ releases: object[] }>(root, 'data/build-agent.json');
    const digests = { 'npm:agent': { 'agent@1': `sha256:${'a'.repeat(64)}` } };
    const releases = data.releases.map((release) => ({ ...release, digests }));
    writeIn(root, 'data/build-agent.json', { ...data, releases });
    await runCli(['record', '--root', root, '--as-of', fixtureDay]);
    const served = siteOf(root);
    const url = await startSite(served);
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
    expect(await run(signature, url)).toBe(0);
    expect(await run(all, url)).toBe(0);
    if (hasJq) {
      expect(await run(statement, url)).toBe(0);
    }
    edit(served, 'SHA256SUMS', (text) => `${text}#`);
    edit(served, 'statements/build-agent.ndjson', (text) =>
      text.replaceAll('"sig":"', '"sig":"AAAA'),
    );
    expect(await run(signature, url)).toBe(1);
    if (hasJq) {
      expect(await run(statement, url)).not.toBe(0);
    }
  });
});
