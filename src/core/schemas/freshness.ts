import * as z from 'zod';
import { dayOf, type Day } from '../dates.ts';
import { freshnessStates } from '../query/fields.ts';
import {
  DaySchema,
  JournalInstant,
  Line,
  lineOf,
  listOf,
  PositiveCount,
  SourceId,
  VersionText,
} from './scalars.ts';

/** SHA-256 of a text. */
const Fingerprint = z
  .string()
  .regex(/^[0-9a-f]{64}$/, { error: 'expected a SHA-256 in hexadecimal' });

/** The latest answers and failures of one source. */
export const SourceFreshness = z.object({
  /** Day of its last sound answer. */
  answeredOn: DaySchema.optional(),
  answeredAt: JournalInstant.optional(),
  /** Days in a row without a sound answer. Several failures on a day count once. */
  failures: PositiveCount.optional(),
  failedOn: DaySchema.optional(),
  failedAt: JournalInstant.optional(),
  reason: Line.optional(),
  /** The host and its failure: equal for every source on that host. */
  cause: lineOf(300).optional(),
  /** Digest of the source's definition at its last sound answer. If it differs, missing versions may come from an edit. */
  definition: Fingerprint.optional(),
  /** Digest of the versions that the source had listed by its last sound answer. */
  listed: Fingerprint.optional(),
  /** Versions whose timestamp or attestation could not be looked up yet; the next run tries again. */
  pending: listOf(VersionText),
});
export type SourceFreshness = z.infer<typeof SourceFreshness>;

/**
 * `data/freshness/<component>.json`: the memory of runs, apart from releases. Instants are of the first answer of a day, so a
 * second run on the same day changes nothing. Files of earlier versions have more keys.
 */
export const Freshness = z.object({
  checkedOn: DaySchema.optional(),
  /** Versions that no source lists, but that are not yet withdrawn, with the first day on which they were missing. */
  missing: z.record(VersionText, DaySchema).optional(),
  sources: z.record(SourceId, SourceFreshness),
});
export type Freshness = z.infer<typeof Freshness>;

/** Every day in it; none may be in the future. */
export function daysIn({ checkedOn = '', missing = {}, sources }: Freshness): Day[] {
  const ofSources = Object.values(sources).flatMap(
    ({ answeredOn = '', failedOn = '', answeredAt = '', failedAt = '' }) => [
      answeredOn,
      failedOn,
      dayOf(answeredAt),
      dayOf(failedAt),
    ],
  );
  return [checkedOn, ...Object.values(missing), ...ofSources];
}

export const FreshnessState = z.enum(freshnessStates);
export type FreshnessState = z.infer<typeof FreshnessState>;
