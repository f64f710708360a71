import { afterAll, beforeAll, expect, test } from 'vitest';
import { metadataPath } from '../../../src/ask/server/access/protected-paths.ts';
import { AccessConfig } from '../../../src/core/schemas/access/access-config.ts';
import type { SiteToDeploy } from '../../../src/deliver/host/cloudflare.ts';
import { publishSite } from '../../../src/deliver/publish/publish-site.ts';
import { describePublication } from '../../../src/run/describe-publication.ts';
import { keyOf, recorded } from '../../ask/server/access/private-index.ts';
import { readVersion } from '../../harness/worker-here.ts';
import {
  askFor,
  describeTexts,
  makeFiles,
  startMemoryHost,
  writeSite,
  type MemoryHost,
  type Wishes,
} from './memory-host.ts';

let host: MemoryHost;
/** The site to publish, and the one of another day. */
let out: string;
let earlier: string;

beforeAll(async () => {
  host = await startMemoryHost();
  const files = await makeFiles(host.url);
  out = writeSite(files);
  earlier = writeSite({
    ...files,
    'latest/svc.txt': '2026.1\n',
    'latest/gone.txt': '',
    'latest/old.txt': '',
  });
});

afterAll(() => host.close());

/** Publishes the site. `texts`: the findings as a person reads them. */
async function publish(wishes: Wishes = {}) {
  const publication = await publishSite(askFor({ out, baseUrl: host.url, ...wishes }), host);
  const texts = describeTexts(publication.findings, [host.url, 'URL']);
  const served = host.live?.files.get('latest/svc.txt');
  return { ...publication, texts, latest: served && String(served).trim() };
}

test('a run that is stopped while it reads the protection does not judge it', async () => {
  host.begin(readVersion(earlier));
  const controller = new AbortController();
  host.answers.set(metadataPath.slice(1), {
    get status() {
      controller.abort(new Error('stopped'));
      return 404;
    },
  });

  await expect(publish({ signal: controller.signal })).rejects.toThrow('stopped');
  expect(host.deployments).toEqual([]);
});

const sent = { versionId: 'v2' };

test('a first publication reads every file back', async () => {
  host.begin();
  const steps: string[] = [];

  const first = await publish({ onProgress: (text) => steps.push(text) });

  expect(first).toMatchObject({ kind: 'published', ...sent, verifiedFiles: 9, latest: '2026.2' });
  expect(first.texts).toEqual(['notice: live site: nothing is published at URL yet']);
  expect(first).toMatchObject({ plan: { files: 10, worker: '127-0-0-1', gone: [] } });
  expect(steps.map((text) => text.replaceAll(host.url, 'URL'))).toEqual([
    'publish: reading the live site at URL',
    'publish: sending 10 files to 127-0-0-1',
    'publish: reading back from URL',
  ]);
  expect(host.deployments).toMatchObject([
    { isFirst: true, message: 'Release index as of 2026-11-20', hosting: { kind: 'loopback' } },
  ]);
  expect(host.deployments[0]).toMatchObject({ access: undefined, secrets: undefined });
});

test('a later publication names what changes and goes', async () => {
  host.begin(readVersion(earlier));

  const later = await publish();

  expect(later).toMatchObject({ kind: 'published', texts: [], latest: '2026.2' });
  expect(later).toMatchObject({
    plan: {
      changed: ['latest/svc.txt', 'SHA256SUMS'],
      gone: ['latest/gone.txt', 'latest/old.txt'],
      liveAsOf: '2026-11-20',
    },
  });
  expect(host.deployments).toMatchObject([{ isFirst: false }]);
});

test('the same site is not sent again', async () => {
  host.begin(readVersion(out));

  expect(await publish()).toMatchObject({ kind: 'unchanged', texts: [] });
  expect(host.deployments).toEqual([]);
});

test('a dry run sends nothing, and needs no credentials', async () => {
  host.begin(readVersion(earlier));

  const dry = await publish({ isDryRun: true, env: {} });

  expect(dry).toMatchObject({ kind: 'planned', texts: [], latest: '2026.1' });
  expect(host.deployments).toEqual([]);
});

test('without credentials nothing is asked and nothing is sent', async () => {
  host.begin();

  const refused = await publish({ env: {} });

  expect(refused.kind).toBe('refused');
  expect(refused.texts).toEqual([
    expect.stringMatching(
      /^error: CLOUDFLARE_API_TOKEN: is missing\. Make a token from the template/,
    ),
    expect.stringMatching(/^error: CLOUDFLARE_ACCOUNT_ID: is missing\./),
  ]);
  expect([host.requests, host.deployments]).toEqual([[], []]);
});

const stays = 'The live site stays as it is; publish again.';

