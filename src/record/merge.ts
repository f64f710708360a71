import { addDays, toDay, type Day } from '../core/day.ts';
import { createVersionSearch, parseRange } from '../core/range.ts';
import { listIds } from '../core/schema/names.ts';
import type { Recorded, RecordedAdvisory, RecordedRelease } from '../core/schema/recorded.ts';
import type { Definition } from '../core/schema/written.ts';
import {
  compareNames,
  isPrereleaseForm,
  keyText,
  keyVersion,
  readVersion,
} from '../core/version.ts';
import type { Answer, AnsweredRelease } from './answers.ts';
import { findDigestAnswers, mergeDigests } from './digests.ts';

interface MergeInput {
  recorded: Recorded;
  /** The answers in the order of the definition. If sources disagree, the first source decides. */
  answers: readonly Answer[];
  /** The ids of all sources of the definition. */
  sources: readonly string[];
  /** The id of the source with `digestOf`. If there is such a source, the properties `digest` and `files` come only from this source. */
  digestSource?: string | undefined;
  day: Day;
}

/** What sources say about a release on the day of the run. */
interface Listing {
  statements: readonly AnsweredRelease[];
  /** The sources in the definition that have ever listed the release, and their answers. */
  listedBy: readonly string[];
  answers: readonly Answer[];
  /** Whether all these sources have answered. A silent source may know something that no other source lists. */
  isComplete: boolean;
  /** Whether a source lists the release, even if the definition does not allow it. */
  isListed: boolean;
  day: Day;
}

/**
 * Merges the answers of sources into the recorded data. Merging the same answers again changes nothing.
 * - No release is removed. A recorded link stays. A release date that upstream gave stays.
 * - A missing version is withdrawn only if it is still missing on a later day.
 */
export function merge({ recorded, answers, sources, digestSource, day }: MergeInput): Recorded {
  const answered = new Map(answers.map((answer) => [answer.source, answer]));
  const digestAnswers = findDigestAnswers(digestSource ? [digestSource] : sources, answered);
  const stated = Map.groupBy(
    answers.flatMap((answer) => answer.releases.map((release) => ({ release, answer }))),
    ({ release }) => keyText(release.version),
  );
  const releases = new Map(recorded.releases.map((release) => [keyText(release.version), release]));
  for (const [key, statements] of stated) {
    // A planned release is recorded on its day.
    const first = statements.find(({ release }) => release.plannedFor === undefined);
    if (first && !releases.has(key)) {
      const { release, answer } = first;
      releases.set(key, {
        version: release.version,
        // The day of the run is used as an observed date. If the source gives a date, `mergeDay` uses that date.
        releaseTimestamp: day,
        timestampKind: 'observed',
        notBefore: answer.answeredOn,
        firstSeen: day,
        sources: [answer.source],
      });
    }
  }

  const advisories = mergeAdvisories(recorded.advisories, answers);
  const findMalware = createMalwareFinder([...releases.values()], advisories, sources);

  const listSpellings = (key: string) =>
    new Set(answers.flatMap(({ listed }) => listed.get(key) ?? []));
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
      isStop: mergeStop(release, listing),
      ...mergeDigests(release, listing.statements, digestAnswers, day),
      ...mergeDeprecation(release, listing),
      ...mergeStability(release, listing),
      ...mergePresence(release, listing),
      otherSpelling: findOtherSpelling(release, listing, listSpellings(key)),
      malware: findMalware(release, day),
    };
  });
  return {
    releases: merged.sort((a, b) => compareNames(a.version, b.version)),
    lines: mergeLines(recorded.lines, answers),
    advisories,
  };
}

/** The fields of a release that `mergeValues` does not merge. They never change, or other functions merge them. */
type OtherKey =
  | 'version'
  | 'firstSeen'
  | 'releaseTimestamp'
  | 'timestampKind'
  | 'notBefore'
  | 'ignoredDay'
  | 'listedDay'
  | 'malware'
  | 'otherSpelling'
  | 'isStop'
  | keyof ReturnType<typeof mergeDigests>
  | keyof ReturnType<typeof mergeDeprecation>
  | keyof ReturnType<typeof mergeStability>
  | keyof ReturnType<typeof mergePresence>;

/** Merges the release date and the list of sources. Other fields are taken from the first source that gives them. */
function mergeValues(
  release: RecordedRelease,
  statements: readonly AnsweredRelease[],
): RecordedRelease {
  const statedBy = statements.map(({ answer }) => answer.source);
  const values = statements.map((statement) => statement.release);
  const dated = statements.find((each) => each.release.releaseTimestamp !== undefined);
  const { hasProvenance } = values.find((value) => value.hasProvenance !== undefined) ?? {};
  return {
    ...mergeListedDay(statements.reduce(mergeDay, release), release, dated),
    sources: [...new Set([...release.sources, ...statedBy])],
    hasProvenance: hasProvenance ?? release.hasProvenance,
    // The recorded link stays, because a person may have corrected it.
    changelogUrl:
      release.changelogUrl ?? values.find(({ changelogUrl }) => changelogUrl)?.changelogUrl,
  } satisfies Record<Exclude<keyof RecordedRelease, OtherKey>, unknown>;
}

