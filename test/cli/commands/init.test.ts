import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { linesOf } from '../../harness/cli.ts';
import type { Workflow } from '../../harness/github-run.ts';
import { filesIn, pathsIn, readJsonIn, temporaryFolder, writeIn } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { programVersion } from '../../../src/io/program.ts';
import { checkout } from '../../harness/checkout.ts';
import { lintWorkflowsOf } from '../../harness/workflow-lint.ts';

const addresses = [
  ...['--releases-url', 'https://releases.example.com'],
  ...['--repository-url', 'https://example.com/r'],
];
const manifest = readJsonIn<{ version: string; devDependencies: { wrangler: string } }>(
  checkout,
  'package.json',
);

test('a new index passes check and build, is pinned to this version and has no placeholders left', async () => {
  const folder = join(temporaryFolder(), 'new/index');
  const { version } = manifest;

  const { status, stdout, stderr } = await runHere(['init', folder, ...addresses]);
  const built = await runHere(['build', '--root', folder]);
  const checked = await runHere(['check', '--root', folder]);

  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(linesOf(stdout)).toEqual(
    expect.arrayContaining(['components/.gitkeep', 'site/site.json', `  1. cd ${folder}`]),
  );
  expect([built.status, checked.status, checked.stderr]).toEqual([0, 0, '']);
  expect(readJsonIn(folder, 'dist/renovate.json')).toHaveProperty(
    'customDatasources.release-index',
  );
  expect(readJsonIn(folder, 'package.json')).toMatchObject({
    dependencies: { 'release-index': version },
  });
  const written = Object.entries(filesIn(folder)).filter(([path]) => !path.startsWith('dist/'));
  for (const [path, text] of written) {
    expect(text, path).not.toMatch(/OWNER|\bVERSION\b|_URL\b|"PROGRAM"/);
  }
});

test('the next steps quote a folder for the shell', async () => {
  const folder = join(temporaryFolder(), "it's mine");

  const { stdout } = await runHere(['init', folder]);

  expect(stdout).toContain(String.raw`  1. cd '${folder.replace("'", String.raw`'\''`)}'`);
});

test('an index whose npm runs on a Node that does not start gets a Node of its own', async () => {
  const folder = temporaryFolder();

  const { status } = await runHere(['init', folder], { npm_node_execpath: '/nonexistent/node' });

  expect(status).toBe(0);
  expect(readJsonIn(folder, 'package.json')).toHaveProperty('optionalDependencies');
});

test('check reports a missing address, and publish rejects it', async () => {
  const folder = temporaryFolder();

  await runHere(['init', folder]);
  await runHere(['build', '--root', folder]);
  const checked = await runHere(['check', '--root', folder]);
  const published = await runHere(['publish', '--dry-run', '--root', folder]);

  expect(checked.status).toBe(0);
  expect(linesOf(checked.stderr)).toEqual([
    expect.stringContaining(
      'warning: site/site.json: releasesUrl: https://releases.invalid is a placeholder',
    ),
    expect.stringContaining(
      'warning: site/site.json: repositoryUrl: https://repository.invalid is a placeholder',
    ),
  ]);
  expect(published.status).toBe(1);
  expect(published.stderr).toContain(
    'error: site/site.json: releasesUrl: https://releases.invalid',
  );
});

test('init names what is in the way, and writes nothing', async () => {
  const folder = temporaryFolder();
  writeIn(folder, '.github/workflows/release-index-publish.yml', 'release-index');
  writeIn(folder, 'components/button.tsx', 'mine');
  symlinkSync('nowhere', join(folder, '.gitignore'));
  const before = pathsIn(folder);

  const { status, stdout, stderr } = await runHere(['init', folder]);
  rmSync(join(folder, 'components'), { recursive: true });
  rmSync(join(folder, '.github'), { recursive: true });
  const link = await runHere(['init', folder]);

  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(linesOf(stderr)).toEqual(
    ['components', '.github/workflows/release-index-publish.yml'].map(
      (name) =>
        `error: ${join(folder, name)}: already exists. Move it away, or choose another folder. Nothing was written`,
    ),
  );
  expect(before).toHaveLength(3);
  expect(link.status).toBe(1);
  expect(link.stderr).toContain('.gitignore: it is a link to nowhere');
  expect(pathsIn(folder)).toEqual(['.gitignore']);
});

