import * as z from 'zod';
import { countDaysBetween, findLatestDay, type Day } from '../../model/dates.ts';
import { dropUndefined } from '../../model/objects.ts';
import {
  Count,
  DaySchema,
  OneLine,
  createLineSchema,
  createListSchema,
  Sha256,
  SourceId,
  VersionText,
} from '../scalars.ts';

/** The state of a source: it answers, or it fails for a reason. */
const RecordedSource = z.strictObject({
  /** The first day of this state. */
  since: DaySchema,
  /** Why it fails; absent while it answers. */
  reason: OneLine.optional(),
  /** The host and its failure, equal for every source on that host. */
  cause: createLineSchema(300).optional(),
  /** While it fails: the day of its last sound answer; absent where there was none. */
  lastAnswered: DaySchema.optional(),
  /** Digest of its definition at its last sound answer. If it differs, missing versions may come from an edit. */
  definition: Sha256.optional(),
  /** Digest of the versions that it had listed by its last sound answer. */
  listed: Sha256.optional(),
  /** The number of names in that answer, where it is a list that is not recorded itself. */
  names: Count.optional(),
  /** Versions whose timestamp could not be looked up yet; the next run tries again. */
  pending: createListSchema(VersionText),
});

/**
 * `data/freshness/<component>.json`: what runs remember of the sources, apart from releases. Has no day of asking, which is in the line of
 * each run, so a run without news does not change it.
 */
export const RecordedFreshness = z.strictObject({
  /** Versions that no source lists, but that are not yet withdrawn, with the first day on which they were missing. */
  missing: z.record(VersionText, DaySchema).optional(),
  sources: z.record(SourceId, RecordedSource),
});
export type RecordedFreshness = z.infer<typeof RecordedFreshness>;

/** A source as of the last run that asked it. */
export interface SourceFreshness extends Partial<
  Omit<z.infer<typeof RecordedSource>, 'lastAnswered'>
> {
  /** The day of its last sound answer. */
  answeredOn?: Day;
  /** Days in a row without a sound answer. */
  failedDays?: number;
}

/** The sources of a component as of the last run that asked them. */
export interface Freshness extends Pick<RecordedFreshness, 'missing'> {
  /** The day on which the sources were last asked. */
  checkedOn?: Day;
  sources: Record<string, SourceFreshness>;
}

/**
 * The recorded state, with the days that follow from `askedOn`, the last day on which a run asked the sources: a source that
 * answers has answered on that day, and one that fails has failed since its first day.
 */
export function readFreshnessOn(
  { missing, sources }: RecordedFreshness,
  askedOn: Day | undefined,
): Freshness {
  const states: Record<string, SourceFreshness> = {};
  let checkedOn = askedOn;

  for (const [id, { lastAnswered, ...source }] of Object.entries(sources)) {
    const { since, reason } = source;
    const lastDay = findLatestDay(since, askedOn);
    const days =
      reason === undefined
        ? { answeredOn: lastDay }
        : { answeredOn: lastAnswered, failedDays: countDaysBetween(since, lastDay) + 1 };
    states[id] = dropUndefined({ ...source, ...days });
    checkedOn = findLatestDay(lastDay, checkedOn);
  }

  return dropUndefined({ checkedOn, missing, sources: states });
}

/** Whether a source has the definition of its last sound answer. The first runs recorded no digest: it is taken as the same. */
export function hasSameDefinition(
  { definition }: SourceFreshness = {},
  digest: string | undefined,
): boolean {
  return definition === undefined || definition === digest;
}

/** The state without the days that follow from the last run. */
export function toRecordedFreshness({ missing, sources }: Freshness): RecordedFreshness {
  const states = Object.entries(sources).map(([id, { answeredOn, failedDays: _, ...source }]) => [
    id,
    source.reason === undefined ? source : { ...source, lastAnswered: answeredOn },
  ]);
  return RecordedFreshness.parse({ missing, sources: Object.fromEntries(states) });
}

/** The days that only this file records; none may be in the future. */
export function listFreshnessDays(freshness: Freshness): Day[] {
  const { missing = {}, sources } = toRecordedFreshness(freshness);
  const days = Object.values(sources).flatMap(({ since, lastAnswered }) => [since, lastAnswered]);
  return [...Object.values(missing), ...days].filter((day) => day !== undefined);
}
