import { parseTimestamp } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { isPrereleaseForm } from '../../core/model/version.ts';
import { inputError } from '../../core/schemas/finding.ts';
import { HttpsUrl } from '../../core/schemas/urls.ts';
import { quote } from '../../core/text/foreign-text.ts';
import type { StaticRelease } from '../sources/static.ts';
import type { GivenValues } from './draft-definition.ts';
import { parseReleaseList, type ListEntry } from './parse-release-list.ts';

/** The releases of a list that somebody keeps by hand, and what it states about the component. */
export interface ReleaseList {
  releases: StaticRelease[];
  facts: GivenValues;
  /** The version that the list states as the latest. */
  latest?: string | undefined;
  /** Notes on fields that Renovate reads, and that no definition has. */
  notes: string[];
}

const maxReleases = 10_000;

/** Reads a list in one of the forms of `parseReleaseList`. Throws an `InputError` for an unreadable one. */
export function readReleaseList(path: string, text: string): ReleaseList {
  const { entries, facts = {}, latest, unpublishedFields = [] } = parseReleaseList(path, text);
  if (entries.length === 0) {
    throw inputError(path, 'lists no version');
  }
  if (entries.length > maxReleases) {
    throw inputError(path, `expected at most ${maxReleases} releases; got ${entries.length}`);
  }

  const releases = toStaticReleases(path, entries);
  const hasPrereleases = releases.some(
    ({ version, isStable = !isPrereleaseForm(version) }) => !isStable,
  );
  const note = `left out ${unpublishedFields.join(', ')}: an index does not publish it`;
  return {
    releases,
    facts: hasPrereleases ? { ...facts, prereleases: true } : facts,
    latest,
    notes: unpublishedFields.length > 0 ? [note] : [],
  };
}

/** Throws an `InputError` with every problem, or the first of many. */
function toStaticReleases(path: string, entries: readonly ListEntry[]): StaticRelease[] {
  const problems: string[] = [];
  const versions = new Set<string>();
  const releases: StaticRelease[] = [];

  for (const entry of entries) {
    const { place, version } = entry;
    const release = toStaticRelease(entry);
    problems.push(...listProblems(entry, release).map((problem) => `${place}: ${problem}`));
    if (versions.has(version)) {
      problems.push(`${place}: ${quote(version)} is listed twice`);
    }

    versions.add(version);
    releases.push(release);
  }

  if (problems.length === 0) {
    return releases;
  }

  const more = problems.length - shownProblems;
  const shown = problems.slice(0, shownProblems).join('; ');
  throw inputError(path, more > 0 ? `${shown}; and ${more} more` : shown);
}

const shownProblems = 5;

function toStaticRelease(entry: ListEntry): StaticRelease {
  const { version, day, changelogUrl, isDeprecated, isStable } = entry;

  // The form of most versions shows that they are stable.
  const isObvious = isStable === true && !isPrereleaseForm(version);
  return dropUndefined({
    version,
    releaseTimestamp: day === undefined ? undefined : parseTimestamp(day),
    changelogUrl,
    deprecated:
      isDeprecated === true ? 'The list of releases states that it is deprecated.' : undefined,
    isStable: typeof isStable === 'string' || isObvious ? undefined : isStable,
  });
}

function listProblems(
  { version, day, changelogUrl, isDeprecated, isStable }: ListEntry,
  { releaseTimestamp }: StaticRelease,
): string[] {
  const problems: string[] = [];
  if (version === '') {
    problems.push('expected a version');
  }
  if (day !== undefined && releaseTimestamp === undefined) {
    problems.push(`${quote(version)}: expected a day such as 2026-01-31; got ${quote(day)}`);
  }
  if (changelogUrl !== undefined && !HttpsUrl.safeParse(changelogUrl).success) {
    problems.push(`${quote(version)}: expected an https: address; got ${quote(changelogUrl)}`);
  }
  for (const flag of [isDeprecated, isStable]) {
    if (typeof flag === 'string') {
      problems.push(`${quote(version)}: expected true or false; got ${quote(flag)}`);
    }
  }
  return problems;
}
