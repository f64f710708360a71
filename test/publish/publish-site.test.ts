import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSite } from '../../src/core/site-reader.ts';
import { readLive } from '../../src/publish/live.ts';
import { readSigningKey } from '../../src/publish/minisign.ts';
import {
  copyFolder,
  createFolder,
  createIndex,
  openIndex,
  publicKey,
  today,
  type IndexFolder,
} from '../harness/index-folder.ts';
import { createSecretKey } from '../harness/minisign-keys.ts';
import { reply, serveAnswers, startUpstream } from '../harness/upstream.ts';

const nothingSent = 'Nothing was sent. To publish anyway: npx release-index publish --force';
const empty = await serveAnswers({});
const first = createIndex();
await first.prepare('build');

/** Copies a built index. */
function copyBuilt(env: Record<string, string> = {}): IndexFolder {
  return openIndex(copyFolder(first.root), env);
}

const published = copyBuilt();
const publishedFolder = createFolder();
expect(await published.run('publish', '--to', publishedFolder)).toMatchObject({
  status: 0,
  stdout: expect.stringMatching(/: \d+ files, \d+ changed, 0 removed\. Published\.\n$/),
});

/** Copies a built index and the folder of its published site. */
function copyPublished() {
  const index = copyBuilt();
  const folder = copyFolder(publishedFolder);
  const publish = async () => {
    const { status, stdout, stderr } = await index.run('publish', '--to', folder);
    return status === 0 ? stdout : stderr.replaceAll('error: ', '');
  };
  return { index, folder, publish };
}

test('publish finds no live site in an empty folder, or on a host that answers 404', async () => {
  // An invalid host name, so that the test makes no DNS lookup.
  const unknown = 'https://new..invalid';
  for (const place of [empty, createFolder(), join(createFolder(), 'none'), unknown]) {
    expect(await readLive(openSite(place), nothingSent)).toBeUndefined();
  }
});

test('publish does not treat an unreadable live site as missing', async () => {
  const { url } = await startUpstream(() => reply(503));

  await expect(readLive(openSite(`${url}ENOTFOUND`), nothingSent)).rejects.toThrow(nothingSent);
});

test('publish to Cloudflare signs the site, writes the files for wrangler, and prints the command that deploys the site', async () => {
  const index = createIndex({ releasesUrl: empty });
  index.write('site/access.json', { users: [{ username: 'robot' }] });
  index.write('.access/keys.json', '[{ "sha256": "a digest" }]');
  await index.run('build');
  const dry = await index.run('publish', '--dry-run');
  expect(dry.stdout).toMatch(/Nothing was sent: this was a dry run\.\n$/);
  expect(index.read('.cache/wrangler.json')).toBe('');

  const { status, stdout } = await index.run('publish');

  expect(stdout).toMatch(
    /removed\. Ready to be deployed\.\nNext: npx wrangler deploy --config \.cache\/wrangler\.json\n$/,
  );
  expect(status).toBe(0);
  expect(index.read('dist/SHA256SUMS.minisig')).not.toBe('');
  const config = index.read('.cache/wrangler.json');
  expect(JSON.parse(config)).toMatchObject({
    vars: { BASE_URL: empty },
    define: { RELEASE_INDEX_ACCESS: expect.stringContaining('robot') as string },
    assets: { directory: index.out, html_handling: 'none', not_found_handling: 'none' },
  });
  expect(config).not.toContain('a digest');
});

const missingKey =
  'RELEASE_INDEX_SIGNING_KEY is missing, but site/site.json promises a signature ("signingPublicKey"). Set it to the content of the secret key file\n';

test('without the signing key, publish fails, but a dry run only warns', async () => {
  const index = createIndex({ releasesUrl: empty }, { RELEASE_INDEX_SIGNING_KEY: '' });
  await index.run('build');

  const failed = await index.run('publish');
  const dry = await index.run('publish', '--dry-run');

  expect(failed).toMatchObject({ status: 1, stderr: `error: ${missingKey}` });
  expect(dry.stderr).toBe(`warning: ${missingKey}`);
  expect(dry.stdout).toMatch(
    / files, \d+ changed, 0 removed\. Nothing was sent: this was a dry run\.\n$/,
  );
  expect(dry.status).toBe(0);
});

