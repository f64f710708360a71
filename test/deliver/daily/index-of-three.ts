import { execFileSync } from 'node:child_process';
import type { ReleaseFile } from '../../../src/core/schemas/published/release-file.ts';
import type { StatusFile } from '../../../src/core/schemas/published/status-file.ts';
import { runCli, type Ran } from '../../harness/cli.ts';
import { json } from '../../harness/imitated-upstream.ts';
import { openIndexInGit } from '../../harness/index-in-git.ts';
import { definition, readJsonIn, temporaryFolder, type TestRoot } from '../../harness/root.ts';
import { serve, startUpstream, type Document } from '../../harness/upstream.ts';

/** What each upstream has; a test adds to it and takes from it. */
type Packages = Record<'svc' | 'edge-node' | 'svcctl', string[]>;

export type TestIndex = Awaited<ReturnType<typeof openIndex>>;

const author = ['-c', 'user.name=Other', '-c', 'user.email=other@example.com'];

/** An index with three components at three kinds of upstream, a repository to push to, and a folder for the site. */
export async function openIndex() {
  const asked = Promise.withResolvers<void>();
  const state = {
    isMavenClosed: false,
    /** Whether it leaves every request unanswered. */
    isHanging: false,
    /** Happens once, as soon as something is asked: what others do while a run gathers. */
    meanwhile: undefined as (() => void) | undefined,
    /** Resolves when it has been asked while it hangs. */
    asked: asked.promise,
  };
  const packages: Packages = {
    svc: ['2026.1', '2026.2', '2026.3', '2026.4', '2026.5'],
    'edge-node': ['1.0', '1.1'],
    svcctl: ['3.0'],
  };
  const upstream = await startUpstream(() => (request, response) => {
    const { meanwhile } = state;
    state.meanwhile = undefined;
    meanwhile?.();
    if (state.isHanging) return void asked.resolve();
    if (state.isMavenClosed && request.url!.includes('/maven/')) return void response.writeHead(403).end();
    serve(documents(packages))(request, response);
  });
  const { root, served, git, commit } = openIndexInGit();
  root.write('.gitignore', 'dist/\n');
  defineComponents(root, upstream.url);
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
      { program, options = [] }: { program?: string; options?: readonly string[] } = {},
    ): Promise<Ran> {
      return runCli(['daily', '--push', '--root', root.dir, '--to', served, '--as-of', day, ...options], {
        ...(program !== undefined && { program }),
        env: { NO_COLOR: '1', CI: '1', ...env },
      });
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
    state: (component: string) => readJsonIn<StatusFile>(served, 'status.json').components[component]!.state,
    close: () => upstream.close(),
  };
}

function defineComponents(root: TestRoot, url: string): void {
  const sources = {
    svc: { datasource: 'npm', packageName: 'svc', registryUrl: url },
    'edge-node': {
      ...{ datasource: 'maven', packageName: 'com.example:edge-node' },
      registryUrl: `${url}maven/`,
    },
    svcctl: {
      ...{ datasource: 'page', url: `${url}page` },
      matchStrings: ['^# (?<version>\\S+) of (?<releaseTimestamp>\\S+)$'],
    },
  };
  for (const [name, source] of Object.entries(sources))
    root.write(`components/${name}.json`, definition({ title: `The ${name}`, sources: [source] }));
}

/** What the three upstreams have today. */
function documents({ svc, 'edge-node': maven, svcctl }: Packages): Map<string, Document> {
  const published = (version: string) => `2026-0${(Number(version.split('.')[1]) % 9) + 1}-10T08:00:00.000Z`;
  const times = svc.map((version) => [version, published(version)]);
  const versions = svc.map((version) => [version, { version }]);
  const ofMaven = '/maven/com/example/edge-node';
  const listed = maven.map((version) => `<version>${version}</version>`).join('');
  const headers = { 'last-modified': 'Mon, 05 Jan 2026 10:00:00 GMT' };
  return new Map<string, Document>([
    ['/svc', json({ name: 'svc', versions: Object.fromEntries(versions), time: Object.fromEntries(times) })],
    [
      `${ofMaven}/maven-metadata.xml`,
      {
        type: 'text/xml',
        body: `<metadata><versioning><versions>${listed}</versions></versioning></metadata>`,
      },
    ],
    ...maven.map((version): [string, Document] => [
      `${ofMaven}/${version}/edge-node-${version}.pom`,
      { type: 'text/xml', body: '<project/>', headers },
    ]),
    ['/page', { type: 'text/plain', body: svcctl.map((version) => `# ${version} of 2026-06-01\n`).join('') }],
  ]);
}
