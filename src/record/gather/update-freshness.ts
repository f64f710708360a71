import type { Day } from '../../core/model/dates.ts';
import { dropUndefined, listDistinct, pick } from '../../core/model/objects.ts';
import type { Freshness, SourceFreshness } from '../../core/schemas/recorded/freshness.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import type { Answered } from './ask-source.ts';
import type { Merged } from './merge.ts';
import { digestListed } from './recorded-releases.ts';
import type { Failed } from './source-failure.ts';

/** An accepted answer of a source, with the facts to remember of it, or its failure. */
export type SourceState = AnsweredState | FailedState;

interface AnsweredState extends Pick<Answered, 'kind' | 'id' | 'fingerprint' | 'pending'> {
  /** The number of names in a list that is not recorded itself. */
  names: number | undefined;
}

interface FailedState extends Omit<Failed, 'stack'> {
  /** Versions whose day could not be read, of an answer that was rejected. */
  pending?: readonly string[] | undefined;
  /** When its failure was noted. */
  at: string;
}

/** The freshness of a component to record after a run, without the days that follow from the day of the run. */
export function updateFreshness(
  before: Freshness,
  states: readonly SourceState[],
  day: Day,
  { missing, releases }: Pick<Merged, 'missing' | 'releases'>,
): Freshness {
  const sources = states.map((state) => {
    const former = before.sources[state.id] ?? {};
    const source =
      state.kind === 'answered'
        ? {
            ...recordAnswer(former, state, day),
            listed: digestListed(releases, state.id, day),
          }
        : recordFailure(former, state, day);
    return [state.id, source] as const;
  });

  return dropUndefined({
    missing: Object.keys(missing).length > 0 ? missing : undefined,
    sources: Object.fromEntries(sources),
  });
}

function recordAnswer(
  former: SourceFreshness,
  { fingerprint, names, pending }: AnsweredState,
  day: Day,
): SourceFreshness {
  const { since = day, reason } = former;
  return dropUndefined({
    since: reason === undefined ? since : day,
    answeredOn: day,
    definition: fingerprint,
    names,
    pending: listPending(pending),
  });
}

function recordFailure(
  former: SourceFreshness,
  { reason: newReason, cause, pending: newPending = [] }: FailedState,
  day: Day,
): SourceFreshness {
  const { since = day, reason, pending = [] } = former;

  return dropUndefined({
    ...pick(former, ['answeredOn', 'definition', 'listed', 'names']),
    since: reason === undefined ? day : since,
    ...(isSameFailure(former, newReason, cause)
      ? pick(former, ['reason', 'cause'])
      : { reason: toLine(newReason), cause }),
    // A rejected answer may lack versions of the last one.
    pending: listPending([...pending, ...newPending]),
  });
}

/** Each version once, sorted; undefined for none. */
function listPending(versions: readonly string[]): string[] | undefined {
  return listDistinct(versions)?.sort();
}

/** Whether a failure differs at most in numbers, such as attempts and seconds, so that a lasting failure changes no text. */
function isSameFailure(
  former: SourceFreshness,
  reason: string,
  cause: string | undefined,
): boolean {
  const removeNumbers = (text: string) => toLine(text).replaceAll(/\d+/g, '');
  return (
    former.reason !== undefined &&
    former.cause === cause &&
    removeNumbers(former.reason) === removeNumbers(reason)
  );
}
