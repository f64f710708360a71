import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { addDays, type Day } from '../../../src/core/model/dates.ts';
import { startCloudflare, type Cloudflare } from '../../harness/cloudflare.ts';
import { createRoot, definition, readJsonIn, temporaryFolder } from '../../harness/root.ts';
import { runHere } from '../../harness/run-here.ts';
import { livingRegistry } from './living-registry.ts';

interface LivingIndex {
  start: Day;
  /** How many components there are, and how many of them the first registry has. */
  components: number;
  ofFirst: number;
  /** The inherited policy. */
  support: object;
}

/** An index of components of two registries, with a remote and a served folder, and what may happen to it. */
export async function openLivingIndex({ start, components, ofFirst, support }: LivingIndex) {
  const names = Array.from({ length: components }, (_, index) => nameOf(index + 1));
  const [first, second] = [await livingRegistry(), await livingRegistry()];
  const registryOf = (name: string) => (name <= nameOf(ofFirst) ? first : second);
  const packageOf = (name: string) => registryOf(name).packageOf(name);
  const root = createRoot();
  const hasOwnDisk = mountDisk(root.dir);
  const publicSite = {
    releasesUrl: 'https://releases.example.org',
    hosting: { folder: temporaryFolder() },
  };
  root.write('site/site.json', { ...siteConfig, ...publicSite });
  const [remote, elsewhere] = [temporaryFolder(), temporaryFolder()];
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  let host: Cloudflare | undefined;
  const secrets: Record<string, string> = {};

  const index = {
    ...{ root, names, first, second, registryOf, packageOf, hasOwnDisk, secrets },
    today: start,
    /** Days by which the clock of the program is ahead. */
    clockIsAheadBy: 0,
    setDay(day: Day) {
      index.today = day;
      vi.setSystemTime(`${day}T04:23:00Z`);
      first.today = second.today = addDays(day, -index.clockIsAheadBy);
    },
    git: (...args: string[]) => gitIn(root.dir, ...args),
    verb: (line: string, folder = root.dir) =>
      runHere([...line.split(' '), '--root', folder, '--as-of', index.today], env()),
    commit(message: string) {
      index.git('add', '--all');
      index.git('commit', '--quiet', '--message', message);
    },
    source: (name: string) => ({
      datasource: 'npm',
      packageName: name,
      registryUrl: registryOf(name).url,
    }),
    define(name: string, about: object = {}) {
      const sources = [index.source(name)];
      root.write(`components/${name}.json`, definition({ title: name, sources, ...about }));
      index.commit(`Define ${name}`);
    },
    setDefault(support: object) {
      root.configure({ defaults: support });
      index.commit('Edit the default');
    },
    /** As the runbook says: the ids of "plan", since consequences move with each release of upstream. */
    async acceptAll() {
      const plan = await index.verb('plan');
      const commands = Array.from(plan.stderr.matchAll(/release-index (accept (?:\S+ ?)+)$/gm));
      for (const [, command = ''] of commands) {
        expect((await index.verb(command.trim())).status).toBe(0);
      }
      index.commit('Accept what is held');
    },
    pull: (name: string, fromEnd: number) =>
      packageOf(name).pull([...packageOf(name).history.keys()].at(-1 - fromEnd)!),
    /** Runs the day in another checkout, which pushes now or while this one is about to. */
    async runElsewhere(pushes: 'now' | 'during the next push') {
      rmSync(elsewhere, { recursive: true, force: true });
      index.git('clone', '--quiet', remote, elsewhere);
      configure(elsewhere);
      expect((await index.verb('daily --skip-publish', elsewhere)).status).toBe(0);
      const push = `env -u GIT_DIR git -C ${elsewhere} push --quiet`;
      if (pushes === 'now') {
        return void execFileSync('sh', ['-c', push]);
      }
      const hook = join(root.dir, '.git/hooks/pre-push');
      writeFileSync(hook, `#!/bin/sh\nrm "$0"\n${push}\n`);
      chmodSync(hook, 0o755);
    },
    /** The alerts that the issue reported anew since the last call, and whether it is open for another reason than a key. */
    async readIssue() {
      expect((await index.verb('attention')).status).toBe(0);
      const told = takeText(join(issue, 'told'));
      const sections = told.matchAll(/^### (.+)\n\n {4}(.+)$/gm);
      const body = existsSync(join(issue, 'body')) ? readFileSync(join(issue, 'body'), 'utf8') : '';
      const isUrgent = /^### (?!Access keys)/m.test(body);
      return {
        fresh: Array.from(sections, ([, heading, line]) => ({ heading, line: line! })),
        isUrgent,
      };
    },
    fillDisk() {
      const file = openSync(join(root.dir, 'filler'), 'w');
      expect(() => {
        for (;;) {
          writeSync(file, Buffer.alloc(4096));
        }
      }).toThrow('ENOSPC');
      closeSync(file);
    },
    freeDisk: () => rmSync(join(root.dir, 'filler')),
    /** Moves to the only host that can ask for a key, which is valid for some days. */
    async close(days: number) {
      const cloudflare = await startCloudflare();
      onTestFinished(() => cloudflare.close());
      host = cloudflare;
      root.configure({ hosting: 'cloudflare', releasesUrl: cloudflare.siteUrl });
      const users = [{ username: 'jane', email: 'jane@example.com' }];
      root.write('site/access.json', { protect: 'everything', users });
      const made = await index.verb(`key new --user jane --expires ${addDays(index.today, days)}`);
      Object.assign(secrets, {
        RELEASE_INDEX_KEY: made.stdout.trim(),
        CLOUDFLARE_API_TOKEN: cloudflare.token,
        CLOUDFLARE_ACCOUNT_ID: 'account',
        CLOUDFLARE_API_BASE_URL: cloudflare.apiBaseUrl,
      });
      index.commit('Make the index private');
    },
    async replaceKey() {
      const expires = addDays(index.today, 90);
      const made = await index.verb(`key new --user jane --expires ${expires}`);
      secrets['RELEASE_INDEX_KEY'] = made.stdout.trim();
    },
    /** As `wrangler secret put` does. */
    sendKeys() {
      host!.live!.secrets['RELEASE_INDEX_ACCESS_KEYS'] = root.read('.access/keys.json');
    },
    open() {
      for (const name of Object.keys(secrets)) {
        delete secrets[name];
      }
      rmSync(join(root.dir, 'site/access.json'));
      root.configure(publicSite);
      index.commit('Open the index');
    },
  };
  const issue = temporaryFolder();
  writeFileSync(join(issue, 'gh'), `#!/bin/sh\ncd ${issue}\n${gh}`, { mode: 0o755 });
  const env = () => ({
    PATH: [issue, process.env['PATH']].join(delimiter),
    HOME: remote,
    NO_COLOR: '1',
    GIT_AUTHOR_DATE: `${index.today}T04:30:00Z`,
    GIT_COMMITTER_DATE: `${index.today}T04:30:00Z`,
    ...secrets,
  });
  const gitIn = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-C', folder, ...args], {
      encoding: 'utf8',
      env: env(),
      stdio: 'pipe',
    }).trim();
  const configure = (folder: string) => {
    gitIn(folder, 'config', 'user.name', 'Jane');
    gitIn(folder, 'config', 'user.email', 'jane@example.com');
  };

  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
  index.git('init', '--quiet', '--initial-branch=main');
  configure(root.dir);
  root.write('.gitignore', 'dist/\n.cache/\nfiller\n');
  for (const name of names) {
    root.write(
      `components/${name}.json`,
      definition({ title: name, sources: [index.source(name)] }),
    );
    for (let month = 0; month < 8; month += 1) {
      packageOf(name).publish(addDays(start, 30 * month - 250));
    }
  }
  root.configure({ defaults: { support } });
  index.commit('Begin the index');
  index.git('remote', 'add', 'origin', remote);
  index.git('push', '--quiet', '--set-upstream', 'origin', 'main');
  return index;
}

function nameOf(number: number): string {
  return `lib-${String(number).padStart(2, '0')}`;
}

const siteConfig = {
  ...readJsonIn<object>(createRoot().dir, 'site/site.json'),
  staleAfterDays: 3,
};

/** GitHub's program with one issue. */
const gh = `case "$1 $2" in
'issue list') [ ! -s body ] || jq -Rs '{ number: 8, body: . }' body ;;
'issue create') tee body >>told ;;
'issue comment') cat >>told ;;
'issue edit') cat >body ;;
'issue close') rm body ;;
esac`;

function takeText(path: string): string {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  writeFileSync(path, '');
  return text;
}

/** A small disk that a test can fill. Returns whether this computer lets us mount one. */
function mountDisk(folder: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=100m', 'none', folder], { stdio: 'pipe' });
  } catch (error) {
    console.warn(`The day with a full disk is left out: ${(error as Error).message.trim()}`);
    return false;
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
  return true;
}
