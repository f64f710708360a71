import pLimit from 'p-limit';
import { dropUndefined } from '../../core/model/objects.ts';
import type { Report } from '../../core/schemas/finding.ts';
import { HttpError } from '../../io/http/error.ts';
import {
  type ListedRelease,
  type RequestedFacts,
  type SourceAnswer,
  SourceError,
  type StatedRelease,
} from '../sources/datasource.ts';
import { findEarliest } from '../sources/shared/stated-values.ts';
import { sortGreatestFirst } from '../sources/shared/listed-versions.ts';
import type { Selection } from './select-versions.ts';

/** Decides which releases are admitted, and which facts are requested. */
interface Admission extends Pick<Selection, 'offer'> {
  report: Report;
  /** Whether to request the day of this version. */
  wantsTimestamp(version: string): boolean;
}

/**
 * The releases that the definition admits, with the facts that need requests of their own. `postponed`: the versions whose day could
 * not be requested, with the errors; the next run asks again.
 */
export async function admitReleases(
  answer: SourceAnswer,
  admission: Admission,
): Promise<{ releases: StatedRelease[]; postponed: Map<string, unknown> }> {
  const elements = listByVersion(answer, admission);
  const requested = new Map<string, RequestedFacts>();
  const lookUps = new Map<string, LookUp>();
  const datedVersions: string[] = [];
  for (const [version, { releaseTimestamp, requestFacts }] of elements) {
    if (!admission.wantsTimestamp(version)) {
      datedVersions.push(version);
    } else if (requestFacts && !releaseTimestamp) {
      lookUps.set(version, async () => {
        for await (const facts of requestFacts()) {
          requested.set(version, { ...requested.get(version), ...dropUndefined(facts) });
        }
      });
    }
  }

  const postponed = await runLookUps(lookUps);
  for (const [version, digests] of await requestDigests(elements, datedVersions)) {
    requested.set(version, { digests });
  }

  const releases = Array.from(elements, ([version, element]) => {
    const { name: _, requestFacts: __, requestDigests: ___, ...facts } = element;
    return dropUndefined({ ...facts, ...requested.get(version), version });
  });
  return { releases, postponed };
}

/** The admitted elements of an answer, one for each version. Reports the others. */
function listByVersion(
  { releases = [], alsoListed = [], skipped = [], hasParts = false }: SourceAnswer,
  { offer, report }: Admission,
): Map<string, ListedRelease> {
  for (const name of alsoListed) {
    offer(name);
  }

  for (const { message, kind } of skipped) {
    report(message, kind);
  }

  const byVersion = Map.groupBy(releases, ({ name, isPrerelease }) => offer(name, isPrerelease));
  const elements = new Map<string, ListedRelease>();
  for (const [version, parts] of byVersion) {
    if (version !== undefined) {
      elements.set(version, hasParts ? uniteParts(parts) : parts[0]);
    }
  }

  return elements;
}

/** A release came out with its earliest part, and is deprecated if all its parts are deprecated. */
function uniteParts(parts: readonly [ListedRelease, ...ListedRelease[]]): ListedRelease {
  const [first] = parts;
  const digests = parts.flatMap((part) => Object.entries(part.digests ?? {}));
  const isDeprecated = parts.every(({ deprecated }) => deprecated !== undefined);
  return {
    ...first,
    releaseTimestamp: findEarliest(parts.map(({ releaseTimestamp }) => releaseTimestamp)),
    changelogUrl: parts.find(({ changelogUrl }) => changelogUrl !== undefined)?.changelogUrl,
    deprecated: isDeprecated ? first.deprecated : undefined,
    digests: digests.length > 0 ? Object.fromEntries(digests) : undefined,
  };
}

/** The number of known tags whose digest each run reads again. A moving tag, such as 1.25, sorts next to the version it names. */
const maxReread = 10;

/** Reads the digests of the greatest dated versions again: tags that are pushed again are mostly new. */
async function requestDigests(
  elements: ReadonlyMap<string, ListedRelease>,
  datedVersions: readonly string[],
): Promise<Map<string, RequestedFacts['digests']>> {
  const byVersion = new Map<string, RequestedFacts['digests']>();

  for (const version of sortGreatestFirst(datedVersions).slice(0, maxReread)) {
    try {
      const digests = await elements.get(version)?.requestDigests?.();
      if (digests) {
        byVersion.set(version, digests);
      }
    } catch (error) {
      // A missing digest does not change recorded data.
      if (!isAbsence(error)) {
        break;
      }
    }
  }

  return byVersion;
}

/** Requests facts of one version. */
type LookUp = () => Promise<void>;

const atATime = 8;

/** Stop after so many failures in a row: thousands of look-ups would each wait in vain. */
const toleratedFailures = 3;

/** Runs the look-up of each version. Returns the versions whose look-up failed, with the errors; an absent document is no failure. */
export async function runLookUps(
  lookUps: ReadonlyMap<string, LookUp>,
): Promise<Map<string, unknown>> {
  const limit = pLimit(atATime);
  const failures = new Map<string, unknown>();
  const failuresInARow: unknown[] = [];

  await limit.map(lookUps, async ([version, lookUp]) => {
    if (failuresInARow.length >= toleratedFailures) {
      failures.set(version, failuresInARow.at(-1));
      return;
    }

    try {
      await lookUp();
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

  return failures;
}

/** Whether upstream has no such document. Throws an error that is no failure of upstream: a bug, or the stop of the run. */
function isAbsence(error: unknown): boolean {
  const isOfUpstream = error instanceof HttpError && error.kind !== 'aborted';
  if (!isOfUpstream && !(error instanceof SourceError)) {
    throw error;
  }

  return isOfUpstream && error.kind === 'absent';
}
