import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestsFile, parseDigests } from '../../src/core/sha256sums.ts';
import { checkTarget, copySite } from '../../src/publish/folder.ts';
import { addComponent, copyFolder, createIndex } from '../harness/index-folder.ts';

const index = createIndex();
await index.prepare('build');
const oldSite = copyFolder(index.out);
addComponent(index, 'svc', ['2027.1']);
await index.prepare('build');
const newSite = index.out;
const readDigests = (site: string) => parseDigests(readFileSync(join(site, digestsFile), 'utf8'));

test('leaves other files in the folder of a site alone', () => {
  const site = copyFolder(oldSite);
  mkdirSync(join(site, '.well-known'));
  writeFileSync(join(site, '.well-known/security.txt'), 'mine');
  copySite(newSite, site, readDigests(newSite));
  expect(readdirSync(site)).toContain('.well-known');
});

test.each(['<html>\n', '\u0000\u0001', `${'0'.repeat(64)}  ../svc.json\n`])(
  'if the list of a folder is %j, the new site takes its place, and files that may be old are named',
  (list) => {
    const site = copyFolder(newSite);
    writeFileSync(join(site, 'former.html'), 'of a former build');
    writeFileSync(join(site, digestsFile), list);

    expect(copySite(oldSite, site, readDigests(oldSite))).toEqual(['former.html']);
    expect(readDigests(site)).toEqual(readDigests(oldSite));
    expect(copySite(newSite, site, readDigests(newSite))).toEqual([]);
    expect(readdirSync(site)).toContain('former.html');
  },
);

test('removes only unfinished files of a site', () => {
  const site = copyFolder(oldSite);
  for (const name of ['svc.json.12.part', 'video.12.part', '.12.part']) {
    writeFileSync(join(site, name), '{');
  }
  copySite(newSite, site, readDigests(newSite));
  expect(readdirSync(site).filter((name) => name.endsWith('.part'))).toEqual([
    '.12.part',
    'video.12.part',
  ]);
});

test('refuses to publish into its build folder or into a folder of other files', () => {
  const other = copyFolder(oldSite);
  rmSync(join(other, digestsFile));

  expect(() => checkTarget(other, newSite)).toThrow('has files, and is not the site of an index');
  expect(() => checkTarget(join(newSite, 'www'), newSite)).toThrow(
    'is inside the folder of the built site',
  );
  expect(() => checkTarget(newSite, newSite)).toThrow('is inside the folder of the built site');
  const link = join(copyFolder(oldSite), 'live');
  symlinkSync(newSite, link);
  expect(() => checkTarget(link, newSite)).toThrow('is inside the folder of the built site');
});

test('stops a publication before it copies a file that changed since the check', () => {
  const site = copyFolder(newSite);
  const folder = copyFolder(oldSite);
  writeFileSync(join(site, 'svc.json'), '{}');

  expect(() => copySite(site, folder, readDigests(site))).toThrow(
    'svc.json was changed during the publication. Build again, and publish again',
  );
  const read = (site: string) => readFileSync(join(site, 'svc.json'), 'utf8');
  expect(read(folder)).toBe(read(oldSite));
});
