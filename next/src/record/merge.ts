import { toDay, type Day } from '../core/day.ts';
import type { Recorded, RecordedAdvisory, RecordedRelease } from '../core/schema/recorded.ts';
import { compareVersions, parseVersion, rankKey } from '../core/version.ts';
import type { Answer, SelectedRelease } from './answer.ts';

interface MergeInput {
  recorded: Recorded;
  /** In the order of the definition: if sources disagree, the first takes precedence. */
  answers: readonly Answer[];
  /** The ids of all sources of the definition. */
  sources: readonly string[];
  day: Day;
}

interface Statement {
  release: SelectedRelease;
  answer: Answer;
}

/**
 * The recorded data with what the sources state. No release is removed, and no published day changes. Merging the same answers
 * again changes nothing, except that a version that is still missing on a later day is withdrawn.
 */
export function merge({ recorded, answers, sources, day }: MergeInput): Recorded {
  const answered = new Map(answers.map((answer) => [answer.source, answer]));
  const statements = groupByRank(answers);
  const releases = new Map<string, RecordedRelease>();

  for (const release of recorded.releases) {
    releases.set(computeRank(release.version), { ...release });
  }
  for (const [rank, [first]] of statements) {
    if (!releases.has(rank)) {
      releases.set(rank, createRelease(first, day));
    }
  }

  for (const [rank, release] of releases) {
    const stated = statements.get(rank) ?? [];
    const listing = release.sources.filter((id) => sources.includes(id));
    const isComplete = listing.every((id) => answered.has(id));
    mergeValues(release, stated, isComplete, day);
    const dropped = listing
      .map((id) => answered.get(id)?.deprecated)
      .find((reason) => reason !== undefined);
    if (dropped !== undefined && release.deprecated === undefined) {
      release.deprecated = dropped;
      release.deprecatedSince ??= day;
    }

    if (answers.some(({ listed }) => listed.has(rank))) {
      delete release.missingSince;
      delete release.withdrawnSince;
    } else if (isComplete && listing.some((id) => !answered.get(id)!.isPartial)) {
      markMissing(release, day);
    }
  }

  return {
    releases: [...releases.values()].sort(compareReleases),
    ...mergeLines(recorded, answers),
    ...mergeAdvisories(recorded, answers),
  };
}

type Statements = [Statement, ...Statement[]];

function groupByRank(answers: readonly Answer[]): Map<string, Statements> {
  const statements = new Map<string, Statements>();
  for (const answer of answers) {
    for (const release of answer.releases) {
      const rank = computeRank(release.version);
      const statement = { release, answer };
      statements.set(rank, [...(statements.get(rank) ?? []), statement] as Statements);
    }
  }
  return statements;
}

/** Equal for all spellings of a version: the first recorded one stays. */
function computeRank(version: string): string {
  return rankKey(parseVersion(version)!);
}

function createRelease({ release, answer }: Statement, day: Day): RecordedRelease {
  const { version, releaseTimestamp } = release;
  const { source, answeredOn } = answer;
  const created: RecordedRelease = {
    version,
    releaseTimestamp: releaseTimestamp ?? day,
    timestampKind: releaseTimestamp === undefined ? 'observed' : 'published',
    firstSeen: day,
    sources: [source],
  };
  // A stated day after that answer says more.
  if (answeredOn !== undefined && (!releaseTimestamp || toDay(releaseTimestamp) < answeredOn)) {
    created.notBefore = answeredOn;
  }
  return created;
}

