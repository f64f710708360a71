import { countDaysBetween, findEarliestDay, type Day } from '../../core/model/dates.ts';
import { computeFreshness } from '../../core/model/states.ts';
import type {
  ComponentStatus,
  PublishedTrouble,
  StatusFile,
} from '../../core/schemas/published/status-file.ts';

/** Why an answer may lack facts: the sources of a component that have not answered, by what they state, and a build that is too old. */
export interface Silence {
  /** Sources of releases or of ends of support. */
  readonly releases?: SilentSources | undefined;
  readonly advisories?: SilentSources | undefined;
  /** The day of the build, if it is too long ago: since then no source has answered. */
  readonly builtOn?: Day | undefined;
}

/**
 * `held`: each of them has answered, and its answer waits for review. `failed`: at least one has not answered; with the oldest day of
 * the last valid answers of these, which is absent if one of them never answered.
 */
type SilentSources =
  { readonly kind: 'held' } | { readonly kind: 'failed'; readonly lastAnswered?: Day | undefined };

/** The silent sources of a component, and the day of the build if it is too long before a day. */
export function findSilence(status: StatusFile, component: string, day: Day): Silence {
  const silence = summariseTroubles(status.components[component]?.troubles);
  return isIndexOld(status, day) ? { ...silence, builtOn: status.asOf } : silence;
}

/** Groups the sources with troubles, by what they state. */
export function summariseTroubles(troubles: readonly PublishedTrouble[] = []): Silence {
  const byTopic = Map.groupBy(troubles, ({ source }) =>
    /^(?:osv|exploited)\b/.test(source) ? 'advisories' : 'releases',
  );
  return {
    releases: findSilentSources(byTopic.get('releases')),
    advisories: findSilentSources(byTopic.get('advisories')),
  };
}

function findSilentSources(troubles?: readonly PublishedTrouble[]): SilentSources | undefined {
  if (!troubles) {
    return undefined;
  }

  const failed = troubles.filter(({ kind }) => kind === 'failed');
  if (failed.length === 0) {
    return { kind: 'held' };
  }

  const days = failed.map(({ lastAnswered }) => lastAnswered);
  const hasNeverAnswered = days.includes(undefined);
  return { kind: 'failed', lastAnswered: hasNeverAnswered ? undefined : findEarliestDay(days) };
}

/** `a source last answered on 2026-11-19`. */
export function describeSilent(sources: SilentSources): string {
  if (sources.kind === 'held') {
    return 'an answer of its sources waits for review';
  }

  return sources.lastAnswered === undefined
    ? 'a source has not answered yet'
    : `a source last answered on ${sources.lastAnswered}`;
}

/** `a source last answered on 2026-11-19; newer advisories may be missing`. */
export function describeMissing(
  sources: SilentSources,
  missing: 'releases' | 'advisories',
): string {
  return `${describeSilent(sources)}; newer ${missing} may be missing`;
}

/** The freshness of a component on a day. */
export function computeFreshnessOn(
  { components, staleAfterDays }: StatusFile,
  component: string,
  day: Day,
): ComponentStatus['state'] | undefined {
  const { state, lastChecked } = components[component] ?? {};
  return state && computeFreshness(state, lastChecked, day, staleAfterDays);
}

/** A warning if the index was built too long ago. */
export function describeStaleness(status: StatusFile, day: Day): string | undefined {
  return isIndexOld(status, day)
    ? `This index was last updated on ${status.asOf}; newer releases may be missing.`
    : undefined;
}

function isIndexOld({ asOf, staleAfterDays }: StatusFile, day: Day): boolean {
  return countDaysBetween(asOf, day) > staleAfterDays;
}
