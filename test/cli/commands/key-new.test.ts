import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { accessKeyForm, type AccessKeys } from '../../../src/core/schemas/access/access-keys.ts';
import { publicKeyOf, seedOf } from '../../ask/server/access/private-index.ts';
import { sha256 } from '../../../src/io/files/file-system.ts';
import { linesOf } from '../../harness/cli.ts';
import { filesIn, makeRoot, readJsonIn, writeIn } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { covers } from '../../harness/covers.ts';

const users = [
  { username: 'jane', email: 'jane@example.com' },
  { username: 'Build_Bot', email: 'bot@example.com' },
];
const day = '2026-11-20';
const file = '.access/keys.json';

let root: string;
beforeEach(() => {
  root = makeRoot({ 'site/access.json': { protect: 'everything', users } });
});

const key = (verb: string, ...args: string[]) =>
  runHere(['key', verb, '--root', root, '--as-of', day, ...args]);
const newKey = (...args: string[]) =>
  key('new', '--user', 'jane', '--expires', '2027-03-31', ...args);
const newKeyOn = (asOf: string, expires: string) =>
  runHere(['key', 'new', '--root', root, '--as-of', asOf, '--user', 'jane', '--expires', expires]);
const kept = () => readJsonIn<AccessKeys>(root, file);

