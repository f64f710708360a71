import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import semver from 'semver';
import { isAbsent, readIfThere } from '../io/files/file-system.ts';
import { saveIfChanged } from '../io/files/save.ts';
import { readProgramVersion } from '../io/program.ts';
import type { StarterFile } from './starter.ts';

/** The path of the copy of a forge file as last written, which tells a person's changes from those of this version. */
function locateWritten(folder: string, file: StarterFile): string {
  return join(folder, '.release-index', basename(file.path));
}

/** Records the forge files as this version writes them, and the version. */
export function saveWritten(files: readonly StarterFile[], folder: string): void {
  for (const file of files.filter(({ isOfForge }) => isOfForge)) {
    saveIfChanged(locateWritten(folder, file), file.content);
  }

  saveIfChanged(locateVersion(folder), `${readProgramVersion()}\n`);
}

function locateVersion(folder: string): string {
  return join(folder, '.release-index', 'version');
}

/** Compares the program with the version that wrote the workflows. Undefined where they are the same, or the writer is unknown. */
export function findTwoVersions(folder: string) {
  const program = readProgramVersion();
  const writer = readIfThere(locateVersion(folder))?.toString().trim();
  if (writer === undefined || !semver.valid(writer) || writer === program) {
    return undefined;
  }

  const isProgramOlder = semver.lt(program, writer);
  const upgrade = `npm run init -- ${folder} --update, in a checkout of ${writer}`;
  return {
    message: `the workflows are of release-index ${writer}, and the program is ${program}`,
    remedy: isProgramOlder ? upgrade : 'npx release-index init --update',
    isProgramOlder,
  };
}

/** A forge file merged from the changes of this version and of a person since it was last written. */
export function mergeUpdate(
  file: StarterFile,
  folder: string,
): StarterFile & { isConflicting: boolean } {
  const before = locateWritten(folder, file);
  if (isAbsent(before) || isAbsent(file.path)) {
    return { ...file, isConflicting: false };
  }

  const dir = mkdtempSync(join(tmpdir(), 'release-index-merge-'));

  try {
    const newPath = join(dir, 'this version');
    writeFileSync(newPath, file.content);

    const args = ['merge-file', '-p', '-L', 'yours', '-L', 'before', '-L', 'this version'];
    const merge = spawnSync('git', [...args, file.path, before, newPath], { encoding: 'utf8' });

    // The status is the number of conflicts.
    if (merge.status === null || merge.status > 127) {
      throw merge.error ?? new Error(merge.stderr);
    }

    return { ...file, content: merge.stdout, isConflicting: merge.status > 0 };
  } finally {
    rmSync(dir, { recursive: true });
  }
}
