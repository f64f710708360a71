import type { z } from 'zod';
import { countDaysBetween, type Day } from '../core/model/dates.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import {
  isCatalogueId,
  isStaticId,
  listSourceIds,
  createSupportSourceId,
} from '../core/schemas/definition/source.ts';
import type { PublishedTrouble } from '../core/schemas/published/status-file.ts';
import type {
  Freshness,
  FreshnessState,
  SourceFreshness,
} from '../core/schemas/recorded/freshness.ts';
import type { JournalEvent } from '../core/schemas/recorded/journal.ts';
import type { RecordedRelease } from '../core/schemas/recorded/recorded.ts';

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

export function describeFreshness(
  definition: Definition,
  recorded: Freshness,
  releases: readonly RecordedRelease[],
  day: Day,
  events: readonly JournalEvent[] = [],
): ComponentFreshness {
  const releaseSources = listSourceIds(definition.sources).filter((id) => !isStaticId(id));
  const catalogues = Object.keys(recorded.sources).filter(isCatalogueId);
  const sources = [
    ...releaseSources,
    createSupportSourceId(definition.support) ?? [],
    ...catalogues,
  ].flat();
  const troubles = sources
    .map((source) => findTrouble(source, recorded.sources[source]))
    .filter((value) => value !== undefined);
  const state = troubles.length > 0 ? 'stale' : 'live';

  return {
    state: sources.length === 0 ? 'static' : state,
    checkedOn: recorded.checkedOn,
    changedOn: findLastChange(releases, events, day),
    failures: Math.max(0, ...troubles.map((trouble) => trouble.failures)),
    troubles,
  };
}

/** The last day, up to `day`, on which gathering changed the releases. */
function findLastChange(
  releases: readonly RecordedRelease[],
  events: readonly JournalEvent[],
  day: Day,
): Day | undefined {
  const days = [
    ...events.filter(({ type }) => type === 'corrected' || type === 'relisted').map(({ on }) => on),
    ...releases.flatMap(({ firstSeen, withdrawnSince, deprecatedSince, republished }) => [
      firstSeen,
      withdrawnSince,
      deprecatedSince,
      republished?.on,
    ]),
  ];
  return days
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
