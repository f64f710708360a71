import type { Day } from '../core/dates.ts';
import type { ReleasePast } from './past.ts';
import { holdsOn, type Reason } from './reason.ts';
import type { Release } from './release.ts';
import type { SupportHistory } from './support-history.ts';

/** Why a release was deprecated on a day of its past; empty if it was not. */
export type PastVerdict = (past: ReleasePast, day: Day) => Reason[];

export function pastVerdicts(
  ownReasonsOf: (release: Release) => readonly Reason[],
  history: SupportHistory,
): PastVerdict {
  return ({ release, states }, day) => {
    const state = states.findLast(({ from }) => from <= day)!;
    const ofLine = history.get(release.line)?.findLast(({ on }) => on <= day)?.reason;
    const own = ownReasonsOf(state.release).filter((reason) => holdsOn(reason, day));
    return ofLine ? [ofLine, ...own] : own;
  };
}
