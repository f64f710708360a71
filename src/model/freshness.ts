import { z } from 'zod';
import { DaySchema, Line, VersionText } from './scalars.ts';

/** How one source of a component has answered lately. */
export const SourceFreshness = z.strictObject({
  /** Day of its last sound answer. */
  answeredOn: DaySchema.optional(),
  /** Days in a row on which it did not answer soundly; a day counts once, however often it was asked. */
  failures: z.int().min(1).optional(),
  failedOn: DaySchema.optional(),
  reason: Line.optional(),
  /** Its answer was not believed; it waits for a person to look at it. */
  heldSince: DaySchema.optional(),
  /** Versions whose timestamp could not be looked up yet; the next run tries again. */
  pending: z.array(VersionText).min(1).optional(),
});
export type SourceFreshness = z.infer<typeof SourceFreshness>;

/** `data/freshness/<component>.json`: what runs must remember besides the releases. It holds days only, so that a second run on a day changes nothing. */
export const Freshness = z.strictObject({
  checkedOn: DaySchema.optional(),
  /** Written by earlier versions, and read by none: the recorded releases say it themselves. */
  changedOn: DaySchema.optional(),
  sources: z.record(z.string(), SourceFreshness),
});
export type Freshness = z.infer<typeof Freshness>;

export const FreshnessState = z.enum(['live', 'stale', 'held', 'static']);
export type FreshnessState = z.infer<typeof FreshnessState>;
