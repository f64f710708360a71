import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveFolder } from '../src/deliver/host/static-server.ts';
import { linesOf } from './harness/cli.ts';
import { startCloudflare, type Cloudflare } from './harness/cloudflare.ts';
import { npmRegistry } from './harness/npm-registry.ts';
import { readJsonIn, temporaryFolder, writeIn } from './harness/root.ts';
import { runProgram, type Run } from './harness/run.ts';
import { runHere } from './harness/run-here.ts';
import { pages, sampleOf } from './harness/runbook.ts';

vi.setConfig({ testTimeout: 240_000 });

const blocks = commandBlocks();

/** Sections for a private index; all others are walked with a public one. */
const ofPrivateIndex = ['Make an index private', 'A leaked access key', 'Replace an access key'];

const versions = ['3.3.0', '3.4.0', '3.4.1'];
const packument = {
  name: 'agent',
  homepage: 'https://example.com/',
  repository: 'https://github.com/example/agent',
  versions: Object.fromEntries(versions.map((version) => [version, { name: 'agent', version }])),
  time: Object.fromEntries(
    versions.map((version, index) => [version, `2026-0${index + 1}-01T00:00:00Z`]),
  ),
};

/** What a person does before a block. Gives values of its placeholders. */
type Steps = Record<string, (computer: Computer) => Promise<Values | void> | Values | void>;
type Values = Record<string, string>;

const edit = (path: string, change: object) => (computer: Computer) =>
  writeIn(computer.folder, path, { ...readJsonIn<object>(computer.folder, path), ...change });

/** The second half of a key pair becomes the one of the site. */
const useSigningKey = (computer: Computer) =>
  edit('site/site.json', { signingPublicKey: linesOf(computer.last.stdout).at(-1) })(computer);

const oldComponent = {
  title: 'Old agent',
  homepage: 'https://example.com/',
  changelogUrl: 'https://example.com/changelog',
  sources: [
    { datasource: 'static', releases: [{ version: '1.0', releaseTimestamp: '2026-01-01' }] },
  ],
};

const stepsOfPublicIndex: Steps = {
  'Set up a new index 2': async (computer) => {
    // A host that is quicker than the imitation of the other.
    edit('site/site.json', { hosting: { folder: computer.served } })(computer);
    await computer.shell('npx release-index build && git commit -qam Host && git push -q');
  },
  'Sign what is published 2': useSigningKey,
  'Held until you decide 1': async (computer) => {
    edit('components/agent.json', { support: { policy: 'term', months: 1 } })(computer);
    await computer.shell('git commit -qam "Shorten the support" && git push -q');
  },
  'Held until you decide 2': ({ last }) => ({
    id: /accept (\S+)/.exec(last.stdout + last.stderr)![1]!,
  }),
  'Invalid file or folder 1': ({ folder }) => {
    writeFileSync(join(folder, 'data/agent.json'), '{');
    return { commit: 'HEAD', file: 'data/agent.json' };
  },
  'The clock is wrong 1': async (computer) => {
    const reason = 'Published on a wrong day.';
    edit('components/agent.json', { deprecated: [{ versions: ['3.4.1'], reason }] })(computer);
    await computer.shell('git commit -qam Deprecate && npx release-index daily --push');
    const reverted = await computer.shell('git revert --no-edit HEAD && git push -q');
    const { stderr, status } = await computer.shell('npx release-index daily --push');
    expect(reverted.status, reverted.stderr).toBe(0);
    expect(status).toBe(1);
    expect(stderr).toContain('that the journals lack');
  },
  'Remove a component 1': async (computer) => {
    edit('components/agent-2.json', { renamedFrom: ['agent'] })(computer);
    writeIn(computer.folder, 'components/old.json', oldComponent);
    await computer.shell(
      'npx release-index gather && git add --all && git commit -qm "Rename a component"',
    );
    const { status, stderr } = await computer.shell('npx release-index daily --push');
    expect(status, stderr).toBe(0);
    return { component: 'old' };
  },
  'Go back 1': async (computer) => {
    const id = /accept (old-\S+)/.exec(computer.last.stderr)![1]!;
    const accepted = `npx release-index accept ${id} && git add --all && git commit -qm Remove`;
    await computer.shell(`${accepted} && npx release-index daily --push`);
    expect(existsSync(join(computer.served, 'old.json'))).toBe(false);
    edit('components/agent-2.json', { title: 'The wrong title' })(computer);
    await computer.shell('git commit -qam "Edit a title" && git push -q');
    return { commit: 'HEAD' };
  },
  'Merge conflicts in data 1': async (computer) => {
    const change = (version: string) =>
      `sed -i s/3.3.0/${version}/ data/agent-2.json && git commit -qam ${version}`;
    await computer.shell(
      `git checkout -q -b proposal; ${change('3.1.0')}; git checkout -q main; ${change('3.2.0')}`,
    );
    expect((await computer.shell('git checkout -q proposal; git merge main')).stdout).toContain(
      'CONFLICT',
    );
    return { component: 'agent-2' };
  },
};