test('publish copies the site into the folder that the settings name', async () => {
  const folder = createFolder();
  const index = copyBuilt();
  index.edit('site/site.json', { hosting: { folder } });

  expect((await index.run('publish')).stdout).toMatch(new RegExp(`^${folder}: .* Published\\.\n$`));
  expect(readdirSync(folder)).toContain('SHA256SUMS.minisig');
});

test.each([
  [empty, 0, 'Ready to be deployed.'],
  ['http://127.0.0.1:1', 1, 'error: live site: http://127.0.0.1:1/SHA256SUMS cannot be read: '],
])(
  'publish for GitHub Pages at %s exits with %i, and says: %s',
  async (releasesUrl, expected, said) => {
    const index = createIndex({ releasesUrl, hosting: 'pages' });
    await index.run('build');

    const { status, stdout, stderr } = await index.run('publish');

    expect(stdout + stderr).toContain(said);
    expect(status).toBe(expected);
    expect(existsSync(join(index.out, 'SHA256SUMS.minisig'))).toBe(expected === 0);
  },
);

test('publish needs no signing key if an earlier step has signed the site', async () => {
  const index = copyBuilt({ RELEASE_INDEX_SIGNING_KEY: '' });
  const folder = createFolder();
  await openIndex(index.root).run('sign');

  expect(await index.run('publish', '--to', folder)).toMatchObject({ status: 0, stderr: '' });
  expect(await openIndex(index.root).run('verify', folder, '--key', publicKey)).toMatchObject({
    status: 0,
  });
});

test('publish never publishes files of file managers', async () => {
  const index = createIndex({ releasesUrl: empty });
  await index.run('build');
  index.write('dist/._evil.html', '');
  index.write('dist/details/Desktop.ini', '');

  const said = ['._evil.html', 'details/Desktop.ini'].map((path) => {
    return `error: ${index.out}/${path} is not in SHA256SUMS, but the host would publish it. Remove it\n`;
  });
  expect(await index.run('publish')).toMatchObject({ status: 1, stderr: said.join('') });
  const folder = createFolder();
  expect(await index.run('publish', '--to', folder)).toMatchObject({ status: 0, stderr: '' });
  expect(readdirSync(folder)).not.toContain('._evil.html');
});

const otherPublicKey = readSigningKey(createSecretKey()).publicKey;

test.each<[title: string, edit: (index: IndexFolder) => void, problem: string]>([
  [
    'a damaged site',
    (index) => index.write('dist/svc.json', '{}'),
    'svc.json was changed: its digest differs from the one in SHA256SUMS. Run: npx release-index build',
  ],
  [
    'a missing site',
    (index) => rmSync(index.out, { recursive: true }),
    'OUT: there is no built site. Run: npx release-index build',
  ],
  [
    'a site for another address',
    (index) => index.edit('site/site.json', { releasesUrl: 'https://example.org' }),
    'OUT was built for https://releases.example.com, not for https://example.org. Run: npx release-index build',
  ],
  [
    'a signing key that differs from the key in the settings',
    (index) => index.edit('site/site.json', { signingPublicKey: otherPublicKey }),
    `site/site.json: expected "signingPublicKey": "${publicKey}", the key of RELEASE_INDEX_SIGNING_KEY; got ${otherPublicKey}`,
  ],
])('%s stops publish before anything is sent', async (_, edit, problem) => {
  const index = copyBuilt();
  const folder = createFolder();
  edit(index);

  const { status, stderr } = await index.run('publish', '--to', folder);

  expect(stderr.replace(index.out, 'OUT')).toBe(`error: ${problem}\n`);
  expect(readdirSync(folder)).toEqual([]);
  expect(status).toBe(1);
});

test.each([
  [
    'https://example.com/index',
    'has a path, but Cloudflare serves a site at the root of a host name',
  ],
  ['https://releases.invalid', 'is a placeholder. Replace it by the real address'],
])('publish to Cloudflare rejects an unusable site address: %s', async (url, problem) => {
  const index = createIndex({ releasesUrl: url });
  await index.run('build');

  const { stderr } = await index.run('publish', '--dry-run');

  expect(stderr).toBe(`error: site/site.json: releasesUrl: ${url} ${problem}\n`);
});

