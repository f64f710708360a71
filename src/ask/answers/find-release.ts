import {
  nameReleaseLine,
  parseVersion,
  rankKey,
  removeWildcards,
  type Version,
} from '../../core/model/version.ts';

interface Listed {
  readonly version: string;
}

interface NamedLine {
  readonly line: string;
}

/** The release lines and the releases of a component. */
export interface ListedVersions {
  readonly lines: readonly NamedLine[];
  readonly releases: readonly Listed[];
}

const tablesByList = new WeakMap<readonly Listed[], ReturnType<typeof createTables>>();

/** Lookup tables for a list of releases, made once: a scan looks up thousands of versions of one component. */
function openTables(releases: readonly Listed[]) {
  const tables = tablesByList.get(releases) ?? createTables(releases);
  tablesByList.set(releases, tables);
  return tables;
}

/** The parsed versions of the releases, and the positions of the releases by their versions. */
function createTables(releases: readonly Listed[]) {
  // An index lists only versions that can be read.
  const parsed = releases.map(({ version }) => parseVersion(version)!);
  return {
    parsed,
    byText: new Map(releases.map(({ version }, index) => [version, index])),
    // v1.2 and 1.02 have the same rank. If both are listed, this keeps the last one.
    byRank: new Map(parsed.map((version, index) => [rankKey(version), index])),
  };
}

/** The parsed versions of the releases, in the same order. */
export function parseVersions(releases: readonly Listed[]): readonly Version[] {
  return openTables(releases).parsed;
}

/** Finds the release with this spelling, else with equal rank, else equal except for a `.0` at the end. */
export function findRelease<Release extends Listed>(
  releases: readonly Release[],
  text: string,
): Release | undefined {
  const { byText, byRank } = openTables(releases);

  const findEqual = (version: string) => {
    const parsed = parseVersion(version);
    return parsed && byRank.get(rankKey(parsed));
  };

  const index = byText.get(text) ?? findEqual(text) ?? findEqual(respell(text));
  return index === undefined ? undefined : releases[index];
}

/** `2025.1` for `2025.1.0`, and the reverse. */
function respell(text: string): string {
  return text.replace(/^(v?\d+\.\d+)(\.0)?$/i, (_, start: string, zero?: string) =>
    zero === undefined ? `${start}.0` : start,
  );
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