/** A product's repository, in which somebody makes an index; both pushes and workflows belong to its root. */
function productRepository(): string {
  const top = temporaryFolder();
  execFileSync('git', ['init', '--quiet', '--initial-branch=trunk', top]);
  writeIn(top, 'package.json', { name: 'product' });
  writeIn(top, '.gitignore', 'node_modules/\n');
  writeIn(top, 'README.md', 'Our product.');
  writeIn(top, '.github/workflows/check.yml', 'on: push');
  return top;
}

test('init begins in a repository that is there, leaves its files alone, and says what to add', async () => {
  const top = productRepository();
  const before = filesIn(top);
  const { version, devDependencies } = manifest;

  const { status, stderr } = await runHere(['init', top, '--host', 'cloudflare', ...addresses]);

  expect(status).toBe(0);
  expect(filesIn(top)).toMatchObject(before);
  expect(linesOf(stderr)).toEqual([
    `notice: ${join(top, '.gitignore')}: stays unchanged. Add: dist/, .cache/, .wrangler/, *.key`,
    `notice: ${join(top, 'README.md')}: stays unchanged. node_modules/release-index/.github/SETUP.md explains the index`,
    `notice: ${join(top, 'package.json')}: stays unchanged. Instead of npm install: ` +
      `npm install --save-exact release-index@${version} wrangler@${devDependencies.wrangler}`,
  ]);
  expect(filesIn(top)['.github/workflows/release-index-check.yml']).toContain('verb: compare');
  expect((await runHere(['build', '--root', top])).status).toBe(0);
});

test('in a folder of a repository, workflows go to its root and name the folder', async () => {
  const top = productRepository();
  const folder = join(top, 'docs/releases');

  const { status, stderr } = await runHere(['init', folder, ...addresses]);

  const { jobs } = load(filesIn(top)['.github/workflows/daily.yml']!) as {
    jobs: { daily: object };
  };
  const check = filesIn(top)['.github/workflows/release-index-check.yml']!;
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(jobs.daily).toMatchObject({
    with: { folder: 'docs/releases', 'runs-on': 'self-hosted' },
  });
  expect(check.match(/folder: docs\/releases$/gm)).toHaveLength(3);
  expect(check).toContain('arguments: .cache/base/docs/releases\n');
  expect(pathsIn(folder)).toContain('package.json');
  expect(pathsIn(folder).filter((path) => path.startsWith('.github'))).toEqual([]);
});

test('workflows go to the root of the repository behind a link', async () => {
  const top = temporaryFolder();
  const links = temporaryFolder();
  execFileSync('git', ['init', '--quiet', top]);
  writeIn(top, 'docs/README.md', 'Our documentation.');
  symlinkSync(join(top, 'docs'), join(links, 'docs'));
  const folder = join(links, 'docs/releases');

  await runHere(['init', folder, ...addresses]);
  const updated = await runHere(['init', folder, '--update']);
  const doctor = await runHere(['doctor', '--root', folder]);

  expect(pathsIn(top)).toContain('.github/workflows/daily.yml');
  expect(filesIn(top)['.github/workflows/daily.yml']).toContain('folder: docs/releases\n');
  expect(updated.stdout).toContain('Nothing to change');
  expect(doctor.stdout).toMatch(/^ok +daily run +github$/m);
});

/** An index whose files an older version wrote, and somebody has changed since. */
async function olderIndex(change: (text: string) => string) {
  const top = temporaryFolder();
  await runHere(['init', top, ...addresses]);
  const daily = join(top, '.github/workflows/daily.yml');
  const current = readFileSync(daily, 'utf8');
  const older = current
    .replace(/^ +issues: write.*\n/m, '')
    .replace('release-index-publish.yml', 'release-index-older.yml');
  writeIn(top, '.release-index/daily.yml', older);
  writeFileSync(daily, change(older));
  return { top, daily, current };
}