test('a site that the host does not accept leaves the live one', async () => {
  host.begin(readVersion(earlier));
  host.outcome = 'failed';

  const failed = await publish();

  expect(failed).toMatchObject({ kind: 'failed', latest: '2026.1', plan: { files: 10 } });
  expect(failed).toHaveProperty('versionId', undefined);
  expect(failed.texts).toEqual([
    `error: publish: the host did not accept the site: no space. ${stays}`,
  ]);
});

const faster = 'another publication to URL was faster, and this site may lack its events.';

test.each<[string, () => void, string]>([
  ['another site went live', () => (host.live = readVersion(out)), faster],
  [
    'the live site cannot be read any more',
    () => host.answers.set('status.json', { status: 403 }),
    'the live site could not be read again (GET URL/status.json answered 403).',
  ],
])('nothing is replaced where %s meanwhile', async (_, change, reason) => {
  host.begin(readVersion(earlier));
  host.onUpload = change;

  const failed = await publish();

  expect(failed).toMatchObject({ kind: 'failed' });
  expect(failed.texts).toEqual([
    `error: publish: the host did not accept the site: ${reason} ${stays}`,
  ]);
});

test('nothing is replaced where another first publication was faster', async () => {
  host.begin();
  host.onUpload = () => (host.live = readVersion(earlier));

  const failed = await publish();

  expect(failed).toMatchObject({ kind: 'failed', latest: '2026.1' });
  expect(failed.texts.at(-1)).toContain(faster);
});

const readsOf = (path: string) => host.requests.filter((request) => request.path === path).length;

test('where the answer to the switch is lost, reading back shows that it happened', async () => {
  host.begin(readVersion(earlier));
  host.outcome = 'lost after the switch';

  expect(await publish()).toMatchObject({ kind: 'published', ...sent, texts: [] });
});

test('where the answer to the switch is lost, a version that arrives late is waited for', async () => {
  host.begin(readVersion(earlier));
  host.outcome = 'lost after the switch';
  host.onSwitch = () =>
    host.answers.set('svc.json', {
      get status() {
        host.answers.delete('svc.json');
        return 404;
      },
    });

  expect(await publish()).toMatchObject({ kind: 'published', ...sent, texts: [] });
});

test('where the answer to the switch is lost, reading back says what the address has', async () => {
  host.begin(readVersion(earlier));
  host.outcome = 'lost before the switch';

  const failed = await publish();

  expect(failed).toMatchObject({ kind: 'failed', latest: '2026.1' });
  expect(failed).toHaveProperty('versionId', undefined);
  expect(failed.texts).toEqual([
    expect.stringMatching(
      /^error: publish: the host did not confirm the switch to version v2: the connection broke off\. The site has 2 wrong answers: .+\. Publish again\.$/,
    ),
  ]);
  expect(readsOf('/latest/svc.txt')).toBe(1 + host.waitsMs.length);
});

test('a version without a name is read back as any other', async () => {
  host.begin();
  const unnamed = {
    ...host,
    async deploy(site: SiteToDeploy) {
      await host.deploy(site);
      return { kind: 'live' } as const;
    },
  };

  const published = await publishSite(askFor({ out, baseUrl: host.url }), unnamed);

  expect(describePublication(published).at(-1)).toBe(
    `Published: 9 files read back and verified at ${host.url}`,
  );
});

test('wrong answers of a new version are read again, then reported with a remedy', async () => {
  host.begin(readVersion(earlier));
  const wrong = ['svc.json', 'index.json', 'all.json', 'index.html'];
  host.onSwitch = () => wrong.forEach((path) => host.answers.set(path, { status: 404 }));

  const failed = await publish();

  expect(failed).toMatchObject({ kind: 'failed', versionId: 'v2' });
  expect(failed.texts).toEqual([
    expect.stringMatching(
      /^error: publish: version v2 is live with 4 wrong answers: (GET URL\/\S+ answered 404, ){2}GET URL\/\S+ answered 404 and 1 more\. Go back to the version before: npx wrangler rollback --name 127-0-0-1$/,
    ),
  ]);
  expect(readsOf('/svc.json')).toBe(1 + host.waitsMs.length);
});

test('a failed first publication names no site to keep, and no version to go back to', async () => {
  host.begin();
  host.outcome = 'failed';
  const rejected = await publish();
  host.begin();
  host.onSwitch = () => host.answers.set('svc.json', { status: 404 });
  const wrong = await publish();

  expect(rejected.texts.at(-1)).toBe(
    'error: publish: the host did not accept the site: no space. Publish again.',
  );
  expect(wrong.texts.at(-1)).toBe(
    'error: publish: version v2 is live with 1 wrong answer: GET URL/svc.json answered 404. Publish again.',
  );
});

// Access

