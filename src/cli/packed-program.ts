import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isAbsent } from '../io/files/file-system.ts';
import { saveIfChanged } from '../io/files/save.ts';
import { programVersion } from '../io/program.ts';
import { UsageError } from './command.ts';

/** The packed program of this version, in the folder of `--program`, if that is given. Throws a UsageError if it is not there. */
export function findPackedProgram(folder: string | undefined): string | undefined {
  if (folder === undefined) {
    return undefined;
  }

  const path = resolve(folder, `release-index-${programVersion}.tgz`);
  if (isAbsent(path)) {
    throw new UsageError(
      `--program: ${path} does not exist; the script "pack" of the checkout makes it`,
    );
  }

  return path;
}

/** The dependency on this version, as npm writes it. */
export function createProgramSpec(packedProgram: string | undefined): string {
  return packedProgram === undefined ? programVersion : `file:program/${basename(packedProgram)}`;
}

/** Copies the packed program into `program/` of the index, where it is committed. */
export function copyProgram(packedProgram: string, folder: string): void {
  saveIfChanged(join(folder, 'program', basename(packedProgram)), readFileSync(packedProgram));
}
