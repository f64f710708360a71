/** Operates an index for many days: changes its upstreams' lists, reads the published files, and runs the commands that messages print. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Day } from '../../src/core/day.ts';
import { listReleases, openOperatedIndex, type ListedRelease } from './operated-index.ts';

export const start = '2026-01-01';
export const index = await openOperatedIndex();
export const { answers, data, git, root } = index;
export const site = join(root, '../site');
export const daily = `daily --push --to ${site}`;

/** The name of the environment variable with the credential for the sources. The variable is set in every run. */
export const variable = `RELEASE_INDEX_AUTH_${new URL(index.url).host.replaceAll(/\W/g, '_')}`;
export const env = { [variable]: 'Bearer secret' };

/** The current list of each component's upstream. */
export const lists: Record<string, ListedRelease[]> = {
  svc: listReleases(9),
  tool: listReleases(9),
  agent: listReleases(3),
  // This component is an image. Its tags `latest` and `edge` have no digit, so they are not versions.
  proxy: [...listReleases(3), { version: 'latest' }, { version: 'edge' }],
};

export function list(component: string, releases: readonly ListedRelease[]): void {
  lists[component] = [...releases];
  answers.set(component, releases);
}

export const add = (component: string, ...versions: string[]) =>
  list(component, [...lists[component]!, ...versions.map((version) => ({ version }))]);

export const remove = (
  component: string,
  isGone: (release: ListedRelease, place: number) => boolean,
) =>
  list(
    component,
    lists[component]!.filter((release, place) => !isGone(release, place)),
  );

export const yank = (component: string, version: string) =>
  list(
    component,
    lists[component]!.map((each) =>
      each.version === version ? { ...each, isDeprecated: true } : each,
    ),
  );

/** Commits a person's changes, if there are any, and pushes. */
export function push(): void {
  if (git('status', '--porcelain') !== '') {
    index.commit();
  }
  git('push', '--quiet');
}

interface LiveComponent {
  tags?: { latest?: string };
  releases: { version: string; isDeprecated: boolean }[];
}

export const readLive = <T>(path: string) =>
  JSON.parse(readFileSync(join(site, path), 'utf8')) as T;
export const readComponents = () =>
  readLive<{ components: Record<string, LiveComponent> }>('all.json').components;
export const findRelease = (component: string, version: string) =>
  readComponents()[component]!.releases.find((each) => each.version === version);

/** Matches every command that a message can print. */
const commands =
  /npx release-index (?:accept [\w-]+|publish --force --to [^\s.]+)|git (?:pull|restore --source=\w+ -- data)|mv \S+ data\/\S+\.(?:nd)?json/g;

/**
 * Runs the printed commands unchanged. Returns the beginning of each command:
 * - `npx release-index accept svc-12` → `npx release-index accept`
 * - `git restore --source=1a2b3c -- data` → `git restore --source`
 */
export async function follow(printed: string, day: Day): Promise<string[]> {
  const found = printed.match(commands) ?? [];
  for (const command of found) {
    if (command.startsWith('npx release-index ')) {
      const ended = await index.run(command.slice('npx release-index '.length), day);
      expect(ended, command).toMatchObject({ status: 0 });
    } else {
      execFileSync('sh', ['-c', command], { cwd: root, stdio: 'pipe' });
    }
  }
  push();
  return found.map((command) => command.split(' ').slice(0, 3).join(' ').replace(/=\w+/, ''));
}
