/** Publishes over a live site that is newer or broken, with and without --force. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listFiles } from '../../src/core/files.ts';
import {
  copyFolder,
  createFolder,
  createIndex,
  openIndex,
  type IndexFolder,
} from '../harness/index-folder.ts';
import { reply, startUpstream } from '../harness/upstream.ts';

const nothingSent = 'Nothing was sent. To publish anyway: npx release-index publish --force';
const first = createIndex();
await first.prepare('build');
const published = createFolder();
expect(await first.run('publish', '--to', published)).toMatchObject({ status: 0 });

/** Copies a built index and the folder of its published site. */
function copyPublished() {
  return { index: openIndex(copyFolder(first.root)), folder: copyFolder(published) };
}

test('publish does not replace a live site that is newer than the built site, except with --force', async () => {
  const { index, folder } = copyPublished();
  writeFileSync(join(folder, 'status.json'), JSON.stringify({ asOf: '2026-11-21' }));

  const usual = await index.run('publish', '--to', folder);
  const forced = await index.run('publish', '--to', folder, '--force');

  expect(usual.stderr).toBe(
    `error: live site is of 2026-11-21, but the built site is of 2026-11-20. If this checkout is behind: git pull, then build again. ${nothingSent} --to ${folder}\n`,
  );
  expect(forced).toMatchObject({ status: 0, stderr: '' });
});

const emptyAll = (index: IndexFolder) => {
  for (const component of ['svc', 'edge-node']) {
    index.write(`data/${component}.json`, undefined);
  }
};
const notCompared = 'This file was not compared\n';

test.each<[title: string, damage: (folder: string) => void, warnings: string]>([
  ['', () => {}, ''],
  [
    ' with broken SHA256SUMS',
    (folder) => writeFileSync(join(folder, 'SHA256SUMS'), '<html>\n'),
    `warning: live site: SHA256SUMS: expected a digest and a new path; got "<html>". ${notCompared}`,
  ],
  [
    ' without status.json',
    (folder) => rmSync(join(folder, 'status.json')),
    `warning: live site: status.json is missing, so this is not the site of an index. ${notCompared}`,
  ],
])(
  'publish --force never empties a live site%s until a person accepts the loss',
  async (_, damage, warnings) => {
    const { index, folder } = copyPublished();
    damage(folder);
    emptyAll(index);
    await index.prepare('build');
    const before = listFiles(folder);
    const force = () => index.run('publish', '--to', folder, '--force');

    const refused = await force();
    const id = /publication-[0-9a-f]{10}/.exec(refused.stderr)?.[0] ?? '';
    expect(refused).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('svc would have no latest version; it is 2026.1.4') as string,
    });
    expect(listFiles(folder)).toEqual(before);

    await index.run('accept', id);
    const { status, stdout, stderr } = await force();
    expect(stdout).toContain('Published.');
    expect(stderr).toContain(warnings);
    expect(status).toBe(0);
  },
);

test('publish --force warns that the unreadable live site was not compared', async () => {
  const { url } = await startUpstream(() => reply(503));
  const releasesUrl = url.slice(0, -1);
  const index = createIndex({ releasesUrl, hosting: 'pages' });
  await index.run('build');

  expect(await index.run('publish', '--force')).toMatchObject({
    status: 0,
    stderr: `warning: live site: ${url}SHA256SUMS cannot be read: it answered 503. ${notCompared}`,
  });
});

test.each([
  ['status.json', '{"asOf": 1}', 'status.json cannot be read: asOf'],
  ['all.json', '[]', 'all.json cannot be read: '],
  ['SHA256SUMS', 'x\n', 'SHA256SUMS: expected a digest and a new path; got "x"'],
])(
  'publish stops if the live site has the file %s with the invalid text %j',
  async (path, text, problem) => {
    const { index, folder } = copyPublished();
    writeFileSync(join(folder, path), text);

    const { status, stderr } = await index.run('publish', '--to', folder);

    expect(stderr.slice(0, 18 + problem.length)).toBe(`error: live site: ${problem}`);
    expect(stderr).toMatch(new RegExp(`${nothingSent} --to ${folder}\n$`));
    expect(status).toBe(1);
  },
);
