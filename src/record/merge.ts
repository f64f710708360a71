import { addDays, toDay, type Day } from '../core/day.ts';
import type { Definition } from '../core/schema/written.ts';
import type { Recorded, RecordedAdvisory, RecordedRelease } from '../core/schema/recorded.ts';
import { isInRange, parseRange } from '../core/range.ts';
import { listIds } from '../core/schema/names.ts';
import {
  compareNames,
  isPrereleaseForm,
  keyText,
  keyVersion,
  readVersion,
} from '../core/version.ts';
import type { SelectedRelease } from '../sources/answer.ts';
import type { Answer, Statement } from './answers.ts';
import { findDigestAnswers, mergeDigests } from './digests.ts';

interface MergeInput {
  recorded: Recorded;
  /** In the order of the definition: if sources disagree, the first takes precedence. */
  answers: readonly Answer[];
  /** The ids of all sources of the definition. */
  sources: readonly string[];
  /** The source of which the definition says whose digest is meant. */
  digestSource?: string | undefined;
  day: Day;
}

/** What is stated of a release today. */
interface Listing {
  statements: readonly Statement[];
  /** The sources of the definition that have listed it, also those that no longer do, and their answers. */
  listedBy: readonly string[];
  answers: readonly Answer[];
  /** None of these sources is silent. While one is, what no other states may be what that one states. */
  isComplete: boolean;
  /** A source has it in its list, even if the definition does not admit it. */
  isListed: boolean;
  day: Day;
}

/**
 * The recorded data with what the sources state. No release is removed, and no published day or link changes. Merging the same
 * answers again changes nothing, except that a version that is still missing on a later day is withdrawn.
 */
export function merge({ recorded, answers, sources, digestSource, day }: MergeInput): Recorded {
  const answered = new Map(answers.map((answer) => [answer.source, answer]));
  const digestAnswers = findDigestAnswers(digestSource ? [digestSource] : sources, answered);
  const stated = Map.groupBy(
    answers.flatMap((answer) => answer.releases.map((release) => ({ release, answer }))),
    ({ release }) => keyText(release.version),
  );
  const releases = new Map(recorded.releases.map((release) => [keyText(release.version), release]));
  for (const [key, [first]] of stated) {
    if (first && !releases.has(key)) {
      const { release, answer } = first;
      releases.set(key, {
        version: release.version,
        // Observed, until its stated day is merged.
        releaseTimestamp: day,
        timestampKind: 'observed',
        notBefore: answer.answeredOn,
        firstSeen: day,
        sources: [answer.source],
      });
    }
  }

  const advisories = mergeAdvisories(recorded.advisories, answers);
  const findMalware = createMalwareFinder(advisories, sources);

  const merged = Array.from(releases, ([key, release]): RecordedRelease => {
    const listedBy = release.sources.filter((id) => sources.includes(id));
    const listingAnswers = listedBy.flatMap((id) => answered.get(id) ?? []);
    const listing: Listing = {
      statements: stated.get(key) ?? [],
      listedBy,
      answers: listingAnswers,
      isComplete: listingAnswers.length === listedBy.length,
      isListed: answers.some(({ listed }) => listed.has(key)),
      day,
    };
    return {
      ...mergeValues(release, listing.statements),
      ...mergeDigests(release, listing.statements, digestAnswers, day),
      ...mergeDeprecation(release, listing),
      ...mergeStability(release, listing),
      ...mergePresence(release, listing),
      malware: findMalware(release, day),
    };
  });
  return {
    releases: merged.sort((a, b) => compareNames(a.version, b.version)),
    lines: mergeLines(recorded.lines, answers),
    advisories,
  };
}

/** What the first statement settles, and the sources. */
function mergeValues(release: RecordedRelease, statements: readonly Statement[]): RecordedRelease {
  const statedBy = statements.map(({ answer }) => answer.source);
  const values = statements.map((statement) => statement.release);
  const { hasProvenance } = values.find((value) => value.hasProvenance !== undefined) ?? {};
  return {
    ...values.reduce(mergeDay, release),
    sources: [...new Set([...release.sources, ...statedBy])],
    hasProvenance: hasProvenance ?? release.hasProvenance,
    // A person may correct it.
    changelogUrl:
      release.changelogUrl ?? values.find(({ changelogUrl }) => changelogUrl)?.changelogUrl,
  };
}

/** A day so much before the last answer without the version is not believed. */
const believedDays = 7;

