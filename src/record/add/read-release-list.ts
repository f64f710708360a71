import { parseTimestamp } from '../../core/model/timestamps.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { isPrereleaseForm } from '../../core/model/version.ts';
import { inputError } from '../../core/schemas/finding.ts';
import { HttpsUrl } from '../../core/schemas/scalars.ts';
import { quote } from '../../core/text/foreign-text.ts';
import type { StaticRelease } from '../sources/static.ts';
import type { GivenValues } from './draft-definition.ts';
import { parseReleaseList, type ListedRelease } from './parse-release-list.ts';

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

/** Reads a list in one of the forms of `parseReleaseList`. Throws an `InputError` with every line that cannot be read. */
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
    ({ version, isStable }) => isStable === false || isPrereleaseForm(version),
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
function toStaticReleases(path: string, entries: readonly ListedRelease[]): StaticRelease[] {
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

function toStaticRelease(entry: ListedRelease): StaticRelease {
  const { version, day, changelogUrl, isDeprecated, isStable } = entry;
  return dropUndefined({
    version,
    releaseTimestamp: day === undefined ? undefined : parseTimestamp(day),
    changelogUrl,
    deprecated: readFlag(isDeprecated)
      ? 'The list of releases states that it is deprecated.'
      : undefined,
    isStable: readFlag(isStable) === false ? false : undefined,
  });
}

function listProblems(
  { version, day, changelogUrl, isDeprecated, isStable }: ListedRelease,
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
    if (flag !== undefined && readFlag(flag) === undefined) {
      problems.push(`${quote(version)}: expected true or false; got ${quote(flag)}`);
    }
  }
  return problems;
}

/** Undefined for a text that is no flag. */
function readFlag(text = ''): boolean | undefined {
  if (/^(?:true|yes|1)$/i.test(text)) {
    return true;
  }

  return /^(?:false|no|0)$/i.test(text) ? false : undefined;
}
