import { dayOf, daysBetween, type Day } from '../../core/dates.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import type { RecordedRelease } from '../../core/schemas/recorded.ts';

const earliestPlausibleDay: Day = '2000-01-01';

/** Rules beyond the schema: no recorded day is in the future, or so far from where it belongs that it cannot be right. */
export function checkRecordedDays(
  component: string,
  recorded: readonly RecordedRelease[],
  today: Day,
): Finding[] {
  const file = `data/${component}.json`;
  const findings: Finding[] = [];
  for (const release of recorded) {
    const { version } = release;
    for (const message of impossibleDays(release, today))
      findings.push(fileProblem(file, `${version}: ${message}`));
    for (const message of contradictions(release))
      findings.push(fileProblem(file, `${version}: ${message}`, 'warning'));
  }
  return findings;
}

function impossibleDays(
  { releaseTimestamp, firstSeen, withdrawnSince, deprecatedSince }: RecordedRelease,
  today: Day,
): string[] {
  const future = Object.entries({ releaseTimestamp, firstSeen, withdrawnSince, deprecatedSince })
    .filter(([, value]) => value !== undefined && dayOf(value) > today)
    .map(([key, value]) => `${key}: ${value} is in the future`);
  if (releaseTimestamp === undefined || dayOf(releaseTimestamp) >= earliestPlausibleDay) return future;
  return [
    `releaseTimestamp: ${releaseTimestamp} is before ${earliestPlausibleDay}, which Renovate does not take for a date`,
    ...future,
  ];
}

function* contradictions({ version, releaseTimestamp, firstSeen, ...others }: RecordedRelease) {
  const year = /^v?(20\d\d)(?:\.|$)/.exec(version)?.[1];
  if (releaseTimestamp !== undefined && Number(year) - Number(releaseTimestamp.slice(0, 4)) > 2)
    yield `releaseTimestamp: ${releaseTimestamp} is years before ${year}, the year of its name`;
  if (firstSeen === undefined) return;
  const seen = `the day on which it was first seen (${firstSeen})`;
  for (const key of ['withdrawnSince', 'deprecatedSince'] as const) {
    const day = others[key];
    if (day !== undefined && day < firstSeen) yield `${key}: ${day} is before ${seen}`;
  }
  if (releaseTimestamp !== undefined && daysBetween(firstSeen, dayOf(releaseTimestamp)) > 1)
    yield `releaseTimestamp: ${releaseTimestamp} is after ${seen}`;
}