/** An observed day gives way to a published one, and to an earlier observed one. */
function mergeDay(release: RecordedRelease, stated: SelectedRelease): RecordedRelease {
  const { notBefore, firstSeen, releaseTimestamp: recorded } = release;
  const { releaseTimestamp, isUpperBound } = stated;
  const isSettled = recorded !== undefined && release.timestampKind !== 'observed';
  if (releaseTimestamp === undefined || isSettled) {
    return release;
  }

  if (isUpperBound) {
    return mergeUpperBound(release, releaseTimestamp);
  }

  const day = toDay(releaseTimestamp);
  // Of a release without any day, the first stated one counts. A run may begin before midnight, and see a release that came after.
  const isTooLate = day > addDays(toDay(recorded ?? firstSeen ?? day), 1);
  const isTooEarly = notBefore !== undefined && day < addDays(notBefore, -believedDays);
  if (isTooLate || isTooEarly) {
    return release;
  }

  const bound = notBefore !== undefined && notBefore > day ? notBefore : undefined;
  return { ...release, releaseTimestamp, timestampKind: 'published', notBefore: bound };
}

function mergeUpperBound(release: RecordedRelease, releaseTimestamp: string): RecordedRelease {
  const { notBefore, releaseTimestamp: recorded } = release;
  const isLater = recorded !== undefined && releaseTimestamp >= recorded;
  const isTooEarly = notBefore !== undefined && toDay(releaseTimestamp) < notBefore;
  return isLater || isTooEarly
    ? release
    : { ...release, releaseTimestamp, timestampKind: 'observed' };
}

type Reason = Pick<RecordedRelease, 'deprecated' | 'deprecatedBy' | 'isQuarantined'>;

function mergeDeprecation(release: RecordedRelease, listing: Listing) {
  const { statements, day } = listing;
  const { deprecated, deprecatedBy, isQuarantined } = findReason(release, listing) ?? {};
  const sources = new Set([...release.sources, ...statements.map(({ answer }) => answer.source)]);
  // It may have been deprecated for long when it was first seen.
  const isNew = release.deprecated === undefined && release.firstSeen !== day;
  const since = isNew ? day : release.deprecatedSince;
  return {
    deprecated,
    deprecatedSince: deprecated === undefined ? undefined : since,
    // A single source said it itself.
    deprecatedBy: sources.size > 1 ? deprecatedBy : undefined,
    isQuarantined,
  };
}

/**
 * Why a release is deprecated. One source is enough, even if others fail. Only the source that deprecated it can revert that; if we do not
 * know which one did, all its sources must have answered.
 */
function findReason(
  release: RecordedRelease,
  { statements, answers, listedBy, isComplete }: Listing,
): Reason | undefined {
  const quarantine = answers.find((answer) => answer.isQuarantined);
  if (quarantine) {
    const { deprecated, source: deprecatedBy } = quarantine;
    return { deprecated, deprecatedBy, isQuarantined: true };
  }

  const { sources, deprecated: former, isQuarantined } = release;
  const { deprecatedBy = sources.length === 1 ? sources[0] : undefined } = release;
  const sayer = listedBy.find((id) => id === deprecatedBy);
  const hasAnswered = sayer ? answers.some(({ source }) => source === sayer) : isComplete;
  const recorded = { deprecated: former, deprecatedBy, isQuarantined };
  if (former !== undefined && sayer && !hasAnswered) {
    return recorded;
  }

  const stated = statements.map(({ release: { deprecated }, answer: { source } }) => {
    return { deprecated, deprecatedBy: source };
  });
  // A source may deprecate all its releases, also those that it no longer lists.
  const ofAll = answers.map(({ deprecated, source }) => ({ deprecated, deprecatedBy: source }));
  for (const reason of [...stated, ...ofAll]) {
    if (typeof reason.deprecated === 'string') {
      return { ...reason, deprecated: reason.deprecated };
    }
  }

  // Null: its source states that it is not deprecated.
  const isDenied = stated.some((each) => {
    return each.deprecated === null && (!sayer || each.deprecatedBy === sayer);
  });
  const isTakenBack = hasAnswered && (isDenied || isQuarantined);
  return former === undefined || isTakenBack ? undefined : recorded;
}