const users = [{ username: 'jane', email: 'jane@example.com' }];
const everything = { protect: 'everything', users };
const credentials = { CLOUDFLARE_API_TOKEN: 'token', CLOUDFLARE_ACCOUNT_ID: 'account' };
const listOf = (...keys: string[]) => JSON.stringify(keys.map((key) => recorded(key)));
const [leaked, fresh] = [keyOf('a'), keyOf('b')];

/** The environment of a person with these keys, who lets the host accept some. */
function withKeys(own: string, ...accepted: string[]): NodeJS.ProcessEnv {
  const list = listOf(...accepted);
  return { ...credentials, RELEASE_INDEX_KEY: own, RELEASE_INDEX_ACCESS_KEYS: list };
}

/** A version that accepts a key. */
function closedTo(key: string) {
  const access = AccessConfig.parse(everything);
  return readVersion(out, { access, secrets: { RELEASE_INDEX_ACCESS_KEYS: listOf(key) } });
}

test('a closed site is sent with digests of its keys, and read back with a key', async () => {
  host.begin();

  const closed = await publish({ access: everything, env: withKeys(fresh, fresh) });

  expect(closed).toMatchObject({ kind: 'published', plan: { protect: 'everything', keys: 1 } });
  expect(host.deployments).toMatchObject([
    {
      access: everything,
      secrets: { RELEASE_INDEX_ACCESS_KEYS: listOf(fresh), RELEASE_INDEX_ACCESS_KEYS_2: '[]' },
    },
  ]);
  expect(JSON.stringify(closed)).not.toContain(fresh);
});

test('a closed site is sent again though no file changed, as its keys may have', async () => {
  host.begin(closedTo(fresh));

  const again = await publish({ access: everything, env: withKeys(fresh, fresh) });

  expect(again).toMatchObject({ kind: 'published', plan: { changed: [], gone: [] } });
});

test('a closed site is not sent without a key', async () => {
  host.begin();

  const refused = await publish({ access: everything, env: withKeys('', fresh) });

  expect(refused.kind).toBe('refused');
  expect(refused.texts).toEqual([
    expect.stringMatching(/^error: RELEASE_INDEX_KEY: is missing: comparing with the live site/),
  ]);
  expect([host.requests, host.deployments]).toEqual([[], []]);
});

test('a leaked key is replaced with both keys, as each site accepts one of them', async () => {
  host.begin(closedTo(leaked));
  const access = everything;

  const alone = await publish({ access, env: withKeys(fresh, fresh) });
  const both = await publish({ access, env: withKeys(`${leaked}, ${fresh}`, fresh) });

  expect(alone.kind).toBe('failed');
  expect(alone.texts.join('\n')).toContain('answered 401');
  expect(both).toMatchObject({ kind: 'published', texts: [] });
});

test('a token that the new version does not accept is noticed', async () => {
  host.begin();

  const failed = await publish({ access: everything, env: withKeys('ey.J.x', fresh) });

  expect(failed).toMatchObject({ kind: 'failed', versionId: 'v2' });
  expect(failed.texts.at(-1)).toMatch(/ is live with 9 wrong answers: .* answered 401/);
});

test.each<[string, object | undefined, string]>([
  [
    'nothing',
    undefined,
    'error: site/access.json: the live site protects everything, and this one nothing. The live site stays as it is. To open it to everybody: publish --unprotect',
  ],
  [
    'less',
    { ...everything, protect: 'mcp' },
    'error: site/access.json: the live site protects everything, and this one mcp. The live site stays as it is. To open it to everybody: publish --unprotect',
  ],
])('a closed site that protects %s is not sent by mistake', async (_, access, text) => {
  host.begin(closedTo(fresh));

  const refused = await publish({ ...(access && { access }), env: withKeys(fresh, fresh) });
  const { texts, kind } = await publish({
    ...(access && { access }),
    env: withKeys(fresh, fresh),
    unprotect: true,
  });

  expect(refused).toMatchObject({ kind: 'refused', texts: [text] });
  expect(kind).toBe('published');
  expect(texts).toEqual([`${text.replace('error', 'warning').replace(/\. .*/, '')}. Accepted.`]);
});

test('a host that does not protect the tools is noticed', async () => {
  host.begin();
  host.onSwitch = () =>
    host.answers.set('.well-known/oauth-protected-resource/mcp', { status: 404 });

  const failed = await publish({
    access: { ...everything, protect: 'mcp' },
    env: withKeys('', fresh),
  });

  expect(failed.texts.at(-1)).toContain('URL: its protection is nothing, not mcp');
});

test('access rules with a problem stop a publication', async () => {
  host.begin();

  const refused = await publish({ access: { protect: 'some', users } });

  expect(refused.texts).toEqual([expect.stringMatching(/^error: site\/access\.json: protect: /)]);
});
