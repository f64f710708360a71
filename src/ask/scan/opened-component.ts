import { answerPublished } from '../published-answers.ts';
import type { PublishedIndex } from '../published-index.ts';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import type { Day } from '../../core/dates.ts';
import { answeredRow } from '../../core/query/ages.ts';
import { rowOf } from '../../core/query/catalogue.ts';
import type { Row } from '../../core/query/fields.ts';
import { parseVersion, rankKey } from '../../core/version.ts';

/** A component with its releases by version, so that thousands of things are found in it at once. */
export interface OpenedComponent {
  readonly name: string;
  readonly changelogUrl: string;
  readonly latest: string | undefined;
  readonly releases: ReadonlyMap<string, FoundRelease>;
  readonly byRank: ReadonlyMap<string, FoundRelease>;
  answer(version: string): Promise<VersionAnswer>;
}

export interface FoundRelease {
  readonly version: string;
  readonly changelogUrl?: string | undefined;
  readonly row: Row;
}

/** Components by name, each read once. `day`: from which ages count. `files`: of the index, by path. */
export function openComponents(index: PublishedIndex, files: ReadonlyMap<string, unknown>, day: Day) {
  const opened = new Map<string, OpenedComponent>();

  return async function open(name: string): Promise<OpenedComponent | undefined> {
    // Nothing is asked for that is not there: a document may name thousands of other things.
    if (!files.has(`details/${name}.json`)) return undefined;
    const known = opened.get(name);
    if (known) return known;
    const details = await index.details(name);
    if (!details) return undefined;
    const catalogue = await index.catalogue(details.component);
    const rows = new Map(
      catalogue.flatMap((release) => {
        const row = rowOf(release);
        return row.component === details.component ? [[row.version!, answeredRow(row, day)]] : [];
      }),
    );
    const releases = details.releases.map(({ version, changelogUrl }) => ({
      ...{ version, changelogUrl, row: rows.get(version)! },
    }));
    const component: OpenedComponent = {
      name: details.component,
      changelogUrl: details.changelogUrl,
      latest: details.latest,
      releases: new Map(releases.map((release) => [release.version, release])),
      byRank: new Map(releases.map((release) => [rankKey(parseVersion(release.version)!), release])),
      answer: (version) => answerPublished(index, details, version),
    };
    opened.set(name, component);
    return component;
  };
}

/** Spelt like this, or else of equal rank. */
export function releaseOf({ releases, byRank }: OpenedComponent, version: string): FoundRelease | undefined {
  const parsed = parseVersion(version);
  return releases.get(version) ?? (parsed && byRank.get(rankKey(parsed)));
}
