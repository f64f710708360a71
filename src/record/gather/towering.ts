import type { Day } from '../../core/dates.ts';
import { compareVersions, parseVersion, type Version } from '../../core/version.ts';
import { addedBy, type Comparison } from './plausibility.ts';

const tolerated = 10n;
const firstCalendarYear = 2000;

/** New versions that would be the latest for good, and the greatest version that they tower over. */
export interface Towering {
  versions: Version[];
  greatest: Version;
}

/**
 * One absurd version becomes the latest for everybody, and with some policies it deprecates all others. It towers where
 * its first group is more than tenfold the greatest recorded, or a year that has not begun.
 */
export function toweringIn(answer: Comparison, day: Day): Towering | undefined {
  const greatest = answer.settled
    .flatMap(({ version }) => parseVersion(version) ?? [])
    .sort(compareVersions)
    .at(-1);
  if (!greatest) return undefined;
  const year = Number(day.slice(0, 4));
  const reached = greatest.groups[0]!;
  const isCalendar = reached >= firstCalendarYear && reached <= year + 1;
  const tenfold = BigInt(reached > 0 ? reached : 1) * tolerated;
  const versions = addedBy(answer).filter(({ groups: [first] }) =>
    isCalendar ? first! > reached && first! > year : first! > tenfold,
  );
  return versions.length === 0 ? undefined : { versions, greatest };
}
