import type { Day } from '../../../core/model/dates.ts';
import type { JournalEvent } from '../../../core/schemas/recorded/journal.ts';
import type { ComponentState } from './reader-facts.ts';

/** Limits of losses that need no person; the contract shows them as a table. */
export const measures = {
  /** The days ahead for which both states are judged. */
  ahead: [0, 1, 90],
  /** How many of the greatest versions may fall, and the days after it in which no other may. */
  latest: { most: 1, days: 14 },
  /** `part` of the releases, and at least `fewest`. `days`: how far to look back in the journal. */
  share: { part: 1 / 5, fewest: 3 },
  earlier: [
    { days: 30, part: 1 / 5 },
    { days: 365, part: 1 / 2 },
  ],
  /** Days that a line may lose, and days of notice before its end. */
  ends: 90,
} as const;

/** The two states to compare, and what the index said before. */
export interface StateChange {
  readonly name: string;
  readonly before: ComponentState;
  readonly after: ComponentState;
  readonly day: Day;
  readonly journal: readonly JournalEvent[];
  /** The day on which a run last used a decision about the component. */
  readonly acceptedOn: Day;
}

export type Measure =
  'latest' | 'releases' | 'ends' | 'advisories' | 'recorded' | 'links' | 'good news';

/** A consequence, or an exceeded measure. */
export interface Loss {
  readonly measure: Measure;
  readonly item?: string;
  readonly reason?: string;
}

/** A part of the releases, and not just a few. */
export function isShare(count: number, all: number, part: number = measures.share.part): boolean {
  return count >= measures.share.fewest && count >= all * part;
}
