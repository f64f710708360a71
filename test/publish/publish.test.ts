import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  computePublicKey,
  copyFolder,
  createFolder,
  createIndex,
  createSecretKey,
  openIndex,
  secretKey,
  type IndexFolder,
} from '../harness/index-folder.ts';

const first = createIndex();
expect(await first.run('build')).toMatchObject({ status: 0 });

/** A copy of an index that was built; without secrets but for `env`. */
function copyBuilt(env: Record<string, string> = {}): IndexFolder {
  return openIndex(copyFolder(first.root), { RELEASE_INDEX_SIGNING_KEY: '', ...env });
}

const missing = {
  key: 'RELEASE_INDEX_SIGNING_KEY: is missing, but site/site.json promises a signature ("signingPublicKey")\n',
  token:
    'CLOUDFLARE_API_TOKEN: is missing. Make one from the template "Edit Cloudflare Workers": dash.cloudflare.com/profile/api-tokens\n',
  account:
    'CLOUDFLARE_ACCOUNT_ID: is missing. The overview page of Workers shows it: dash.cloudflare.com\n',
};

// An address where nothing answers, so that no site is live.
const releasesUrl = 'http://127.0.0.1:1';

test.each<[hosting: unknown, args: string[], secrets: string[]]>([
  ['cloudflare', [], [missing.token, missing.account, missing.key]],
  ['pages', [], [missing.key]],
  [{ folder: createFolder() }, [], [missing.key]],
  ['cloudflare', ['--to', createFolder()], [missing.key]],
])(
  'hosting %j, %j: without secrets, nothing is sent, and a dry run names them',
  async (hosting, args, secrets) => {
    const index = copyBuilt();
    index.edit('site/site.json', (settings) => (settings.hosting = hosting));

    const failed = await index.run('publish', '--force', ...args);
    const dry = await index.run('publish', '--force', '--dry-run', ...args);

    expect(failed).toMatchObject({
      status: 1,
      stderr: secrets.map((each) => `error: ${each}`).join(''),
    });
    expect(dry.stderr).toBe(secrets.map((each) => `warning: ${each}`).join(''));
    expect(dry.stdout).toMatch(
      / files, \d+ changed, 0 gone\. Nothing was sent: this was a dry run\.\n$/,
    );
    expect(dry.status).toBe(0);
  },
);

test('the folder in the settings gets the site', async () => {
  const folder = createFolder();
  const index = copyBuilt({ RELEASE_INDEX_SIGNING_KEY: secretKey });
  index.edit('site/site.json', (settings) => (settings.hosting = { folder }));

  expect((await index.run('publish')).stdout).toMatch(new RegExp(`^${folder}: .* Published\\.\n$`));
  expect(readdirSync(folder)).toContain('SHA256SUMS.minisig');
});

test('for GitHub Pages, the signed site is ready in its folder', async () => {
  const index = copyBuilt({ RELEASE_INDEX_SIGNING_KEY: secretKey });
  index.edit('site/site.json', (settings) => (settings.hosting = 'pages'));

  const { status, stdout } = await index.run('publish', '--force');

  expect(stdout).toContain('Ready: the workflow deploys it to GitHub Pages.');
  expect(existsSync(join(index.out, 'SHA256SUMS.minisig'))).toBe(true);
  expect(status).toBe(0);
});

test('an earlier step that has the key signs, and the step that publishes needs none', async () => {
  const index = copyBuilt();
  const folder = createFolder();
  await openIndex(index.root).run('sign');

  expect(await index.run('publish', '--to', folder)).toMatchObject({ status: 0, stderr: '' });
  expect(await openIndex(index.root).run('verify', folder)).toMatchObject({ status: 0 });
});

const otherKey = createSecretKey();

test.each<[what: string, edit: (index: IndexFolder) => void, problem: string]>([
  [
    'a damaged site',
    (index) => index.write('dist/svc.json', '{}'),
    'svc.json: was changed: its digest is not the one in SHA256SUMS. Run: npx release-index build',
  ],
  [
    'no site',
    (index) => rmSync(index.out, { recursive: true }),
    'OUT: there is no built site. Run: npx release-index build',
  ],
  [
    'a site for another address',
    (index) => index.edit('site/site.json', (it) => (it.releasesUrl = 'https://example.org')),
    'OUT: was built for https://releases.example.com, not for https://example.org. Run: npx release-index build',
  ],
  [
    'a key that the settings do not promise',
    (index) =>
      index.edit(
        'site/site.json',
        (settings) => (settings.signingPublicKey = computePublicKey(otherKey)),
      ),
    `site/site.json: expected "signingPublicKey": "${computePublicKey(secretKey)}", the key of RELEASE_INDEX_SIGNING_KEY; got ${computePublicKey(otherKey)}`,
  ],
])('%s stops a publication before anything is sent', async (_, edit, problem) => {
  const index = copyBuilt({ RELEASE_INDEX_SIGNING_KEY: secretKey });
  const folder = createFolder();
  edit(index);

  const { status, stderr } = await index.run('publish', '--to', folder);

  expect(stderr.replace(index.out, 'OUT')).toBe(`error: ${problem}\n`);
  expect(readdirSync(folder)).toEqual([]);
  expect(status).toBe(1);
});

test.each([
  ['https://example.com/index', 'has a path; Cloudflare serves a site at the root of a name'],
  ['https://releases.invalid', 'is a placeholder; replace it with the real address'],
])('the address %s is refused before anything is sent: it %s', async (url, problem) => {
  const index = createIndex({ releasesUrl: url });
  await index.run('build');

  const { stderr } = await index.run('publish', '--force');

  expect(stderr).toBe(`error: site/site.json: releasesUrl: ${url} ${problem}\n`);
});

test('a live site that does not answer stops a publication', async () => {
  const index = createIndex({ releasesUrl, hosting: 'pages' });
  await index.run('build');

  const { status, stderr } = await index.run('publish');

  expect(stderr).toMatch(
    /^error: live site: http:\/\/127\.0\.0\.1:1\/SHA256SUMS: cannot be read: .+\. Nothing was sent\. To publish without looking at the live site: --force\n$/,
  );
  expect(status).toBe(1);
});