test('each command of the runbook succeeds, in the order of the page', async () => {
  const computer = await openComputer();

  await computer.walk(
    blocks.filter(({ heading }) => !ofPrivateIndex.includes(heading)),
    stepsOfPublicIndex,
  );

  expect(computer.calls()).toContain('gh workflow run daily.yml');
});

test('each command about keys succeeds, and ends the leaked one', async () => {
  const cloudflare = await startCloudflare();
  onTestFinished(() => cloudflare.close());
  const computer = await openComputer(cloudflare);
  const secret = (file: string) => readFileSync(join(computer.folder, '../secrets', file), 'utf8');
  const statusWith = async (key: string) =>
    (
      await fetch(`${cloudflare.siteUrl}/agent.json`, {
        headers: { authorization: `Bearer ${key}` },
      })
    ).status;
  let leaked = '';

  await computer.walk(
    ['Set up a new index', ...ofPrivateIndex].flatMap((name) =>
      blocks.filter(({ heading }) => heading === name),
    ),
    {
      'Make an index private 1': ({ folder }) => {
        writeIn(folder, 'site/access.json', sampleOf('access'));
        return { day: '2999-01-01' };
      },
      'A leaked access key 1': ({ folder }) => {
        writeIn(folder, '.access/keys.json', []);
        return { 'leaked-key': (leaked = secret('RELEASE_INDEX_KEY')) };
      },
    },
  );

  expect([await statusWith(leaked), await statusWith(secret('RELEASE_INDEX_KEY'))]).toEqual([
    401, 200,
  ]);
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

/** Every block of shell commands, in the order of the pages. */
function commandBlocks(): Block[] {
  const found: Block[] = [];
  for (const section of pages.flatMap((page) => page.split(/^(?=##+ )/m))) {
    const heading = /^#+ (.*)/.exec(section)![1]!;
    for (const [index, match] of Array.from(
      section.matchAll(/^( *)```sh\n(.*?)\n\1```$/gms),
    ).entries()) {
      found.push({
        heading,
        name: `${heading} ${index + 1}`,
        script: match[2]!.replaceAll(/^ {3}/gm, ''),
      });
    }
  }
  return found;
}

/** Runs the program for the shell: a start of its own for each command took most of the time. Returns the port. */
async function serveProgram(): Promise<number> {
  const server = createServer((socket) => {
    const answer = async (request: string) => {
      const [count, ...rest] = Buffer.from(request, 'base64').toString().split('\0');
      const args = rest.splice(0, Number(count));
      const env = rest
        .slice(0, -1)
        .map((line) => /^(.*?)=(.*)$/s.exec(line)!.slice(1) as [string, string]);
      const { status, stdout, stderr } = await runHere(args, Object.fromEntries(env));
      const texts = [stdout, stderr].map((one) => Buffer.from(one).toString('base64'));
      socket.end(`${status}\n${texts.join('\n')}\n`);
    };
    createInterface(socket).once('line', (line) => void answer(line));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/**
 * A checkout with a remote. npm, gh, wrangler and docker only note down what they are asked for; but npm runs init, and gh keeps
 * secrets and runs the day with them.
 */
async function openComputer(cloudflare?: Cloudflare): Promise<Computer> {
  const served = temporaryFolder();
  const server = await serveFolder(served);
  onTestFinished(() => server.close());
  const registry = await npmRegistry({
    agent: (_, response) => response.end(JSON.stringify(packument)),
  });
  const home = temporaryFolder();
  const [bin, remote, folder, notes] = ['bin', 'remote.git', 'index', 'calls'].map((name) =>
    join(home, name),
  ) as [string, string, string, string];
  for (const name of ['bin', 'secrets']) {
    mkdirSync(join(home, name));
  }
  const program = await serveProgram();
  const install = (name: string, script: string) =>
    writeFileSync(join(bin, name), `#!/bin/bash\necho "${name} $*" >>${notes}\n${script}\n`, {
      mode: 0o755,
    });
  install('docker', '');
  install('npm', `[ "$1 $2" != 'run init' ] || npx release-index init "\${@:5}"`);
  install(
    'npx',
    `while [[ $1 == --* ]]; do shift; done
[ "$1" = release-index ] || exit 0
root=(--root "$PWD"); [ "$2" != init ] || root=("$PWD")
exec 3<>/dev/tcp/127.0.0.1/${program}
{ printf '%s\\0' $(($# - 1 + \${#root[@]})) "\${@:2}" "\${root[@]}"; env -0; } | base64 -w0 >&3
echo >&3
read -r status <&3; read -r stdout <&3; read -r stderr <&3
base64 -d <<<"$stderr" >&2; base64 -d <<<"$stdout"
exit $status`,
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
  // The folder that the runbook makes.
  symlinkSync(folder, join(home, 'my-index'));
  writeFileSync(join(home, '.gitconfig'), '[user]\nname = Tester\nemail = tester@example.com\n');
  const env = {
    PATH: [bin, process.env['PATH']].join(delimiter),
    HOME: home,
    NO_COLOR: '1',
    CI: '1',
    ENDOFLIFE_DATE_URL: '',
    npm_config_registry: registry.url,
    ...cloudflare?.credentials,
  };
  const today = new Date().toISOString().slice(0, 10);
  const computer: Computer = {
    ...{ folder, served },
    last: { status: 0, stdout: '', stderr: '' },
    shell: (script) =>
      runProgram('bash', ['-c', `${useSigningKeyOfJob}\n${script}`], { cwd: folder, env }),
    calls: () => linesOf(readFileSync(notes, 'utf8')),
    async walk(wanted, steps) {
      const names = wanted.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(Object.keys(steps)));
      const usual = {
        ...{ package: 'agent', component: 'agent', version: '3.4.0', day: today, user: 'jane' },
        ...{ worker: 'releases', owner: 'me', repository: 'my-index', 'new-name': 'agent-2' },
      };
      for (const { heading, name, script } of wanted) {
        if (name === `${heading} 1` && computer.calls().length > 0) {
          await computer.shell('git pull -q --rebase');
        }
        const values: Values = { ...usual, ...(await steps[name]?.(computer)) };
        const typed = script
          .replaceAll('https://releases.example.com', cloudflare?.siteUrl ?? server.url)
          .replaceAll(/<([a-z][A-Za-z-]*)>/g, (_, placeholder: string) => values[placeholder]!);
        computer.last = await computer.shell(typed);
        const status = script.includes('and ends with 1') ? 1 : 0;
        expect(computer.last, `${name}:\n${typed}`).toMatchObject({ status });
        for (const [, words] of typed.matchAll(/# says "(.*?)"/g)) {
          expect(computer.last.stdout + computer.last.stderr, name).toContain(words);
        }
      }
    },
  };
  writeFileSync(notes, '');
  return computer;
}
