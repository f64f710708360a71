import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveFolder } from '../src/deliver/host/static-server.ts';
import { linesOf, ownProgram } from './harness/cli.ts';
import { startCloudflare, type Cloudflare } from './harness/cloudflare.ts';
import { npmRegistry } from './harness/npm-registry.ts';
import { readJsonIn, temporaryFolder, writeIn } from './harness/root.ts';
import type { Run } from './harness/run.ts';
import { runbook, sampleOf } from './harness/runbook.ts';

vi.setConfig({ testTimeout: 240_000 });

const blocks = commandBlocks();

/** Sections for a private index; all others are walked with a public one. */
const ofPrivateIndex = [
  'Make the index private',
  'Publish without access keys',
  'A leaked access key',
  'Access keys that end soon',
];

const versions = ['3.3.0', '3.4.0', '3.4.1'];
const packument = {
  name: 'agent',
  homepage: 'https://example.com/',
  repository: 'https://github.com/example/agent',
  versions: Object.fromEntries(versions.map((version) => [version, { name: 'agent', version }])),
  time: Object.fromEntries(versions.map((version, index) => [version, `2026-0${index + 1}-01T00:00:00Z`])),
};

/** What a person does before a block. Gives values of its placeholders. */
type Steps = Record<string, (computer: Computer) => Promise<Values | void> | Values | void>;
type Values = Record<string, string>;

const edit = (path: string, change: object) => (computer: Computer) =>
  writeIn(computer.folder, path, { ...readJsonIn<object>(computer.folder, path), ...change });

/** The second half of a key pair becomes the one of the site. */
const useSigningKey = (computer: Computer) =>
  edit('site/site.json', { signingPublicKey: linesOf(computer.last.stdout).at(-1) })(computer);

const stepsOfPublicIndex: Steps = {
  'Set up a new index 2': async (computer) => {
    // A host that is quicker than the imitation of the other.
    edit('site/site.json', { hosting: { folder: computer.served } })(computer);
    await computer.shell('npx release-index build && git commit -qam Host && git push -q');
  },
  'Sign what is published 2': useSigningKey,
  'A leaked signing key 2': useSigningKey,
  'Verify, as a reader 2': ({ folder }) => ({
    signingPublicKey: readJsonIn<{ signingPublicKey: string }>(folder, 'site/site.json').signingPublicKey,
  }),
  'When the workflow fails 2': async (computer) => {
    writeFileSync(join(computer.folder, 'data/agent.json'), '{');
    await computer.shell('npx release-index daily');
    await computer.shell('git checkout data');
    return {
      alert: /`([0-9a-f]{10})`/.exec(
        (await computer.shell('npx release-index attention --print')).stdout,
      )![1]!,
    };
  },
  'Held until a person has checked the answer of its source 1': async (computer) => {
    const { sources } = readJsonIn<{ sources: object[] }>(computer.folder, 'components/agent.json');
    edit('components/agent.json', { sources: [{ ...sources[0], ...sampleOf('exclusion') }] })(computer);
    await computer.shell('git commit -qam Exclude && git push -q');
  },
  'Held until a person has checked the answer of its source 2': ({ last }) => ({
    id: /accept ([0-9a-f]{10})/.exec(last.stdout + last.stderr)![1]!,
  }),
  'Invalid definition or recorded file 1': ({ folder }) => {
    writeFileSync(join(folder, 'data/agent.json'), '{');
    return { commit: 'HEAD', file: 'data/agent.json' };
  },
  'Roll back 2': () => ({ commit: 'HEAD' }),
  'Merge conflicts in data 2': async (computer) => {
    const reset = 'git reset -q --hard; git checkout -q main; git reset -q --hard origin/main';
    await computer.shell(`${reset}; sed -i '$ d' data/journal/agent-2.ndjson`);
  },
  'Merge conflicts in data 1': async (computer) => {
    const change = (version: string) =>
      `sed -i s/3.3.0/${version}/ data/agent-2.json && git commit -qam ${version}`;
    await computer.shell(
      `git checkout -q -b proposal; ${change('3.1.0')}; git checkout -q main; ${change('3.2.0')}`,
    );
    expect((await computer.shell('git checkout -q proposal; git merge main')).stdout).toContain('CONFLICT');
    return { component: 'agent-2' };
  },
};

test('each command of the runbook succeeds, in the order of the page', async () => {
  const computer = await openComputer();

  await computer.walk(
    blocks.filter(({ heading }) => !ofPrivateIndex.includes(heading)),
    stepsOfPublicIndex,
  );

  expect(computer.calls().filter((call) => call.startsWith('gh workflow '))).toContain(
    'gh workflow disable daily.yml',
  );
});

test('each command about keys succeeds, and ends the leaked one', async () => {
  const cloudflare = await startCloudflare();
  onTestFinished(() => cloudflare.close());
  const computer = await openComputer(cloudflare);
  const secret = (file: string) => readFileSync(join(computer.folder, '../secrets', file), 'utf8');
  const statusWith = async (key: string) =>
    (await fetch(`${cloudflare.siteUrl}/agent.json`, { headers: { authorization: `Bearer ${key}` } })).status;
  let leaked = '';

  await computer.walk(
    blocks.filter(({ heading }) => ['Set up a new index', ...ofPrivateIndex].includes(heading)),
    {
      'Make the index private 1': ({ folder }) => {
        writeIn(folder, 'site/access.json', sampleOf('access'));
        return { day: '2999-01-01' };
      },
      'A leaked access key 1': () => ({ 'leaked-key': (leaked = secret('RELEASE_INDEX_KEY')) }),
      'Access keys that end soon 1': () => ({ name: 'jane-2' }),
    },
  );

  expect([await statusWith(leaked), await statusWith(secret('RELEASE_INDEX_KEY'))]).toEqual([401, 200]);
});

