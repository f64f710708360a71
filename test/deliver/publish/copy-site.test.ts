import { mkdirSync, rmdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copySite } from '../../../src/deliver/publish/copy-site.ts';
import { filesIn, identitiesIn, pathsIn, temporaryFolder } from '../../harness/root.ts';
import { makeSecretKey, publicKeyOf } from '../../harness/signing-key.ts';
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
let files: Readonly<Record<string, string>>;
let out: string;
let earlier: string;

beforeAll(async () => {
  host = await startMemoryHost();
  files = { ...(await makeFiles(host.url)), 'schema/documents.json': '{}' };
  out = writeSite(files);
  earlier = writeSite({ ...files, 'latest/svc.txt': '2026.1\n', 'latest/gone.txt': '1\n' });
});

afterAll(() => host.close());

async function copy(to: string | undefined, { site, ...wishes }: Wishes = {}) {
  const asked = askFor({ out, baseUrl: host.url, ...wishes, site: { hosting: 'files', ...site } });
  const publication = await copySite(asked, to);
  return { ...publication, texts: describeTexts(publication.findings) };
}

test('a first copy has each file, and says so', async () => {
  const to = join(temporaryFolder(), 'served');

  const first = await copy(to);

  expect(first).toMatchObject({
    ...{ kind: 'published', verifiedFiles: 11 },
    ...{ plan: { baseUrl: to, worker: '' } },
    texts: [`notice: live site: nothing is in ${to} yet`],
  });
  expect(filesIn(to)).toEqual(filesIn(out));
});

test('a later copy writes only what changed, and removes what is gone', async () => {
  const to = join(temporaryFolder(), 'served');
  await copy(to, { out: earlier });
  const before = identitiesIn(to);

  const later = await copy(to);

  expect(later).toMatchObject({ kind: 'published', verifiedFiles: 11, texts: [] });
  expect(filesIn(to)).toEqual(filesIn(out));
  const after = identitiesIn(to);
  expect(Object.keys(after).filter((path) => after[path] !== before[path])).toEqual([
    'SHA256SUMS',
    'latest/svc.txt',
  ]);
});

test('a copy removes what a run that ended meanwhile left of a file', async () => {
  const to = join(temporaryFolder(), 'served');
  await copy(to);
  const ended = ['.index.html.saving-17469', 'schema/.documents.json.saving-1'];
  for (const path of [...ended, '.svc.html.saving-2']) {
    writeFileSync(join(to, path), '<!doctype');
  }
  for (const path of ended) {
    utimesSync(join(to, path), 0, 0);
  }

  await copy(to);

  // Another run may be writing the newer one.
  expect(filesIn(to)).toEqual({ ...filesIn(out), '.svc.html.saving-2': '<!doctype' });
});

test('a dry run copies nothing', async () => {
  const to = join(temporaryFolder(), 'served');

  expect(await copy(to, { isDryRun: true })).toMatchObject({
    kind: 'planned',
    plan: { files: 11 },
  });
  expect(pathsIn(to)).toEqual([]);
});

test('a signature and statements go with the site that had them', async () => {
  const to = join(temporaryFolder(), 'served');
  const key = makeSecretKey();
  const signed = {
    env: { RELEASE_INDEX_SIGNING_KEY: key },
    site: { signingPublicKey: publicKeyOf(key) },
  };

  expect(await copy(to, { ...signed, out: earlier })).toMatchObject({ kind: 'published' });
  const again = await copy(to, signed);
  expect(again).toMatchObject({ kind: 'published', verifiedFiles: 12 });
  expect(pathsIn(to)).toContain('SHA256SUMS.minisig');
  rmSync(join(out, 'SHA256SUMS.minisig'));
  mkdirSync(join(to, 'statements'));
  writeFileSync(join(to, 'statements/svc.ndjson'), 'of releases that are listed no longer');
  expect(await copy(to)).toMatchObject({ kind: 'published', verifiedFiles: 11 });
  expect(filesIn(to)).toEqual(filesIn(out));
});

test('a site that is not right is not copied', async () => {
  const to = join(temporaryFolder(), 'served');

  expect(await copy(to, { day: '2026-11-19' })).toEqual({
    kind: 'refused',
    findings: [expect.objectContaining({ subject: out })],
    texts: [expect.stringContaining('is the index as of 2026-11-20; today is 2026-11-19')],
  });
  expect(pathsIn(to)).toEqual([]);
});

test('a file that differs after it was copied is reported', async () => {
  const to = temporaryFolder();
  // As a first copy that broke off left it.
  writeFileSync(join(to, 'SHA256SUMS'), '');
  // Both files are one.
  symlinkSync('.', join(to, 'details'));

  expect(await copy(to)).toMatchObject({
    kind: 'failed',
    texts: [
      `notice: live site: nothing is in ${to} yet`,
      expect.stringMatching(/^error: \S+: differs after it was copied: \S*svc\.json\. Each file/),
    ],
  });
});

test('a folder of other files, or a file, is not a place for a site', async () => {
  const to = temporaryFolder();
  writeFileSync(join(to, 'vmlinuz'), '');
  const file = join(to, 'vmlinuz');

  expect([await copy(to), await copy(file)]).toMatchObject([
    { kind: 'refused', texts: [expect.stringContaining(`${to}: holds other files, not the site`)] },
    { kind: 'refused', texts: [`error: ${file}: is not a folder. Nothing was sent`] },
  ]);
});

