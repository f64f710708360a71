import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { keyOf, recorded } from '../../ask/server/access/private-index.ts';
import { definition, filesIn, readJsonIn, temporaryFolder, writeIn } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';

/* One index, from its first minute to a bad day. */
const root = temporaryFolder();
const home = temporaryFolder();
const env = {
  PATH: process.env['PATH']!,
  HOME: home,
  NO_COLOR: '1',
  // Nothing of what it says needs a network.
  HTTPS_PROXY: 'http://127.0.0.1:9',
  HTTP_PROXY: 'http://127.0.0.1:9',
};
const hostSecrets = { CLOUDFLARE_API_TOKEN: 't', CLOUDFLARE_ACCOUNT_ID: 'a' };
const day = '2026-11-20';

beforeAll(async () => {
  writeFileSync(
    join(home, '.gitconfig'),
    '[user]\nname = Tester\nemail = tester@example.com\n[init]\ndefaultBranch = main\n',
  );
  await runHere(['init', root, '--host', 'cloudflare']);
});

function git(...args: string[]): void {
  execFileSync('git', ['-C', root, ...args], { env, stdio: 'pipe' });
}

/** Every line that is not ok, with its remedy. */
async function doctor(more: Record<string, string> = {}) {
  const args = ['doctor', '--root', root, '--as-of', day];
  const { status, stdout, stderr } = await runHere(args, { ...env, ...more });
  expect(stderr).toBe('');
  const { lines } = JSON.parse(
    (await runHere([...args, '--json'], { ...env, ...more })).stdout,
  ) as {
    lines: { subject: string; state: string; message: string; remedy?: string }[];
  };
  const open = lines.filter(({ state }) => state !== 'ok');
  return {
    status,
    text: stdout,
    lines: open.map(
      ({ subject, state, message, remedy }) => `${state} ${subject}: ${message} -> ${remedy}`,
    ),
  };
}

test('doctor names all that is missing in a new index, each with its remedy', async () => {
  const files = filesIn(root);
  const { status, lines, text } = await doctor();

  expect(status).toBe(1);
  expect(filesIn(root)).toEqual(files);
  expect(lines).toEqual([
    'missing commit: there is none -> git init && git add --all && git commit --message "Begin the index"',
    'missing program: there is no package-lock.json -> npm install',
    expect.stringMatching(
      /^missing addresses: releasesUrl: https:\/\/releases\.invalid .+ -> edit site\/site\.json$/,
    ),
    'missing definitions: there is no component -> npx release-index add npm <package>',
    'missing site: is not built -> npx release-index start',
    'unknown secrets: it needs CLOUDFLARE_API_TOKEN, CLOUDFLARE_ACCOUNT_ID -> gh secret list, then for each that it lacks: gh secret set <name>',
  ]);
  expect(text).toMatch(/^ok {7}Node {9}v\d+/m);
  expect(text).toMatch(/^missing {2}site {9}is not built\n {22}npx release-index start$/m);
  expect(text).toContain('5 things are missing.');
});

test('a secret of blanks is missing', async () => {
  const { lines } = await doctor({ ...hostSecrets, CLOUDFLARE_API_TOKEN: ' ' });

  expect(lines.at(-1)).toMatch(/^unknown secrets: it needs CLOUDFLARE_API_TOKEN -> /);
});

test('doctor without git names it, with all else that is missing', async () => {
  const { lines } = await doctor({ PATH: '/nonexistent' });

  expect(lines.slice(0, 2)).toEqual([
    'missing git: is not installed -> https://git-scm.com/downloads',
    'missing program: there is no package-lock.json -> npm install',
  ]);
});

test('doctor finds nothing missing in an index that is complete', async () => {
  const site = JSON.parse(readFileSync(join(root, 'site/site.json'), 'utf8')) as object;
  const addresses = {
    releasesUrl: 'https://releases.example.com',
    repositoryUrl: 'https://example.com/r',
  };
  writeIn(root, 'site/site.json', { ...site, ...addresses });
  writeIn(root, 'components/svc.json', definition({ sources: [] }));
  writeIn(root, 'data/svc.json', {
    releases: [{ version: '1.0', releaseTimestamp: '2026-01-31' }],
  });
  writeIn(root, 'package-lock.json', { packages: {} });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
  const unlocked = await doctor(hostSecrets);
  writeIn(root, 'package-lock.json', { packages: { 'node_modules/release-index': {} } });
  writeIn(root, 'notes/one.md', '1');
  writeIn(root, 'notes/two.md', '2');
  const uncommitted = await doctor(hostSecrets);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Lock');
  const remote = temporaryFolder();
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  git('remote', 'add', 'origin', remote);

  const unlinked = await doctor(hostSecrets);
  git('push', '--quiet', '--set-upstream', 'origin', 'main');
  git('commit', '--quiet', '--allow-empty', '--message', 'Go on');
  const unpushed = await doctor(hostSecrets);
  git('push', '--quiet');
  await runHere(['build', '--root', root, '--as-of', day]);
  const { status, lines, text } = await doctor(hostSecrets);

  expect(unlocked.lines).toContain(
    'missing program: package-lock.json lacks it -> npm install --save-exact release-index',
  );
  expect(uncommitted.lines).toContain(
    'missing commit: 3 files not committed -> git add --all && git commit',
  );
  expect(unlinked.lines).toContain(
    'missing branch: main has no upstream branch -> git push --set-upstream origin main',
  );
  expect(unpushed.lines).toEqual([
    'missing branch: main has commits that are not pushed -> git push --set-upstream origin main',
    'missing site: is not built -> npx release-index start',
  ]);
  expect({ status, lines }).toEqual({ status: 0, lines: [] });
  expect(text).toMatch(/^ok {7}site .+ within the free plan of Cloudflare$/m);
  expect(text).toContain('Nothing is missing.');
});

