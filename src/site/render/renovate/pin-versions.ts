import { parseVersion } from '../../../core/model/version.ts';

/** The digit groups in the name of a line. */
export function lineGroups(line: string): readonly (number | bigint)[] {
  return parseVersion(line)!.groups;
}

/** `X.Y` for `vX.Y.0`, which name one release. */
export function plainVersion(version: string): string {
  return version.replace(/^v/i, '').replace(/^(\d+\.\d+)\.0$/, '$1');
}
