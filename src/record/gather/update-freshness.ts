import { toDay, type Day } from '../../core/dates.ts';
import { defined, pick, toLine } from '../../core/text.ts';
import type { Merged } from './merge.ts';
import type { Freshness, SourceFreshness } from '../../core/schemas/freshness.ts';
import { digestListed } from './recorded-release.ts';

/** The remembered facts of an answer. */
export interface Taken {
  definition: string;
  /** Versions whose day or attestation could not be read. */
  pending: readonly string[];
}

export type SourceState =
  | { id: string; kind: 'answered'; taken: Taken }
  | { id: string; kind: 'failed'; reason: string; cause?: string | undefined };

/**
 * The freshness of a component after a run. A second run on the same day changes it only if a failed source answers.
 */
export function updateFreshness(
  before: Freshness,
  states: readonly SourceState[],
  day: Day,
  { missing, releases }: Pick<Merged, 'missing' | 'releases'>,
  now: Date,
): Freshness {
  const sources: Record<string, SourceFreshness> = {};
  // The instant is unknown unless the run is for today.
  const at = toDay(now) === day ? now.toISOString() : undefined;
  for (const state of states) {
    const source = updateSource(before.sources[state.id], state, day, at);
    const isTaken = source.answeredOn === day;
    sources[state.id] = isTaken
      ? { ...source, listed: digestListed(releases, state.id, day) }
      : source;
  }
  const isAnswered = states.some((state) => state.kind !== 'failed');
  const checkedOn = isAnswered ? day : before.checkedOn;
  return defined({
    checkedOn,
    missing: Object.keys(missing).length > 0 ? missing : undefined,
    sources,
  });
}

/** The keys that stay while a source fails. */
const remembered = ['answeredOn', 'answeredAt', 'definition', 'listed', 'pending'] as const;

function updateSource(
  before: SourceFreshness = {},
  state: SourceState,
  day: Day,
  at: string | undefined,
): SourceFreshness {
  if (state.kind === 'answered') {
    const { definition, pending } = state.taken;
    return defined({
      answeredOn: day,
      answeredAt: before.answeredOn === day ? before.answeredAt : at,
      definition,
      pending: pending.length > 0 ? [...pending].sort() : undefined,
    });
  }
  const isCounted = before.failedOn === day;
  return defined({
    ...pick(before, remembered),
    failures: isCounted && before.failures ? before.failures : (before.failures ?? 0) + 1,
    failedOn: day,
    failedAt: isCounted ? before.failedAt : at,
    reason: toLine(state.reason),
    cause: state.cause,
  });
}
