import { dayOf, type Day } from '../dates.ts';
import type { Finding } from '../model/finding.ts';
import type { RecordedRelease } from '../model/recorded.ts';

const earliestPlausibleDay: Day = '2000-01-01';

/** Rules that a schema cannot hold: what is recorded must be possible. */
export function checkRecorded(
  component: string,
  recorded: readonly RecordedRelease[],
  today: Day,
): Finding[] {
  const file = `data/${component}.json`;
  return recorded.flatMap(({ version, releaseTimestamp, firstSeen, withdrawnSince }) => {
    const findings: Finding[] = [];
    const refuse = (message: string) =>
      findings.push({ level: 'error', subject: file, message: `${version}: ${message}`, file });
    if (releaseTimestamp !== undefined && dayOf(releaseTimestamp) < earliestPlausibleDay) {
      refuse(`releaseTimestamp: ${releaseTimestamp} is before 2000-01-01, which Renovate takes for no date`);
    }
    for (const [key, value] of Object.entries({ releaseTimestamp, firstSeen, withdrawnSince })) {
      if (value !== undefined && dayOf(value) > today) refuse(`${key}: ${value} lies in the future`);
    }
    return findings;
  });
}