test('--update keeps what is yours, and writes and names what this version changes', async () => {
  const change = (text: string) =>
    text
      .replace("'23 4 * * *'", "'7 7 * * *'")
      .replace('runs-on: self-hosted', 'runs-on: ours')
      .concat('  # Ours.\n  tell:\n    needs: daily\n');
  const { top, daily, current } = await olderIndex(change);

  const written = await runHere(['init', top, '--update']);
  const again = await runHere(['init', top, '--update']);
  const nowhere = await runHere(['init', temporaryFolder(), '--update']);

  expect(written.stdout).toBe(
    'Written: .github/workflows/daily.yml. "git diff" shows the changes.\n',
  );
  expect(readFileSync(daily, 'utf8')).toBe(change(current));
  expect(again.stdout).toBe('Nothing to change: the files match this version.\n');
  expect([nowhere.status, nowhere.stderr]).toEqual([1, expect.stringContaining('holds no index')]);
});

test('--update marks lines that both changed, and it and doctor name them until you chose', async () => {
  const { top, daily } = await olderIndex((text) => text.replace('-older', '-of-ours'));
  const doctor = async () => {
    const { stdout } = await runHere(['doctor', '--root', top, '--json']);
    const { lines } = JSON.parse(stdout) as { lines: { subject: string; message: string }[] };
    return lines.find(({ subject }) => subject === 'daily run')!.message;
  };

  const foreseen = await doctor();
  const first = await runHere(['init', top, '--update']);
  const marked = readFileSync(daily, 'utf8');
  const second = await runHere(['init', top, '--update']);
  const seen = await doctor();
  writeFileSync(daily, marked.replaceAll(/^(?:<{7}|={7}[^]*?>{7}).*\n/gm, ''));
  const chosen = await runHere(['init', top, '--update']);

  const message =
    'error: .github/workflows/daily.yml: both changed the same lines. They are marked with <<<<<<<: choose one\n';
  expect([first.status, first.stderr]).toEqual([1, message]);
  expect(marked).toMatch(/<<<<<<< yours\n.*-of-ours\.yml\n/);
  expect([second.status, second.stdout, second.stderr]).toEqual([1, '', message]);
  expect([foreseen, seen]).toEqual(
    Array(2).fill('daily.yml has changes of yours and of this version'),
  );
  expect([chosen.status, chosen.stdout]).toEqual([0, expect.stringContaining('Nothing to change')]);
  expect(readFileSync(daily, 'utf8')).toContain('-of-ours.yml');
});

test.each([
  ['0.9.0', 'npx release-index init --update', 0],
  ['9.0.0', /npm run init -- \S+ --update, in a checkout of 9\.0\.0$/, 1],
])(
  'a program and workflows of %s are named with the remedy, and no older workflow is written',
  async (version, remedy, status) => {
    const top = temporaryFolder();
    await runHere(['init', top, ...addresses]);
    writeIn(top, '.release-index/version', `${version}\n`);
    const message = `the workflows are of release-index ${version}, and the program is ${manifest.version}`;

    const checked = await runHere(['check', '--root', top]);
    const doctor = await runHere(['doctor', '--root', top, '--json']);
    const updated = await runHere(['init', top, '--update']);

    expect([checked.status, checked.stderr]).toEqual([
      0,
      expect.stringContaining(`warning: .release-index/version: ${message}. Run: `),
    ]);
    const { lines } = JSON.parse(doctor.stdout) as { lines: object[] };
    expect(lines).toContainEqual({
      ...{ subject: 'daily run', state: 'missing', message },
      remedy: expect.stringMatching(remedy) as string,
    });
    expect(updated.status).toBe(status);
    expect(readFileSync(join(top, '.release-index/version'), 'utf8').trim()).toBe(
      status === 0 ? manifest.version : version,
    );
  },
);

