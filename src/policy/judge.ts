import type { Day } from '../dates.ts';
import type { Definition } from '../model/definition.ts';
import { defined } from '../text.ts';
import { ownReasons } from './deprecations.ts';
import { groupByLine } from './lines.ts';
import { holdsOn, type Reason } from './reason.ts';
import type { Release } from './release.ts';
import { supportReasons } from './support.ts';

/** A release and what is decided about it on one day. */
export interface JudgedRelease extends Release {
  readonly isDeprecated: boolean;
  /** Why it is deprecated, the oldest reason first. Empty if it is not. */
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
  const lines = groupByLine(releases, day);
  const bySupport = supportReasons(definition.support ?? { policy: 'none' }, lines, day);
  const ownReasonsOf = ownReasons(definition);
  const judgedLines = lines.map((line, index): JudgedLine => {
    const reason = bySupport[index];
    const ofLine = reason ? [reason] : [];
    return defined({
      name: line.name,
      releases: line.releases.map((release) => ({
        ...release,
        ...verdictOf([...ofLine, ...ownReasonsOf(release)], day),
      })),
      firstReleaseDay: line.firstReleaseDay,
      isSupported: !reason || !holdsOn(reason, day),
      eolFrom: reason?.from,
      reason,
    });
  });
  // The releases of a line stand together in version order.
  const all = judgedLines.flatMap((line) => line.releases);
  return defined({
    day,
    releases: all,
    lines: judgedLines,
    latest: all.findLast((release) => !release.isDeprecated && !release.isPrerelease),
    nextChangeOn: earliestChange(all),
  });
}

type Verdict = Pick<JudgedRelease, 'isDeprecated' | 'reasons' | 'upcoming'>;

function verdictOf(all: readonly Reason[], day: Day): Verdict {
  const sorted = all.toSorted((a, b) => compareDays(a.from, b.from));
  const reasons = sorted.filter((reason) => holdsOn(reason, day));
  const upcoming = sorted.filter((reason) => !holdsOn(reason, day));
  return { isDeprecated: reasons.length > 0, reasons, upcoming };
}

/** A reason without a day has always held. */
function compareDays(a: Day | undefined, b: Day | undefined): number {
  if (a === b) return 0;
  if (a === undefined) return -1;
  if (b === undefined) return 1;
  return a < b ? -1 : 1;
}

/** A line without a release that one should still use is not supported, whatever the policy says. */
export function isLineSupported(line: JudgedLine): boolean {
  return line.isSupported && line.releases.some((release) => !release.isDeprecated);
}

function earliestChange(releases: readonly JudgedRelease[]): Day | undefined {
  return releases
    .filter((release) => !release.isDeprecated)
    .flatMap(({ upcoming }) => upcoming[0]?.from ?? [])
    .sort()[0];
}
