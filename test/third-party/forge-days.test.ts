import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { linesOf } from '../harness/cli.ts';
import { startCloudflare } from '../harness/cloudflare.ts';
import { runDaily } from '../harness/github-run.ts';
import { gitServer } from '../harness/git-server.ts';
import { emptyComputer, packProgram, type OwnIndex } from '../harness/own-index.ts';
import { textOf } from '../harness/runbook.ts';
import { commandsFolder, sharingNpm } from '../harness/sharing-npm.ts';
import { makeSecretKey, publicKeyOf } from '../harness/signing-key.ts';
import { startSite } from '../harness/static-site.ts';
import { oldestNode } from './install.ts';
import { readJsonIn, temporaryFolder, writeIn } from '../harness/root.ts';
import { runHere } from '../harness/run-here.ts';

/** May push. */
const token = 'glpat-c0rrect-horse';

const installed = temporaryFolder();
const shared = commandsFolder({ npm: sharingNpm(installed) });
let index: OwnIndex;

beforeAll(async () => {
  index = await emptyComputer(packProgram(), join(oldestNode.dir, 'bin'));
  const program = await index.shell('npm install release-index');
  expect(program, program.stderr).toMatchObject({ status: 0 });
}, 300_000);
afterAll(() => index.registry.close());

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
      `npx release-index init ${folder} --ci none --host ${host} ${options} ${addresses}`,
      `npx release-index add npm ${name} --root ${folder}`,
      `cd ${folder} && npm install --package-lock-only`,
      `git init --quiet --bare --initial-branch=main ${bare} && git -C ${bare} config http.receivepack true`,
      'git init --quiet --initial-branch=main && git add --all',
      'git -c user.name=A -c user.email=a@example.com commit --quiet --message Begin',
      `git push --quiet ${bare} main`,
    ];
    const begun = await index.shell(begin.join(' && '), { env });
    expect(begun, begun.stderr).toMatchObject({ status: 0 });
    const answer = gitServer(served);
    const server = createServer((request, response) => {
      const [, sent = ''] = (request.headers.authorization ?? '').split(' ');
      if (!Buffer.from(sent, 'base64').toString().endsWith(`:${token}`)) {
        response.writeHead(401, { 'www-authenticate': 'Basic' }).end();
        return;
      }
      answer(request, response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const forge = `127.0.0.1:${(server.address() as AddressInfo).port}`;
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
          env: {
            ...env,
            COMMANDS: commands!,
            REPOSITORY: `http://${forge}/group/index.git`,
            REPOSITORY_LOGIN: `user:${token}`,
          },
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
            PUSH_TOKEN: token,
          },
        });
      },
      async cron() {
        await index.shell(
          `git clone --quiet http://user:${token}@${forge}/group/index.git cron && cd cron && npm ci`,
          {
            cwd: clone,
            env,
          },
        );
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
      // The address that cron was cloned with is a person's own.
      if (way !== 'cron') {
        const secrets = [token, btoa(`release-index:${token}`), btoa(`user:${token}`)];
        const search = ['-rlF', ...secrets.flatMap((secret) => ['-e', secret]), clone];
        expect(spawnSync('grep', search, { encoding: 'utf8' }).stdout).toBe('');
        expect(secrets.filter((secret) => (day.stdout + day.stderr).includes(secret))).toEqual([]);
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
    `npx release-index init ${root} ${options}`,
    `npx release-index add npm ${name} --root ${root}`,
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
    `npx release-index init ${root} --update`,
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
