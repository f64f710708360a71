import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { linesOf } from '../../harness/cli.ts';
import type { Workflow } from '../../harness/github-run.ts';
import { filesIn, pathsIn, readJsonIn, temporaryFolder, writeIn } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { addresses, manifest } from '../../harness/init-options.ts';
import { lintWorkflowsOf } from '../../harness/workflow-lint.ts';

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
  expect(workflow).toContain('# The program of package-lock.json.\n        run: npm ci');
  expect(workflow).not.toMatch(/cache\/program|workflow_sha|its own commit|# (?:only|end)\b/);
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
