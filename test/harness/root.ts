import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fixtureIndex } from './checkout.ts';

const folders: string[] = [];

/** A folder that is removed when the tests of the file are done. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'release-index-')));
  folders.push(folder);
  return folder;
}

export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A root with these files; what is not a text is written as JSON. */
export function makeRoot(files: Readonly<Record<string, unknown>>): string {
  const root = temporaryFolder();
  mkdirSync(join(root, 'components'));
  for (const [path, content] of Object.entries(files)) {
    writeIn(root, path, content);
  }
  return root;
}

/** Begins a repository: a recorded index outside of one cannot be compared with its last run. Returns the folder. */
export function withGit(root: string): string {
  const author = ['-c', 'user.name=Jane', '-c', 'user.email=jane@example.com'];
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...author, ...args]);
  git('init', '--quiet', '--initial-branch=main');
  git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
  return root;
}

/** A root with the frozen index of the fixtures. */
export function copyOfFixtureIndex(): string {
  const root = temporaryFolder();
  // Other tests scan the fixtures at the same time, which leaves a cache there for a moment.
  cpSync(fixtureIndex, root, { recursive: true, filter: (path) => !path.endsWith('/.cache') });
  return root;
}

export function writeIn(root: string, path: string, content: unknown): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`,
  );
}

export function readJsonIn<T = unknown>(root: string, path: string): T {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as T;
}

/** Every file below a folder with its bytes as text. */
export function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    pathsIn(folder).map((path) => [path, readFileSync(join(folder, path), 'latin1')]),
  );
}

/** Every file below a folder with what tells whether it was written again. */
export function identitiesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    pathsIn(folder).map((path) => {
      const { ino, mtimeMs } = statSync(join(folder, path));
      return [path, `${ino} ${mtimeMs}`];
    }),
  );
}

export function pathsIn(folder: string): string[] {
  if (!existsSync(folder)) {
    return [];
  }
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

/** The paths of files that differ between two sets of files. */
export function differences(
  before: Record<string, string>,
  after: Record<string, string>,
): string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]).sort();
}

/** A definition of which a test states only what it is about. */
export function definition(about: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    title: 'A component',
    homepage: 'https://example.com/',
    changelogUrl: 'https://example.com/changes',
    sources: [],
    ...about,
  };
}

/** A component under an eighteen-month term, and its three releases, one without a day. */
export const svcDefinition = definition({
  support: { policy: 'term', months: 18 },
  releaseChangelogUrl: { template: 'https://example.com/{version}', since: '2025.1' },
});
export const svcRecorded = {
  releases: [
    { version: '2025.2', releaseTimestamp: '2025-07-15' },
    { version: '2024.2', releaseTimestamp: '2024-08-19', timestampKind: 'published' },
    { version: '2025.1' },
  ],
};

/** An index of that one component. */
export function smallRoot(more: Readonly<Record<string, unknown>> = {}): string {
  return makeRoot({ 'components/svc.json': svcDefinition, 'data/svc.json': svcRecorded, ...more });
}

export type TestRoot = ReturnType<typeof createRoot>;

/** An empty index with a `site/site.json` of its own, which a test changes as it goes. */
export function createRoot(config: object = {}) {
  const site = readJsonIn<object>(fixtureIndex, 'site/site.json');
  const dir = makeRoot({ 'site/site.json': { ...site, ...config } });
  return {
    dir,
    out: join(dir, 'dist'),
    write: (path: string, content: string | object) => writeIn(dir, path, content),
    read: (path: string) => readFileSync(join(dir, path), 'utf8'),
    /** Changes some keys of `site/site.json`. */
    configure(changes: object) {
      writeIn(dir, 'site/site.json', { ...readJsonIn<object>(dir, 'site/site.json'), ...changes });
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

/** A definition that asks nobody, with what is recorded for it. */
export function addComponent(
  root: TestRoot,
  name: string,
  releases: object[],
  more: object = {},
): void {
  root.write(
    `components/${name}.json`,
    definition({
      title: `The ${name}`,
      homepage: `https://example.com/${name}`,
      changelogUrl: `https://example.com/${name}/changes`,
      ...more,
    }),
  );
  root.write(`data/${name}.json`, { releases });
}
