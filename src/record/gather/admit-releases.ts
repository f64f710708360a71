import pLimit from 'p-limit';
import { dropUndefined } from '../../core/model/objects.ts';
import {
  isPrereleaseForm,
  maxVersionLength,
  parseVersion,
  rankKey,
} from '../../core/model/version.ts';
import type { Source } from '../../core/schemas/definition/source.ts';
import type { Report } from '../../core/schemas/finding.ts';
import { compileExpression } from '../../core/text/expression.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { formatCount } from '../../core/text/wording.ts';
import { createVersionFilter } from '../../decide/admission.ts';
import { HttpError } from '../../io/http/error.ts';
import {
  type ListedRelease,
  type RequestedFacts,
  type SourceAnswer,
  SourceError,
  type StatedRelease,
} from '../sources/datasource.ts';
import { findEarliest } from '../sources/shared/elements.ts';
import { sortNewestFirst } from '../sources/shared/listed-versions.ts';

/** Decides which releases are admitted, and which facts are requested. */
interface Admission extends Pick<Selection, 'offer'> {
  report: Report;
  /** Whether to request the day of this version. */
  wantsTimestamp(version: string): boolean;
}

interface AdmittedReleases {
  readonly releases: readonly StatedRelease[];
  /** Versions whose day could not be requested, with the errors. The next run asks again. */
  readonly postponed: ReadonlyMap<string, unknown>;
}

