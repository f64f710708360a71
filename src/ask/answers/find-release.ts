import { keepByObject } from '../../core/model/objects.ts';
import {
  nameReleaseLine,
  parseVersion,
  rankKey,
  removeWildcards,
  shorten,
  type Version,
} from '../../core/model/version.ts';
import type { Item } from '../texts/text-entries.ts';
import type { AnswerIndex } from './answer-index.ts';

interface Listed {
  readonly version: string;
}

interface NamedLine {
  readonly line: string;
}

/** The release lines and the releases of a component. */
interface ListedVersions {
  readonly lines: readonly NamedLine[];
  readonly releases: readonly Listed[];
}

/** The parsed versions of releases, in their order. Made once for each list: a scan looks up thousands of versions of one component. */
export const parseVersions = /* @__PURE__ */ keepByObject(
  (releases: readonly Listed[]): readonly Version[] =>
    // An index lists only versions that can be read.
    releases.map(({ version }) => parseVersion(version)!),
);

/** The positions of releases by the ranks of their versions, and of their short forms. An index lists one release of each rank. */
const openPositions = /* @__PURE__ */ keepByObject((releases: readonly Listed[]) => {
  const versions = [...parseVersions(releases).entries()];
  return new Map([
    ...versions.map(([index, version]) => [rankKey(shorten(version)), index] as const),
    ...versions.map(([index, version]) => [rankKey(version), index] as const),
  ]);
});

/** Finds the release of equal rank, else the one of `X.Y` and `X.Y.0` that is listed. */
export function findRelease<Release extends Listed>(
  releases: readonly Release[],
  text: string,
): Release | undefined {
  const version = parseVersion(text);
  if (!version) {
    return undefined;
  }

  const positions = openPositions(releases);
  const position = positions.get(rankKey(version)) ?? positions.get(rankKey(shorten(version)));
  return position === undefined ? undefined : releases[position];
}

/** The lines whose digit groups begin with the groups of a version. */
export function listLines<Line extends NamedLine>(
  lines: readonly Line[],
  { groups, suffix }: Version,
): Line[] {
  if (suffix !== '') {
    return [];
  }

  return lines.filter(({ line }) => {
    const lineGroups = parseVersion(line)?.groups;
    return lineGroups && groups.every((group, index) => group === lineGroups[index]);
  });
}

/** Whether a version is listed, or is a line or the beginning of lines. */
export function knowsVersion({ lines, releases }: ListedVersions, version: string): boolean {
  const text = removeWildcards(version);
  const parsed = parseVersion(text);
  return (
    findRelease(releases, text) !== undefined ||
    (parsed !== undefined && listLines(lines, parsed).length > 0)
  );
}

/** The texts by which to find the components of a version without a name: the version itself, then its release line. */
export function listIdentifyingTexts(version: string): string[] {
  const parsed = parseVersion(version);
  return parsed && parsed.groups.length > 2 ? [version, nameReleaseLine(parsed, 2)] : [version];
}

/** Whether an item is about the index. One with `onlyIfReleaseOf` is only if that component has its version. */
export async function isOurs(
  index: Pick<AnswerIndex, 'details'>,
  { version = '', onlyIfReleaseOf }: Pick<Item, 'version' | 'onlyIfReleaseOf'>,
): Promise<boolean> {
  if (onlyIfReleaseOf === undefined) {
    return true;
  }

  // A number without a dot may count anything.
  const details = version.includes('.') ? await index.details(onlyIfReleaseOf) : undefined;
  return (
    details !== undefined &&
    listIdentifyingTexts(version).some((each) => knowsVersion(details, each))
  );
}
