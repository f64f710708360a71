import { dayOf, daysBetween, type Day } from '../../core/dates.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import type { RecordedRelease } from '../../core/schemas/recorded.ts';
import { compareVersions, parseVersion } from '../../core/version.ts';

const earliestPlausibleDay: Day = '2000-01-01';

/** Vendors do publish a lower version after a higher one, but hardly by years. */
const mostDaysAgainstOrder = 730;

/** Rules beyond the schema: no recorded day lies in the future, or so far from where it belongs that it cannot be right. */
export function checkRecordedDays(
  component: string,
  recorded: readonly RecordedRelease[],
  today: Day,
): Finding[] {
  const file = `data/${component}.json`;
  const findings: Finding[] = [];
  const plausible: RecordedRelease[] = [];
  for (const release of recorded) {
    const { version } = release;
    const [impossible, doubtful] = [impossibleDays(release, today), [...contradictions(release)]];
    if (impossible.length + doubtful.length === 0) plausible.push(release);
    for (const message of impossible) findings.push({ ...problem(file, `${version}: ${message}`), file });
    for (const message of doubtful)
      findings.push({ level: 'warning', subject: file, message: `${version}: ${message}`, file });
  }
  for (const message of daysAgainstOrder(plausible))
    findings.push({ level: 'warning', subject: file, message, file });
  return findings;
}

function impossibleDays(
  { releaseTimestamp, firstSeen, withdrawnSince, deprecatedSince }: RecordedRelease,
  today: Day,
): string[] {
  const future = Object.entries({ releaseTimestamp, firstSeen, withdrawnSince, deprecatedSince })
    .filter(([, value]) => value !== undefined && dayOf(value) > today)
    .map(([key, value]) => `${key}: ${value} lies in the future`);
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

/**
 * Days that run against the order of versions by years, as a wrong clock or a slip of the pen makes them: within a line such
 * as 2.1, from the first release of a line to that of the next one of the same first group, and from 1.0 to 2.0. A day that
 * is only observed may be any number of years late.
 */
function daysAgainstOrder(recorded: readonly RecordedRelease[]): string[] {
  const dated = recorded
    .flatMap(({ version, releaseTimestamp, timestampKind }) => {
      const parsed = parseVersion(version);
      if (!parsed || releaseTimestamp === undefined) return [];
      return { version, parsed, day: dayOf(releaseTimestamp), isObserved: timestampKind === 'observed' };
    })
    .toSorted((a, b) => compareVersions(a.parsed, b.parsed));
  const byStart = (start: RegExp) => Map.groupBy(dated, ({ version }) => start.exec(version)![0]);
  const [majors, lines] = [byStart(/^\D*\d+/), byStart(/^\D*\d+(?:\.\d+)?/)];
  const firsts = new Set(Array.from(lines.values(), ([first]) => first!));
  const sequences = [
    Array.from(majors.values(), ([first]) => first!),
    ...Array.from(majors.values(), (releases) => releases.filter((release) => firsts.has(release))),
    ...lines.values(),
  ];
  return sequences.flatMap((sequence) =>
    sequence.flatMap(({ version, day }, index) => {
      const before = sequence[index - 1];
      if (!before || before.isObserved || daysBetween(day, before.day) <= mostDaysAgainstOrder) return [];
      return `${version}: releaseTimestamp: ${day} is years before ${before.version} (${before.day}), which it follows. One of the two may be wrong.`;
    }),
  );
}