describe('key new', () => {
  test('prints a key once, and stores only its digest', async () => {
    covers(
      'An access key is long-lived, created by the user in the account settings',
      'Left out: the specification does not show the record of a key. Ours is in .access/keys.json.',
    );
    const { status, stdout, stderr } = await newKey();
    const [secret, ...more] = linesOf(stdout);

    expect({ status, more }).toEqual({ status: 0, more: [] });
    expect(secret).toMatch(accessKeyForm);
    expect(kept()).toEqual([
      {
        name: 'jane',
        user: 'jane',
        expires: '2027-03-31',
        sha256: sha256(secret!),
        tokenKey: publicKeyOf(seedOf(secret!)),
      },
    ]);
    expect(linesOf(stderr)).toEqual([
      'notice: .access/keys.json: is new. Once it is published, keys of any other list are no longer valid',
      'notice: jane: a key of jane, shown only once; valid until the end of 2027-03-31. To apply it: npx release-index publish',
    ]);
    expect(Object.values(filesIn(root)).join()).not.toContain(secret);
  });

  test('makes the list readable for its owner only, and ignored by git', async () => {
    spawnSync('git', ['init', '-q'], { cwd: root });
    const before = spawnSync('git', ['status', '--porcelain'], { cwd: root }).stdout.toString();
    await newKey();

    expect(statSync(join(root, file)).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, '.access')).mode & 0o777).toBe(0o700);
    expect(spawnSync('git', ['status', '--porcelain'], { cwd: root }).stdout.toString()).toBe(
      before,
    );
  });

  test('makes the name of a key from permitted letters', async () => {
    await key('new', '--user', 'Build_Bot', '--expires', day);

    expect(kept()[0]).toMatchObject({ name: 'build-bot', user: 'Build_Bot', expires: day });
  });

  test('numbers further keys of a user, and drops expired ones', async () => {
    await newKeyOn('2024-11-20', '2024-11-20');
    await newKeyOn('2024-11-20', '2027-03-31');
    await newKeyOn('2024-11-21', '2027-03-31');

    expect(kept()).toMatchObject([{ name: 'jane-2' }, { name: 'jane' }]);
  });

  test('keeps the keys that are valid today, for a key of a later day', async () => {
    const [today] = new Date().toISOString().split('T');
    await newKeyOn(today!, today!);
    await newKeyOn('2999-01-01', '2999-03-31');

    expect(kept()).toMatchObject([{ name: 'jane' }, { name: 'jane-2' }]);
  });

  describe('with limits', () => {
    beforeEach(() => {
      const bob = { username: 'bob', email: 'bob@example.com', permissions: ['read'] };
      writeIn(root, 'site/access.json', { protect: 'everything', users: [...users, bob] });
    });

    test('keeps permissions, given with commas or repeatedly', async () => {
      const limits = { permissions: ['read', 'export'] };
      const once = await newKey('--permissions', 'read,export', '--json');
      await newKey('--name', 'other', '--permissions', 'read', '--permissions', 'export');

      expect(kept()).toMatchObject([limits, limits]);
      expect(JSON.parse(once.stdout)).toMatchObject(limits);
    });

    test('names all that is wrong with the command line at once', async () => {
      const limits = ['--permissions', 'raed,export,'];
      const { status, stderr } = await key('new', ...limits, '--name', 'My key');

      expect(status).toBe(2);
      expect(linesOf(stderr).slice(0, 5)).toEqual([
        '--user: expected a user name of site/access.json, as in --user jane; got nothing, and it is required',
        expect.stringMatching(/^--expires: expected a day from \S+ on, YYYY-MM-DD; got nothing/),
        '--permissions: expected some of read, export, mcp, scan, accessDataWithoutAssociatedProject; got "raed". Did you mean "read"?',
        '--permissions: expected some of read, export, mcp, scan, accessDataWithoutAssociatedProject; got ""',
        '--name: expected up to 63 lower-case letters, digits, dots and hyphens, beginning with a letter or digit; got "My key"',
      ]);
    });

    test.each([
      ['bob', 'bob has permissions read, not mcp'],
      ['jan', 'there is no user "jan". Did you mean "jane"? Users are jane, Build_Bot, bob'],
    ])('names all that the index or the user %s does not have', async (user, ...problems) => {
      const limits = ['--permissions', 'read,mcp'];
      const { status, stderr } = await key('new', '--user', user, '--expires', day, ...limits);

      expect(status).toBe(1);
      expect(linesOf(stderr)).toEqual([
        ...problems.map((problem) => `error: site/access.json: users: ${problem}`),
      ]);
      expect(existsSync(join(root, file))).toBe(false);
    });
  });

  test.each(['2026-11-19', '2027-02-29'])('rejects the last day %s', async (expires) => {
    const { status, stderr } = await key('new', '--user', 'jane', '--expires', expires);

    expect([status, linesOf(stderr)[0]]).toEqual([
      2,
      `--expires: expected a day from ${day} on, YYYY-MM-DD; got "${expires}"`,
    ]);
  });

  test('rejects an existing name', async () => {
    await newKey('--name', 'renovate');

    expect(await newKey('--name', 'renovate')).toMatchObject({
      status: 1,
      stderr:
        'error: .access/keys.json: the key "renovate" exists already. Remove it there, or choose another --name\n',
    });
    expect(kept()).toHaveLength(1);
  });

  test('rejects an index without access keys', async () => {
    const oauth = {
      issuers: [{ uri: 'https://a.example', accessTokenFormat: 'opaque', restrictByDomain: false }],
    };
    const disabled = { accessKeys: { enabled: false }, externalOauth: oauth };
    writeIn(root, 'site/access.json', { protect: 'mcp', users, ...disabled });
    const withoutKeys = await newKey();
    rmSync(join(root, 'site/access.json'));
    const open = await newKey();

    expect(withoutKeys.stderr).toBe(
      'error: site/access.json: accessKeys.enabled is false, so no key is valid. To publish: put a token of your authorization server into RELEASE_INDEX_KEY (ACCESS.md, "Publish without access keys")\n',
    );
    expect(open.stderr).toContain(
      'error: site/access.json: is missing, so the index is public. Begin with {"protect"',
    );
    expect([withoutKeys.stdout, open.stdout]).toEqual(['', '']);
  });

  test.each(['GITHUB_ACTIONS', 'GITLAB_CI'])(
    'rejects %s, whose log would keep the key',
    async (name) => {
      const args = ['key', 'new', '--root', root, '--user', 'jane', '--expires', '2999-01-01'];
      const { status, stdout, stderr } = await runHere(args, { [name]: 'true' });

      expect({ status, key: stdout.includes('release_index_') }).toEqual({ status: 1, key: false });
      expect(stderr).toContain('key new: the log of a workflow or pipeline would keep the key');
    },
  );

  test('keeps all keys of concurrent runs', async () => {
    const runs = await Promise.all(['a', 'b', 'c', 'd'].map((name) => newKey('--name', name)));
    const digests = runs.map(({ stdout }) => sha256(stdout.trim()));

    expect(runs.map(({ status }) => status)).toEqual([0, 0, 0, 0]);
    expect(new Set(digests)).toHaveLength(4);
    expect(kept().map((one) => one.sha256)).toEqual(expect.arrayContaining(digests));
  });
});

test.each([
  [['key', '--json'], 'unknown verb "key".'],
  [['key', 'rotate'], 'unknown verb "key".'],
])('a wrong command line of "key" is rejected: %j', async (args, message) => {
  const { status, stderr } = await runHere(args);

  expect(status).toBe(2);
  expect(linesOf(stderr)[0]).toContain(message);
});