test('workflows call nothing of this project and pass actionlint, and updates keep them', async () => {
  const top = temporaryFolder();

  expect((await runHere(['init', top, ...addresses])).status).toBe(0);

  const written = Object.entries(filesIn(join(top, '.github')));
  const uses = written.flatMap(([, text]) => text.match(/(?<=uses: )\S+/g) ?? []);
  expect(uses).toContain('./.github/workflows/release-index-publish.yml');
  for (const use of uses) {
    expect(use).toMatch(/^\.\/\.github\/|@[0-9a-f]{40}$/);
  }
  for (const use of uses.filter((one) => one.startsWith('./'))) {
    expect(existsSync(join(top, use)), use).toBe(true);
  }
  expect(Object.values(await lintWorkflowsOf(top)).flat()).toEqual([]);
  const workflow = filesIn(top)['.github/workflows/release-index-publish.yml']!;
  expect(workflow).toContain('It runs the program of package-lock.json.\n# Each');
  expect(workflow).not.toMatch(/cache\/program|workflow_sha|its own commit/);
  expect(workflow.match(/run: npm ci --ignore-scripts$/gm)).toHaveLength(1);
  expect(workflow.match(/npx --no -- release-index \w+/g)).toHaveLength(4);
  expect(written.filter(([, text]) => text.includes('schedule:'))).toHaveLength(1);
  expect((await runHere(['init', top, '--update'])).stdout).toContain('Nothing to change');
});

test.each([
  ['', [], []],
  ['--to /srv/releases', [], []],
  ['--host pages', ['id-token', 'attestations', 'pages'], []],
  [
    '--host cloudflare',
    ['id-token', 'attestations'],
    ['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID'],
  ],
  [
    '--host cloudflare --private jane@example.com',
    [],
    [
      ...['CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID'],
      ...['RELEASE_INDEX_ACCESS_KEYS', 'RELEASE_INDEX_KEY'],
    ],
  ],
])(
  'init %s asks for the permissions %j besides those of every index, and for the secrets %j',
  async (options, more, secrets) => {
    const top = temporaryFolder();
    const dailyOf = () => {
      const { jobs } = load(filesIn(top)['.github/workflows/daily.yml']!) as {
        jobs: { daily: { permissions: object; secrets?: object } };
      };
      const { daily } = jobs;
      const called = load(filesIn(top)['.github/workflows/release-index-publish.yml']!) as Workflow;
      const needed = Object.values(called.jobs).map(({ permissions }) => permissions);

      // The caller grants what the jobs ask for, and nothing else.
      expect(Object.assign({}, ...needed)).toEqual(daily.permissions);

      return {
        permissions: Object.keys(daily.permissions),
        secrets: Object.keys(daily.secrets ?? {}),
        hasEmptyKey: daily.secrets === null,
      };
    };

    // A person adds these two to the caller.
    const ofPersons = ['DEPLOY_KEY', 'RELEASE_INDEX_AUTH'];

    /** The secrets that the index's copy of the publish workflow declares; it uses no other. */
    const declaredOf = () => {
      const text = filesIn(top)['.github/workflows/release-index-publish.yml']!;
      const { on } = load(text) as { on: { workflow_call: { secrets: object } } };
      const used = Array.from(text.matchAll(/secrets\.(\w+)/g), ([, name]) => name!);
      const declared = Object.keys(on.workflow_call.secrets).sort();

      expect([...new Set(used)].sort()).toEqual(declared);
      expect(text).not.toMatch(/^( +)env:\n(?!\1 )/m);

      return declared;
    };

    await runHere(['init', top, ...options.split(' ').filter(Boolean), ...addresses]);
    const written = dailyOf();
    const declared = declaredOf();
    const ignored = filesIn(top)['.gitignore']!;
    const check = filesIn(top)['.github/workflows/check.yml']!;
    writeIn(top, '.npmrc', '//npm.example.com/:_authToken=${NPM_TOKEN}\n');
    writeIn(top, 'site/site.json', {
      ...readJsonIn<object>(top, 'site/site.json'),
      hosting: 'pages',
      signingPublicKey: 'RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3',
    });
    rmSync(join(top, 'site/access.json'), { force: true });
    await runHere(['init', top, '--update']);

    const always = ['contents', 'issues'];
    expect(written).toEqual({ permissions: [...always, ...more], secrets, hasEmptyKey: false });
    expect(declared).toEqual([...ofPersons, ...secrets].sort());
    expect(ignored.includes('.wrangler/')).toBe(options.includes('cloudflare'));
    expect(check).not.toContain('secrets.');
    expect(dailyOf()).toEqual({
      permissions: [...always, 'id-token', 'attestations', 'pages'],
      secrets: ['RELEASE_INDEX_SIGNING_KEY', 'NPM_TOKEN'],
      hasEmptyKey: false,
    });
    expect(declaredOf()).toEqual([...ofPersons, 'RELEASE_INDEX_SIGNING_KEY', 'NPM_TOKEN'].sort());
    const { jobs } = load(filesIn(top)['.github/workflows/check.yml']!) as Workflow;
    const { steps, ...job } = jobs['check']!;
    expect(JSON.stringify(job)).not.toContain('secrets.');
    expect(steps!.filter((step) => JSON.stringify(step).includes('secrets.'))).toEqual([
      expect.objectContaining({ env: { NPM_TOKEN: '${{ secrets.NPM_TOKEN }}' } }),
    ]);
  },
);

