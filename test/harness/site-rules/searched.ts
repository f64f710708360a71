import type { Day } from '../../../src/core/dates.ts';
import { rowOf } from '../../../src/core/query/catalogue.ts';
import { rowsOn } from '../../../src/core/rows.ts';
import type { ReleaseFile } from '../../../src/core/schemas/published/release-file.ts';
import type { SearchedComponent } from '../../../src/core/schemas/published/search-file.ts';
import { show } from './component-documents.ts';
import type { Report } from './opened-site.ts';
import type { Copy } from './united-parts.ts';

/** The searchable releases of a component are those of its file, with the states of the day of the site. */
export function checkSearched(
  copy: Copy | undefined,
  name: string,
  file: ReleaseFile,
  day: Day | undefined,
  report: Report,
): void {
  if (!copy || day === undefined) return;
  const rows = rowsOn(copy.document as SearchedComponent, day, {}).map(rowOf);
  const { releases } = file;
  if (rows.length !== releases.length) {
    const message = `${name}: expected the ${releases.length} releases of ${name}.json; got ${rows.length}`;
    return report(copy.path, message);
  }
  for (const [index, row] of rows.entries()) {
    const { version, releaseTimestamp, isDeprecated, isStable } = releases[index]!;
    const compare = (field: string, expected: string | boolean | undefined, got: typeof expected) => {
      if (got === expected) return;
      const message = `${field}: expected ${show(expected)} as in ${name}.json; got ${show(got)}`;
      report(copy.path, `${name} ${version}: ${message}`);
    };
    compare('version', version, row.version);
    const stated = row.releaseTimestamp;
    // The release file may give a later one than upstream states.
    if (typeof stated !== 'string' || releaseTimestamp === undefined || stated > releaseTimestamp)
      compare('releaseTimestamp', releaseTimestamp, stated);
    compare('isDeprecated', isDeprecated, row.isDeprecated);
    compare('isPrerelease', isStable === false, row.isPrerelease);
    compare('isLatest', version === file.tags?.latest, row.isLatest);
  }
}
