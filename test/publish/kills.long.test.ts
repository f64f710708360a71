import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { listFiles, readIfThere } from '../../src/core/files.ts';
import { startCloudflare, type Fault } from '../harness/cloudflare.ts';
import { spawnCli } from '../harness/cli.ts';
import { runKilled } from '../harness/killed-run.ts';
import {
  addComponent,
  copyFolder,
  createFolder,
  createIndex,
  today,
} from '../harness/index-folder.ts';

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
    await index.run('sign');

    const { child, ended } = spawnCli(['publish', '--root', index.root, '--as-of', day], {
      detached: true,
      env: { ...process.env, ...cloudflare.credentials },
    });
    // With wrangler, which it started.
    cloudflare.afterCall = (call) => call === last && process.kill(-child.pid!, 'SIGKILL');

    expect(await ended).toEqual([null, 'SIGKILL']);
    expectWhole(old, index.read('dist/SHA256SUMS'));
    cloudflare.afterCall = () => {};
    expect(await publish()).toMatchObject({ status: 0 });
    expectWhole(index.read('dist/SHA256SUMS'));
  },
);

/** Each file is the old or the new one, and what the documents of the whole index name is there. */
function expectNoHalfFile(folder: string, oldSite: string): void {
  const read = (site: string, path: string) => readIfThere(join(site, path))?.toString();
  for (const { path } of listFiles(folder).filter((file) => !file.path.endsWith('.part'))) {
    const versions = [oldSite, index.out].map((site) => read(site, path));
    expect([...versions, path === 'SHA256SUMS' ? '' : undefined]).toContain(read(folder, path));
  }

  const names = JSON.parse(read(folder, 'index.json') ?? '[]') as string[];
  for (const path of names.flatMap((name) => [`${name}.json`, `${name}.html`])) {
    expect(existsSync(join(folder, path)), path).toBe(true);
  }
}

test('a publication into an old site or an empty folder may be killed at any of ten points', async () => {
  const oldSite = copyFolder(index.out);
  index.write('components/edge-node.json', undefined);
  addComponent(index, 'agent', ['1.0']);
  addComponent(index, 'svc', ['2027.1']);
  await build();
  expect(await index.run('sign')).toMatchObject({ status: 0 });
  const publishTo = (folder: string, step?: number) =>
    runKilled(index, `publish --to ${folder} --force`, day, step);
  const verify = (folder: string, ...args: string[]) =>
    index.run('verify', folder, '--as-of', day, ...args);

  for (const createTarget of [() => copyFolder(oldSite), createFolder]) {
    const { steps } = await publishTo(createTarget());
    expect(steps).toBeGreaterThan(50);

    for (let point = 0; point < 10; point += 1) {
      const folder = createTarget();
      const killed = await publishTo(folder, Math.ceil((steps * (point + 0.5)) / 10));
      expect(killed).toMatchObject({ isKilled: true });

      expectNoHalfFile(folder, oldSite);
      if (readIfThere(join(folder, 'SHA256SUMS'))?.toString() === index.read('dist/SHA256SUMS')) {
        expect(await verify(folder, '--digests-only')).toMatchObject({ status: 0 });
      }

      expect(await index.run('publish', '--to', folder, '--force')).toMatchObject({ status: 0 });
      expect(listFiles(folder)).toEqual(listFiles(index.out));
      expect(await verify(folder)).toMatchObject({ status: 0 });
    }
  }
});
