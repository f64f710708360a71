import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { addComponent, pathsIn, temporaryFolder } from '../../harness/root.ts';
import { run } from '../../harness/run.ts';
import { openSignedSite, type SignedTestSite } from '../../harness/signed-site.ts';

let signed: SignedTestSite;
/** The site before and after a release was deprecated, on one day, and that of the next day. */
let [before, after, nextDay] = ['', '', ''];

beforeAll(async () => {
  signed = openSignedSite();
  const record = (day: string) => run(['record', '--root', signed.root.dir, '--as-of', day]);
  await record('2026-11-20');
  before = await signed.make('2026-11-20');
  addComponent(signed.root, 'svc', [{ version: '2026.1', releaseTimestamp: '2026-01-01' }], {
    support: { policy: 'term', months: 18 },
    deprecated: [{ versions: ['2026.1'], reason: 'Malicious' }],
  });
  await record('2026-11-20');
  after = await signed.make('2026-11-20');
  await record('2026-11-21');
  nextDay = await signed.make('2026-11-21');
});

function verify(site: string, state: string, ...args: string[]) {
  return run([
    'verify',
    site,
    '--root',
    signed.root.dir,
    '--as-of',
    '2026-11-21',
    '--state',
    state,
    ...args,
  ]);
}

test('an older state than one accepted before is rejected, with both, unless that is asked for', async () => {
  const state = join(temporaryFolder(), 'state', 'verified.json');

  const first = await verify(before, state);
  const newer = await verify(after, state);
  const again = await verify(after, state);
  const fewer = await verify(before, state);
  const later = await verify(nextDay, state);
  const earlier = await verify(after, state);
  const allowed = await verify(before, state, '--allow-older');

  expect([first, newer, again, later, allowed].map(({ status }) => status)).toEqual([
    0, 0, 0, 0, 0,
  ]);
  expect([fewer, earlier].map(({ status }) => status)).toEqual([1, 1]);
  expect(fewer.stderr).toMatch(
    /^error: SHA256SUMS\.minisig: is of 2026-11-20 with 4 events, but the state of 2026-11-20 with 5 events was accepted before: .* --allow-older/,
  );
  expect(earlier.stderr).toContain(
    'is of 2026-11-20 with 5 events, but the state of 2026-11-21 with 5 events was accepted before',
  );
  expect((await verify(after, state)).status, 'what was allowed once is not remembered').toBe(1);
});

test('the state of one key or address says nothing of another, and a broken file is named', async () => {
  const state = join(temporaryFolder(), 'verified.json');
  await verify(nextDay, state);
  const text = readFileSync(state, 'utf8');
  writeFileSync(state, text.replace('https://releases.example.com', 'https://mirror.example.com'));
  const ofAnother = await verify(before, state);
  writeFileSync(state, '{');
  const broken = await verify(before, state);

  expect(Object.keys(JSON.parse(text) as object)).toEqual([
    expect.stringMatching(/^https:\/\/releases\.example\.com [0-9A-F]{16}$/),
  ]);
  expect(ofAnother.status).toBe(0);
  expect(broken.stderr).toContain(`${state}: not JSON`);
  expect(broken.stderr).toContain('Remove it to start again');
});

test('the state of a site that was just built is remembered where a file is named', async () => {
  const state = join(temporaryFolder(), 'verified.json');
  const where = ['--root', signed.root.dir, '--out', before, '--as-of', '2026-11-21'];

  const { status, stderr } = await run(['verify', ...where, '--state', state]);

  expect(status, stderr).toBe(0);
  expect(readFileSync(state, 'utf8')).toContain('"asOf": "2026-11-20"');
});

test('an empty name of the cache folder is as none', async () => {
  const home = temporaryFolder();
  const args = ['verify', after, '--root', signed.root.dir, '--as-of', '2026-11-21'];

  const { status, stderr } = await run(args, { HOME: home, XDG_CACHE_HOME: '' });

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(pathsIn(home)).toEqual(['.cache/release-index/verified.json']);
});

test('a cache folder that cannot be written is named, and a file of --state is an error', async () => {
  // No user can create a folder there.
  const cache = '/proc/release-index';
  const args = ['verify', after, '--root', signed.root.dir, '--as-of', '2026-11-21'];

  const cached = await run(args, { XDG_CACHE_HOME: cache });
  const named = await verify(after, `${cache}/verified.json`);

  expect(cached.status).toBe(0);
  expect(cached.stderr).toMatch(
    /^warning: \/proc\S+\/verified\.json: the state of the site was not remembered, so an older one cannot be rejected later: /,
  );
  expect(cached.stdout).toContain('Signed for https://releases.example.com');
  expect(named.status).not.toBe(0);
});

test('a text that is no key is named', async () => {
  const { status, stderr } = await verify(after, 'state.json', '--key', 'absent.pub');

  expect(status).toBe(2);
  expect(stderr).toContain('or a file signing-key.pub with one; got "absent.pub"');
});