test('doctor names what has changed on a bad day', async () => {
  const workflow = join(root, '.github/workflows/daily.yml');
  const older = readFileSync(workflow, 'utf8')
    .replace(/^ +issues: write.*\n/m, '')
    .replace('-publish.yml', '-older.yml');
  writeFileSync(workflow, older);
  writeIn(root, '.release-index/daily.yml', older);
  writeIn(root, 'site/access.json', {
    protect: 'everything',
    users: [{ username: 'jane', email: 'jane@example.com' }],
  });
  writeIn(root, '.access/keys.json', [recorded(keyOf('a'), 'jane', '2026-11-30')]);
  writeIn(root, 'dist/svc.json', '{}');
  writeIn(root, 'data/svc.json', 'cut off');
  writeIn(root, '.cache/daily.json', {
    ...{ verb: 'daily', asOf: day, finishedAt: `${day}T05:00:00Z`, isBuilt: true },
    attention: [
      {
        ...{ id: '0f1e2d3c4b', since: day, kind: 'held', cause: 'npm:svc', components: ['svc'] },
        message: 'no longer lists 1.0',
        isDue: true,
      },
    ],
  });

  const { status, lines } = await doctor(hostSecrets);

  expect(status).toBe(1);
  expect(lines).toEqual([
    expect.stringMatching(
      /^missing commit: \d+ files not committed -> git add --all && git commit$/,
    ),
    'missing daily run: this version writes daily.yml, release-index-publish.yml differently -> npx release-index init --update',
    expect.stringMatching(
      /^missing definitions: 1 component, \d+ errors?, .+ -> npx release-index check$/,
    ),
    expect.stringMatching(/^missing site: svc\.json: .+ Run: npx release-index build/),
    expect.stringMatching(
      /^unknown secrets: it needs RELEASE_INDEX_ACCESS_KEYS, RELEASE_INDEX_KEY -> gh secret list/,
    ),
    expect.stringMatching(
      /^missing access keys: .*key-aaa \(jane\) expires after 2026-11-30\..+ -> npx release-index key new$/,
    ),
    'missing last run: 2026-11-20: 1 alert -> npx release-index attention --print',
  ]);
});

test('doctor advises no new key where the two lists of keys differ', async () => {
  writeIn(root, '.access/keys.json', [recorded(keyOf('a'), 'jane', '2027-11-30')]);
  const inVariable = [recorded(keyOf('b'), 'jane', '2027-11-30')];

  const { lines } = await doctor({ RELEASE_INDEX_ACCESS_KEYS: JSON.stringify(inVariable) });

  expect(lines).toContainEqual(
    expect.stringMatching(
      /^missing access keys: .*which differs -> remove the list in \.access\/keys\.json, or unset the variable$/,
    ),
  );
});

test('doctor shows the address of the remote without any part of a password', async () => {
  git('remote', 'set-url', 'origin', 'https://jane:p@ss@example.com/index.git');

  const { text } = await doctor();

  expect(text).toMatch(/^ok +remote +https:\/\/example\.com\/index\.git$/m);
});

test('doctor says that no branch is checked out', async () => {
  git('checkout', '--quiet', '--detach');

  const { lines } = await doctor();

  expect(lines).toContain('missing branch: none is checked out -> git switch <branch>');
});

test('doctor with a damaged site/access.json names it, with all else', async () => {
  const access = readFileSync(join(root, 'site/access.json'), 'utf8');
  writeFileSync(join(root, 'site/access.json'), '{');

  const { status, lines } = await doctor(hostSecrets);
  writeFileSync(join(root, 'site/access.json'), access);

  expect(status).toBe(1);
  expect(lines).toContainEqual(expect.stringMatching(/^missing definitions: .+ [1-9]\d* errors?/));
  expect(lines).toContainEqual(expect.stringMatching(/^missing last run: /));
});

test('doctor names the files of two forges, which would both run the day', async () => {
  const text = 'daily:\n  script: npx release-index daily\n';
  const paths = ['.gitlab-ci.yml', '.release-index/.gitlab-ci.yml'];
  paths.forEach((path) => writeIn(root, path, text));

  const { lines } = await doctor(hostSecrets);
  paths.forEach((path) => rmSync(join(root, path)));

  expect(lines).toContain(
    'missing daily run: there are files of github, gitlab -> npx release-index init --update --ci github',
  );
});

test('doctor quotes the name of a branch in a command', async () => {
  git('switch', '--quiet', '--create', 'fix;$(id)');

  const { lines } = await doctor(hostSecrets);
  git('switch', '--quiet', 'main');

  expect(lines).toContain(
    "missing branch: fix;$(id) has no upstream branch -> git push --set-upstream origin 'fix;$(id)'",
  );
});

test('doctor repeats no remedy that the problem of the site has already', async () => {
  const { releasesUrl, ...site } = readJsonIn<{ releasesUrl: string }>(root, 'site/site.json');
  writeIn(root, 'site/site.json', { ...site, releasesUrl: 'https://releases.invalid' });

  const { lines } = await doctor(hostSecrets);
  writeIn(root, 'site/site.json', { ...site, releasesUrl });

  expect(lines).toContainEqual(
    expect.stringMatching(/^missing site: site\/site\.json: releasesUrl: .+ -> undefined$/),
  );
});