/** `isComplete`: all sources of the release have answered. Else an absent value may be of a source without an answer. */
function mergeValues(
  release: RecordedRelease,
  statements: readonly Statement[],
  isComplete: boolean,
  day: Day,
): void {
  for (const { release: stated, answer } of statements) {
    if (!release.sources.includes(answer.source)) {
      release.sources = [...release.sources, answer.source];
    }

    mergeDay(release, stated);
    mergeDigests(release, stated, day);
  }

  const values = statements.map((statement) => statement.release);
  const changelogUrl = values.find((value) => value.changelogUrl)?.changelogUrl;
  if (changelogUrl && (isComplete || !release.changelogUrl)) {
    release.changelogUrl = changelogUrl;
  }
  if (!isComplete || values.length === 0) {
    return;
  }

  const deprecated = values.find((value) => value.deprecated !== undefined)?.deprecated;
  const isPrerelease = values.find((value) => value.isPrerelease !== undefined)?.isPrerelease;
  const had = release.deprecated;
  setOrDelete(release, 'deprecated', deprecated === undefined ? had : deprecated);
  if (release.deprecated === undefined) {
    delete release.deprecatedSince;
  } else if (had === undefined && release.firstSeen !== day) {
    release.deprecatedSince = day;
  }
  setOrDelete(release, 'isPrerelease', isPrerelease);
}

/** An observed day gives way to a published one that is not later. */
function mergeDay(release: RecordedRelease, { releaseTimestamp }: SelectedRelease): void {
  if (releaseTimestamp === undefined || release.timestampKind === 'published') {
    return;
  }

  // Of a release without any day, the first stated one counts.
  const atMost = release.releaseTimestamp ?? release.firstSeen ?? releaseTimestamp;
  if (toDay(releaseTimestamp) <= toDay(atMost)) {
    release.releaseTimestamp = releaseTimestamp;
    release.timestampKind = 'published';
    if (release.notBefore !== undefined && release.notBefore <= toDay(releaseTimestamp)) {
      delete release.notBefore;
    }
  }
}

/** The first bytes stay. Further files of the release are added, unless all of them are other bytes. */
function mergeDigests(release: RecordedRelease, { digests = [] }: SelectedRelease, day: Day): void {
  const { digests: recorded = [] } = release;
  if (digests.length === 0) {
    return;
  }

  if (recorded.length === 0 || digests.some((digest) => recorded.includes(digest))) {
    release.digests = [...new Set([...recorded, ...digests])].sort().slice(0, 100);
  } else if (digests.some((digest) => recorded.some((other) => haveSameForm(digest, other)))) {
    release.republishedOn ??= day;
  }
}

function haveSameForm(digest: string, other: string): boolean {
  return digest.slice(0, digest.indexOf(':')) === other.slice(0, other.indexOf(':'));
}

/** Waits for the second day: a list may be incomplete for one, and most versions that vanish come back. */
function markMissing(release: RecordedRelease, day: Day): void {
  release.missingSince ??= day;
  if (release.missingSince < day) {
    release.withdrawnSince ??= day;
  }
}

function mergeLines({ lines }: Recorded, answers: readonly Answer[]): Pick<Recorded, 'lines'> {
  const stated = answers.find((answer) => answer.lines)?.lines ?? lines;
  return stated ? { lines: [...stated] } : {};
}

/** An advisory of an answer replaces the recorded one of its source; others stay. */
function mergeAdvisories(
  { advisories }: Recorded,
  answers: readonly Answer[],
): Pick<Recorded, 'advisories'> {
  let merged = advisories;
  for (const { source, advisories: stated } of answers) {
    if (!stated) {
      continue;
    }

    const ids = new Set(stated.map(({ id }) => id));
    const others = (merged ?? []).filter((each) => each.source !== source || !ids.has(each.id));
    const current = stated.map((each): RecordedAdvisory => ({ ...each, source }));
    merged = [...others, ...current];
  }
  return merged ? { advisories: merged.toSorted((a, b) => (a.id < b.id ? -1 : 1)) } : {};
}

function compareReleases(a: RecordedRelease, b: RecordedRelease): number {
  return compareVersions(parseVersion(a.version)!, parseVersion(b.version)!);
}

function setOrDelete<K extends 'deprecated' | 'isPrerelease'>(
  release: RecordedRelease,
  key: K,
  value: RecordedRelease[K] | null,
): void {
  if (value === undefined || value === null) {
    delete release[key];
  } else {
    release[key] = value;
  }
}