interface Block {
  heading: string;
  /** Its heading, and its number below that. */
  name: string;
  script: string;
}

interface Computer {
  folder: string;
  /** A folder that a server serves. */
  served: string;
  /** The block before. */
  last: Run;
  shell(script: string): Promise<Run>;
  /** The commands that were only noted down. */
  calls(): string[];
  walk(blocks: readonly Block[], steps: Steps): Promise<void>;
}

/** "Commands that publish need the secrets of the workflow." */
const useSigningKeyOfJob = `set -e
file=../secrets/RELEASE_INDEX_SIGNING_KEY
[ ! -s $file ] || export RELEASE_INDEX_SIGNING_KEY="$(cat $file)"`;

/** Every block of shell commands. */
function commandBlocks(): Block[] {
  const found: Block[] = [];
  for (const section of runbook.split(/^(?=##+ )/m)) {
    const heading = /^#+ (.*)/.exec(section)![1]!;
    for (const [index, match] of Array.from(section.matchAll(/^( *)```sh\n(.*?)\n\1```$/gms)).entries())
      found.push({ heading, name: `${heading} ${index + 1}`, script: match[2]!.replaceAll(/^ {3}/gm, '') });
  }
  return found;
}

/**
 * A checkout with a remote. npm, gh, wrangler and docker only note down what they are asked for; but gh keeps secrets, and runs
 * the day with them.
 */
async function openComputer(cloudflare?: Cloudflare): Promise<Computer> {
  const served = temporaryFolder();
  const server = await serveFolder(served);
  onTestFinished(() => server.close());
  const registry = await npmRegistry({ agent: (_, response) => response.end(JSON.stringify(packument)) });
  const home = temporaryFolder();
  const [bin, remote, folder, notes] = ['bin', 'remote.git', 'index', 'calls'].map((name) =>
    join(home, name),
  ) as [string, string, string, string];
  for (const name of ['bin', 'secrets']) mkdirSync(join(home, name));
  const install = (name: string, script: string) =>
    writeFileSync(join(bin, name), `#!/bin/bash\necho "${name} $*" >>${notes}\n${script}\n`, { mode: 0o755 });
  for (const name of ['npm', 'docker']) install(name, '');
  install(
    'npx',
    `while [[ $1 == --* ]]; do shift; done
[ "$1" = release-index ] || exit 0
[ "$2" = init ] || root=(--root "$PWD")
exec ${process.execPath} ${ownProgram} "\${@:2}" "\${root[@]}"`,
  );
  install(
    'gh',
    `case "$1 $2" in
'secret set') value=$([ "$4" = --body ] && echo "$5" || cat); [ -z "$value" ] || printf '%s' "$value" >${home}/secrets/$3 ;;
'workflow run')
  for file in ${home}/secrets/*; do export "$(basename $file)=$(cat $file)"; done
  rm -rf ${home}/runner; git clone -q ${remote} ${home}/runner && cd ${home}/runner && npx release-index daily --push ;;
esac`,
  );
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
  execFileSync('git', ['clone', '--quiet', remote, folder], { stdio: 'pipe' });
  const author = { NAME: 'Tester', EMAIL: 'tester@example.com' };
  const env = {
    ...Object.fromEntries(
      Object.entries(author).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value],
      ]),
    ),
    PATH: [bin, process.env['PATH']].join(delimiter),
    HOME: home,
    NO_COLOR: '1',
    CI: '1',
    ENDOFLIFE_DATE_URL: '',
    npm_config_registry: registry.url,
    ...(cloudflare && {
      CLOUDFLARE_API_TOKEN: cloudflare.token,
      CLOUDFLARE_ACCOUNT_ID: 'account',
      CLOUDFLARE_API_BASE_URL: cloudflare.apiBaseUrl,
    }),
  };
  const today = new Date().toISOString().slice(0, 10);
  const computer: Computer = {
    ...{ folder, served },
    last: { status: 0, stdout: '', stderr: '' },
    async shell(script) {
      const child = spawn(
        'bash',
        [
          '-c',
          `${useSigningKeyOfJob}
${script}`,
        ],
        {
          ...{ cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] },
        },
      );
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
      const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      return { stdout, stderr, status };
    },
    calls: () => linesOf(readFileSync(notes, 'utf8')),
    async walk(wanted, steps) {
      const names = wanted.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(Object.keys(steps)));
      const usual = {
        ...{ package: 'agent', component: 'agent', version: '3.4.0', day: today, name: 'jane' },
        ...{ worker: 'releases', owner: 'me', repository: 'my-index', 'new-name': 'agent-2' },
      };
      for (const { heading, name, script } of wanted) {
        if (name === `${heading} 1` && computer.calls().length > 0)
          await computer.shell('git pull -q --rebase');
        const values: Values = { ...usual, ...(await steps[name]?.(computer)) };
        const typed = script
          .replaceAll('https://releases.example.com', cloudflare?.siteUrl ?? server.url)
          .replaceAll(/<([a-z][A-Za-z-]*)>/g, (_, placeholder: string) => values[placeholder]!);
        computer.last = await computer.shell(typed);
        const [, status = 0] = /# ends with (\d)/.exec(script) ?? [];
        expect(computer.last, `${name}:\n${typed}`).toMatchObject({ status: Number(status) });
      }
    },
  };
  writeFileSync(notes, '');
  return computer;
}
