import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { readIfThere } from '../../src/core/files.ts';
import { readSigningKey } from '../../src/publish/minisign.ts';
import { runCli, type Ended } from './cli.ts';
import { createSecretKey } from './minisign-keys.ts';

/** The date as of which commands run in an index. In an index from `createIndex`, all releases are supported on this date. */
export const today = '2026-11-20';
/** Links that every definition requires. */
export const links = {
  homepage: 'https://example.com',
  changelogUrl: 'https://example.com/changes',
};
/** The address at which these indexes are published. */
export const baseUrl = 'https://releases.example.com';
export const usualSettings = {
  title: 'Index',
  description: 'Releases.',
  datasource: 'index',
  releasesUrl: baseUrl,
  repositoryUrl: 'https://example.com/repository',
  staleAfterDays: 3,
};
export const secretKey = createSecretKey();
export const { publicKey } = readSigningKey(secretKey);

export interface IndexFolder {
  root: string;
  out: string;
  /** Returns the text of a file, or an empty string if the file does not exist. */
  read(path: string): string;
  /** Writes a file. An object is written as JSON, and undefined removes the file. */
  write(path: string, content: string | object | undefined): void;
  /**
   * Sets keys of a JSON file. A function gets the old document, and returns the keys to set. The type of the document depends on the test.
   */
  edit(path: string, keys: object | ((document: any) => object)): void;
  /** Runs a command of release-index as of `today`, with the index's signing key. */
  run(verb: string, ...args: string[]): Promise<Ended>;
  /** Runs commands of release-index, and checks that each of them succeeds. */
  prepare(...verbs: string[]): Promise<void>;
}

const parent = mkdtempSync(join(tmpdir(), 'release-index-'));
process.once('exit', () => rmSync(parent, { recursive: true, force: true }));

/** Creates a folder that is removed when the tests end. */
export function createFolder(): string {
  return mkdtempSync(join(parent, 'folder-'));
}

/** Returns functions that read and write the files of an index, and functions that run commands on it. */
export function openIndex(root: string, env: Record<string, string> = {}): IndexFolder {
  const index: IndexFolder = {
    root,
    out: join(root, 'dist'),
    read: (path) => readIfThere(join(root, path))?.toString() ?? '',
    write(path, content) {
      const file = join(root, path);
      if (content === undefined) {
        rmSync(file);
        return;
      }
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    },
    edit(path, keys) {
      const document = JSON.parse(index.read(path)) as object;
      index.write(path, { ...document, ...(typeof keys === 'function' ? keys(document) : keys) });
    },
    run: (verb, ...args) =>
      runCli([verb, '--root', root, '--as-of', today, ...args], {
        RELEASE_INDEX_SIGNING_KEY: secretKey,
        ...env,
      }),
    async prepare(...verbs) {
      for (const verb of verbs) {
        expect(await index.run(verb)).toMatchObject({ status: 0 });
      }
    },
  };
  return index;
}

/**
 * Creates an index in a new folder, with two components. All releases have digests.
 * - `svc` has ten releases in two release lines.
 * - `edge-node` was formerly called `edge`.
 */
export function createIndex(settings: object = {}, env: Record<string, string> = {}): IndexFolder {
  const index = openIndex(createFolder(), env);
  index.write('site/site.json', {
    ...usualSettings,
    signingPublicKey: publicKey,
    ...settings,
  });
  const lines = { '2025.1': '2026-11-21', '2026.1': '2027-06-30' };
  addComponent(index, 'svc', listVersions(['2025.1', '2026.1'], 5), {
    support: { policy: 'dated', lines, url: 'https://example.com/support' },
  });
  addComponent(index, 'edge-node', ['1.0'], { renamedFrom: ['edge'] });
  return index;
}

function listVersions(lines: readonly string[], patches: number): string[] {
  return lines.flatMap((line) => Array.from({ length: patches }, (_, patch) => `${line}.${patch}`));
}

export function addComponent(
  index: IndexFolder,
  name: string,
  versions: readonly string[],
  definition: object = {},
): void {
  index.write(`components/${name}.json`, {
    title: name,
    ...links,
    sources: [{ datasource: 'npm', packageName: name }],
    ...definition,
  });
  const releases = versions.map((version, number) => ({
    version,
    releaseTimestamp: '2026-01-01T00:00:00Z',
    digests: [`sha256:${String(number % 10).repeat(64)}`],
  }));
  index.write(`data/${name}.json`, { source: `npm:${name}`, releases });
}

export function copyFolder(folder: string): string {
  const copy = join(createFolder(), 'copy');
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** Makes this folder the current folder until the test ends. */
export function enterFolder(folder: string): void {
  const former = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(former));
}
