import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles, readIfThere } from '../../src/core/files.ts';
import {
  addComponent,
  copyFolder,
  createFolder,
  createIndex,
  today,
  publicKey,
} from '../harness/index-folder.ts';
import { runKilled } from '../harness/killed-run.ts';

const index = createIndex();
await index.prepare('build', 'sign');

/**
 * Checks that each file is complete, either old or new, and that every component in index.json has
 * its files.
 */
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

test('a publication that is killed at any of ten points leaves only complete files, and the next publication succeeds', async () => {
  const oldSite = copyFolder(index.out);
  index.write('components/edge-node.json', undefined);
  addComponent(index, 'agent', ['1.0']);
  addComponent(index, 'svc', ['2027.1']);
  await index.prepare('build', 'sign');
  const refused = await index.run('publish', '--to', oldSite);
  await index.run('accept', /publication-\w+/.exec(refused.stderr)![0]);
  const publishTo = (folder: string, step?: number) =>
    runKilled(index, `publish --to ${folder}`, today, step);
  const verify = (folder: string, ...args: string[]) => index.run('verify', folder, ...args);

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

      expect(await index.run('publish', '--to', folder)).toMatchObject({ status: 0 });
      expect(listFiles(folder)).toEqual(listFiles(index.out));
      expect(await verify(folder, '--key', publicKey)).toMatchObject({ status: 0 });
    }
  }
});
