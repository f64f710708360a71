/** Warns about recorded versions that sources now list only in another spelling. */
import type { Day } from '../core/day.ts';
import type { Problem } from '../core/errors.ts';
import type { Recorded } from '../core/schema/recorded.ts';
import { formatCount, formatList } from '../core/text.ts';

/**
 * Returns a warning about versions that sources now list only in another spelling. Warns only on the day on which a run confirms the other
 * spelling (`confirmedOn`).
 */
export function listOtherSpellings(subject: string, { releases }: Recorded, day: Day): Problem[] {
  const respelled = releases.flatMap(({ version, otherSpelling }) =>
    otherSpelling?.confirmedOn === day ? `${otherSpelling.version} for ${version}` : [],
  );
  if (respelled.length === 0) {
    return [];
  }

  const count = formatCount(respelled.length, 'recorded version');
  const spellings = formatList(respelled, 5);
  const message =
    `its sources now list ${count} in another spelling: ${spellings}. ` +
    `Readers keep the recorded spelling, because their pins name it`;
  return [{ subject, message, level: 'warning' }];
}
