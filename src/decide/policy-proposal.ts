import { addMonths, type Day } from '../core/dates.ts';
import type { SupportPolicy } from '../core/schemas/definition.ts';
import { compareVersions, releaseLine } from '../core/version.ts';
import type { Release } from './release.ts';

/** What the releases themselves show of how long their maintainers look after a line. */
export interface PolicyProposal {
  /** Release lines that had a release in the year before the day, oldest first. */
  aliveLines: readonly string[];
  /** Absent where no more than one line is alive, or where they are not the newest. */
  policy?: Extract<SupportPolicy, { policy: 'latest-lines' }>;
}

/**
 * A proposal for a person, never taken by itself: nobody promised anything. Days that we observed say nothing of when a
 * line had its last release.
 */
export function proposePolicy(releases: readonly Release[], day: Day): PolicyProposal {
  const yearAgo = addMonths(day, -12);
  const told = releases.filter(
    ({ isPrerelease, releaseDay, timestampKind, recorded, upstreamDeprecation }) =>
      !isPrerelease &&
      releaseDay !== undefined &&
      timestampKind === 'published' &&
      recorded.withdrawnSince === undefined &&
      upstreamDeprecation === undefined,
  );
  told.sort((a, b) => compareVersions(a.parsed, b.parsed));
  // Where an older major version is looked after beside a newer one, and no minor version is, lines are major versions.
  const majors = [...Map.groupBy(told, ({ parsed }) => releaseLine(parsed, 1)).values()];
  const isCalendar = told.some(({ parsed }) => (parsed.groups[0] ?? 0) >= 1000);
  const byMajor = !isCalendar && !majors.some((major) => runBeside(major, 2)) && runBeside(told, 1);
  const groups = byMajor ? 1 : 2;
  const linesOf = (some: readonly Release[]) => [
    ...new Set(some.map(({ parsed }) => releaseLine(parsed, groups))),
  ];
  const aliveLines = linesOf(told.filter(({ releaseDay }) => releaseDay! > yearAgo && releaseDay! <= day));
  const newest = linesOf(told).slice(-aliveLines.length);
  if (aliveLines.length < 2 || newest.join() !== aliveLines.join()) return { aliveLines };
  return {
    aliveLines,
    policy: { policy: 'latest-lines', count: aliveLines.length, ...(byMajor && { line: 1 as const }) },
  };
}

/** Whether a line had a release after a newer one had begun. `releases` are in version order. */
function runBeside(releases: readonly Release[], groups: 1 | 2): boolean {
  let earliestOfNewer: Day | undefined;
  let earliestOfLine: Day | undefined;
  let line: string | undefined;
  for (const { parsed, releaseDay } of releases.toReversed()) {
    const name = releaseLine(parsed, groups);
    if (name !== line) {
      earliestOfNewer = earlier(earliestOfNewer, earliestOfLine);
      earliestOfLine = undefined;
      line = name;
    }
    if (earliestOfNewer !== undefined && releaseDay! > earliestOfNewer) return true;
    earliestOfLine = earlier(earliestOfLine, releaseDay);
  }
  return false;
}

function earlier(a: Day | undefined, b: Day | undefined): Day | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}
