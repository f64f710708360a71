import pLimit from 'p-limit';
import { dropUndefined } from '../../core/model/objects.ts';
import { findStatedDay } from '../../core/model/dates.ts';
import type { SourceFreshness } from '../../core/schemas/recorded/freshness.ts';
import { isListedBy, type RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { HttpError } from '../../io/http/error.ts';
import {
  SourceError,
  type ListedRelease,
  type RequestedFacts,
  type StatedRelease,
} from '../sources/datasource.ts';
import { sortGreatestFirst } from '../../core/model/version.ts';
import { computeRank, indexByRank } from './recorded-releases.ts';
import { isStop } from './source-failure.ts';

/** What is recorded of a source, and of the releases of its component. */
export interface RecordedSource {
  /** The name of the source in recorded data. */
  id: string;
  recorded: readonly RecordedRelease[];
  freshness: SourceFreshness | undefined;
}

/**
 * The versions whose day is requested: those that are not recorded, those whose last request failed, and those without a stated day
 * that the source has not listed before.
 */
export function findUnknownDays(
  versions: Iterable<string>,
  { id, recorded, freshness }: RecordedSource,
): Set<string> {
  const byRank = indexByRank(recorded);
  const unknown = new Set(freshness?.pending);
  for (const version of versions) {
    const entry = byRank.get(computeRank({ version }));
    const isKnown = entry && (findStatedDay(entry) !== undefined || isListedBy(entry, id));
    if (!isKnown) {
      unknown.add(version);
    }
  }

  return unknown;
}

/**
 * Turns the admitted elements into releases, with the facts that need requests of their own. `absent`: the versions that upstream has
 * nothing to download for; `postponed`: those whose day could not be requested, with the errors. The next run asks again.
 */
export async function requestReleases(
  elements: ReadonlyMap<string, ListedRelease>,
  unknownDays: ReadonlySet<string>,
) {
  const lookUps = new Map<string, LookUp>();
  const digestLookUps = new Map<string, LookUp>();
  for (const [version, element] of elements) {
    const { releaseTimestamp, requestFacts, requestDigests } = element;
    if (requestDigests && !unknownDays.has(version)) {
      digestLookUps.set(version, requestDigests);
    } else if (requestFacts && !releaseTimestamp && unknownDays.has(version)) {
      lookUps.set(version, requestFacts);
    }
  }

  const { facts, failures } = await runLookUps(lookUps);
  // A digest that cannot be read does not change recorded data.
  const { facts: digests } = await runLookUps(selectReread(digestLookUps));

  // Only the request needs these.
  const removed = {
    name: undefined,
    isRecorded: undefined,
    requestFacts: undefined,
    requestDigests: undefined,
  };
  const releases: StatedRelease[] = [];
  const absent: string[] = [];

  for (const [version, element] of elements) {
    const { isAbsent, ...requested } = { ...facts.get(version), ...digests.get(version) };
    if (isAbsent) {
      absent.push(version);
    } else {
      releases.push(dropUndefined({ ...element, ...removed, ...requested, version }));
    }
  }

  return { releases, absent, postponed: failures };
}

/** The number of known tags whose digest each run reads again. A moving tag, such as 1.25, sorts next to the version it names. */
const maxReread = 10;

/** The look-ups of the greatest versions: tags that are pushed again are mostly new. */
function selectReread(digestLookUps: ReadonlyMap<string, LookUp>): Map<string, LookUp> {
  const greatest = sortGreatestFirst([...digestLookUps.keys()]).slice(0, maxReread);
  return new Map(greatest.map((version) => [version, digestLookUps.get(version)!]));
}

/** Requests facts of one version. */
type LookUp = NonNullable<ListedRelease['requestFacts']>;

const atATime = 8;

/** Stop after so many failures in a row: thousands of look-ups would each wait in vain. */
const toleratedFailures = 3;

/**
 * Runs the look-up of each version. Facts before a failure are kept. Versions that are not looked up any more fail with the last
 * error. An absent document is no failure.
 */
export async function runLookUps(lookUps: ReadonlyMap<string, LookUp>) {
  const facts = new Map<string, RequestedFacts>();
  const failures = new Map<string, unknown>();
  const failuresInARow: unknown[] = [];

  await pLimit(atATime).map(lookUps, async ([version, lookUp]) => {
    if (failuresInARow.length >= toleratedFailures) {
      failures.set(version, failuresInARow.at(-1));
      return;
    }

    try {
      for await (const newFacts of lookUp()) {
        facts.set(version, { ...facts.get(version), ...dropUndefined(newFacts) });
      }

      failuresInARow.length = 0;
    } catch (error) {
      if (isAbsence(error)) {
        failuresInARow.length = 0;
      } else {
        failuresInARow.push(error);
        failures.set(version, error);
      }
    }
  });

  return { facts, failures };
}

/** Whether upstream has no such document. Throws an error that is no failure of upstream: a bug, or the stop of the run. */
function isAbsence(error: unknown): boolean {
  const isOfUpstream = error instanceof HttpError || error instanceof SourceError;
  if (!isOfUpstream || isStop(error)) {
    throw error;
  }

  return error instanceof HttpError && error.kind === 'absent';
}
