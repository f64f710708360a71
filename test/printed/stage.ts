/** Where printed commands run: a checkout, an index of one's own with its repository and its site, a reader's folder, and hosts that are imitated. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { startCloudflare, type Cloudflare } from '../harness/cloudflare.ts';
import { program } from '../harness/example.ts';
import { createFolder, openIndex } from '../harness/index-folder.ts';
import { listen } from '../harness/listen.ts';
import type { Program } from '../harness/programs.ts';
import { openShell, type Shell } from '../harness/shell.ts';

export interface How {
  /** Where it is printed in other words. */
  also?: readonly string[];
  /** What a person did before. */
  before?(): unknown;
  /** Values for names; `$` is added at its end. */
  fill?: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>);
  cwd?: () => string;
  env?: () => Record<string, string>;
  status?: number;
  until?: RegExp;
  needs?: Program;
  after?(said: string): unknown;
}
export type Row = [printed: string, says: RegExp, how?: How];

export const folder = createFolder();
export const checkout = join(folder, 'checkout');
export const index = join(folder, 'my-index');
export const published = join(folder, 'published');
export const bare = join(folder, 'remote');
export const reader = join(folder, 'reader');
export const site = 'https://releases.example.com';
export const example = openIndex(index);

export const stage = {
  shell: {} as Shell,
  cloudflare: {} as Cloudflare,
  /** The patches of a line from this one on are advised against by their makers. */
  advised: 20,
};
export const listed = () => ({
  releases: Array.from({ length: 20 }, (_, patch) => ({
    version: `2025.1.${patch}`,
    isDeprecated: patch >= stage.advised,
  })),
});
const semver = {
  name: 'semver',
  homepage: 'https://example.com/semver',
  repository: 'example/semver',
  'dist-tags': { latest: '7.8.6' },
  versions: { '7.8.5': {}, '7.8.6': {} },
  time: {
    created: '2026-06-01T00:00:00Z',
    '7.8.5': '2026-06-01T00:00:00Z',
    '7.8.6': '2026-07-01T00:00:00Z',
  },
};

/** The published site, npm's registry, and a list of releases. */
export const origin = await listen(({ url }, response) => {
  const path = join(published, url!);
  const documents: Record<string, unknown> = { '/npm/semver': semver, '/list.json': listed() };
  if (documents[url!]) {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(documents[url!]));
  } else {
    response.writeHead(existsSync(path) ? 200 : 404);
    response.end(existsSync(path) ? readFileSync(path) : '');
  }
});

export async function setStage(): Promise<void> {
  stage.shell = openShell();
  stage.shell.imitate('claude', 'echo "$6"');
  stage.shell.imitate('gh', '[ "$*" = "run download 7 --name site --dir dist" ]');
  stage.shell.imitate('docker', 'echo docker.io/example/svc:2025.1.3');
  stage.cloudflare = await startCloudflare();
  mkdirSync(checkout);
  const copy = `git -C ${program} ls-files -z | tar -C ${program} --null -T - -c | tar -x -C ${checkout}`;
  execFileSync('sh', ['-c', copy]);
  symlinkSync(join(program, 'node_modules'), join(checkout, 'node_modules'));
}

export const inReader = { cwd: () => reader };

export const env = () => ({
  npm_config_registry: `${origin}/npm/`,
  GIT_AUTHOR_NAME: 'Jane',
  GIT_AUTHOR_EMAIL: 'jane@example.com',
  GIT_COMMITTER_NAME: 'Jane',
  GIT_COMMITTER_EMAIL: 'jane@example.com',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'init.defaultBranch',
  GIT_CONFIG_VALUE_0: 'main',
});

export const run = (line: string, cwd = index, more = {}, until?: RegExp) =>
  stage.shell.run(line, cwd, { ...env(), ...more }, until);
