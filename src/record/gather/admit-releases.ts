import pLimit from 'p-limit';
import { dropUndefined } from '../../core/model/objects.ts';
import { HttpError } from '../../io/http/error.ts';
import {
  SourceError,
  type ListedRelease,
  type RequestedFacts,
  type SourceAnswer,
  type StatedRelease,
  type SkippedElement,
} from '../sources/source-answer.ts';
import { findEarliest, sortGreatestFirst } from '../sources/shared/document.ts';
import {
  isPrereleaseForm,
  maxVersionLength,
  parseVersion,
  rankKey,
  type Version,
} from '../../core/model/version.ts';
import type { Source } from '../../core/schemas/definition/source.ts';
import { compileExpression } from '../../core/text/expression.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { formatCount } from '../../core/text/wording.ts';
import { createVersionFilter } from '../../decide/releases.ts';

/**
 * The admitted releases of an answer, with the facts that need requests of their own. `versions`: as in `Selection`; `postponed`: the
 * versions whose day could not be requested, with the errors; the next run asks again.
 */
export async function admitReleases(
  answer: SourceAnswer,
  versions: Selection['versions'],
  wantsTimestamp: (version: string) => boolean,
): Promise<{ releases: StatedRelease[]; postponed: ReadonlyMap<string, unknown> }> {
  const elements = listByVersion(answer, versions);
  const lookUps = new Map<string, LookUp>();
  const datedVersions: string[] = [];
  for (const [version, { releaseTimestamp, requestFacts }] of elements) {
    if (!wantsTimestamp(version)) {
      datedVersions.push(version);
    } else if (requestFacts && !releaseTimestamp) {
      lookUps.set(version, requestFacts);
    }
  }

  const { facts, failures } = await runLookUps(lookUps);
  const digests = await requestDigests(elements, datedVersions);
  const releases = Array.from(elements, ([version, element]) => {
    const { name: _, requestFacts: __, requestDigests: ___, ...stated } = element;
    return dropUndefined({ ...stated, ...facts.get(version), ...digests.get(version), version });
  });
  return { releases, postponed: failures };
}

/** The admitted elements of an answer, one for each version. */
function listByVersion(
  { releases = [], hasParts = false }: SourceAnswer,
  versions: Selection['versions'],
): Map<string, ListedRelease> {
  const elements = new Map<string, ListedRelease>();
  for (const [version, parts] of Map.groupBy(releases, (_, index) => versions[index])) {
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
): Promise<Map<string, RequestedFacts>> {
  const byVersion = new Map<string, RequestedFacts>();

  for (const version of sortGreatestFirst(datedVersions).slice(0, maxReread)) {
    try {
      const digests = await elements.get(version)?.requestDigests?.();
      if (digests) {
        byVersion.set(version, { digests });
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
type LookUp = NonNullable<ListedRelease['requestFacts']>;

const atATime = 8;

/** Stop after so many failures in a row: thousands of look-ups would each wait in vain. */
const toleratedFailures = 3;

interface LookUpResults {
  /** Also the facts that came before a failure. */
  facts: ReadonlyMap<string, RequestedFacts>;
  /** The errors, also of versions that were not looked up any more. An absent document is no failure. */
  failures: ReadonlyMap<string, unknown>;
}

/** Runs the look-up of each version. */
export async function runLookUps(lookUps: ReadonlyMap<string, LookUp>): Promise<LookUpResults> {
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
  const isOfUpstream = error instanceof HttpError && error.kind !== 'aborted';
  if (!isOfUpstream && !(error instanceof SourceError)) {
    throw error;
  }

  return isOfUpstream && error.kind === 'absent';
}

/** The names that an answer lists, by the rules of the definition. */
interface Selection {
  /** The version of each release of the answer, in its order; undefined for a release that a rule leaves out. */
  versions: readonly (string | undefined)[];
  /** Ranks of all versions listed. */
  ranks: ReadonlySet<string>;
  /** Tags of a container that are not versions, such as `latest`. */
  unordered: readonly string[];
  /** Names that cannot be versions. */
  skipped: readonly SkippedElement[];
  /** Why no listed name gave a version, for instance because of a wrong rule; undefined if any did. */
  whyNoneAdmitted: string | undefined;
}

/** The result for a listed name: admitted, or the rule that leaves it out. */
type Outcome =
  'admitted' | 'extractVersion' | 'allowedVersions' | 'prereleases' | 'the version order';

interface JudgedName {
  /** The listed name after `extractVersion`; empty if that does not match. */
  name: string;
  version: Version | undefined;
  outcome: Outcome;
}

/**
 * `extractVersion` and `allowedVersions` work as in Renovate (docs/usage/configuration-options.md): a name that `extractVersion`
 * does not match holds no version; `allowedVersions` is `/regex/`, `!/regex/` or a semver range.
 */
export function selectVersions(
  source: Source,
  { releases = [], alsoListed = [], hasTags }: SourceAnswer,
  acceptsPrereleases: boolean,
): Selection {
  const judgeName = createJudge(source, acceptsPrereleases);
  const judged = releases.map(({ name, isPrerelease }) => judgeName(name, isPrerelease));
  const judgedNames = [...alsoListed.map((name) => judgeName(name)), ...judged];

  const ranks = new Set<string>();
  const unordered: string[] = [];
  const skipped: SkippedElement[] = [];
  for (const { name, version, outcome } of judgedNames) {
    if (version) {
      ranks.add(rankKey(version));
    }
    if (outcome !== 'the version order') {
      continue;
    }

    if (hasTags && name.length <= maxVersionLength) {
      unordered.push(name);
    } else {
      const message = `${quote(name)} has no place in the version order. Left out.`;
      skipped.push({ message, kind: 'no version' });
    }
  }

  return {
    versions: judged.map(({ name, outcome }) => (outcome === 'admitted' ? name : undefined)),
    ranks,
    unordered,
    skipped,
    whyNoneAdmitted: explainNoneAdmitted(judgedNames),
  };
}

/** A function that judges a listed name. `isPrerelease`: upstream's statement, if any. */
function createJudge({ extractVersion, allowedVersions }: Source, acceptsPrereleases: boolean) {
  const expression = extractVersion === undefined ? undefined : compileExpression(extractVersion);
  const isAllowed = createVersionFilter(allowedVersions);

  return (listedName: string, isPrerelease?: boolean): JudgedName => {
    const isReadable = expression && listedName.length <= maxVersionLength;
    const name = isReadable ? (expression.match(listedName)?.['version'] ?? '') : listedName;
    const version = parseVersion(name);
    if (name === '') {
      return { name, version, outcome: 'extractVersion' };
    }
    if (name.length <= maxVersionLength && !isAllowed(name)) {
      return { name, version, outcome: 'allowedVersions' };
    }
    if (!version) {
      return { name, version, outcome: 'the version order' };
    }

    const isLeftOut = !acceptsPrereleases && (isPrerelease ?? isPrereleaseForm(name));
    return { name, version, outcome: isLeftOut ? 'prereleases' : 'admitted' };
  };
}

function explainNoneAdmitted(judgedNames: readonly JudgedName[]): string | undefined {
  const byOutcome = Map.groupBy(judgedNames, ({ outcome }) => outcome);
  if (judgedNames.length === 0 || byOutcome.has('admitted')) {
    return undefined;
  }

  const rules = Array.from(byOutcome, ([rule, { length }]) => `${rule} leaves out ${length}`);
  const names = formatCount(judgedNames.length, 'name');
  return `lists ${names}, none of which the definition admits: ${rules.join(', ')}`;
}