/**
 * An upstream date is ignored if it is more than this many days before `notBefore`, the day of a source's last answer without the version.
 */
const believedDays = 7;

/**
 * Merges the release date. A date given by upstream replaces an observed date. An earlier observed date replaces a later one. `ignoredDay`:
 * the first date that was ignored. A warning reports it to people. It is removed when the release gets an exact date.
 */
function mergeDay(release: RecordedRelease, { release: stated, answer }: AnsweredRelease) {
  const { notBefore, firstSeen, releaseTimestamp: recorded } = release;
  const { releaseTimestamp, isUpperBound } = stated;
  if (isSettled(release)) {
    // A date that upstream or a person gave stays. If a person gave it in place of an ignored date, nobody has to correct the date any
    // more, so `ignoredDay` is removed.
    return { ...release, ignoredDay: undefined };
  }
  if (releaseTimestamp === undefined) {
    return release;
  }

  const day = toDay(releaseTimestamp);
  // The owner may enter old releases at any time, so the dates in an own list are believed.
  if (!answer.ownList && isBeforeAnswer(day, notBefore)) {
    return { ...release, ignoredDay: release.ignoredDay ?? day };
  }
  if (isUpperBound) {
    return mergeUpperBound(release, releaseTimestamp);
  }

  // A release existed when it was first seen, so a later date is ignored. One day later is allowed, because a run may begin before midnight
  // and see a release from after midnight.
  if (day > addDays(toDay(recorded ?? firstSeen ?? day), 1)) {
    return release;
  }

  return publishDay(release, releaseTimestamp);
}

function isSettled({ releaseTimestamp, timestampKind }: RecordedRelease): boolean {
  return releaseTimestamp !== undefined && timestampKind !== 'observed';
}

/** Tells whether a date is so long before a source's last answer without the version that it is probably wrong. */
function isBeforeAnswer(day: Day, notBefore: Day | undefined): boolean {
  return notBefore !== undefined && day < addDays(notBefore, -believedDays);
}

function publishDay(release: RecordedRelease, releaseTimestamp: string): RecordedRelease {
  const { notBefore } = release;
  return {
    ...release,
    releaseTimestamp,
    timestampKind: 'published',
    notBefore:
      notBefore !== undefined && notBefore > toDay(releaseTimestamp) ? notBefore : undefined,
    ignoredDay: undefined,
  };
}

/**
 * Takes a date that the owner has corrected in the own list. Only an edit of the list counts, so a date that a person has corrected in
 * `data/` stays. A file of the index may come from a program, so its correction is taken only if the recorded date was probably wrong.
 * Otherwise a warning reports both dates. `former`: the release before today's answers.
 */
function mergeListedDay(
  release: RecordedRelease,
  former: RecordedRelease,
  statement: AnsweredRelease | undefined,
): RecordedRelease {
  const { ownList } = statement?.answer ?? {};
  const { releaseTimestamp, isUpperBound } = statement?.release ?? {};
  if (!ownList || releaseTimestamp === undefined || isUpperBound) {
    return release;
  }

  const listedDay = toDay(releaseTimestamp);
  const isEdited = former.listedDay !== undefined && former.listedDay !== listedDay;
  const isDoubtful = isBeforeAnswer(toDay(former.releaseTimestamp ?? listedDay), former.notBefore);
  const isTaken = isEdited && (ownList === 'static' || isDoubtful);
  return { ...(isTaken ? publishDay(release, releaseTimestamp) : release), listedDay };
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
  // A release that we see for the first time may have been deprecated long ago.
  const isNew = release.deprecated === undefined && release.firstSeen !== day;
  const since = isNew ? day : release.deprecatedSince;
  return {
    deprecated,
    deprecatedSince: deprecated === undefined ? undefined : since,
    // If the release has only one source, `sources` already names it, so `deprecatedBy` is left out.
    deprecatedBy: sources.size > 1 ? deprecatedBy : undefined,
    isQuarantined,
  };
}

/**
 * Finds why a release is deprecated. One source is enough. Only the source that deprecated the release can revert the deprecation. If that
 * source is unknown, all sources of the release must have answered.
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
  // A source may deprecate all its releases, including releases that it no longer lists.
  const ofAll = answers.map(({ deprecated, source }) => ({ deprecated, deprecatedBy: source }));
  for (const reason of [...stated, ...ofAll]) {
    if (typeof reason.deprecated === 'string') {
      return { ...reason, deprecated: reason.deprecated };
    }
  }

  // Null means that the source marks the release as not deprecated.
  const isDenied = stated.some((each) => {
    return each.deprecated === null && (!sayer || each.deprecatedBy === sayer);
  });
  const isTakenBack = hasAnswered && (isDenied || isQuarantined);
  return former === undefined || isTakenBack ? undefined : recorded;
}

/** Returns the fields that say whether the release is a prerelease. Empty if they stay as recorded. */
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
    // If any source lists the release as stable, it is stable. Otherwise the first source decides.
    const marks = statements.map((statement) => statement.release.isPrerelease);
    return { isPrerelease: [...marks.filter(isStable), ...marks][0], demotedOn: undefined };
  }

  // Whether sources now list a stable release only as a prerelease. The release stays published.
  const isDemoted =
    isStable(release.isPrerelease) &&
    answers.some(({ prereleases }) => prereleases.has(keyVersion(version)));
  return isDemoted ? { isPrerelease: true, demotedOn: day } : {};
}

