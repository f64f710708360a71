import { parseVersion, rankKey, type Version } from '../../core/model/version.ts';

interface Listed {
  readonly version: string;
}

/** Lookup tables for a list of releases: a scan looks up thousands of versions of one component. */
interface Places {
  readonly byText: ReadonlyMap<string, Listed>;
  readonly parsed: readonly Version[];
  readonly byRank: ReadonlyMap<string, Listed>;
}

const placesByList = new WeakMap<readonly Listed[], Places>();

function placesIn(releases: readonly Listed[]): Places {
  const cachedPlaces = placesByList.get(releases);
  if (cachedPlaces) {
    return cachedPlaces;
  }

  const pairs = releases.map((release) => ({ release, version: parseVersion(release.version)! }));
  const places = {
    byText: new Map(releases.map((release) => [release.version, release])),
    parsed: pairs.map(({ version }) => version),
    byRank: new Map(pairs.map(({ release, version }) => [rankKey(version), release])),
  };
  placesByList.set(releases, places);
  return places;
}

/** The parsed versions of the releases, in the same order. */
export function parsedVersions(releases: readonly Listed[]): readonly Version[] {
  return placesIn(releases).parsed;
}

/** Finds the release with this spelling, else with equal rank, else equal except for a `.0` at the end. */
export function findRelease<Release extends Listed>(
  releases: readonly Release[],
  text: string,
): Release | undefined {
  const { byText, byRank } = placesIn(releases);

  const same = (wanted: string) => {
    const parsed = parseVersion(wanted);
    return parsed && byRank.get(rankKey(parsed));
  };

  const other = /^v?\d+\.\d+\.0$/i.test(text)
    ? text.slice(0, -2)
    : /^v?\d+\.\d+$/i.test(text) && `${text}.0`;
  const match = byText.get(text) ?? same(text) ?? (other ? same(other) : undefined);
  return match as Release | undefined;
}
