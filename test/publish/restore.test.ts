import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { saveFile, sha256 } from '../../src/core/files.ts';
import { formatDigests, parseDigests } from '../../src/core/sha256sums.ts';
import { readSigningKey, signFile } from '../../src/publish/minisign.ts';
import { readFiles } from '../harness/components.ts';
import { exampleDay, exampleRoot } from '../harness/example.ts';
import {
  copyFolder,
  createFolder,
  openIndex,
  publicKey,
  secretKey,
  type IndexFolder,
} from '../harness/index-folder.ts';
import { serveSite } from '../harness/serve-site.ts';

const first = openIndex(copyFolder(exampleRoot));
first.edit('site/site.json', { signingPublicKey: publicKey });
const published = join(createFolder(), 'site');
for (const verb of ['build', 'sign']) {
  const ended = await first.run(verb, '--as-of', exampleDay, '--out', published);
  expect(ended).toMatchObject({ status: 0 });
}
const before = readFiles(join(first.root, 'data'));
rmSync(join(first.root, 'data'), { recursive: true });
const journal = 'data/journal/svc.ndjson';

/** An index that lost its data, and its signed site. */
function open() {
  return { index: openIndex(copyFolder(first.root)), site: copyFolder(published) };
}
const readData = ({ root }: IndexFolder) =>
  existsSync(join(root, 'data')) ? readFiles(join(root, 'data')) : new Map();
const restore = (index: IndexFolder, from: string) => index.run('restore', '--from', from);

test('brings back all of data/, from an address and from a folder, with the same bytes', async () => {
  for (const isServed of [true, false]) {
    const { index, site } = open();
    const from = isServed ? (await serveSite(site)).url : site;
    index.write('data/held.json', { held: [] });

    const { status, stdout, stderr } = await restore(index, from);

    expect(stderr).toBe('');
    expect(stdout).toMatch(/has it, with the last run on 2026-11-25: \d+ files, \d+ changed\.\n/);
    expect(status).toBe(0);
    expect(readData(index)).toEqual(before);
    for (const verb of ['build', 'sign']) {
      await index.run(verb, '--as-of', exampleDay);
    }
    expect(readFiles(index.out)).toEqual(readFiles(published));
  }
});

test('goes on where it was stopped, and keeps later decisions and new components', async () => {
  const { index, site } = open();
  await restore(index, site);
  const lines = index.read(journal).split(/(?<=\n)/);
  index.write(journal, lines.slice(0, 7).join(''));
  index.write('data/svc.json', undefined);
  const decided = `${index.read('data/decisions.ndjson')}{"id":"x-1","at":"2026-11-28T00:00:00Z","by":"Jane"}\n`;
  index.write('data/decisions.ndjson', decided);
  index.write('data/new.json', '{}');

  expect((await restore(index, site)).stdout).toMatch(/ files, 2 changed\.\n/);
  expect(readData(index)).toEqual(
    new Map([...before, ['decisions.ndjson', decided], ['new.json', '{}']]),
  );
});

/** Changes a file of a site, with its digest and the signature. */
function publishAs(path: string, text: string) {
  return (_: IndexFolder, site: string) => {
    saveFile(join(site, path), text);
    const list = join(site, 'SHA256SUMS');
    const digests = parseDigests(readFileSync(list, 'utf8')).set(path, sha256(text));
    writeFileSync(list, formatDigests(digests));
    const signature = signFile(readFileSync(list), readSigningKey(secretKey), '');
    writeFileSync(`${list}.minisig`, signature);
  };
}

test.for<[title: string, change: (index: IndexFolder, site: string) => void, says: string]>([
  [
    'bytes that the list does not have',
    (_, site) => writeFileSync(join(site, journal), '{}'),
    `${journal}: has not the digest of SHA256SUMS`,
  ],
  [
    'no signature',
    (_, site) => rmSync(join(site, 'SHA256SUMS.minisig')),
    'SHA256SUMS.minisig: is missing. Nobody vouches for the site. Nothing was changed',
  ],
  [
    'a file that no run writes',
    publishAs('data/run.sh', 'x'),
    'data/run.sh: is no file of data/ that this program knows. Nothing was changed',
  ],
  [
    'a document that no run can read',
    publishAs('data/svc.json', '{"releases":[{}]}'),
    'data/svc.json: releases[0].version: expected it',
  ],
  [
    'a line that no run can read',
    publishAs('data/runs/2026.ndjson', '{}\n'),
    'data/runs/2026.ndjson, line 1: id: expected it',
  ],
  [
    'another history than that of the checkout',
    (index) =>
      index.write(journal, `${before.get('journal/svc.ndjson')!.replace('2016.0', '2015.0')}`),
    `${journal}: has other lines than SITE has published, which would be lost. Nothing was changed.`,
  ],
  [
    'an older history than that of the checkout',
    (index) => index.write('data/runs/2027.ndjson', '{}\n'),
    'data/runs/2027.ndjson: has other lines than SITE has published',
  ],
])('refuses %s, and changes nothing', async ([, change, says]) => {
  const { index, site } = open();
  change(index, site);
  const data = readData(index);

  const { status, stderr } = await restore(index, site);

  expect(stderr.replaceAll(site, 'SITE')).toContain(`error: ${says}`);
  expect(status).toBe(1);
  expect(readData(index)).toEqual(data);
});
