import { addDays, findStatedDay, type Day } from '../../../core/model/dates.ts';
import {
  compareVersions,
  nameReleaseLine,
  parseVersion,
  type Version,
} from '../../../core/model/version.ts';
import type { RecordedRelease } from '../../../core/schemas/recorded/recorded.ts';
import type { Outlier } from './outliers.ts';

/** A source may list a version a few days after it was released. */
const toleratedDays = 7;

/** Whether a version has a stated day long before an answer which did not list it. */
export function isBackdated(
  release: Pick<RecordedRelease, 'releaseTimestamp' | 'timestampKind'>,
  answeredOn: Day,
): boolean {
  const statedDay = findStatedDay(release);
  return statedDay !== undefined && statedDay < addDays(answeredOn, -toleratedDays);
}

interface DatedVersion {
  version: Version;
  day: Day;
}

/** New versions that are dated before the lowest dated version with the same first two groups. A rejected day shows their age, too. */
export function findVersionsBeforeTheirLine(
  added: readonly RecordedRelease[],
  recorded: readonly RecordedRelease[],
  rejectedDays: ReadonlyMap<string, Day>,
): Outlier[] {
  const dated: DatedVersion[] = [];
  for (const release of [...recorded, ...added]) {
    const version = parseVersion(release.version);
    const day = rejectedDays.get(release.version) ?? findStatedDay(release);
    if (version && day !== undefined) {
      dated.push({ version, day });
    }
  }
  dated.sort((a, b) => compareVersions(a.version, b.version));

  const addedVersions = new Set(added.map(({ version }) => version));
  const starts = new Map<string, DatedVersion>();
  const early: Outlier[] = [];

  for (const { version, day } of dated) {
    const line = nameReleaseLine(version, 2);
    const start = starts.get(line) ?? { version, day };
    starts.set(line, start);

    if (addedVersions.has(version.text) && day < start.day) {
      const why = `dated ${day}, before its line began with ${start.version.text} of ${start.day}`;
      early.push({ version, why });
    }
  }

  return early;
}