/** The fields that change. A stable release that sources now list only as a prerelease was demoted; it stays published. */
function mergeStability(
  release: RecordedRelease,
  { statements, answers, isComplete, day }: Listing,
) {
  if (!isComplete) {
    return {};
  }
  const version = readVersion(release.version);
  const hasForm = isPrereleaseForm(version);
  const isStable = (mark: boolean | undefined) => !(mark ?? hasForm);
  if (statements.length > 0) {
    // One that lists it as stable decides, as where prereleases are left out.
    const marks = statements.map((statement) => statement.release.isPrerelease);
    return { isPrerelease: [...marks.filter(isStable), ...marks][0], demotedOn: undefined };
  }

  const isDemoted =
    isStable(release.isPrerelease) &&
    answers.some(({ prereleases }) => prereleases.has(keyVersion(version)));
  return isDemoted ? { isPrerelease: true, demotedOn: day } : {};
}

/** What changes. Waits for the second day: a list may be incomplete for one, and most versions that vanish come back. */
function mergePresence(
  { missingSince, withdrawnSince }: RecordedRelease,
  { answers, isComplete, isListed, day }: Listing,
) {
  if (isListed) {
    return { missingSince: undefined, withdrawnSince: undefined };
  }
  if (!isComplete || answers.every(({ isPartial }) => isPartial)) {
    return {};
  }

  const since = missingSince ?? day;
  return {
    missingSince: since,
    withdrawnSince: withdrawnSince ?? (since < day ? day : undefined),
  };
}

/** A line that could not be read keeps its recorded end. */
function mergeLines(recorded: Recorded['lines'], answers: readonly Answer[]): Recorded['lines'] {
  const { lines, isPartial, answeredOn } = answers.find((answer) => answer.lines) ?? {};
  if (!lines) {
    return recorded;
  }

  // Before its first answer, they are those of another source.
  const kept = isPartial && answeredOn && recorded ? recorded : [];
  const known = new Set(kept.map(({ line }) => line));
  const news = lines.filter(({ line, phases }) => phases.length > 0 || !known.has(line));
  return [...new Map([...kept, ...news].map((each) => [each.line, each])).values()];
}

/** Advisories of an answer, or of a catalogue, which does not say what they affect. */
export interface Advisories {
  source: string;
  advisories?: readonly Omit<RecordedAdvisory, 'source'>[] | undefined;
  withdrawnAdvisories?: readonly string[] | undefined;
}

/** An advisory of an answer replaces the recorded one of its source; others stay until their source withdraws them. */
function mergeAdvisories(
  recorded: Recorded['advisories'],
  answers: readonly Advisories[],
): Recorded['advisories'] {
  let merged = recorded;
  for (const { source, advisories: stated, withdrawnAdvisories: withdrawn = [] } of answers) {
    if (stated) {
      const replaced = new Set([...stated.map(({ id }) => id), ...withdrawn]);
      const others = merged?.filter((each) => each.source !== source || !replaced.has(each.id));
      merged = [...(others ?? []), ...stated.map((each) => ({ ...each, source }))];
    }
  }
  return merged?.toSorted((a, b) => Number(a.id > b.id) - Number(a.id < b.id));
}

/** What sources call malware. OSV names it so: github.com/ossf/malicious-packages */
function createMalwareFinder(advisories: Recorded['advisories'], sources: readonly string[]) {
  const malicious = (advisories ?? []).flatMap((advisory) => {
    const id = listIds(advisory).find((each) => each.startsWith('MAL-'));
    const range = sources.includes(advisory.source) && parseRange(advisory.affected ?? '');
    return id && range ? { id, range } : [];
  });

  return ({ version, malware }: RecordedRelease, day: Day): RecordedRelease['malware'] => {
    const found = malicious.find(({ range }) => isInRange(range, readVersion(version)));
    return found && { advisory: found.id, since: malware?.since ?? day };
  };
}

/** Adds what catalogues of exploited vulnerabilities say about the advisories of a component. */
export function mergeExploited(
  recorded: Recorded,
  { advisories: defined = [] }: Definition,
  catalogues: readonly Advisories[],
): Recorded {
  const listed = [...defined, ...(recorded.advisories ?? [])];
  const ids = new Set(listed.flatMap(listIds));
  const exploited = catalogues.flatMap(({ source, advisories = [] }) => {
    const matching = advisories.filter(({ id }) => ids.has(id));
    return matching.length > 0 ? [{ source, advisories: matching }] : [];
  });
  return { ...recorded, advisories: mergeAdvisories(recorded.advisories, exploited) };
}
