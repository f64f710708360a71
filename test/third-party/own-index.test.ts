import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';
import { globSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { checkout } from '../harness/checkout.ts';
import { linesOf } from '../harness/cli.ts';
import { startCloudflare } from '../harness/cloudflare.ts';
import { runDaily } from '../harness/github-run.ts';
import { gitServer } from '../harness/git-server.ts';
import {
  differencesFromCheckout,
  emptyComputer,
  packagesToAdd,
  packProgram,
  type OwnIndex,
} from '../harness/own-index.ts';
import { textOf } from '../harness/runbook.ts';
import { commandsFolder, sharingNpm } from '../harness/sharing-npm.ts';
import { makeSecretKey, publicKeyOf } from '../harness/signing-key.ts';
import { startSite } from '../harness/static-site.ts';
import { oldestNode } from './install.ts';
import { pathsIn, readJsonIn, temporaryFolder, writeIn } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';

/** With the package in a registry, in place of the file that `npm run init` puts into an index. */
const commands = [
  'npx release-index init --host cloudflare',
  'npm install',
  'npx release-index add npm eslint',
  'npx release-index start',
  'npx release-index preview',
];
const tarball = packProgram();

describe('in an empty folder, on the oldest Node that the package takes', () => {
  const installed = temporaryFolder();
  const shared = commandsFolder({ npm: sharingNpm(installed) });
  let index: OwnIndex;

  beforeAll(async () => {
    index = await emptyComputer(tarball, join(oldestNode.dir, 'bin'));
  }, 300_000);
  afterAll(() => index.registry.close());

  test('five commands lead to a page and an API', async () => {
    const [preview, ...before] = commands.toReversed();

    for (const command of before.reverse()) {
      const run = await index.shell(command);
      expect(run, command).toMatchObject({ status: 0 });
      expect(`${run.stdout}${run.stderr}`, command).not.toMatch(/^(?:error|warning)/m);
    }
    // Any port, as others may listen on the usual one.
    const server = spawn('bash', ['-c', `exec ${preview} --port 0`], {
      cwd: index.folder,
      env: index.env,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    try {
      let said = '';
      for await (const chunk of server.stdout) {
        said += String(chunk);
        if (said.includes('\n')) {
          break;
        }
      }
      const address = / at (http:\S+) /.exec(said)![1]!;
      const page = await (await fetch(address)).text();
      const answer = await (await fetch(`${address}api/components/eslint`)).json();

      expect(page).toContain('<a href="eslint.html"><bdi>eslint</bdi></a>');
      expect(answer).toMatchObject({ component: 'eslint' });
    } finally {
      process.kill(-server.pid!, 'SIGINT');
      await once(server, 'exit');
    }
  }, 300_000);

  test('three packages are added, gathered and built into the site that the checkout builds, byte for byte', async () => {
    for (const name of packagesToAdd.slice(1)) {
      const added = await index.shell(`npx release-index add npm ${name}`);
      expect(added, added.stderr).toMatchObject({ status: 0 });
    }
    const { stdout: version } = await index.shell('node --version');
    const gathered = await index.shell('npx release-index gather');
    const built = await index.shell('npx release-index build');
    // With the Node that everybody else has.
    const checked = await index.shell('npx release-index check', {
      env: { PATH: process.env['PATH']! },
    });

    expect(version).toBe(`v${oldestNode.version}\n`);
    expect(readJsonIn(index.folder, 'node_modules/release-index/package.json')).toMatchObject({
      engines: { node: `>=${oldestNode.version}` },
    });
    expect([gathered.status, built.status, checked.status], checked.stderr).toEqual([0, 0, 0]);
    expect(checked.stdout).toBe('check: 3 components, 0 errors, 2 warnings.\n');
    expect(readJsonIn(index.folder, 'dist/index.json')).toEqual([
      'eslint',
      'example-agent',
      'example-server',
    ]);
    expect(await differencesFromCheckout(index.folder)).toEqual([]);
    const { packages } = readJsonIn<{ packages: object }>(index.folder, 'package-lock.json');
    const ofDevelopment = /node_modules\/(?:node-|typescript|vitest|@types)/;
    expect(Object.keys(packages).filter((path) => ofDevelopment.test(path))).toEqual([]);
  }, 120_000);

  test('help and messages name a command that works in the folder of the index', async () => {
    const help = await index.shell('npx release-index build --help');
    const wrong = await index.shell('npx release-index biuld');

    expect(help.stdout).toContain('\nusage: npx release-index build [options]\n');
    expect(help.stdout).toContain('(default: the current folder)');
    expect(linesOf(wrong.stderr).at(-1)).toBe('Help: npx release-index --help');
  });

  const action = join(checkout, '.github/actions/release-index/run.sh');

  test('the action runs the program of the lock file', async () => {
    const run = await index.shell(`bash ${action}`, { env: { VERB: 'check', ARGUMENTS: '' } });

    expect(run.stdout).toBe('check: 3 components, 0 errors, 2 warnings.\n');
  });

  test('the action without a lock file installs its version with what is locked with it, and runs no install scripts', async () => {
    const name = '@actions/exec';
    const listed = (await (
      await fetch(`${index.registry.url}${encodeURIComponent(name)}`)
    ).json()) as {
      versions: Record<string, object>;
    };
    const newer = { name, version: '3.99.0', dist: { tarball: `${index.registry.url}-/nothing` } };
    index.registry.packuments.set(name, {
      ...listed,
      'dist-tags': { latest: newer.version },
      versions: { ...listed.versions, [newer.version]: newer },
    });
    const home = temporaryFolder();
    const elsewhere = temporaryFolder();
    const env = {
      HOME: home,
      VERB: 'init',
      ARGUMENTS: '--json\na folder; $(exit 7)\n',
      npm_config_ignore_scripts: 'false',
    };
    const line = `npx() { printenv npm_config_ignore_scripts >told; command npx "$@"; }; export -f npx
      bash <(sed 's/^exec //' ${action} | sed "s#\\$0#${action}#")`;

    const run = await index.shell(line, { cwd: elsewhere, env });
    index.registry.packuments.delete(name);

    expect(run, run.stderr).toMatchObject({ status: 0 });
    expect(pathsIn(join(elsewhere, 'a folder; $(exit 7)'))).toContain('site/site.json');
    expect(pathsIn(elsewhere).filter((path) => path.startsWith('node_modules'))).toEqual([]);
    expect(readFileSync(join(elsewhere, 'told'), 'utf8')).toBe('true\n');
    const installed = globSync(`.npm/_npx/**/node_modules/${name}/package.json`, { cwd: home });
    expect(installed.map((path) => readJsonIn<{ version: string }>(home, path).version)).toEqual(
      Object.keys(listed.versions),
    );
  }, 120_000);

  test('the job that asks upstreams hands credentials of registries to the program, and nothing else', async () => {
    const { jobs } = load(
      readFileSync(join(checkout, '.github/workflows/publish.yml'), 'utf8'),
    ) as {
      jobs: { gather: { steps: { run?: string }[] } };
    };
    const script = jobs.gather.steps.find(({ run }) => run?.includes(' gather '))!.run!;

    const print = 'printenv RELEASE_INDEX_AUTH_NPM_EXAMPLE_COM RELEASE_INDEX_AUTH_B PATH';
    const AUTH =
      'RELEASE_INDEX_AUTH_NPM_EXAMPLE_COM=Bearer a.b=\nPATH=/nowhere\n\nRELEASE_INDEX_AUTH_B=Basic dTpw';
    const run = await index.shell(`npm() { npx release-index "\${@:7}" && ${print}; }\n${script}`, {
      env: { AUTH },
    });

    expect(run.status, run.stderr).toBe(0);
    expect(linesOf(run.stdout).slice(-3)).toEqual(['Bearer a.b=', 'Basic dTpw', index.env['PATH']]);
    expect(readJsonIn(index.folder, 'data/freshness/eslint.json')).toBeDefined();
  });

  /** Replaces the versions that the registry lists of a package. */
  function list(name: string, ...versions: string[]): void {
    index.registry.packuments.set(name, {
      name,
      homepage: 'https://example.com/',
      repository: { type: 'git', url: 'git+https://github.com/example/it.git' },
      'dist-tags': { latest: versions.at(-1) },
      versions: Object.fromEntries(versions.map((version) => [version, { name, version }])),
      time: Object.fromEntries(versions.map((version) => [version, '2026-01-01T00:00:00.000Z'])),
    });
  }

  /** A host, and the address of its site. */
  async function startHost(host: string) {
    if (host === 'cloudflare') {
      const cloudflare = await startCloudflare();
      onTestFinished(() => cloudflare.close());
      return { address: cloudflare.siteUrl, options: '', env: cloudflare.credentials };
    }
    const live = temporaryFolder();
    return { address: await startSite(live), options: `--to ${live}`, env: {} };
  }

  test.each([
    ['none', 'Dockerfile'],
    ['gitlab', '.gitlab-ci.yml'],
  ])('what a clone is run with is the same for every host: %s', async (ci, file) => {
    const hosts = ['files', 'cloudflare'];
    const folders = hosts.map(() => temporaryFolder());
    for (const [at, host] of hosts.entries()) {
      await runHere(['init', folders[at]!, '--ci', ci, '--host', host]);
    }
    const texts = folders.map((folder) => readFileSync(join(folder, file), 'utf8'));

    expect(texts[0]!.replaceAll(/^ *#.*\n/gm, '')).toBe(texts[1]!.replaceAll(/^ *#.*\n/gm, ''));
  });

  // Each way once, and each host.
  test.each([
    { host: 'files', ways: ['container', 'cron'] },
    { host: 'cloudflare', ways: ['GitLab'] },
  ] as const)(
    'each way without GitHub runs the day on a clone, pushes it and changes the live site: $host',
    async ({ host, ways }) => {
      const name = `by-${host}`;
      const served = temporaryFolder();
      const bare = join(served, 'group/index.git');
      const folder = temporaryFolder();
      const { address, options, env: ofHost } = await startHost(host);
      const env = { ...ofHost, PATH: `${shared}:${index.env['PATH']}` };
      const addresses = `--releases-url ${address} --repository-url https://example.com/r`;
      list(name, '1.0.0');
      const begin = [
        `npx release-index init ${folder} --ci none --host ${host} ${options} ${addresses} --add "npm ${name}"`,
        `cd ${folder} && npm install --package-lock-only`,
        `git init --quiet --bare --initial-branch=main ${bare} && git -C ${bare} config http.receivepack true`,
        'git init --quiet --initial-branch=main && git add --all',
        'git -c user.name=A -c user.email=a@example.com commit --quiet --message Begin',
        `git push --quiet ${bare} main`,
      ];
      const begun = await index.shell(begin.join(' && '), { env });
      expect(begun, begun.stderr).toMatchObject({ status: 0 });
      const server = createServer(gitServer(served));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      onTestFinished(() => void server.close());
      const forge = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      const repository = `http://user:token@${forge}/group/index.git`;
      const dockerfile = readFileSync(join(folder, 'Dockerfile'), 'utf8').replaceAll('\\\n', '');
      const gitlab = temporaryFolder();
      await index.shell(`npx release-index init ${gitlab} --ci gitlab --host ${host}`);
      const pipeline = load(readFileSync(join(gitlab, '.gitlab-ci.yml'), 'utf8')) as {
        'release-index-daily': {
          script: string[];
          after_script: string[];
          variables: Record<string, string>;
        };
      };
      const job = pipeline['release-index-daily'];
      const clone = temporaryFolder();
      const days = {
        container() {
          const [, variables] = /^ENV (.*)$/m.exec(dockerfile)!;
          const [, commands] = /^CMD (.*)$/m.exec(dockerfile)!;
          return index.shell(`export ${variables}\nexec sh -c "$COMMANDS"`, {
            cwd: clone,
            env: { ...env, COMMANDS: commands!, REPOSITORY: repository },
          });
        },
        async GitLab() {
          // As a runner of GitLab leaves it: a commit, and a remote with a token that may only read.
          await index.shell(
            `git clone --quiet ${bare} gitlab && git -C gitlab checkout --quiet --detach`,
            {
              cwd: clone,
            },
          );
          return index.shell(['set -e', ...job.script, ...job.after_script].join('\n'), {
            cwd: join(clone, 'gitlab'),
            env: {
              ...env,
              ...job.variables,
              CI_COMMIT_BRANCH: 'main',
              CI_PROJECT_DIR: join(clone, 'gitlab'),
              CI_PROJECT_PATH: 'group/index',
              CI_SERVER_PROTOCOL: 'http',
              CI_SERVER_FQDN: forge,
              PUSH_TOKEN: 'token',
            },
          });
        },
        async cron() {
          await index.shell(`git clone --quiet ${repository} cron && cd cron && npm ci`, {
            cwd: clone,
            env,
          });
          const line = textOf('cron')
            .replace(/^(\S+ ){5}/, '')
            .replace('/srv/index', join(clone, 'cron'));
          return index.shell(line, { cwd: temporaryFolder(), env: { ...env, ...job.variables } });
        },
      };

      const known = ['1.0.0'];
      for (const way of ways) {
        const version = `1.${known.length}.0`;
        known.push(version);
        list(name, ...known);
        const day = await days[way]();

        expect(day, `${way}: ${day.stderr}`).toMatchObject({ status: 0 });
        const log = execFileSync('git', ['-C', bare, 'log', '--format=%s', 'main'], {
          encoding: 'utf8',
        });
        const recorded = known.length === 2 ? known.join(', ') : version;
        expect(linesOf(log)[0], way).toBe(`Record ${name} ${recorded}`);
        const live = await (await fetch(`${address}/${name}.json`)).json();
        expect(live, way).toMatchObject({ tags: { latest: version } });
        if (way === 'GitLab') {
          expect(day.stdout).toContain('Nothing needs attention.');
        }
      }

      if (spawnSync('docker', ['info']).status !== 0) {
        console.log('Not built: no container engine runs here.');
      } else {
        expect(spawnSync('docker', ['build', '-'], { input: dockerfile }).status).toBe(0);
      }
    },
    300_000,
  );

  const oneDay = [['1.0.0', '1.1.0']];
  const twoDays = [['1.0.0'], ['1.0.0', '1.1.0']];

  /** An index in a repository on loopback, in which the workflow "daily" runs once for each list of versions. */
  async function daysAtGithub(
    name: string,
    lists: readonly (readonly string[])[],
    options: string,
    given: {
      folder?: string;
      secrets?: (root: string) => Promise<Record<string, string>>;
      pages?: string;
      env?: Record<string, string>;
      signingPublicKey?: string;
    } = {},
  ) {
    const { folder = '.', secrets, pages, env = {}, signingPublicKey } = given;
    const [top, bare] = [temporaryFolder(), temporaryFolder()];
    const root = join(top, folder);
    list(name, ...lists[0]!);
    const author = '-c user.name=A -c user.email=a@example.com';
    const begin = [
      `git init --quiet --bare --initial-branch=main ${bare}`,
      `git init --quiet --initial-branch=main ${top}`,
      `npx release-index init ${root} ${options} --add "npm ${name}"`,
      `cd ${root} && npm install --package-lock-only && cd ${top}`,
    ];
    const begun = await index.shell(begin.join(' && '), {
      env: { PATH: `${shared}:${index.env['PATH']}` },
    });
    expect(begun, begun.stderr).toMatchObject({ status: 0 });
    if (signingPublicKey !== undefined) {
      const site = readJsonIn<object>(root, 'site/site.json');
      writeIn(root, 'site/site.json', { ...site, signingPublicKey });
    }
    const commit = [
      `npx release-index init ${root} --update --yes`,
      `cd ${top}`,
      `git add --all && git ${author} commit --quiet --message Begin && git push --quiet ${bare} main`,
    ];
    const committed = await index.shell(commit.join(' && '));
    expect(committed, committed.stderr).toMatchObject({ status: 0 });
    const computer = {
      ...{ remote: bare, shell: index.shell, path: index.env['PATH']!, installed, pages, env },
      secrets: (await secrets?.(root)) ?? {},
    };
    const days = [];
    for (const versions of lists) {
      list(name, ...versions);
      const day = await runDaily(computer, top);
      expect(day.isFailed, day.log).toBe(false);
      days.push(day);
    }
    return days;
  }

  test('at GitHub, your own runner publishes into a folder, and attests nothing', async () => {
    const live = join(temporaryFolder(), 'live');
    const days = await daysAtGithub(
      'at-files',
      oneDay,
      `--to ${live} --releases-url https://releases.example.com --repository-url https://github.com/example/index`,
    );

    expect(readJsonIn(live, 'at-files.json')).toMatchObject({ tags: { latest: '1.1.0' } });
    expect(days.flatMap(({ attested }) => attested)).toEqual([]);
  }, 300_000);

  test('at GitHub, Pages gets each day a site that is compared with the live one, and attested', async () => {
    const pages = temporaryFolder();
    const address = await startSite(pages);
    const days = await daysAtGithub(
      'at-pages',
      twoDays,
      `--host pages --releases-url ${address} --repository-url https://github.com/example/index`,
      { pages },
    );

    expect(readJsonIn(pages, 'at-pages.json')).toMatchObject({ tags: { latest: '1.1.0' } });
    const digest = createHash('sha256')
      .update(readFileSync(join(pages, 'SHA256SUMS')))
      .digest('hex');
    expect(days.at(-1)!.attested).toEqual([`sha256:${digest}`]);
  }, 300_000);

  test('at GitHub, a public index goes to Cloudflare, and is attested', async () => {
    const { address, env } = await startHost('cloudflare');
    const days = await daysAtGithub(
      'at-public',
      oneDay,
      `--host cloudflare --releases-url ${address} --repository-url https://github.com/example/index`,
      { env, secrets: () => Promise.resolve(env) },
    );
    const sums = Buffer.from(await (await fetch(`${address}/SHA256SUMS`)).arrayBuffer());

    expect(await (await fetch(`${address}/at-public.json`)).json()).toMatchObject({
      tags: { latest: '1.1.0' },
    });
    expect(days.at(-1)!.attested).toEqual([
      `sha256:${createHash('sha256').update(sums).digest('hex')}`,
    ]);
  }, 300_000);

  test('at GitHub, a private and signed index in a folder, with its own workflows, goes to Cloudflare', async () => {
    const cloudflare = await startCloudflare();
    onTestFinished(() => cloudflare.close());
    const signingKey = makeSecretKey();
    let key = '';
    await daysAtGithub(
      'at-cloudflare',
      oneDay,
      `--private jane@example.com --releases-url ${cloudflare.siteUrl} --repository-url https://github.com/example/index`,
      {
        folder: 'docs/releases',
        signingPublicKey: publicKeyOf(signingKey),
        env: { CLOUDFLARE_API_BASE_URL: cloudflare.apiBaseUrl },
        async secrets(root) {
          const made = await index.shell(
            `npx release-index key new --user jane --expires 2099-01-01 --root ${root}`,
          );
          key = made.stdout.trim();
          return {
            CLOUDFLARE_API_TOKEN: cloudflare.token,
            CLOUDFLARE_ACCOUNT_ID: 'account',
            RELEASE_INDEX_SIGNING_KEY: signingKey,
            RELEASE_INDEX_ACCESS_KEYS: readFileSync(join(root, '.access/keys.json'), 'utf8'),
            RELEASE_INDEX_KEY: key,
          };
        },
      },
    );
    const read = (path: string, headers: Record<string, string>) =>
      fetch(`${cloudflare.siteUrl}/${path}`, { headers });
    const authorization = `Bearer ${key}`;

    expect((await read('at-cloudflare.json', {})).status).toBe(401);
    const answer = await read('at-cloudflare.json', { authorization });
    expect(await answer.json()).toMatchObject({ tags: { latest: '1.1.0' } });
    expect((await read('SHA256SUMS.minisig', { authorization })).status).toBe(200);
  }, 300_000);

  test('without wrangler, which only hosts need, everything else works, and preview says what to install', async () => {
    renameSync(
      join(index.folder, 'node_modules/wrangler'),
      join(index.folder, 'node_modules/.wrangler'),
    );

    const built = await index.shell('npx release-index build');
    const { status, stderr } = await index.shell('npx release-index preview --port 0');

    expect(built.status).toBe(0);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /wrangler: is not installed\. Install it: npm install --save-dev wrangler@\^\d+\.\d+\.\d+/,
    );
  });
});