test('the address of a site in a folder may have a path', async () => {
  const address = 'https://example.com/releases';
  const preset = files['renovate.json']!.replaceAll(host.url, address);
  const there = writeSite({ ...files, 'renovate.json': preset, 'notes.weird': 'x' });

  const copied = await copy(temporaryFolder(), { out: there, baseUrl: address });

  expect(copied).toMatchObject({ kind: 'published', verifiedFiles: 12 });
});

test('an empty folder is a place for a site', async () => {
  expect(await copy(temporaryFolder())).toMatchObject({ kind: 'published' });
});

test('documents about the whole index are copied after the files that they name, digests last', async () => {
  const to = join(temporaryFolder(), 'served');
  await copy(to, { out: earlier });
  for (const [blocked, copied, left] of [
    ['index.json', ['latest/svc.txt', 'schema/documents.json', 'svc.json'], ['SHA256SUMS']],
    ['SHA256SUMS', ['latest/svc.txt', 'index.json'], []],
  ] as const) {
    const served = filesIn(to);
    for (const path of [...copied, ...left, blocked]) {
      rmSync(join(to, path), { recursive: true, force: true });
    }
    writeFileSync(join(to, 'SHA256SUMS'), served['SHA256SUMS']!);
    symlinkSync('nowhere/file', join(to, `.${blocked}.saving-${process.pid}`));

    const broken = await copy(to);

    expect(broken, blocked).toMatchObject({
      kind: 'failed',
      texts: [
        expect.stringMatching(
          /^error: .+\. Each file there is whole, the old one or the new one; publish again$/,
        ),
      ],
    });
    expect(pathsIn(to), blocked).toEqual(expect.arrayContaining([...copied]));
    // What is gone is removed before the list that names it.
    expect(pathsIn(to).includes('latest/gone.txt'), blocked).toBe(blocked === 'index.json');
    expect(filesIn(to)['SHA256SUMS']).toBe(served['SHA256SUMS']);
    writeFileSync(join(to, blocked), served[blocked]!);
  }
});

test('what a broken copy did not remove is removed by the next one', async () => {
  const to = join(temporaryFolder(), 'served');
  await copy(to, { out: writeSite({ ...files, 'latest/a.txt': '1\n', 'latest/b.txt': '1\n' }) });
  rmSync(join(to, 'latest/a.txt'));
  mkdirSync(join(to, 'latest/a.txt'));

  expect(await copy(to)).toMatchObject({ kind: 'failed' });
  rmdirSync(join(to, 'latest/a.txt'));

  expect(await copy(to)).toMatchObject({ kind: 'published' });
  expect(filesIn(to)).toEqual(filesIn(out));
});

test('a first copy that broke off is finished by the next one', async () => {
  const to = join(temporaryFolder(), 'served');
  // With this name, a file is too long to be saved beside itself.
  const unsaved = `latest/${'x'.repeat(250)}`;

  const failed = await copy(to, { out: writeSite({ ...files, [unsaved]: '' }) });

  expect(failed.kind).toBe('failed');
  expect(failed.texts.at(-1)).toContain('publish again');
  expect(pathsIn(to)).toContain('latest/svc.txt');
  expect(await copy(to)).toMatchObject({
    ...{ kind: 'published' },
    texts: [`notice: live site: nothing is in ${to} yet`],
  });
  expect(filesIn(to)).toEqual(filesIn(out));
});

test('without a folder only the live site is asked', async () => {
  host.begin(readVersion(earlier));

  const nowhere = await copy(undefined);
  const dry = await copy(undefined, { isDryRun: true });
  const pages = await copy(undefined, { site: { hosting: 'pages' } });

  expect(nowhere).toMatchObject({
    kind: 'refused',
    texts: [
      'error: site/site.json: names no folder: "hosting": {"folder": "/srv/releases"}, or --to',
    ],
  });
  expect(dry).toMatchObject({ kind: 'planned', plan: { gone: ['latest/gone.txt'] } });
  expect(dry.texts).toEqual([expect.stringContaining('notice: site/site.json: names no folder')]);
  expect(pages).toMatchObject({ kind: 'ready', texts: [], plan: { baseUrl: host.url } });
});

test('a site is not copied into a link to its own folder', async () => {
  const to = join(temporaryFolder(), 'link');
  symlinkSync(out, to);

  expect(await copy(to)).toMatchObject({
    kind: 'refused',
    texts: [`error: ${to}: is in the folder of builds, ${out}. Nothing was sent`],
  });
});

test('a folder that does not exist yet is found in the folder of builds behind a link', async () => {
  const link = join(temporaryFolder(), 'builds');
  symlinkSync(out, link);
  const to = join(link, 'served');

  expect(await copy(to)).toMatchObject({
    kind: 'refused',
    texts: [`error: ${to}: is in the folder of builds, ${out}. Nothing was sent`],
  });
});

test.each([[''], ['sub']])('a site is not copied into its own folder: "%s"', async (below) => {
  const before = pathsIn(out);
  const to = join(out, below);

  expect(await copy(to)).toMatchObject({
    kind: 'refused',
    texts: [`error: ${to}: is in the folder of builds, ${out}. Nothing was sent`],
  });
  expect(pathsIn(out)).toEqual(before);
});
