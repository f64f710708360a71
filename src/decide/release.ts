import type { Day, Timestamp } from '../core/dates.ts';
import type { Version } from '../core/version.ts';
import type { RecordedRelease, TimestampKind } from '../core/schemas/recorded.ts';

/** One release of a component as the later stages see it: parsed, placed in its line, with its links resolved. */
export interface Release {
  readonly version: string;
  readonly parsed: Version;
  readonly line: string;
  readonly isPrerelease: boolean;
  /** Start of the day where only the day is known. */
  readonly releaseTimestamp: Timestamp | undefined;
  readonly releaseDay: Day | undefined;
  readonly timestampKind: TimestampKind | undefined;
  readonly changelogUrl: string | undefined;
  readonly upstreamDeprecation: { reason: string; since?: Day } | undefined;
  readonly recorded: RecordedRelease;
}