test('with the packed program, the index has it in its own files', async () => {
  const packed = temporaryFolder();
  const name = `release-index-${manifest.version}.tgz`;
  const missing = await runHere(['init', temporaryFolder(), '--program', packed]);
  writeFileSync(join(packed, name), 'the program');
  const top = temporaryFolder();

  const begun = await runHere(['init', top, '--program', packed, ...addresses]);

  expect([missing.status, begun.status]).toEqual([2, 0]);
  expect(missing.stderr).toContain('the script "pack" of the checkout makes it');
  expect(readJsonIn(top, 'package.json')).toMatchObject({
    dependencies: { 'release-index': `file:program/${name}` },
  });
  expect(readFileSync(join(top, 'program', name), 'utf8')).toBe('the program');
  expect(begun.stdout).toContain(`\n.release-index/\nprogram/${name}\n`);
});

test('two indexes in one repository have workflows, checks and issues of their own', async () => {
  const top = temporaryFolder();
  execFileSync('git', ['init', '--quiet', top]);
  const folders = ['one', 'two', 'docs/three'];

  for (const folder of folders) {
    const { status, stderr } = await runHere(['init', join(top, folder), ...addresses]);
    expect({ status, stderr: stderr.replaceAll(/^notice: .*\n/gm, '') }).toEqual({
      status: 0,
      stderr: '',
    });
  }

  const written = filesIn(join(top, '.github/workflows'));
  const jobsOf = (pattern: RegExp) =>
    Object.keys(written)
      .filter((name) => pattern.test(written[name]!))
      .sort();
  expect(jobsOf(/folder: one$/m)).toEqual(['check.yml', 'daily.yml']);
  expect(jobsOf(/folder: two$/m)).toEqual(['release-index-check.yml', 'release-index-daily.yml']);
  expect(jobsOf(/folder: docs\/three$/m)).toEqual([
    'release-index-docs-three-check.yml',
    'release-index-docs-three-daily.yml',
  ]);
  const groups = Object.values(written).flatMap(
    (text) => text.match(/(?<=^ {2}group: ).*/gm) ?? [],
  );
  expect(new Set(groups)).toHaveLength(4);
  for (const folder of folders) {
    expect((await runHere(['init', join(top, folder), '--update'])).stdout).toContain(
      'Nothing to change',
    );
  }
});

test.each([
  ['gitlab', '.gitlab-ci.yml', 'release-index.gitlab-ci.yml', 'cd two'],
  ['none', 'Dockerfile', 'release-index-Dockerfile', 'cd index/two '],
])('with --ci %s, a second index leaves %s of the first alone', async (ci, first, second, line) => {
  const top = temporaryFolder();
  execFileSync('git', ['init', '--quiet', top]);
  await runHere(['init', join(top, 'one'), ...addresses, '--ci', ci]);
  const before = readFileSync(join(top, first), 'utf8');

  const { status } = await runHere(['init', join(top, 'two'), ...addresses, '--ci', ci]);
  const updated = await runHere(['init', join(top, 'two'), '--update']);

  expect(status).toBe(0);
  expect(readFileSync(join(top, first), 'utf8')).toBe(before);
  expect(readFileSync(join(top, second), 'utf8')).toContain(line);
  expect(updated.stdout).toContain('Nothing to change');
});

test('--update of a second index keeps its Dockerfile, where the first has the files of GitHub', async () => {
  const top = temporaryFolder();
  execFileSync('git', ['init', '--quiet', top]);
  await runHere(['init', join(top, 'one'), ...addresses]);
  await runHere(['init', join(top, 'two'), ...addresses, '--ci', 'none']);
  const before = pathsIn(top);

  const { stdout } = await runHere(['init', join(top, 'two'), '--update']);

  expect(stdout).toContain('Nothing to change');
  expect(pathsIn(top)).toEqual(before);
});