/**
 * One source is enough to mark a release as a required stop. The mark stays if no source lists the release any more, or if a source that may
 * have marked it says nothing about it today.
 */
function mergeStop(
  { isStop }: RecordedRelease,
  { statements, answers, isComplete }: Listing,
): true | undefined {
  const speakers = new Set(statements.map(({ answer }) => answer.source));
  const isSilent = answers.some(({ source, isPartial }) => isPartial && !speakers.has(source));
  const isUnchanged = statements.length === 0 || !isComplete || isSilent;
  const isMarked = statements.some(({ release }) => release.isStop);
  return isMarked || (isUnchanged && isStop) || undefined;
}

/** Returns the fields that say since when no source has listed the release. Empty if they stay as recorded. */
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
    // A missing version is withdrawn only on a later day, because a list may be incomplete for one day. Most missing versions come back.
    withdrawnSince: withdrawnSince ?? (since < day ? day : undefined),
  };
}

/**
 * Finds the spelling that all sources list instead of the recorded spelling: `v1.3.0` → `1.3.0`. The recorded spelling stays, because
 * readers have pinned it.
 */
function findOtherSpelling(
  { version, otherSpelling: former }: RecordedRelease,
  { answers, isComplete, day }: Listing,
  listed: ReadonlySet<string>,
): RecordedRelease['otherSpelling'] {
  // Only complete answers can show that no source lists the recorded spelling any more.
  if (!isComplete || answers.some(({ isPartial }) => isPartial)) {
    return former;
  }

  const [other, ...more] = listed;
  if (other === undefined || other === version || more.length > 0) {
    return undefined;
  }
  if (former?.version !== other) {
    return { version: other, since: day };
  }
  return former.confirmedOn === undefined && former.since < day
    ? { ...former, confirmedOn: day }
    : former;
}

/** Merges the release lines that sources list. If a line's dates could not be read, its recorded end of support stays. */
function mergeLines(recorded: Recorded['lines'], answers: readonly Answer[]): Recorded['lines'] {
  const { lines, isPartial, answeredOn } = answers.find((answer) => answer.lines) ?? {};
  if (!lines) {
    return recorded;
  }

  // If this is the first answer of the source with `lines`, the recorded lines come from another source. So they are dropped.
  const kept = isPartial && answeredOn && recorded ? recorded : [];
  const known = new Set(kept.map(({ line }) => line));
  const news = lines.filter(({ line, phases }) => phases.length > 0 || !known.has(line));
  return [...new Map([...kept, ...news].map((each) => [each.line, each])).values()];
}

/** The advisories in an answer or a catalogue. A catalogue has no `affected` ranges. */
export interface Advisories {
  source: string;
  advisories?: readonly Omit<RecordedAdvisory, 'source'>[] | undefined;
  withdrawnAdvisories?: readonly string[] | undefined;
}

/** Merges advisories. A recorded advisory is replaced only by its own source. It stays until this source withdraws it. */
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

/**
 * Returns a function that finds the advisory which calls a release malware. The id of such an advisory begins with `MAL-`
 * (github.com/ossf/malicious-packages).
 */
function createMalwareFinder(
  releases: readonly RecordedRelease[],
  advisories: Recorded['advisories'],
  sources: readonly string[],
) {
  const malicious = (advisories ?? []).flatMap((advisory) => {
    const id = listIds(advisory).find((each) => each.startsWith('MAL-'));
    const range = sources.includes(advisory.source) && parseRange(advisory.affected ?? '');
    return id && range ? { id, range } : [];
  });
  const listInRange = createVersionSearch(releases.map(({ version }) => readVersion(version)));
  const idsByVersion = new Map<string, string>();
  // If several advisories call a version malware, the first of them is used. The loop is reversed, so the first advisory overwrites the
  // others.
  for (const { id, range } of malicious.toReversed()) {
    for (const { text } of listInRange(range)) {
      idsByVersion.set(text, id);
    }
  }

  return ({ version, malware }: RecordedRelease, day: Day): RecordedRelease['malware'] => {
    const advisory = idsByVersion.get(version);
    return advisory === undefined ? undefined : { advisory, since: malware?.since ?? day };
  };
}

/**
 * Adds entries of catalogues of exploited vulnerabilities. An entry is added only if its id is an id or an alias of one of the component's
 * advisories.
 */
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
