import type { Day } from '../core/dates.ts';
import type { Reason } from './reason.ts';
import type { Correction } from '../core/schemas/recorded.ts';

export type ChangeKind =
  'added' | 'deprecated' | 'supported' | 'withdrawn' | 'left out' | 'returned' | 'corrected' | 'republished';

/** Something that changed in the index on a day: one release, the releases of a line that share a fate, or many that came at once. */
export interface Change {
  /** Unique in the index and the same in every build, so that readers can remember what they have seen. */
  readonly id: string;
  readonly on: Day;
  readonly component: string;
  readonly kind: ChangeKind;
  /** The release it is about; absent where it is about several. */
  readonly version?: string;
  readonly line?: string;
  /** Of a line: the releases concerned, oldest first. */
  readonly versions?: readonly string[];
  /** Where many came, left or returned at once: how many, the least and the greatest of them. */
  readonly releases?: number;
  readonly first?: string;
  readonly last?: string;
  /** What happened, in a whole sentence. */
  readonly text: string;
  /** Which kind of rule deprecates it; of an addition and a return, where that rule holds at once. */
  readonly rule?: Reason['rule'];
  /** Of a correction: what was corrected, and its values before and after; a value is absent where there was none. */
  readonly field?: Correction['field'];
  readonly from?: string;
  readonly to?: string;
  /** Why, as the policy, the definition, upstream or the correction says it. */
  readonly reason?: string;
  /** Where to read more. */
  readonly url?: string;
}

/** A change that still lacks its place in the index. */
export type ChangeEvent = Omit<Change, 'id' | 'component'>;