/**
 * Edits the recorded data as if a run had recorded that upstream withdrew three releases. The third
 * release is also deprecated.
 */
const takeThree = (index: IndexFolder) =>
  index.edit('data/svc.json', ({ releases }) => ({
    releases: releases.map((each: object, place: number) => ({
      ...each,
      ...[
        { withdrawnSince: today },
        { withdrawnSince: today },
        { deprecated: 'Old', withdrawnSince: today },
      ][place],
    })),
  }));

const deprecateTwo = (index: IndexFolder) =>
  index.edit('components/svc.json', {
    deprecated: [{ versions: ['2025.1.0', '2025.1.1'], reason: 'Broken.' }],
  });

test.each<[title: string, edit: (index: IndexFolder) => void, loss: string]>([
  [
    'removes a component',
    (index) => index.write('components/edge-node.json', undefined),
    'edge-node is on the live site, and would be gone',
  ],
  [
    'empties a component',
    (index) => index.write('data/edge-node.json', { releases: [] }),
    'edge-node would have no latest version; it is 1.0 on the live site',
  ],
  [
    'deprecates two of ten releases, and removes a third one',
    (index) => {
      deprecateTwo(index);
      index.edit('data/svc.json', ({ releases }) => ({ releases: releases.toSpliced(2, 1) }));
    },
    'svc: 3 of 10 releases would be gone or deprecated: 2025.1.0, 2025.1.1, 2025.1.2',
  ],
  [
    'deprecates three of ten releases, even if upstream withdrew them too',
    (index) => {
      takeThree(index);
      index.edit('components/svc.json', {
        deprecated: [{ versions: '<=2025.1.2', reason: 'Broken.' }],
      });
    },
    'svc: 3 of 10 releases would be gone or deprecated: 2025.1.0, 2025.1.1, 2025.1.2',
  ],
])(
  'publish sends nothing after an edit that %s, until a person accepts it',
  async (_, edit, loss) => {
    const { index, publish } = copyPublished();
    edit(index);
    await index.prepare('build');

    const rejection = await publish();
    const id = /publication-[0-9a-f]{10}/.exec(rejection)?.[0] ?? '';
    expect(rejection).toBe(
      `${loss}\npublication: Nothing was sent, so readers keep the live site. If you want this change: npx release-index accept ${id}, then run this again\n`,
    );
    expect(await publish()).toBe(rejection);
    expect(await index.run('accept', id.replace(/.$/, 'x'))).toMatchObject({ status: 2 });

    const accepted = await index.run('accept', id);
    expect(accepted.stdout).toContain(`${id}: accepted for the next publication`);
    expect(await publish()).toContain('Published.');
  },
);

test.each([
  ['2026-11-19', false],
  ['2026-11-20', true],
])(
  'a decision applies only to a live site of the same day or earlier: decision on %s, site on 2026-11-20',
  async (on, counts) => {
    const { index, publish } = copyPublished();
    index.write('components/edge-node.json', undefined);
    await index.prepare('build');
    const id = /publication-[0-9a-f]{10}/.exec(await publish())?.[0];
    const decision = { id, at: `${on}T10:00:00Z`, by: 'Jane' };
    index.write('data/decisions.ndjson', `${JSON.stringify(decision)}\n`);

    expect((await publish()).includes('Published.')).toBe(counts);
  },
);

test.each<[title: string, edit: (index: IndexFolder) => void]>([
  ['two deprecations among ten releases', deprecateTwo],
  ['three withdrawals by upstream among ten releases', takeThree],
  [
    "upstream's deprecation of all releases, so that there is no latest version",
    (index) =>
      index.edit('data/edge-node.json', ({ releases }) => ({
        releases: releases.map((each: object) => ({ ...each, deprecated: 'Old' })),
      })),
  ],
  [
    'a renamed component, which keeps its files under the old name',
    (index) => {
      index.write('components/server.json', {
        ...JSON.parse(index.read('components/svc.json')),
        renamedFrom: ['svc'],
      });
      index.write('data/server.json', index.read('data/svc.json'));
      index.write('components/svc.json', undefined);
    },
  ],
])('publish accepts %s', async (_, edit) => {
  const { index, publish } = copyPublished();
  edit(index);
  await index.prepare('build');

  expect(await publish()).toContain('Published.');
});
