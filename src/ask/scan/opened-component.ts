import type { Row } from '../../core/query/fields.ts';
import { joinRow, addDistances } from '../../core/query/rows.ts';
import { keepPromises } from '../answers/memory.ts';
import {
  listDetailRows,
  type DetailsOn,
  type PublishedReleaseOn,
} from '../answers/component-on.ts';
import type { PublishedIndex } from '../answers/published-index.ts';

/** A component with its query rows, made when first used: a scan may have thousands of items. */
export interface OpenedComponent {
  readonly details: DetailsOn;
  /** The release as a query row. */
  findRow(release: PublishedReleaseOn): Row;
}

/** Returns a function that finds components by name, and reads each once. */
export async function openComponents(index: PublishedIndex) {
  const day = await index.day();
  const { components } = await index.status();

  return keepPromises(async (name): Promise<OpenedComponent | undefined> => {
    // A document may name thousands of other items; read only existing files.
    const isThere = await index.has(`details/${name}.json`);
    const details = isThere ? await index.details(name) : undefined;
    if (!details) {
      return undefined;
    }

    let rows: ReadonlyMap<string, Row> | undefined;
    return {
      details,
      findRow({ version }) {
        rows ??= new Map(
          listDetailRows(details, components[name]?.state).map((release) => [
            release.row.version,
            addDistances(joinRow(release), day),
          ]),
        );
        // Each release of a component has a row.
        return rows.get(version)!;
      },
    };
  });
}
