import type { Day } from '../core/model/dates.ts';
import type { FreshnessState } from '../core/model/states.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import {
  isCatalogueId,
  isStaticId,
  listSourceIds,
  createSupportSourceId,
  removeAddress,
} from '../core/schemas/definition/source-ids.ts';
import type { PublishedTrouble } from '../core/schemas/published/status-file.ts';
import type { Freshness, SourceFreshness } from '../core/schemas/recorded/freshness.ts';
import type { JournalEvent } from '../core/schemas/recorded/journal.ts';
import type { RecordedRelease } from '../core/schemas/recorded/recorded.ts';
import { endSentence, formatCount, formatNumber } from '../core/text/wording.ts';

/** A source without an answer, or an answer or an edit that waits for a person. */
export type Trouble = PublishedTrouble;

/** The freshness of a component, for readers. */
export interface ComponentFreshness {
  /**
   * - `static`: it has no source to ask.
   * - `held`: an answer or an edit waits for a person. Waits are added after `describeFreshness`.
   * - `stale`: a source did not answer. `computeFreshness` adds the age of the last check.
   * - `live`: every source answered.
   */
  readonly state: FreshnessState;
  readonly checkedOn?: Day | undefined;
  readonly changedOn?: Day | undefined;
  /** The longest run of days without an answer of one of its sources. */
  readonly failures: number;
  /** In the order of the definition. */
  readonly troubles: readonly Trouble[];
}

/** The records of a component that say when it changed. */
interface ChangeRecords {
  readonly releases: readonly RecordedRelease[];
  readonly journal: readonly JournalEvent[];
}

/** The freshness as of the last check, without waits. */
export function describeFreshness(
  definition: Definition,
  freshness: Freshness,
  records: ChangeRecords,
  day: Day,
): ComponentFreshness {
  const sources = listSourcesToAsk(definition, freshness);
  const troubles = sources
    .map((source) => findTrouble(source, freshness.sources[source]))
    .filter((trouble) => trouble !== undefined);
  const stateBySources = troubles.length === 0 ? 'live' : 'stale';

  return {
    state: sources.length === 0 ? 'static' : stateBySources,
    checkedOn: freshness.checkedOn,
    changedOn: findLastChange(records, day),
    failures: Math.max(0, ...troubles.map(({ failures }) => failures)),
    troubles,
  };
}

/** The ids of the sources of releases and of support, and of the catalogues that a run has asked. */
function listSourcesToAsk(definition: Definition, { sources }: Freshness): string[] {
  const ids = [
    ...listSourceIds(definition.sources).filter((id) => !isStaticId(id)),
    createSupportSourceId(definition.support),
    ...Object.keys(sources).filter(isCatalogueId),
  ];
  return ids.filter((id) => id !== undefined);
}

function findTrouble(source: string, freshness: SourceFreshness | undefined): Trouble | undefined {
  if (!freshness) {
    // Without a day of failure, it has not failed: see `hasFailed`.
    return { source, kind: 'failed', reason: 'not asked yet', failures: 0 };
  }

  const { answeredOn: lastAnswered, failedDays: failures = 1, reason, cause } = freshness;
  return reason === undefined
    ? undefined
    : { source, kind: 'failed', reason, cause, failures, lastAnswered };
}

/** Whether a source was asked and gave no answer. One that no run has asked yet has no day of failure. */
export function hasFailed({ kind, failures }: Trouble): boolean {
  return kind === 'failed' && failures > 0;
}

/** The last day, up to `day`, on which the releases changed: other verdicts and ends are no change of theirs. */
function findLastChange({ releases, journal }: ChangeRecords, day: Day): Day | undefined {
  const changes = journal.filter(({ type }) => type === 'corrected' || type === 'relisted');
  const days = [
    ...changes.map(({ on }) => on),
    ...releases.flatMap((release) => [
      release.firstSeen,
      release.withdrawnSince,
      release.deprecatedSince,
      release.republished?.on,
    ]),
  ];
  return days
    .filter((on) => on !== undefined && on <= day)
    .sort()
    .at(-1);
}

const byHand = 'Maintained by hand.';
const allAnswered = 'Every source answered at the last check.';

/** Explains the state in a sentence. */
export function explainFreshness(freshness: ComponentFreshness): string {
  switch (freshness.state) {
    case 'static':
      return byHand;
    case 'live':
      return allAnswered;
    case 'held':
      return 'On hold: an unusual change awaits review.';
    case 'stale':
      return explainStale(freshness);
  }
}

function explainStale({ troubles, checkedOn }: ComponentFreshness): string {
  if (troubles.length === 0) {
    return `Last checked on ${checkedOn}. Releases since then may be missing.`;
  }

  const failed = troubles.filter(hasFailed);
  if (failed.length > 0) {
    return `The last check failed (${formatCount(failed.length, 'source')}).`;
  }

  return checkedOn === undefined
    ? 'Not checked yet.'
    : `Not asked yet: ${formatCount(troubles.length, 'source')}.`;
}

/** Summarises the states of all components. */
export function summariseFreshness(freshnesses: readonly ComponentFreshness[]): string {
  const { stale = [], held = [], live = [] } = Object.groupBy(freshnesses, ({ state }) => state);
  if (stale.length === 0 && held.length === 0) {
    return live.length === 0 ? byHand : allAnswered;
  }

  const size = formatCount(freshnesses.length, 'component');
  const sentences = [
    stale.length > 0 && `${formatNumber(stale.length)} of ${size} may be out of date.`,
    held.length > 0 &&
      `${formatNumber(held.length)} of ${size} await${held.length === 1 ? 's' : ''} review.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

/** Describes the problem of a source in full. */
export function describeTrouble(trouble: Trouble): string {
  const { source, kind, reason, heldSince, lastAnswered } = trouble;
  const problem = endSentence(`${removeAddress(source)}: ${reason}`);
  if (kind === 'held') {
    return `${problem} Waits for review since ${heldSince}.`;
  }

  return lastAnswered === undefined ? problem : `${problem} It last answered on ${lastAnswered}.`;
}
