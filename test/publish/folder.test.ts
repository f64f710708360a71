import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestsFile, parseDigests } from '../../src/core/sha256sums.ts';
import { checkTarget, copySite } from '../../src/publish/folder.ts';
import { addComponent, copyFolder, createFolder, createIndex } from '../harness/index-folder.ts';

const index = createIndex();
await index.prepare('build');
const oldSite = copyFolder(index.out);
addComponent(index, 'svc', ['2027.1']);
await index.prepare('build');
const newSite = index.out;
const readDigests = (site: string) => parseDigests(readFileSync(join(site, digestsFile), 'utf8'));

test('a publication does not touch other files in its folder', () => {
  const site = copyFolder(oldSite);
  mkdirSync(join(site, '.well-known'));
  writeFileSync(join(site, '.well-known/security.txt'), 'mine');
  copySite(newSite, site, readDigests(newSite));
  expect(readdirSync(site)).toContain('.well-known');
});

test.each(['<html>\n', '\u0000\u0001', `${'0'.repeat(64)}  ../svc.json\n`])(
  'a publication over a site with the list of digests %j replaces the site, and names leftover files',
  (list) => {
    const site = copyFolder(newSite);
    writeFileSync(join(site, 'former.html'), 'of a former build');
    writeFileSync(join(site, digestsFile), list);

    const message = expect.stringContaining('could not be read: former.html. Remove') as string;
    expect(copySite(oldSite, site, readDigests(oldSite))).toEqual([
      { subject: site, message, level: 'warning' },
    ]);
    expect(readDigests(site)).toEqual(readDigests(oldSite));
    expect(copySite(newSite, site, readDigests(newSite))).toEqual([]);
    expect(readdirSync(site)).toContain('former.html');
  },
);

test('a publication removes only unfinished files that belong to the site', () => {
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

test('publish rejects a target folder inside the built site, or with other files', () => {
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

test('a publication stops before copying a file that changed since the check', () => {
  const site = copyFolder(newSite);
  const folder = copyFolder(oldSite);
  writeFileSync(join(site, 'svc.json'), '{}');

  expect(() => copySite(site, folder, readDigests(site))).toThrow(
    'svc.json was changed during the publication. Build again, and publish again',
  );
  const read = (site: string) => readFileSync(join(site, 'svc.json'), 'utf8');
  expect(read(folder)).toBe(read(oldSite));
});

/** Publishes with a umask, which sets the permissions of new files. */
function copyAs(umask: number, site: string, to: string) {
  const former = process.umask(umask);
  try {
    return copySite(site, to, readDigests(site));
  } finally {
    process.umask(former);
  }
}

const readModes = (folder: string) => {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const modes = entries.map((entry) => {
    const { mode } = statSync(join(entry.parentPath, entry.name));
    return `${entry.isDirectory() ? 'folder' : 'file'} ${(mode & 0o7777).toString(8)}`;
  });
  return [...new Set(modes)].sort();
};

test.each([
  ['755', '077', ['file 644', 'folder 755']],
  ['750', '077', ['file 640', 'folder 750']],
  ['2750', '077', ['file 640', 'folder 2750']],
  ['2775', '027', ['file 644', 'folder 2755']],
  ['700', '077', ['file 600', 'folder 700']],
])(
  'published files are as readable as their folder: folder mode %s, umask %s',
  (mode, umask, modes) => {
    const to = join(createFolder(), 'site');
    mkdirSync(to);
    chmodSync(to, parseInt(mode, 8));

    expect(copyAs(parseInt(umask, 8), newSite, to)).toEqual([]);
    expect(readModes(to)).toEqual(modes);
    expect((statSync(to).mode & 0o7777).toString(8)).toBe(mode);
  },
);

test('the new folder of a site is as readable as its parent folder', () => {
  const parent = createFolder();
  chmodSync(parent, 0o755);
  copyAs(0o077, newSite, join(parent, 'www/site'));
  expect(readModes(parent)).toEqual(['file 644', 'folder 755']);
});

test('a publication makes unreadable files of the site readable, but not other files', () => {
  const to = join(createFolder(), 'site');
  mkdirSync(to);
  copyAs(0o077, newSite, to);
  writeFileSync(join(to, 'secret.txt'), 'mine', { mode: 0o600 });
  for (const path of readDigests(newSite).keys()) {
    chmodSync(join(to, path), 0o600);
  }
  chmodSync(join(to, 'details'), 0o700);

  copyAs(0o022, newSite, to);
  expect(statSync(join(to, 'details')).mode & 0o777).toBe(0o755);
  expect(statSync(join(to, 'secret.txt')).mode & 0o777).toBe(0o600);
  for (const path of readDigests(newSite).keys()) {
    expect(statSync(join(to, path)).mode & 0o777, path).toBe(0o644);
  }
});

// Only root can create files that belong to another user.
test.runIf(process.getuid?.() === 0)(
  'a publication names files whose mode this user may not change',
  () => {
    const folder = mkdtempSync('/tmp/release-index-');
    const [site, to] = [join(folder, 'built'), join(folder, 'site')];
    chmodSync(folder, 0o755);
    cpSync(newSite, site, { recursive: true });
    cpSync(newSite, to, { recursive: true });
    for (const entry of readdirSync(to, { withFileTypes: true, recursive: true })) {
      chownSync(join(entry.parentPath, entry.name), 65_534, 65_534);
    }
    chownSync(to, 65_534, 65_534);
    chownSync(join(to, 'svc.json'), 0, 65_534);
    chmodSync(join(to, 'svc.json'), 0o640);

    process.setegid!(65_534);
    process.seteuid!(65_534);
    try {
      const path = join(to, 'svc.json');
      const message = `has 1 path that the server may be unable to read, and whose mode this user may not change: ${path}. Let the owner run: chmod -R go+rX ${to}`;
      expect(copySite(site, to, readDigests(site))).toEqual([
        { subject: to, message, level: 'warning' },
      ]);
    } finally {
      process.seteuid!(0);
      process.setegid!(0);
      rmSync(folder, { recursive: true });
    }
  },
);
