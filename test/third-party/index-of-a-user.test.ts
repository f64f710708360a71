import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { checkout } from '../harness/checkout.ts';
import { linesOf } from '../harness/cli.ts';
import {
  differencesFromCheckout,
  emptyComputer,
  packagesToAdd,
  packProgram,
  type OwnIndex,
} from '../harness/own-index.ts';
import { oldestNode } from './install.ts';
import { pathsIn, readJsonIn, temporaryFolder } from '../harness/root.ts';

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
    // npm takes what is installed in the nearest folder above that has a package.json.
    writeFileSync(join(elsewhere, 'package.json'), '{}');
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
      jobs: Record<string, { steps?: { run?: string }[] }>;
    };
    const steps = Object.values(jobs).flatMap((job) => job.steps ?? []);
    const script = steps.find(({ run }) => run?.includes(' daily '))!.run!;

    const print = 'printenv RELEASE_INDEX_AUTH_NPM_EXAMPLE_COM RELEASE_INDEX_AUTH_B PATH';
    const AUTH =
      'RELEASE_INDEX_AUTH_NPM_EXAMPLE_COM=Bearer a.b=\nPATH=/nowhere\n\nRELEASE_INDEX_AUTH_B=Basic dTpw';
    const run = await index.shell(`npm() { npx release-index gather && ${print}; }\n${script}`, {
      env: { AUTH },
    });

    expect(run.status, run.stderr).toBe(0);
    expect(linesOf(run.stdout).slice(-3)).toEqual(['Bearer a.b=', 'Basic dTpw', index.env['PATH']]);
    expect(readJsonIn(index.folder, 'data/freshness/eslint.json')).toBeDefined();
  });

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
