/** The places of releases among each other. */
import { countDays, type Day } from '../core/day.ts';
import type { Component, Release } from '../core/schema/published.ts';

/** Releases in their order, each with its place. */
export function placeReleases({
  latest,
  lines,
  releases,
}: Pick<Component, 'latest' | 'lines' | 'releases'>): Release[] {
  const latestByLine = new Map(lines.map((line) => [line.line, line.latest]));
  const latestDay = findStatedDay(releases.findLast(({ version }) => version === latest));
  let newer = releases.filter(isCounted).length;
  return releases.map((release) => {
    const { version, line } = release;
    newer -= Number(isCounted(release));
    const isBehind = latest !== undefined && version !== latest;
    return {
      ...release,
      isLatest: version === latest || undefined,
      isLatestOfLine: version === latestByLine.get(line) || undefined,
      releasesBehind: isBehind ? newer : undefined,
      behind: isBehind ? countDaysBehind(findStatedDay(release), latestDay) : undefined,
    };
  });
}

/** Older releases are behind it. */
function isCounted({ isPrerelease, isDeprecated }: Release): boolean {
  return !isPrerelease && !isDeprecated;
}

/** The day that upstream states. */
function findStatedDay(release: Release | undefined): Day | undefined {
  return release?.timestampKind === 'observed'
    ? undefined
    : release?.releaseTimestamp?.slice(0, 10);
}

/** Undefined for a release after the latest one, and where upstream states no day. */
function countDaysBehind(day: Day | undefined, latestDay: Day | undefined): number | undefined {
  return day !== undefined && latestDay !== undefined && day <= latestDay
    ? countDays(day, latestDay)
    : undefined;
}