test('--update for another forge removes the files of the former one, but what you changed stays', async () => {
  const top = temporaryFolder();
  execFileSync('git', ['init', '--quiet', top]);
  await runHere(['init', top, ...addresses]);
  const check = join(top, '.github/workflows/check.yml');
  writeFileSync(check, readFileSync(check, 'utf8').concat('  # Ours.\n'));

  const moved = await runHere(['init', top, '--update', '--ci', 'gitlab']);
  const daily = join(top, '.github/workflows/daily.yml');
  const between = await runHere(['init', top, '--update']);
  const isBack = existsSync(daily);
  const again = await runHere(['init', top, '--update', '--ci', 'gitlab']);
  rmSync(check);
  const after = await runHere(['init', top, '--update']);

  expect(linesOf(moved.stdout)).toEqual([
    'Written: .gitlab-ci.yml. "git diff" shows the changes.',
    'Removed: .github/workflows/daily.yml.',
  ]);
  expect(moved.status).toBe(1);
  expect(moved.stderr).toContain(
    'error: .github/workflows/check.yml: is of the former forge, and has changes of yours: remove it\n',
  );
  expect(moved.stderr).toContain(
    'notice: .github/workflows/release-index-publish.yml: stays for other indexes of the repository',
  );
  expect([between.status, between.stderr, isBack]).toEqual([
    1,
    'error: init: there are files of github, gitlab. Nothing was written. Choose one with --ci\n',
    false,
  ]);
  expect([again.status, again.stderr]).toEqual([1, moved.stderr]);
  expect([after.status, after.stdout]).toEqual([
    0,
    'Nothing to change: the files match this version.\n',
  ]);
});

test('a file of another forge that mentions the program is yours, unless init wrote it', async () => {
  const folder = temporaryFolder();
  await runHere(['init', folder, ...addresses]);
  writeIn(folder, 'Dockerfile', 'RUN npx release-index scan agent@1.0\n');

  const updated = await runHere(['init', folder, '--update']);
  const moved = await runHere(['init', folder, '--update', '--ci', 'none']);

  expect([updated.status, updated.stdout]).toEqual([
    0,
    'Nothing to change: the files match this version.\n',
  ]);
  expect(readFileSync(join(folder, 'Dockerfile'), 'utf8')).toContain('scan agent@1.0');
  expect(moved.stdout).toContain('Written: release-index-Dockerfile.');
});

test('--update keeps the path of a file when a shorter one becomes free', async () => {
  const folder = temporaryFolder();
  writeIn(folder, '.github/workflows/daily.yml', 'on: push');
  await runHere(['init', folder, ...addresses]);
  rmSync(join(folder, '.github/workflows/daily.yml'));
  const before = pathsIn(folder);

  const { stdout } = await runHere(['init', folder, '--update']);

  expect(before).toContain('.github/workflows/release-index-daily.yml');
  expect(stdout).toContain('Nothing to change');
  expect(pathsIn(folder)).toEqual(before);
});

test('--update rejects the options of a new index', async () => {
  const folder = temporaryFolder();
  await runHere(['init', folder]);

  const options = ['--host', 'cloudflare', '--private', 'jane@example.com'];
  const { status, stderr } = await runHere(['init', folder, '--update', ...options]);

  expect(status).toBe(2);
  expect(stderr).toContain('--update does not accept --host, --private. Edit site/site.json');
});

test('init refuses a folder of a repository that a workflow cannot name', async () => {
  const top = productRepository();
  const before = pathsIn(top);

  const { status, stderr } = await runHere(['init', join(top, 'my docs'), '--ci', 'gitlab']);

  expect([status, stderr]).toEqual([
    1,
    'error: init: expected a path of letters, digits, ".", "_", "-" and "/", as workflows name it; got "my docs". Nothing was written\n',
  ]);
  expect(pathsIn(top)).toEqual(before);
});

test('init leaves no files where one cannot be written', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'site'), 'a file where a folder has to be');

  const { status } = await runHere(['init', folder]);
  const { status: inFile, stderr } = await runHere(['init', join(folder, 'site')]);

  expect([status, inFile]).toEqual([1, 1]);
  expect(stderr).toContain(`${join(folder, 'site')} is not a folder. Nothing was written`);
  expect(pathsIn(folder)).toEqual(['site']);
});

