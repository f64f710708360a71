import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { startCloudflare, type Fault } from '../harness/cloudflare.ts';
import { addComponent, createIndex, secretKey, today } from '../harness/index-folder.ts';

const cloudflare = await startCloudflare();
const index = createIndex({ releasesUrl: cloudflare.siteUrl }, cloudflare.credentials);

beforeEach(() => {
  cloudflare.fault = undefined;
  cloudflare.afterCall = () => {};
  cloudflare.calls.length = 0;
  cloudflare.sent = 0;
});

let day: string = today;
const publish = () => index.run('publish', '--as-of', day);
const build = async () =>
  expect(await index.run('build', '--as-of', day)).toMatchObject({ status: 0 });

await build();
expect(await publish()).toMatchObject({ status: 0 });

test('publishing again sends no file, and the next day what moved', async () => {
  expect(await publish()).toMatchObject({ status: 0 });
  expect(cloudflare.sent).toBe(0);

  day = '2026-11-21';
  await build();

  expect(await publish()).toMatchObject({ status: 0 });

  expect(cloudflare.live!.message).toBe('Release index as of 2026-11-21');
  expect(cloudflare.read('status.json')).toContain('2026-11-21');
  expect(cloudflare.sent).toBeGreaterThan(0);
  expect(cloudflare.sent).toBeLessThan(Object.keys(cloudflare.live!.manifest).length / 2);
});

const scripts = '/workers/scripts/127-0-0-1';
const publishAgain = 'Publish again: only a whole upload goes live.';

test.each<[fault: Fault, said: string]>([
  [{ at: `POST ${scripts}/assets-upload-session`, kind: 500 }, '[code: 10013]'],
  [
    { at: `POST ${scripts}/versions`, kind: 403 },
    'CLOUDFLARE_API_TOKEN is wrong, or lacks the permission "Workers Scripts: Edit".',
  ],
  [{ at: `POST ${scripts}/deployments`, kind: 'refuse' }, 'fetch failed'],
])('after %j, the old site serves on, and the problem is named', async (fault, said) => {
  addComponent(index, 'edge-node', ['1.0', '1.1', `1.2-${fault.kind}`]);
  await build();
  const before = cloudflare.live;
  cloudflare.fault = fault;

  const { status, stderr } = await publish();

  expect(cloudflare.calls.filter((call) => call.startsWith(fault.at))).not.toEqual([]);
  expect(cloudflare.live).toBe(before);
  expect(stderr).toContain(said);
  expect(stderr).toContain(publishAgain);
  expect(stderr).not.toContain(cloudflare.token);
  expect(status).toBe(1);
});

/** All of it is there, and it is one of these states. */
function expectWhole(...states: string[]): void {
  for (const path of Object.keys(cloudflare.live!.manifest)) {
    expect(cloudflare.read(path.slice(1)), path).toBeDefined();
  }
  expect(states).toContain(cloudflare.read('SHA256SUMS'));
}

test.each([`POST ${scripts}/versions`, `POST ${scripts}/deployments`])(
  'killed after %s, the site is whole, and can be published again',
  async (last) => {
    const old = cloudflare.read('SHA256SUMS')!;
    addComponent(index, 'edge-node', ['1.0', '1.1', '1.2', `1.3.${last.length}`]);
    await build();

    const publication = spawn(
      process.execPath,
      [
        resolve(import.meta.dirname, '../../src/cli.js'),
        'publish',
        '--root',
        index.root,
        '--as-of',
        day,
      ],
      {
        detached: true,
        stdio: 'ignore',
        env: { ...process.env, ...cloudflare.credentials, RELEASE_INDEX_SIGNING_KEY: secretKey },
      },
    );
    // With wrangler, which it started.
    cloudflare.afterCall = (call) => call === last && process.kill(-publication.pid!, 'SIGKILL');
    const [, signal] = await once(publication, 'close');

    expect(signal).toBe('SIGKILL');
    expectWhole(old, index.read('dist/SHA256SUMS'));
    cloudflare.afterCall = () => {};
    expect(await publish()).toMatchObject({ status: 0 });
    expectWhole(index.read('dist/SHA256SUMS'));
  },
);
