import { parseVersion, rankKey, type Version } from '../core/version.ts';

interface Listed {
  readonly version: string;
}

/** A list of releases by the spelling and by the rank of their versions: a scan asks about thousands of versions of one component. */
interface Places {
  readonly byText: ReadonlyMap<string, Listed>;
  readonly parsed: readonly Version[];
  readonly byRank: ReadonlyMap<string, Listed>;
}

const placesByList = new WeakMap<readonly Listed[], Partial<Places>>();

function placesIn<Key extends keyof Places>(releases: readonly Listed[], key: Key): Places[Key] {
  const known = placesByList.get(releases) ?? {};
  placesByList.set(releases, known);
  return (known[key] ??= make[key](releases));
}

const make: { [Key in keyof Places]: (releases: readonly Listed[]) => Places[Key] } = {
  byText: (releases) => new Map(releases.map((release) => [release.version, release])),
  parsed: (releases) => releases.map(({ version }) => parseVersion(version)!),
  byRank: (releases) =>
    new Map(parsedVersions(releases).map((version, index) => [rankKey(version), releases[index]!])),
};

/** The versions of releases, in their order. */
export function parsedVersions(releases: readonly Listed[]): readonly Version[] {
  return placesIn(releases, 'parsed');
}

/** The release of a version: spelt like this, of equal rank, or with `.0` at the end of one of both. */
export function findRelease<Release extends Listed>(
  releases: readonly Release[],
  text: string,
): Release | undefined {
  const same = (wanted: string) => {
    const parsed = parseVersion(wanted);
    return parsed && placesIn(releases, 'byRank').get(rankKey(parsed));
  };
  const other = /^v?\d+\.\d+\.0$/i.test(text) ? text.slice(0, -2) : /^v?\d+\.\d+$/i.test(text) && `${text}.0`;
  const found = placesIn(releases, 'byText').get(text) ?? same(text) ?? (other ? same(other) : undefined);
  return found as Release | undefined;
}
