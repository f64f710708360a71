import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, it, test } from 'vitest';
import { readSigningKey } from '../../../../src/deliver/sign/minisign.ts';
import { programPackage } from '../../../../src/ask/server/mcp/connection.ts';
import { runCli, linesOf } from '../../../harness/cli.ts';
import { checkout, fixtureDay } from '../../../harness/checkout.ts';
import { copiedFrom, runCopied } from '../../../harness/page-command.ts';
import { edit } from '../../../harness/signed-site.ts';
import {
  copyOfFixtureIndex,
  definition,
  makeRoot,
  readJsonIn,
  temporaryFolder,
  writeIn,
  withGit,
} from '../../../harness/root.ts';
import { siteOf, siteOfFixtureIndex } from '../../../harness/site.ts';
import { startSite } from '../../../harness/static-site.ts';
import { lintWorkflow } from '../../../harness/workflow-lint.ts';
import { versions } from '../../../renovate/install.ts';

const home = 'https://releases.example.com';
const pageIn = (out: string) => readFileSync(join(out, 'use.html'), 'utf8');

/** Runs a command of the page against a site. Returns its exit code. */
async function run(command: string, url: string, cwd?: string): Promise<number> {
  return (await runCopied(command, url, { ...(cwd !== undefined && { cwd }) })).status;
}

test('the page has an anchor for each of its six parts', () => {
  const html = pageIn(siteOfFixtureIndex());

  expect(Array.from(html.matchAll(/<h2 id="(\w+)">/g), ([, id]) => id)).toEqual([
    'renovate',
    'organisation',
    'pipelines',
    'origin',
    'private',
    'coming',
  ]);
});

test('the page and README name the oldest Renovate of the tests', () => {
  const [major, minor] = versions.oldest.split('.');
  const readme = readFileSync(join(checkout, 'README.md'), 'utf8');

  expect(pageIn(siteOfFixtureIndex())).toContain(`from Renovate ${major}.${minor} on`);
  expect(readme).toContain(`Renovate ${major}.${minor} or later`);
});

test('the line for mise names a component with a supported version, and is absent without one', () => {
  const out = siteOfFixtureIndex();
  const [, path] = /version_list_url = "https:\/\/releases\.example\.com\/(.+?)"/.exec(
    pageIn(out),
  )!;
  const undated = makeRoot({
    'components/tool.json': definition({ sources: [] }),
    'data/tool.json': { releases: [{ version: '1.0' }] },
  });

  expect(readJsonIn<string[]>(out, path!)).not.toEqual([]);
  expect(pageIn(siteOf(undated))).not.toContain('mise');
});

describe('the step of', () => {
  const html = pageIn(siteOfFixtureIndex());

  interface Job {
    steps?: { run?: string }[];
  }

  /** The commands of a step where each system has them. */
  const systems: Record<string, (text: string) => (string | undefined)[]> = {
    'Any shell': linesOf,
    'Scan at GitHub': (text) =>
      (load(text) as { jobs: Record<string, Job> }).jobs['scan']!.steps!.map(
        ({ run: command }) => command,
      ),
    'GitLab CI': (text) =>
      (load(text) as Record<string, { script: string[] }>)['releases-in-use']!.script,
  };

  test.each(Object.keys(systems))('%s runs the two commands', (system) => {
    const text = copiedFrom(html.slice(html.indexOf('id="pipelines"')), system);

    expect(systems[system]!(text).filter(Boolean)).toEqual([
      'npx --yes @cyclonedx/cyclonedx-npm@6 --package-lock-only --spec-version 1.6 --output-file bom.json',
      `npx --yes release-index@1 scan bom.json --index ${home}`,
    ]);
  });

  test('the scan at GitHub is a valid workflow', async () => {
    const text = copiedFrom(html.slice(html.indexOf('id="pipelines"')), 'Scan at GitHub');

    expect(await lintWorkflow(text)).toEqual([]);
  });

  test('each system runs the major version of this program', () => {
    const { name, version } = readJsonIn<{ name: string; version: string }>(
      checkout,
      'package.json',
    );

    expect(programPackage).toBe(`${name}@${version.split('.')[0]}`);
  });
});

describe('a site without a key', () => {
  const out = siteOfFixtureIndex();

  it('has a command that verifies every file, and one for the attestation of GitHub', async () => {
    const all = copiedFrom(pageIn(out), 'Check of everything');

    expect(pageIn(out)).toContain('This site is unsigned');
    expect(pageIn(out)).not.toMatch(/minisign|statements/);
    expect(all).toBe(`npx --yes release-index@1 verify ${home} --digests-only\n`);
    expect(await run(all, await startSite(out))).toBe(0);
    expect(copiedFrom(pageIn(out), 'Check of the build')).toContain(
      'gh attestation verify SHA256SUMS --repo example/release-index \\\n' +
        '    --signer-workflow example/release-index/.github/workflows/release-index-publish.yml --source-ref refs/heads/main\n',
    );
  });

  it('has a command that fails for changed and missing files', async () => {
    const command = copiedFrom(pageIn(out), 'Check of files');
    const broken = temporaryFolder();
    cpSync(out, broken, { recursive: true });
    writeFileSync(join(broken, 'all.json'), '{}\n');

    expect(await run(command, await startSite(out))).toBe(0);
    expect(await run(command, await startSite(broken))).toBe(1);
    expect(
      await run(command.replaceAll('all.json', 'nothing.json'), await startSite(out)),
    ).not.toBe(0);
  });
});

const hasMinisign = spawnSync('minisign', ['-v']).error === undefined;

describe.runIf(hasMinisign)('a site with a key', () => {
  it('has commands that accept only signed files', async () => {
    const folder = temporaryFolder();
    spawnSync('minisign', ['-G', '-W', '-p', 'a.pub', '-s', 'a.key'], { cwd: folder });
    const key = readSigningKey(readFileSync(join(folder, 'a.key'), 'utf8'));
    const root = withGit(copyOfFixtureIndex());
    const config = readJsonIn<object>(root, 'site/site.json');
    writeIn(root, 'site/site.json', { ...config, signingPublicKey: key.publicKey });
    await runCli(['record', '--root', root, '--as-of', fixtureDay]);
    const served = siteOf(root);
    const url = await startSite(served);
    const signed = await runCli(['sign', '--root', root, '--out', served], {
      env: { RELEASE_INDEX_SIGNING_KEY: readFileSync(join(folder, 'a.key'), 'utf8') },
    });
    expect(signed.status, signed.stderr).toBe(0);
    const html = pageIn(served);
    const files = copiedFrom(html, 'Check of files');
    const all = copiedFrom(html, 'Check of everything').replace('\n', ` --as-of ${fixtureDay}`);

    expect(files).toContain(key.publicKey);
    expect(html).not.toContain('unsigned');
    expect(await run(files, url)).toBe(0);
    expect(await run(all, url)).toBe(0);

    edit(served, 'SHA256SUMS', (text) => `${text}#`);

    expect(await run(files, url)).toBe(1);
  });
});