test.each([
  [
    '--releases-url http://example.com',
    '--releases-url: expected an https: address (plain http: for loopback',
  ],
  [
    '--repository-url git@example.com:r.git',
    '--repository-url: expected an https: address; got "…@example',
  ],
  ['--support forever', '--support: expected term:<months> or latest-lines:<count>'],
  ['--support term:0', '--support: months: expected at least 1; got 0'],
  ['--support term:99999', '--support: months: expected at most 1200; got 99999'],
  ['--changelog example.com', '--changelog: expected an https: address; got "example.com"'],
  ['--line 1', '--line: expected also --support'],
  [
    '--host files --private jane@example.com',
    '--private: --host files serves everything to everybody; expected --host cloudflare',
  ],
  ['--private jane', '--private: expected an e-mail address such as jane@example.com'],
  [
    '--host pages --ci gitlab',
    '--host pages: only GitHub deploys to GitHub Pages; got --ci gitlab',
  ],
  ['--host pages --to /srv/releases', '--to: expected --host files; got pages'],
  ['--to /', '--to: expected an absolute path; got "/"'],
  ['--to /srv/a\nb', String.raw`--to: expected one line of text; got "/srv/a\nb"`],
])('init rejects %s, and writes nothing', async (options, message) => {
  const folder = temporaryFolder();

  const { status, stderr } = await runHere(['init', folder, ...options.split(' ')]);

  expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(pathsIn(folder)).toEqual([]);
});

test.each([
  ['https://github.com/Me/Kit', 'https://me.github.io/Kit'],
  ['https://github.com/me/kit.git', 'https://me.github.io/kit'],
  ['https://github.com/me/kit.git/', 'https://me.github.io/kit'],
  ['https://GitHub.com/me/kit/', 'https://me.github.io/kit'],
  ['https://github.com/me/me.github.io', 'https://me.github.io'],
  ['https://git.example.com/me/kit', 'https://releases.invalid'],
])('the Pages of %s are at %s', async (repositoryUrl, releasesUrl) => {
  const folder = temporaryFolder();

  await runHere(['init', folder, '--host', 'pages', '--repository-url', repositoryUrl]);

  expect(readJsonIn(folder, 'site/site.json')).toMatchObject({ releasesUrl, repositoryUrl });
});

test('options of init say what definitions inherit', async () => {
  const folder = temporaryFolder();
  const inherited = [
    ...['--support', 'latest-lines:3', '--line', '1'],
    ...['--changelog', 'https://git.example.com/{component}/releases'],
  ];

  const { status } = await runHere(['init', folder, ...addresses, ...inherited]);

  expect(status).toBe(0);
  expect(readJsonIn(folder, 'site/site.json')).toMatchObject({
    defaults: {
      changelogUrl: 'https://git.example.com/{component}/releases',
      support: { policy: 'latest-lines', count: 3, line: 1 },
    },
  });
});

test.each([
  ['--private jane@example.com', '--private: chose --host cloudflare, as other hosts serve'],
  [
    '--ci github',
    'needs a self-hosted runner that can write the folder; without one, set "hosting"',
  ],
  ['--to /srv/site', 'npx release-index daily, which publishes into /srv/site\n'],
])('init %s says what the choice of the host needs', async (options, message) => {
  const { status, stdout } = await runHere(['init', temporaryFolder(), ...options.split(' ')]);

  expect([status, stdout]).toEqual([0, expect.stringContaining(message)]);
});

test('an index in a folder of a server changes to GitHub Pages as its next steps say', async () => {
  const folder = temporaryFolder();
  const daily = '.github/workflows/daily.yml';
  const begun = await runHere(['init', folder]);
  const config = readJsonIn<object>(folder, 'site/site.json');

  expect(readFileSync(join(folder, daily), 'utf8')).toContain('self-hosted');

  writeIn(folder, 'site/site.json', { ...config, hosting: 'pages' });
  const updated = await runHere(['init', folder, '--update']);

  expect([begun.status, updated.status]).toEqual([0, 0]);
  expect(readFileSync(join(folder, daily), 'utf8')).not.toContain('self-hosted');
  expect(readFileSync(join(folder, daily), 'utf8')).toContain('pages: write');
});

