import type { Day, Timestamp } from '../dates.ts';
import type { Version } from '../version.ts';
import type { Correction, RecordedRelease, TimestampKind } from './recorded.ts';

/** One release of a component as the later stages see it: parsed, placed in its line, with its links resolved. */
export interface Release {
  readonly version: string;
  readonly parsed: Version;
  readonly line: string;
  readonly isPrerelease: boolean;
  /** Start of the day where only the day is known. */
  readonly releaseTimestamp?: Timestamp;
  readonly timestampKind?: TimestampKind;
  readonly changelogUrl?: string;
  readonly source?: string;
  readonly firstSeen?: Day;
  readonly upstreamDeprecation?: { reason: string; since?: Day };
  readonly withdrawnSince?: Day;
  readonly corrections: readonly Correction[];
  readonly recorded: RecordedRelease;
}
