import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { readIfThere } from '../../src/core/files.ts';
import { readSigningKey } from '../../src/publish/minisign.ts';
import { runCli, type Ended } from './cli.ts';
import { createSecretKey } from './minisign-keys.ts';

/** The day of these indexes, on which all their releases are supported. */
export const today = '2026-11-20';
/** What every definition needs. */
export const links = {
  homepage: 'https://example.com',
  changelogUrl: 'https://example.com/changes',
};
/** The address of these indexes. */
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
  /** Nothing where there is no file. */
  read(path: string): string;
  /** An object becomes JSON, and undefined removes the file. */
  write(path: string, content: string | object | undefined): void;
  /** Sets keys of a document, perhaps by those that it has; each test has its own shape of it. */
  edit(path: string, keys: object | ((document: any) => object)): void;
  /** Runs a verb for a day, with the key of the index. */
  run(verb: string, ...args: string[]): Promise<Ended>;
  /** Runs verbs that must succeed. */
  prepare(...verbs: string[]): Promise<void>;
}

const parent = mkdtempSync(join(tmpdir(), 'release-index-'));
process.once('exit', () => rmSync(parent, { recursive: true, force: true }));

/** A new folder, until the tests end. */
export function createFolder(): string {
  return mkdtempSync(join(parent, 'folder-'));
}

/** The files and verbs of an index. */
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
 * An index in a new folder: `svc` with ten releases of two lines, and `edge-node`, which was called `edge`. All releases have digests.
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
