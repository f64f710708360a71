/** Rows about the site of others, and an index at Cloudflare. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { saveFile } from '../../src/core/files.ts';
import { nameWorker } from '../../src/publish/cloudflare.ts';
import { openDoors } from '../harness/api.ts';
import { knock } from '../harness/doors.ts';
import { openIndex, publicKey, secretKey } from '../harness/index-folder.ts';
import { readBlocks, readDocument } from '../harness/printed.ts';
import { packageFile } from '../harness/site.ts';
import { folder, inReader, origin, reader, run, site, stage, type Row } from './stage.ts';

export const readers: Row[] = [
  [
    'npm sbom --package-lock-only --sbom-format cyclonedx > bom.json',
    /^$/,
    {
      ...inReader,
      before() {
        const lock = { name: 'app', version: '1.0.0', lockfileVersion: 3 };
        const dependencies = { semver: '7.8.6' };
        const root = { name: 'app', version: '1.0.0', dependencies };
        const packages = { '': root, 'node_modules/semver': { version: '7.8.6' } };
        saveFile(join(reader, 'package.json'), JSON.stringify(root));
        saveFile(join(reader, 'package-lock.json'), JSON.stringify({ ...lock, packages }));
      },
    },
  ],
  [`curl -fsSO ${site}/${packageFile}`, /^$/, inReader],
  [
    `npx --yes ./${packageFile} scan bom.json --index ${site}`,
    /pkg:npm\/semver@7\.8\.6 +Supported/,
    { ...inReader, also: ['scan <file or -> …'] },
  ],
  [
    'npm ls --json',
    /^pkg:npm\/semver@7\.8\.6 +Supported/m,
    {
      ...inReader,
      before: () =>
        saveFile(
          join(reader, 'node_modules/semver/package.json'),
          JSON.stringify({ name: 'semver', version: '7.8.6' }),
        ),
      fill: { $: ` | npx release-index scan - --index ${origin}` },
    },
  ],
  [
    'docker compose config --images',
    /0 of 1 recognised[^]*docker\.io\/example\/svc/,
    { ...inReader, fill: { $: ` | npx release-index scan - --index ${origin}` } },
  ],
  [
    `curl -fsS ${site}/edge-node.json | jq -er .tags.latest`,
    /^7\.8\.6\n$/,
    { ...inReader, needs: 'jq' },
  ],
  [
    `curl -fsS ${site}/supported/edge-node.json | jq -r '.[]'`,
    /^7\.8\.6\n$/,
    { ...inReader, needs: 'jq' },
  ],
  [
    `npx --yes ./${packageFile} verify ${site} --digests-only`,
    /files as SHA256SUMS lists them/,
    inReader,
  ],
  [`curl -fO ${site}/SHA256SUMS -fO ${site}/all.json`, /./, inReader],
  ['sha256sum --check --ignore-missing SHA256SUMS', /^all\.json: OK$/m, inReader],
  [`npx --yes ./${packageFile} init my-index`, /Next:/, inReader],
];

const cloud = join(folder, 'cloud');
const inCloud = { cwd: () => cloud };
const host = openIndex(cloud);

export const atCloudflare: Row[] = [
  [
    'npx release-index init my-index --host cloudflare',
    /Next:/,
    {
      cwd: () => folder,
      fill: () => ({ 'my-index': 'cloud', $: ` --releases-url ${stage.cloudflare.siteUrl}` }),
    },
  ],
  [
    'minisign -G -W -p index.pub -s index.key',
    /./,
    { ...inCloud, needs: 'minisign', also: ['minisign -G -W'] },
  ],
  [
    'npx release-index sign',
    /^Signed\./,
    {
      ...inCloud,
      also: ['npx --no -- release-index sign'],
      async before() {
        if (!existsSync(join(cloud, 'index.key'))) {
          host.write('index.key', secretKey);
          host.write('index.pub', `untrusted comment:\n${publicKey}\n`);
        }
        host.edit('site/site.json', (settings) => (settings.signingPublicKey = ownKey()));
        host.write('releases.csv', 'version,date\n1.0,2026-01-31\n');
        const before = `npx release-index add static releases.csv --homepage ${site} && npx release-index build`;
        expect(await run(before, cloud)).toMatchObject({ status: 0 });
      },
      env: () => ({ RELEASE_INDEX_SIGNING_KEY: host.read('index.key') }),
    },
  ],
  ['npx release-index publish --dry-run', /CLOUDFLARE_API_TOKEN[^]*CLOUDFLARE_ACCOUNT_ID/, inCloud],
  [
    'npx wrangler rollback --name <worker>',
    /rolled back|Rollback|SUCCESS/i,
    {
      ...inCloud,
      async before() {
        const upload = () => run('npx release-index publish', cloud, stage.cloudflare.credentials);
        expect((await upload()).said).toContain('Published.');
        first = stage.cloudflare.live!.id;
        expect((await upload()).said).toContain('Published.');
        expect(stage.cloudflare.live!.id).not.toBe(first);
      },
      fill: () => ({ '<worker>': nameWorker(stage.cloudflare.siteUrl) }),
      env: () => stage.cloudflare.credentials,
      after: () => expect(stage.cloudflare.live!.id).toBe(first),
    },
  ],
  [
    'npx release-index verify <url> --key <public key>',
    /Signed for /,
    { ...inCloud, fill: () => ({ '<url>': stage.cloudflare.siteUrl, '<public key>': ownKey() }) },
  ],
  [
    `npx --yes ./${packageFile} verify ${site} --key ${publicKey}`,
    /Signed for /,
    { ...inReader, fill: () => ({ [site]: stage.cloudflare.siteUrl, [publicKey]: ownKey() }) },
  ],
  [
    `curl -fO ${site}/SHA256SUMS.minisig`,
    /./,
    {
      ...inReader,
      before: () => run(`curl -fO ${stage.cloudflare.siteUrl}/SHA256SUMS`, reader),
      fill: () => ({ [site]: stage.cloudflare.siteUrl }),
    },
  ],
  [
    `minisign -V -m SHA256SUMS -P ${publicKey}`,
    /verified/,
    { ...inReader, needs: 'minisign', fill: () => ({ [publicKey]: ownKey() }) },
  ],
  [
    'npx release-index key new --user robot --expires 2027-06-30',
    /valid until the end of 2027-06-30/,
    {
      ...inCloud,
      also: ['key new --user NAME --expires DAY'],
      before: () => host.write('site/access.json', readBlocks('.github/SETUP.md', 'json')[0]),
      fill: { $: ' --as-of 2026-11-20' },
      after: () => expect(host.read('.access/keys.json')).toContain('robot'),
    },
  ],
  [
    'npx release-index key new --user ci --expires 2027-01-31',
    /valid until/,
    { ...inCloud, fill: { ' ci ': ' robot ', $: ' --name second --as-of 2026-11-20' } },
  ],
  [
    `claude mcp add --transport http releases ${site}/mcp`,
    /\/mcp\n$/,
    {
      ...inCloud,
      async after(said) {
        const { status } = await knock(openDoors(host.out), 'mcp', undefined);
        expect([said, status]).toEqual([`${origin}/mcp\n`, 200]);
      },
    },
  ],
  [
    'gh run download "$GITHUB_RUN_ID" --name site --dir dist',
    /^$/,
    {
      cwd: () => folder,
      env: () => ({ GITHUB_RUN_ID: '7' }),
      after: () =>
        expect(readDocument('site/starter/dot-github/workflows/daily.yml')).toContain(
          '{ name: site, path: dist,',
        ),
    },
  ],
];

let first = '';
const ownKey = () => host.read('index.pub').split('\n')[1]!;
