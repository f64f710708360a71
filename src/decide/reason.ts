import type { Day } from '../core/dates.ts';

/** Why a release is, or will be, deprecated. */
export interface Reason {
  rule: 'support policy' | 'definition' | 'upstream' | 'withdrawn';
  /** A whole sentence for a person. */
  text: string;
  /** The first day on which it holds; absent if it has always held or nobody stated since when. */
  from?: Day;
  /** That day is an upper bound: it may have begun to hold before. */
  fromKind?: 'observed';
  url?: string;
}

export function holdsOn(reason: Reason, day: Day): boolean {
  return reason.from === undefined || reason.from <= day;
}