test.each(['', '--to /srv/site'])(
  '--update with %j keeps the folder in the Dockerfile',
  async (to) => {
    const folder = temporaryFolder();
    await runHere(['init', folder, '--ci', 'none', ...to.split(' ').filter(Boolean)]);

    const { stdout } = await runHere(['init', folder, '--update']);

    expect(stdout).toContain('Nothing to change');
  },
);

test('a wrong --line is named as --line', async () => {
  const args = ['init', temporaryFolder(), '--support', 'term:18', '--line', 'two'];
  const { status, stderr } = await runHere(args);

  expect([status, stderr]).toEqual([2, expect.stringMatching(/^--line: .+; got "two"$/m)]);
});

test('--update --program installs the pinned packages after an installation that failed', async () => {
  const folder = temporaryFolder();
  const program = temporaryFolder();
  const packed = `release-index-${programVersion}.tgz`;
  writeIn(program, packed, 'packed');
  await runHere(['init', folder, '--host', 'cloudflare', '--program', program]);

  const npm = join(program, 'npm-cli.js');
  const update = () =>
    runHere(['init', folder, '--update', '--program', program], { npm_execpath: npm });
  const integrity = `sha512-${hash('sha512', 'packed', 'base64')}`;
  const lock = (manifest: object) => ({
    packages: {
      '': manifest,
      'node_modules/release-index': { version: programVersion, integrity },
    },
  });
  const pinned = readJsonIn<{ devDependencies: object }>(folder, 'package.json');
  const outdated = { ...pinned, devDependencies: { wrangler: '1.0.0' } };
  writeIn(folder, 'package.json', outdated);
  writeIn(folder, 'package-lock.json', lock(outdated));
  writeIn(program, 'npm-cli.js', 'process.exit(1)');
  const failed = await update();
  const lockText = JSON.stringify(lock(pinned));
  writeIn(
    program,
    'npm-cli.js',
    `require('node:fs').writeFileSync('package-lock.json', ${JSON.stringify(lockText)})`,
  );
  const installed = await update();
  const again = await update();

  expect([failed.status, installed.status, again.status]).toEqual([1, 0, 0]);
  expect(installed.stdout).toContain('package-lock.json');
  expect(installed.stdout).toContain('Next:');
  expect(failed.stdout).not.toContain('Next:');
  expect(JSON.stringify(readJsonIn(folder, 'package.json'))).toBe(JSON.stringify(pinned));
  expect(readJsonIn(folder, 'package-lock.json')).toEqual(lock(pinned));
  expect(again.stdout).toContain('Nothing to change');
});

test('--update pins no dependency whose name every object has', async () => {
  const folder = temporaryFolder();
  const program = temporaryFolder();
  await runHere(['init', folder, '--host', 'cloudflare']);
  const manifest = readJsonIn<{ devDependencies: object }>(folder, 'package.json');
  const devDependencies = { ...manifest.devDependencies, wrangler: '1.0.0', constructor: '1.0.0' };
  writeIn(folder, 'package.json', { ...manifest, devDependencies });
  writeIn(program, `release-index-${programVersion}.tgz`, '');

  const env = { PATH: '', npm_execpath: '' };
  await runHere(['init', folder, '--update', '--program', program], env);

  expect(readJsonIn(folder, 'package.json')).toMatchObject({
    devDependencies: { constructor: '1.0.0' },
  });
});

test('init names no lines that a kept file has, whatever its line ends', async () => {
  const folder = temporaryFolder();
  await runHere(['init', folder]);
  const ignored = filesIn(folder)['.gitignore']!;
  const other = temporaryFolder();
  writeIn(other, '.gitignore', ignored.replaceAll('\n', '\r\n'));
  writeIn(other, '.gitattributes', '*.png binary\r\ndata/** text eol=lf\r\n');

  const { status, stderr } = await runHere(['init', other]);

  expect(status).toBe(0);
  expect(linesOf(stderr)).toEqual(
    ['.gitattributes', '.gitignore'].map(
      (name) => `notice: ${join(other, name)}: stays unchanged. It has every needed line`,
    ),
  );
});
