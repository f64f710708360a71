import type { Day } from '../dates.ts';
import type { Definition } from '../model/definition.ts';
import type { Release } from './release.ts';
import { listedReasons, upstreamReason, withdrawnReason } from './deprecations.ts';
import { groupByLine, type ReleaseLine } from './lines.ts';
import { holdsOn, type Reason } from './reason.ts';
import { supportReasons } from './support.ts';

/** A release and what is decided about it on one day. */
export interface JudgedRelease extends Release {
  readonly isDeprecated: boolean;
  /** Why it is deprecated; the reason that has held longest comes first. Empty where it is not. */
  readonly reasons: readonly Reason[];
  /** Reasons that will hold later, soonest first. */
  readonly upcoming: readonly Reason[];
}

/** A release line and what is decided about it on one day. */
export interface JudgedLine {
  readonly name: string;
  /** Oldest first. */
  readonly releases: readonly JudgedRelease[];
  readonly firstReleaseDay?: Day;
  /** Whether the support policy still covers it. */
  readonly isSupported: boolean;
  /** First day without support, past or future, where the policy names one. */
  readonly eolFrom?: Day;
  readonly reason?: Reason;
}

export interface Judgement {
  /** The day it holds for. */
  readonly day: Day;
  /** Oldest first. */
  readonly releases: readonly JudgedRelease[];
  /** Oldest first. */
  readonly lines: readonly JudgedLine[];
  /** The greatest version that is stable and not deprecated. */
  readonly latest?: JudgedRelease;
  /** The next day on which a verdict changes although no data does. */
  readonly nextChangeOn?: Day;
}

/** Applies every rule of a definition to releases in version order, as of a day. Pure. */
export function judge(releases: readonly Release[], definition: Definition, day: Day): Judgement {
  const lines = groupByLine(releases);
  const bySupport = supportReasons(definition.support ?? { policy: 'none' }, lines, day);
  const byList = listedReasons(definition);
  const judgedLines = lines.map((line, index) => {
    const reason = bySupport[index];
    const ofLine = verdictOf(reason ? [reason] : none, day);
    return judgeLine(line, reason, day, (release) => {
      const own = ownReasons(release, byList(release), definition);
      // Most releases have no reason of their own, and share the verdict of their line.
      const verdict = own.length === 0 ? ofLine : verdictOf(reason ? [reason, ...own] : own, day);
      return { ...release, ...verdict };
    });
  });
  // The releases of a line stand together in version order.
  const all = judgedLines.flatMap((line) => line.releases);
  const latest = all.findLast((release) => !release.isDeprecated && !release.isPrerelease);
  const nextChangeOn = earliestChange(all);
  return {
    day,
    releases: all,
    lines: judgedLines,
    ...(latest && { latest }),
    ...(nextChangeOn !== undefined && { nextChangeOn }),
  };
}

function judgeLine(
  line: ReleaseLine,
  reason: Reason | undefined,
  day: Day,
  judgeRelease: (release: Release) => JudgedRelease,
): JudgedLine {
  return {
    name: line.name,
    releases: line.releases.map(judgeRelease),
    ...(line.firstReleaseDay !== undefined && { firstReleaseDay: line.firstReleaseDay }),
    isSupported: !reason || !holdsOn(reason, day),
    ...(reason?.from !== undefined && { eolFrom: reason.from }),
    ...(reason && { reason }),
  };
}

const none: readonly Reason[] = [];

function ownReasons(release: Release, byList: readonly Reason[], definition: Definition): readonly Reason[] {
  const upstream = upstreamReason(definition, release);
  const withdrawn = withdrawnReason(release);
  if (!upstream && !withdrawn) return byList;
  return [...byList, ...(upstream ? [upstream] : []), ...(withdrawn ? [withdrawn] : [])];
}

type Verdict = Pick<JudgedRelease, 'isDeprecated' | 'reasons' | 'upcoming'>;

function verdictOf(all: readonly Reason[], day: Day): Verdict {
  const sorted = all.toSorted((a, b) => compareDays(a.from, b.from));
  const reasons = sorted.filter((reason) => holdsOn(reason, day));
  return {
    isDeprecated: reasons.length > 0,
    reasons,
    upcoming: sorted.filter((reason) => !holdsOn(reason, day)),
  };
}

/** A reason without a day has always held. */
function compareDays(a: Day | undefined, b: Day | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  return a < b ? -1 : 1;
}

/** A line of which nothing is left that one should use is not supported, whatever the policy says. */
export function isLineSupported(line: JudgedLine): boolean {
  return line.isSupported && line.releases.some((release) => !release.isDeprecated);
}

function earliestChange(releases: readonly JudgedRelease[]): Day | undefined {
  let earliest: Day | undefined;
  releases.forEach(({ isDeprecated, upcoming }) => {
    const from = isDeprecated ? undefined : upcoming[0]?.from;
    if (from !== undefined && (earliest === undefined || from < earliest)) earliest = from;
  });
  return earliest;
}
