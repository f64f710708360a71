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
const Fingerprint = z.string().regex(/^[0-9a-f]{64}$/, { error: 'expected a SHA-256 in hexadecimal' });

/** How one source of a component has answered lately. */
export const SourceFreshness = z.object({
  /** Day of its last sound answer. */
  answeredOn: DaySchema.optional(),
  answeredAt: JournalInstant.optional(),
  /** Days in a row on which it did not answer soundly; a day counts once, however often it was asked. */
  failures: PositiveCount.optional(),
  failedOn: DaySchema.optional(),
  failedAt: JournalInstant.optional(),
  reason: Line.optional(),
  /** The host that failed and how, the same for every source that it fails. */
  cause: lineOf(300).optional(),
  /** Fingerprint of the definition of the source at its last sound answer: what a changed definition takes is no news of upstream. */
  definition: Fingerprint.optional(),
  /** Fingerprint of the recorded versions that it had listed by its last sound answer: others are not known to be new. */
  listed: Fingerprint.optional(),
  /** Versions whose timestamp or attestation could not be looked up yet; the next run tries again. */
  pending: listOf(VersionText),
});
export type SourceFreshness = z.infer<typeof SourceFreshness>;

/** `data/freshness/<component>.json`: what runs must remember besides the releases. Its instants are those of the first such answer of a day, so that a second run on a day changes nothing. Files of earlier versions hold more keys. */
export const Freshness = z.object({
  checkedOn: DaySchema.optional(),
  /** Versions that no source lists any more and that are not yet taken for withdrawn, with the first day on which they were missing. */
  missing: z.record(VersionText, DaySchema).optional(),
  sources: z.record(SourceId, SourceFreshness),
});
export type Freshness = z.infer<typeof Freshness>;

/** Every day that it names; none may lie ahead. */
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
