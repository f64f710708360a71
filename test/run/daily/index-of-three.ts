import { execFileSync } from 'node:child_process';
import type { ReleaseFile } from '../../../src/core/schemas/published/release-documents.ts';
import type { StatusFile } from '../../../src/core/schemas/published/status-file.ts';
import { runCli, type Ran } from '../../harness/cli.ts';
import { json } from '../../harness/imitated-upstream.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { packument } from '../../harness/npm-registry.ts';
import { definition, readJsonIn, temporaryFolder } from '../../harness/root.ts';
import { serve, startUpstream } from '../../harness/upstream.ts';

export type TestIndex = Awaited<ReturnType<typeof openIndex>>;

interface DayOptions extends Pick<
  NonNullable<Parameters<typeof runCli>[1]>,
  'program' | 'onStart'
> {
  options?: readonly string[];
}

const author = ['-c', 'user.name=Other', '-c', 'user.email=other@example.com'];

const publishedAt = (version: string) =>
  `2026-0${(Number(version.split('.')[1]) % 9) + 1}-10T08:00:00.000Z`;

/** An index with three components at a registry, a repository to push to, and a folder for the site. */
export async function openIndex() {
  const asked = Promise.withResolvers<void>();
  const state = {
    /** The package that it refuses to describe. */
    closed: undefined as string | undefined,
    /** Whether it leaves every request unanswered. */
    isHanging: false,
    /** Happens once, as soon as something is asked: what others do while a run gathers. */
    meanwhile: undefined as (() => void) | undefined,
    /** Resolves when it has been asked while it hangs. */
    asked: asked.promise,
  };
  /** The versions of each package; a test adds to them and takes from them. */
  const packages = {
    svc: ['2026.1', '2026.2', '2026.3', '2026.4', '2026.5'],
    'edge-node': ['1.0', '1.1'],
    svcctl: ['3.0'],
  };
  const upstream = await startUpstream(() => (request, response) => {
    const { meanwhile } = state;
    state.meanwhile = undefined;
    meanwhile?.();
    if (state.isHanging) {
      return void asked.resolve();
    }
    const name = request.url!.slice(1);
    if (name === state.closed) {
      return void response.writeHead(403).end();
    }
    const versions: readonly string[] = packages[name as keyof typeof packages];
    const listing = Object.fromEntries(
      versions.map((version) => [version, { at: publishedAt(version) }]),
    );
    serve(new Map([[request.url!, json(packument(name, listing))]]))(request, response);
  });
  const { root, served, git, commit } = openIndexInGit();
  root.write('.gitignore', 'dist/\n');
  for (const packageName of Object.keys(packages)) {
    const source = { datasource: 'npm', packageName, registryUrl: upstream.url };
    root.write(`components/${packageName}.json`, definition({ sources: [source] }));
  }
  commit('Define three components');
  const remote = temporaryFolder();
  git('init', '--quiet', '--bare', '--initial-branch=main', remote);
  git('remote', 'add', 'origin', remote);
  git('push', '--quiet', '--set-upstream', 'origin', 'main');

  return {
    root,
    /** The folder of the published site. */
    served,
    /** Folder of the repository that is pushed to. */
    remote,
    packages,
    upstream: state,
    /** With another copy of the program, where one is named, and with further options. */
    runDay(
      day: string,
      env: Record<string, string> = {},
      { program, onStart, options = [] }: DayOptions = {},
    ): Promise<Ran> {
      return runCli(
        ['daily', '--push', '--root', root.dir, '--to', served, '--as-of', day, ...options],
        {
          ...(program !== undefined && { program }),
          ...(onStart && { onStart }),
          env: { NO_COLOR: '1', CI: '1', ...env },
        },
      );
    },
    git,
    /** Makes a change in another clone, and pushes it. */
    elsewhere(message: string, change: (folder: string) => void) {
      const folder = temporaryFolder();
      git('clone', '--quiet', remote, folder);
      const other = (...args: string[]) => execFileSync('git', ['-C', folder, ...author, ...args]);
      change(folder);
      other('add', '--all');
      other('commit', '--quiet', '--message', message);
      other('push', '--quiet');
    },
    versions: (component: string) =>
      readJsonIn<ReleaseFile>(served, `${component}.json`).releases.map(({ version }) => version),
    state: (component: string) =>
      readJsonIn<StatusFile>(served, 'status.json').components[component]!.state,
    close: () => upstream.close(),
  };
}
