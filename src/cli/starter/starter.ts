import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import { findFolder, findHost } from '../../core/schemas/definition/site-config.ts';
import { describePath, isAbsent, readIfThere, resolveLinks } from '../../io/files/file-system.ts';
import { askGit, openGit } from '../../io/files/git.ts';
import { accessFile, requireSiteConfig } from '../../io/files/settings-files.ts';
import type { Root } from '../../io/files/root.ts';
import {
  listKinds,
  readStarterTemplates,
  readVendoredFiles,
  replaceWords,
  selectParts,
  type KindFacts,
} from './starter-texts.ts';
import { locateWritten } from './written-files.ts';

/** The host of the repository, which runs the index every day; `none` means cron or a container. */
export const Forge = z.enum(['github', 'gitlab', 'none']);
export type Forge = z.infer<typeof Forge>;

/** A file of an index, as this version of the program writes it. */
export interface StarterFile {
  /** Absolute. */
  path: string;
  content: string;
  /** Whether it is for checks and runs at the forge. `init --update` writes it again. */
  isOfForge: boolean;
  /** Whether all indexes of a repository have it. */
  isShared?: true;
}

interface StarterInput extends KindFacts {
  forge: Forge;
  env: NodeJS.ProcessEnv;
  /** The folder that a server serves, if the index names it. */
  publishFolder: string | undefined;
  /** Replacements for further words in the files. */
  values?: Readonly<Record<string, string>>;
}

/** The files of an index, by path. */
export function createStarterFiles(input: StarterInput): StarterFile[] {
  const files = createOwnFiles(input);
  if (input.forge === 'github') {
    files.push(...createVendoredFiles(input));
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The files that no other index of the repository shares. Forges read theirs at the root of the repository. */
function createOwnFiles(input: StarterInput): StarterFile[] {
  const { folder, forge, env, host, publishFolder = '/srv/releases' } = input;
  const top = findTop(folder, env);
  const indexFolder = describePath(top, folder) || '.';
  // The values of the words in templates.
  const values = {
    INDEX_FOLDER: indexFolder,
    // A server's folder is out of reach for the runners of GitHub.
    RUNNER: host === 'files' ? 'self-hosted' : 'ubuntu-24.04',
    PUBLISH_FOLDER: publishFolder,
    ...input.values,
  };
  const kinds = listKinds(input);
  const forgeFolder = `forge-${forge}/`;
  const files: StarterFile[] = [];

  for (const { path, text } of readStarterTemplates()) {
    const content = replaceWords(selectParts(text, kinds), values);
    if (path.startsWith(forgeFolder)) {
      const usualPath = join(top, path.slice(forgeFolder.length));
      files.push({
        path: choosePath(usualPath, indexFolder, folder),
        content,
        isOfForge: true,
      });
    } else if (!path.startsWith('forge-')) {
      files.push({ path: join(folder, path), content, isOfForge: false });
    }
  }
  return files;
}

/** The workflow and the action of this project, which all indexes of a repository share. */
function createVendoredFiles(input: StarterInput): StarterFile[] {
  const folder = join(findTop(input.folder, input.env), '.github');
  const kinds = listKinds(input);
  return readVendoredFiles().map(({ path, text }) => ({
    path: join(folder, path),
    content: selectParts(text, kinds),
    isOfForge: true,
    isShared: true,
  }));
}

/** The files of an index for checks and runs at its forge. */
export function createForgeFiles(input: StarterInput): StarterFile[] {
  return createStarterFiles(input).filter(({ isOfForge }) => isOfForge);
}

/** The facts of an existing index that its forge files depend on. */
export function readStarterInput(root: Root, env: NodeJS.ProcessEnv): Omit<StarterInput, 'forge'> {
  const config = requireSiteConfig(root);
  return {
    folder: resolveLinks(root.dir),
    env,
    host: findHost(config),
    publishFolder: findFolder(config),
    isPrivate: !isAbsent(join(root.dir, accessFile)),
    isSigned: config.signingPublicKey !== undefined,
  };
}

/** The forges whose files an index has. Files that it shares may be there for another index. */
export function findForges(input: Omit<StarterInput, 'forge'>): Forge[] {
  return Forge.options.filter((forge) =>
    createOwnFiles({ ...input, forge }).some(
      ({ path, isOfForge }) => isOfForge && isOwn(path, input.folder),
    ),
  );
}

/** The root of the repository that a folder is or will be in; the folder itself without a repository. The path has no links. */
export function findTop(folder: string, env: NodeJS.ProcessEnv): string {
  let existing = folder;
  while (isAbsent(existing)) {
    existing = dirname(existing);
  }

  const up = askGit(openGit(existing, env), 'rev-parse', '--show-cdup');
  return up === undefined ? folder : resolve(existing, up);
}

/**
 * The path at which an index has a forge file, else the first free one of a path and of two next to it, such as
 * `release-index-daily.yml` and, for the folder `docs`, `release-index-docs-daily.yml`; the path itself if none is free.
 */
function choosePath(path: string, indexFolder: string, folder: string): string {
  const prefixes = ['release-index', `release-index-${indexFolder.replaceAll('/', '-')}`];
  const paths = [path, ...prefixes.map((prefix) => addPrefix(path, prefix))];
  return paths.find((candidate) => isOwn(candidate, folder)) ?? paths.find(isAbsent) ?? path;
}

/** Whether a file is one that the index in a folder has written. One that no longer names the program is a person's. */
export function isOwn(path: string, folder: string): boolean {
  const isWritten = !isAbsent(locateWritten(folder, path));
  return isWritten && readIfThere(path)?.includes('release-index') === true;
}

/** `release-index-daily.yml` of `daily.yml`, and `release-index.gitlab-ci.yml` of `.gitlab-ci.yml`. */
function addPrefix(path: string, prefix: string): string {
  const name = basename(path);
  return join(dirname(path), name.startsWith('.') ? prefix + name : `${prefix}-${name}`);
}
