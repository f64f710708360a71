import type { z } from 'zod';
import { countDaysBetween, findEarliestDay, type Day } from '../core/model/dates.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import {
  isCatalogueId,
  isStaticId,
  listSourceIds,
  createSupportSourceId,
  removeAddress,
} from '../core/schemas/definition/source.ts';
import type { PublishedTrouble } from '../core/schemas/published/status-file.ts';
import type {
  Freshness,
  FreshnessState,
  SourceFreshness,
} from '../core/schemas/recorded/freshness.ts';
import type { JournalEvent } from '../core/schemas/recorded/journal.ts';
import type { RecordedRelease } from '../core/schemas/recorded/recorded.ts';
import { formatCount, endSentence } from '../core/text/wording.ts';

/** A source without an answer, or whose answer waits for a person. */
export type Trouble = z.infer<typeof PublishedTrouble>;

/** The freshness of a component, for readers. */
export interface ComponentFreshness {
  /** `static`: no source to ask; `held`, which the build adds: an answer waits for a person; `stale`: a source did not answer; else `live`. */
  readonly state: FreshnessState;
  readonly checkedOn?: Day | undefined;
  readonly changedOn?: Day | undefined;
  /** The longest run of days without an answer of one of its sources. */
  readonly failures: number;
  /** In the order of the definition. */
  readonly troubles: readonly Trouble[];
}

/** Whether a cause is an edited file rather than a source. */
export function isEdit(cause: string): boolean {
  return /^(?:components|data|site)\//.test(cause);
}

/** The records of a component that say when it changed. */
interface ChangeRecords {
  readonly releases: readonly RecordedRelease[];
  readonly journal: readonly JournalEvent[];
}

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
  const state = troubles.length > 0 ? 'stale' : 'live';
  return {
    state: sources.length === 0 ? 'static' : state,
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
    return { source, kind: 'failed', reason: 'not asked yet', failures: 0 };
  }

  const { answeredOn, failures = 0, reason = 'no reason recorded', cause } = freshness;
  if (failures === 0) {
    return undefined;
  }

  return { source, kind: 'failed', reason, cause, failures, lastAnswered: answeredOn };
}

/** The last day, up to `day`, on which gathering changed the releases. */
function findLastChange({ releases, journal }: ChangeRecords, day: Day): Day | undefined {
  const changes = journal.filter(({ type }) => type === 'corrected' || type === 'relisted');
  const days = releases.flatMap(({ firstSeen, withdrawnSince, deprecatedSince, republished }) => [
    firstSeen,
    withdrawnSince,
    deprecatedSince,
    republished?.on,
  ]);
  return [...changes.map(({ on }) => on), ...days]
    .filter((on) => on !== undefined && on <= day)
    .sort()
    .at(-1);
}

/**
 * The state on a day: `live` becomes `stale` if the last check is older than the site tolerates. Only for documents that may
 * change from day to day.
 */
export function computeStateOn(
  freshness: ComponentFreshness,
  day: Day,
  staleAfterDays: number,
): FreshnessState {
  const { state, checkedOn } = freshness;
  if (state !== 'live') {
    return state;
  }

  return countDaysBetween(checkedOn ?? day, day) > staleAfterDays ? 'stale' : 'live';
}

const allAnswered = 'Every source answered at the last check.';

/** Explains the state of a component's data. The text changes only when the data does. */
export function explainFreshness(freshness: ComponentFreshness): string {
  const { state, troubles } = freshness;
  if (state === 'static') {
    return 'Maintained by hand.';
  }
  if (state === 'live') {
    return allAnswered;
  }
  if (troubles.some(({ source }) => isEdit(source))) {
    return 'On hold: an unusual edit of its definition awaits review.';
  }

  return state === 'held'
    ? 'On hold: an unusual change upstream awaits review.'
    : explainStale(freshness);
}

function explainStale({ troubles, checkedOn }: ComponentFreshness): string {
  if (troubles.length === 0) {
    return `Last checked on ${checkedOn}. Releases since then may be missing.`;
  }
  if (troubles.every(({ failures }) => failures === 0)) {
    return 'Not checked yet.';
  }

  const problem = `The last check failed (${formatCount(troubles.length, 'source')}).`;
  const answerDays = troubles.map(({ lastAnswered }) => lastAnswered);
  return answerDays.includes(undefined)
    ? problem
    : `${problem} Shown: the releases known on ${findEarliestDay(...answerDays)}.`;
}

/** The freshness of all components. */
export function summariseFreshness(freshnesses: readonly ComponentFreshness[]): string {
  const { stale = [], held = [] } = Object.groupBy(freshnesses, ({ state }) => state);
  if (stale.length === 0 && held.length === 0) {
    return allAnswered;
  }

  const size = formatCount(freshnesses.length, 'component');
  const { failed = [], unasked = [], unadvised = [] } = Object.groupBy(stale, findStaleCause);
  const sentences = [
    failed.length > 0 && `${failed.length} of ${size} could not be checked.`,
    unasked.length > 0 && `${unasked.length} of ${size} not checked yet.`,
    unadvised.length > 0 &&
      `Advisories of ${formatCount(unadvised.length, 'component')} could not be checked.`,
    held.length > 0 && `${held.length} of ${size} await${held.length === 1 ? 's' : ''} review.`,
  ];
  return sentences.filter(Boolean).join(' ');
}

/** Only its advisories were not checked, or its sources were not asked yet; else checking its releases failed. */
function findStaleCause({ troubles }: ComponentFreshness): 'failed' | 'unasked' | 'unadvised' {
  if (troubles.length === 0) {
    return 'failed';
  }

  const releaseTroubles = troubles.filter(({ source }) => !/^(?:osv|exploited)\b/.test(source));
  if (releaseTroubles.length === 0) {
    return 'unadvised';
  }

  return releaseTroubles.every(({ failures }) => failures === 0) ? 'unasked' : 'failed';
}

/** Describes the problem of a source in full. */
export function describeTrouble(trouble: Trouble): string {
  const { source, kind, reason, heldSince, lastAnswered } = trouble;
  const problem = endSentence(`${removeAddress(source)}: ${reason}`);
  if (kind === 'held') {
    return `${problem} ${isEdit(source) ? 'It' : 'Its answer'} has waited for review since ${heldSince ?? 'an unknown day'}.`;
  }

  return lastAnswered === undefined ? problem : `${problem} It last answered on ${lastAnswered}.`;
}

/** The command that accepts a held change. */
export function acceptCommand({ id = '<id>' }: Pick<Trouble, 'id'>): string {
  return `npx release-index accept ${id}`;
}