/** The releases that the definition admits, with the facts that need requests of their own. */
export async function admitReleases(
  answer: SourceAnswer,
  admission: Admission,
): Promise<AdmittedReleases> {
  const elements = listByVersion(answer, admission);
  const requests = new Map<string, ListedRelease['requestFacts']>();
  const datedVersions: string[] = [];
  for (const [version, { releaseTimestamp, requestFacts }] of elements) {
    if (!admission.wantsTimestamp(version)) {
      datedVersions.push(version);
    } else if (requestFacts && !releaseTimestamp) {
      requests.set(version, requestFacts);
    }
  }

  const requested = new Map<string, RequestedFacts>();
  const postponed = await lookUpItems([...requests.keys()], async (version) => {
    for await (const facts of requests.get(version)?.() ?? []) {
      requested.set(version, { ...requested.get(version), ...dropUndefined(facts) });
    }
  });
  for (const [version, digests] of await requestDigests(elements, datedVersions)) {
    requested.set(version, { digests });
  }

  const releases = Array.from(elements, ([version, release]) => {
    const { name: _, requestFacts: __, requestDigests: ___, ...facts } = release;
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
  const digests = parts.map((part) => part.digests).filter((value) => value !== undefined);
  const isDeprecated = parts.every(({ deprecated }) => deprecated !== undefined);
  return {
    ...first,
    releaseTimestamp: findEarliest(parts.map(({ releaseTimestamp }) => releaseTimestamp)),
    changelogUrl: parts.find(({ changelogUrl }) => changelogUrl !== undefined)?.changelogUrl,
    deprecated: isDeprecated ? first.deprecated : undefined,
    digests: digests.length > 0 ? Object.fromEntries(digests.flatMap(Object.entries)) : undefined,
  };
}

/** The number of known tags whose digest each run reads again. A moving tag, such as 1.25, sorts next to the version it names. */
const maxReread = 10;

/** Reads the digests of the newest dated versions again: tags that are pushed again are mostly new. */
async function requestDigests(
  elements: ReadonlyMap<string, ListedRelease>,
  datedVersions: readonly string[],
): Promise<Map<string, RequestedFacts['digests']>> {
  const byVersion = new Map<string, RequestedFacts['digests']>();

  for (const version of sortNewestFirst(datedVersions).slice(0, maxReread)) {
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

const atATime = 8;

/** Stop after so many failures in a row: thousands of look-ups would each wait in vain. */
const toleratedFailures = 3;

/** Looks up each item. Returns the items whose look-up failed, with the errors; an absent document is no failure. */
export async function lookUpItems<Item>(
  items: readonly Item[],
  ask: (item: Item) => Promise<void>,
): Promise<Map<Item, unknown>> {
  const limit = pLimit(atATime);
  const failures = new Map<Item, unknown>();
  let failuresInARow = 0;
  let lastFailure: unknown;

  const lookUp = async (item: Item) => {
    if (failuresInARow >= toleratedFailures) {
      failures.set(item, lastFailure);
      return;
    }

    try {
      await ask(item);
      failuresInARow = 0;
    } catch (error) {
      if (isAbsence(error)) {
        failuresInARow = 0;
        return;
      }

      failuresInARow += 1;
      lastFailure = error;
      failures.set(item, error);
    }
  };

  await limit.map(items, lookUp);
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

/** Selects the listed versions that the definition admits. */
interface Selection {
  /** Ranks of all versions listed. */
  readonly ranks: Set<string>;
  /** Tags of a container that are not versions, such as `latest`. */
  readonly unordered: string[];
  /** The name without what `extractVersion` removes; undefined if a rule leaves it out. */
  offer(name: string, isPrerelease?: boolean): string | undefined;
  /** Why no listed name gave a version, for instance because of a wrong rule; undefined if any did. */
  whyNoneAdmitted(): string | undefined;
}

/** A reason to leave a name out. */
type Rule = 'extractVersion' | 'allowedVersions' | 'prereleases' | 'the version order';

/**
 * `extractVersion` and `allowedVersions` work as in Renovate (docs/usage/configuration-options.md): a name that `extractVersion`
 * does not match holds no version; `allowedVersions` is `/regex/`, `!/regex/` or a semver range.
 */
export function selectVersions(
  source: Source,
  { acceptsPrereleases, report }: { acceptsPrereleases: boolean; report: Report },
): Selection {
  const extract =
    source.extractVersion === undefined ? undefined : compileExpression(source.extractVersion);
  const isAllowed = createVersionFilter(source.allowedVersions);
  const ranks = new Set<string>();
  const unordered: string[] = [];
  const leftOut = new Map<Rule, number>();
  let hasAdmitted = false;

  const leaveOut = (rule: Rule) => {
    leftOut.set(rule, (leftOut.get(rule) ?? 0) + 1);
    return undefined;
  };

  const offer: Selection['offer'] = (text, isPrerelease) => {
    if (text.length > maxVersionLength) {
      report(
        `${quote(text)} has ${text.length} characters; a version has at most ${maxVersionLength}. Left out.`,
        'too long',
      );
      return leaveOut('the version order');
    }

    const name = extract ? extract.match(text)?.['version'] : text;
    if (name === undefined || name === '') {
      return leaveOut('extractVersion');
    }

    const version = parseVersion(name);
    if (version) {
      ranks.add(rankKey(version));
    }
    if (!isAllowed(name)) {
      return leaveOut('allowedVersions');
    }

    if (!version) {
      if (source.datasource === 'docker') {
        unordered.push(name);
      } else {
        report(`${quote(name)} has no place in the version order. Left out.`, 'no version');
      }
      return leaveOut('the version order');
    }

    if (!acceptsPrereleases && (isPrerelease ?? isPrereleaseForm(name))) {
      return leaveOut('prereleases');
    }

    hasAdmitted = true;
    return name;
  };

  return {
    ranks,
    unordered,
    offer,
    whyNoneAdmitted: () => (hasAdmitted ? undefined : explainNoneAdmitted(leftOut)),
  };
}

function explainNoneAdmitted(leftOut: ReadonlyMap<Rule, number>): string | undefined {
  if (leftOut.size === 0) {
    return undefined;
  }

  const rules = Array.from(leftOut, ([rule, count]) => `${rule} leaves out ${count}`).join(', ');
  const count = [...leftOut.values()].reduce((sum, each) => sum + each);
  return `lists ${formatCount(count, 'name')}, none of which the definition admits: ${rules}`;
}
