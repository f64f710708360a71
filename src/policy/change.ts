import type { Day } from '../dates.ts';
import type { Reason } from './reason.ts';
import type { Correction } from '../model/recorded.ts';

export type ChangeKind = 'added' | 'deprecated' | 'withdrawn' | 'returned' | 'corrected';

/** Something that changed in the index on a day: one release, or the releases of a line that share a fate. */
export interface Change {
  /** Unique in the index and the same in every build, so that readers can remember what they have seen. */
  readonly id: string;
  readonly on: Day;
  readonly component: string;
  readonly kind: ChangeKind;
  /** The release it is about; absent where it is about a line. */
  readonly version?: string;
  readonly line?: string;
  /** Of a line: the releases concerned, oldest first. */
  readonly versions?: readonly string[];
  /** What happened, in a whole sentence. */
  readonly text: string;
  /** Of a deprecation: which kind of rule it follows from. */
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

/** How many of a component's changes the documents about all components may show, so that none crowds out the others. */
export const maxChangesPerComponent = 200;
