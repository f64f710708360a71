/** The copies of the forge files as last written, in `.release-index/`, and the version that wrote them. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import semver from 'semver';
import { quoteForShell } from '../../core/text/foreign-text.ts';
import { makeTemporaryFolder, readIfThere } from '../../io/files/file-system.ts';
import { saveIfChanged } from '../../io/files/save.ts';
import { programVersion } from '../../io/program.ts';

interface ForgeFile {
  /** Absolute. */
  path: string;
  content: string;
}

/**
 * Merges the changes of this version and of a person since a forge file was last written. `isConflicting`: both changed the same lines,
 * which stay marked until a person chooses.
 */
export function mergeUpdate({ path, content }: ForgeFile, folder: string) {
  const before = locateWritten(folder, path);
  const written = readIfThere(before);
  const present = readIfThere(path);
  if (!written || !present || written.equals(present)) {
    return { content, isConflicting: false };
  }

  using temporary = makeTemporaryFolder();
  const newPath = join(temporary.path, 'this version');
  writeFileSync(newPath, content);

  const args = ['merge-file', '-p', '-L', 'yours', '-L', 'before', '-L', 'this version'];
  const merge = spawnSync('git', [...args, path, before, newPath], { encoding: 'utf8' });

  // The status is the number of conflicts.
  if (merge.status === null || merge.status > 127) {
    throw merge.error ?? new Error(merge.stderr);
  }

  return { content: merge.stdout, isConflicting: /^<<<<<<< yours$/m.test(merge.stdout) };
}

/** Records the forge files as this version writes them, and the version. */
export function saveWritten(files: readonly ForgeFile[], folder: string): void {
  for (const { path, content } of files) {
    saveIfChanged(locateWritten(folder, path), content);
  }

  saveIfChanged(locateWritten(folder, 'version'), `${programVersion}\n`);
}

/** The copy of a forge file as last written, which tells a person's changes from those of this version; or the version. */
export function locateWritten(folder: string, path: string): string {
  return join(folder, '.release-index', basename(path));
}

/** Compares the program with the version that wrote the workflows. Undefined where they are the same, or the writer is unknown. */
export function findVersionMismatch(folder: string) {
  const writer = readIfThere(locateWritten(folder, 'version'))?.toString().trim();
  if (writer === undefined || !semver.valid(writer) || writer === programVersion) {
    return undefined;
  }

  const isProgramOlder = semver.lt(programVersion, writer);
  return {
    message: `the workflows are of release-index ${writer}, and the program is ${programVersion}`,
    remedy: isProgramOlder
      ? `npm run init -- ${quoteForShell(folder)} --update, in a checkout of ${writer}`
      : 'npx release-index init --update',
    isProgramOlder,
  };
}
