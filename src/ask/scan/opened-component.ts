import type { Day } from '../../core/model/dates.ts';
import type { Row } from '../../core/query/fields.ts';
import { joinRow, addDistances } from '../../core/query/rows.ts';
import type { ComponentStatus } from '../../core/schemas/published/status-file.ts';
import { keepPromises } from '../answers/memory.ts';
import {
  listDetailRows,
  listDigests,
  type DetailsOn,
  type PublishedReleaseOn,
} from '../answers/component-on.ts';
import type { PublishedIndex } from '../answers/published-index.ts';

/** A component with lookup tables, made when first used: a scan may have thousands of items. */
export interface OpenedComponent {
  readonly details: DetailsOn;
  /** The release of the artifact with a digest; undefined for another text. */
  findByDigest(digest: string): PublishedReleaseOn | undefined;
  /** The release as a query row. */
  findRow(release: PublishedReleaseOn): Row;
}

/** Returns a function that finds components by name, and reads each once. */
export async function openComponents(index: PublishedIndex) {
  const day = await index.day();
  const { components } = await index.status();

  return keepPromises(async (name) => {
    // A document may name thousands of other items; read only existing files.
    const isThere = await index.has(`details/${name}.json`);
    const details = isThere ? await index.details(name) : undefined;
    return details && openComponent(details, components[name]?.state, day);
  });
}

function openComponent(
  details: DetailsOn,
  freshness: ComponentStatus['state'] | undefined,
  day: Day,
): OpenedComponent {
  let byDigest: ReadonlyMap<string, PublishedReleaseOn> | undefined;
  let rows: ReadonlyMap<string, Row> | undefined;

  return {
    details,
    findByDigest(digest) {
      byDigest ??= mapReleasesByDigest(details.releases);
      return byDigest.get(digest);
    },
    findRow({ version }) {
      rows ??= new Map(
        listDetailRows(details, freshness).map((release) => [
          release.row.version,
          addDistances(joinRow(release), day),
        ]),
      );
      // Each release of a component has a row.
      return rows.get(version)!;
    },
  };
}

/** The release with each digest; the oldest one if several have it. */
function mapReleasesByDigest(
  releases: readonly PublishedReleaseOn[],
): Map<string, PublishedReleaseOn> {
  const byDigest = new Map<string, PublishedReleaseOn>();
  for (const release of releases.toReversed()) {
    for (const [, digest] of listDigests(release)) {
      byDigest.set(digest, release);
    }
  }
  return byDigest;
}
