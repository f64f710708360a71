/**
 * The commands for readers of somebody else's site, and for an index at Cloudflare, with their
 * expected output.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { saveFile, sha256 } from '../../src/core/files.ts';
import { escapePattern } from '../../src/core/text.ts';
import { deployCommand, nameWorker } from '../../src/publish/wrangler.ts';
import { openSiteApi } from '../harness/api.ts';
import { startCloudflare } from '../harness/cloudflare.ts';
import { openIndex, publicKey, secretKey } from '../harness/index-folder.ts';
import { listen } from '../harness/listen.ts';
import { packageFile } from '../harness/site.ts';
import { serveAnswers } from '../harness/upstream.ts';
import { readBlocks, site } from './list.ts';
import { env, index, installed, published, reader, type, values, type Row } from './stage.ts';

/** In the example's site, the file of the packed program has the content `packed`. The commands on the pages contain its digest. */
const packedDigest = sha256('packed');
const npx = `npx --yes ./${packageFile}`;
const add = ` | npx release-index scan - --index ${site}`;
const semver = { name: 'semver', version: '7.8.6' };

const blocks = readBlocks('.github/SETUP.md', 'sh').join('\n');
const [forSlack = '', forTeams = ''] = Array.from(
  blocks.matchAll(/^(curl .*"\$WEBHOOK" --json) # (?:Slack|Teams)$/gm),
  ([, line = '']) => line,
);
const [intoSqlite = ''] = /^sqlite3 .*$/m.exec(blocks) ?? [];
const [intoCsv = ''] = /^jq .*$/m.exec(blocks) ?? [];

/** The messages that commands sent to a chat. */
const messages: string[] = [];
const sentences = ['Server 2026.4 was released.', 'Support of Server 2025.1 has ended.'];

/** Starts a chat. Its webhook rejects an empty message, as Slack does. */
async function startChat(): Promise<void> {
  env['WEBHOOK'] = await listen(async (request, response) => {
    const body = await text(request);
    messages.push(body);
    response.writeHead(body === '' ? 400 : 200).end();
  });
  // The new index has no events, so nothing is sent.
  await type(forSlack.replaceAll(site, values[site]!), reader);
  expect(messages).toEqual([]);
}

/** Serves the events of a day, after an older event and an event of another type. */
async function serveEvents(): Promise<void> {
  const at = new Date(Date.now() - 3_600_000).toISOString();
  const old = { at: '2026-01-01T00:00:00.000Z', type: 'released', text: 'An old release.' };
  const changes = [
    { at, type: 'released', text: sentences[0] },
    { at, type: 'support-ended', text: sentences[1] },
    { at, type: 'corrected', text: 'A date was corrected.' },
    old,
  ];
  const origin = await serveAnswers({ '/changes.json': { changes } });
  values[`${values[site]}/changes.json`] = `${origin}/changes.json`;
}

export const readers: Row[] = [
  [
    'npm sbom --package-lock-only --sbom-format cyclonedx > bom.json',
    /^$/,
    {
      before() {
        const root = { name: 'app', version: '1.0.0', dependencies: { semver: '7.8.6' } };
        const packages = { '': root, 'node_modules/semver': semver };
        const lock = { ...root, lockfileVersion: 3, packages };
        saveFile(join(reader, 'package.json'), JSON.stringify(root));
        saveFile(join(reader, 'package-lock.json'), JSON.stringify(lock));
      },
    },
  ],
  [`curl -fsSO ${site}/${packageFile}`, /^$/],
  [
    `curl -fsSO ${site}/${packageFile} && echo "${packedDigest}  ${packageFile}" | sha256sum --check || { rm -f ${packageFile}; false; }`,
    new RegExp(`^${escapePattern(packageFile)}: OK$`, 'm'),
    {
      async before() {
        // If somebody replaced the program file, the command fails, and removes this file.
        values[packedDigest] = sha256('another');
        await type(
          `cp ${installed}/${packageFile} . && echo "${packedDigest}  ${packageFile}" | sha256sum --check || { rm -f ${packageFile}; false; }`,
          reader,
          1,
        );
        values[packedDigest] = sha256(readFileSync(join(installed, packageFile)));
      },
    },
  ],
  [`${npx} scan bom.json --index ${site}`, /pkg:npm\/semver@7\.8\.6 +Supported/],
  [
    'npm sbom --sbom-format cyclonedx',
    /^pkg:npm\/semver@7\.8\.6 +Supported/m,
    {
      before: () =>
        saveFile(join(reader, 'node_modules/semver/package.json'), JSON.stringify(semver)),
      add,
    },
  ],
  ['docker compose config --images', /0 of 1 entries judged[^]*docker\.io\/example\/svc/, { add }],
  ["docker ps --format '{{.Image}}'", /0 of 1 entries judged[^]*docker\.io\/example\/svc/, { add }],
  [`curl -fsS ${site}/latest/svc.txt`, /^7\.8\.6\n$/],
  [`curl -fsS ${site}/supported/svc.json | jq -r '.[]'`, /^7\.8\.6\n$/],
  [
    `curl -fsS ${site}/details/svc.json | jq -r '.releases[] | select((.supportedUntil // "9999") < "2027-01-01").version'`,
    /^7\.8\.5\n7\.8\.6\n$/,
    // The printed command asks for versions whose support ends before 2027. The index has none, so the test asks for 2029.
    { before: () => (values['2027-01-01'] = '2029-01-01') },
  ],
  [
    `curl -fsS ${site}/api/components/svc/releases/2026.1.4`,
    /"isListed":true/,
    {
      async before() {
        const ask = openSiteApi(published);
        const origin = await listen(async ({ url = '' }, response) => {
          response.end(await (await ask(url)).text());
        });
        values[`${values[site]}/api/components/svc/releases/2026.1.4`] =
          `${origin}/api/components/semver/releases/7.8.6`;
      },
    },
  ],
  [
    `claude mcp add releases -- npx --yes "file:$PWD/${packageFile}" mcp --index ${site}`,
    /"serverInfo"/,
  ],
  [`${npx} verify ${site} --digests-only`, /files as listed in SHA256SUMS/],
  [`curl -fO ${site}/SHA256SUMS -fO ${site}/all.json`, /./],
  ['sha256sum --check --ignore-missing SHA256SUMS', /^all\.json: OK$/m],
  [`curl -fsSO ${site}/all.json`, /^$/],
  [
    intoSqlite,
    /^$/,
    {
      add: '; sqlite3 -csv releases.db "select * from releases where component = \'semver\'" > rows',
      after: () =>
        expect(readFileSync(join(reader, 'rows'), 'utf8').replaceAll('\r', '')).toBe(
          'semver,7.8.5,2026-06-01T00:00:00Z,0\nsemver,7.8.6,2026-07-01T00:00:00Z,0\n',
        ),
    },
  ],
  [
    intoCsv,
    /^$/,
    {
      after: () =>
        expect(readFileSync(join(reader, 'releases.csv'), 'utf8')).toContain(
          '"semver","7.8.6","2026-07-01T00:00:00Z",false\n',
        ),
    },
  ],
  [
    forSlack,
    /^$/,
    {
      async before() {
        await startChat();
        await serveEvents();
      },
      after: () =>
        expect(messages.map((body) => JSON.parse(body) as unknown)).toEqual([
          { text: sentences.join('\n') },
        ]),
    },
  ],
  [
    forTeams,
    /^$/,
    {
      after: () =>
        expect(JSON.parse(messages.at(-1)!)).toMatchObject({
          type: 'message',
          attachments: [{ content: { body: [{ text: sentences.join('\n\n') }] } }],
        }),
    },
  ],
  [
    // The program packs itself into the new index. It warns because this folder is inside a
    // repository.
    `${npx} init my-index`,
    /GitHub runs only workflows at the top of a repository/,
    {
      before: () => type('git init --quiet', reader),
      after: () => type(`cmp my-index/program/${packageFile} ${packageFile}`, reader),
    },
  ],
];

export const cloudflare = await startCloudflare();
export const cloud = join(index, '../cloud');
const host = openIndex(cloud);
const useKey = () => {
  values['<public key>'] = values[publicKey] = host.read('index.pub').split('\n')[1]!;
};
let first = '';
const deploy = `npx release-index publish && ${deployCommand}`;

export const atCloudflare: Row[] = [
  [
    'init my-index --host cloudflare',
    /Next:/,
    {
      before() {
        Object.assign(values, {
          [site]: cloudflare.siteUrl,
          '<url>': cloudflare.siteUrl,
          '<worker>': nameWorker(cloudflare.siteUrl),
          'my-index': cloud,
        });
      },
      add: ` --releases-url ${site}`,
      cwd: join(index, '..'),
    },
  ],
  ['minisign -G -W', /./],
  ['minisign -G -W -p index.pub -s index.key', /./],
  [
    'sign',
    /^Signed\./,
    {
      async before() {
        if (!existsSync(join(cloud, 'index.key'))) {
          host.write('index.key', secretKey);
          host.write('index.pub', `untrusted comment:\n${publicKey}\n`);
        }
        useKey();
        host.edit('site/site.json', { signingPublicKey: values[publicKey] });
        host.write('releases.csv', 'version,date\n1.0,2026-01-31\n');
        await type(
          `cp ${installed}/${packageFile} . && npx release-index add static releases.csv --homepage https://example.com && npx release-index build`,
          cloud,
        );
        env['RELEASE_INDEX_SIGNING_KEY'] = host.read('index.key');
      },
    },
  ],
  ['publish --dry-run', / files, [^]*this was a dry run/],
  [
    'publish && npx --no -- wrangler deploy --config .cache/wrangler.json',
    /Uploaded 127-0-0-1/,
    {
      before: () => Object.assign(env, cloudflare.credentials),
      async after() {
        expect(cloudflare.live).toMatchObject({
          config: { html_handling: 'none', not_found_handling: 'none' },
          headers: host.read('dist/_headers'),
          vars: { BASE_URL: cloudflare.siteUrl },
        });
        first = cloudflare.live!.id;
        // A publication that is rejected sends nothing.
        const { length } = cloudflare.calls;
        const definition = host.read('components/releases.json');
        host.write('components/releases.json', undefined);
        await type('npx release-index build', cloud);
        const output = await type(deploy, cloud, 1);
        expect(output).toContain('releases is on the live site, and would be gone');
        expect(cloudflare.calls).toHaveLength(length);
        host.write('components/releases.json', definition);
        await type('npx release-index build', cloud);
      },
    },
  ],
  [
    'npx wrangler rollback --name <worker>',
    /rolled back|Rollback|SUCCESS/i,
    {
      async before() {
        await type(deploy, cloud);
        expect(cloudflare.live!.id).not.toBe(first);
      },
      after: () => expect(cloudflare.live!.id).toBe(first),
    },
  ],
  ['verify <url> --key <public key>', /Signed for /],
  [`${npx} verify ${site} --key ${publicKey}`, /Signed for /],
  [
    `curl -fO ${site}/SHA256SUMS.minisig`,
    /./,
    { before: () => type(`curl -fO ${cloudflare.siteUrl}/SHA256SUMS`, cloud) },
  ],
  [
    `curl -fsSI ${site}/status.json | grep -i 'cache-control: public, max-age=3600'`,
    /max-age=3600/,
  ],
  [`minisign -V -m SHA256SUMS -P ${publicKey}`, /verified/],
  [
    'key new --user robot --expires 2027-06-30',
    /is valid until the end of 2027-06-30/,
    {
      before: () => host.write('site/access.json', readBlocks('.github/SETUP.md', 'json')[0]),
      add: ' --as-of 2026-11-20',
      after: () => expect(host.read('.access/keys.json')).toContain('robot'),
    },
  ],
  [
    'key new --user ci --expires 2027-01-31',
    /valid until/,
    {
      before: () => (values[' ci '] = ' robot '),
      add: ' --name second --as-of 2026-11-20',
    },
  ],
  [
    'npx wrangler secret put RELEASE_INDEX_ACCESS_KEYS --name <worker> < .access/keys.json',
    /Uploaded secret/,
    {
      async after() {
        const secrets = { RELEASE_INDEX_ACCESS_KEYS: host.read('.access/keys.json').trim() };
        expect(cloudflare.live!.secrets).toEqual(secrets);
        await type(deploy, cloud);
        expect(cloudflare.live!.secrets).toEqual(secrets);
      },
    },
  ],
  [`claude mcp add --transport http releases ${site}/mcp`, /^http.*\/mcp\n$/],
  [
    'gh run download "$GITHUB_RUN_ID" --name site --dir dist',
    /^$/,
    { before: () => (env['GITHUB_RUN_ID'] = '7') },
  ],
];
