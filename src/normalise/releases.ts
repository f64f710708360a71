import { dayOf, toTimestamp, type Day } from '../dates.ts';
import { fillChangelogTemplate } from '../model/changelog-template.ts';
import { lineGroupsOf, type Definition } from '../model/definition.ts';
import type { Finding } from '../model/finding.ts';
import type { Correction, RecordedRelease } from '../model/recorded.ts';
import type { Release } from '../model/release.ts';
import { isPrereleaseSuffix } from '../prerelease.ts';
import { compareVersions, parseVersion, releaseLine, type Version } from '../version.ts';

export interface NormalisedReleases {
  /** Oldest first, no two of equal rank, none younger than the day. */
  releases: Release[];
  findings: Finding[];
}

/**
 * From what is recorded to what a build of the given day shows. Nothing is dropped without a finding, but for
 * releases that came out after that day: on it, they did not exist.
 */
export function normaliseReleases(
  component: string,
  definition: Definition,
  recorded: readonly RecordedRelease[],
  day: Day,
): NormalisedReleases {
  const findings: Finding[] = [];
  const warn = (message: string) => findings.push({ level: 'warning', subject: component, message });

  const groups = lineGroupsOf(definition);
  const ranked: RankedEntry[] = [];
  for (const entry of recorded) {
    const parsed = parseVersion(entry.version);
    if (parsed) ranked.push({ entry, parsed, line: releaseLine(parsed, groups) });
    else warn(`"${entry.version}" has no place in the version order. Left out.`);
  }
  // The sort is stable: of two entries of equal rank the first recorded comes first.
  ranked.sort((a, b) => compareVersions(a.parsed, b.parsed));

  const changelogUrlOf = changelogUrls(definition);
  const earliestDayOf = earliestDays(ranked);
  const releases: Release[] = [];
  let previous: Version | undefined;
  for (const { entry, parsed, line } of ranked) {
    if (previous && compareVersions(previous, parsed) === 0) {
      const what =
        previous.text === parsed.text
          ? 'is recorded twice'
          : `and "${previous.text}" are one version in two spellings`;
      warn(`"${parsed.text}" ${what}. The first recorded stays.`);
      continue;
    }
    previous = parsed;
    const from = firstDay(entry) ?? earliestDayOf.get(line);
    if (from !== undefined && from > day) continue;
    releases.push(toRelease(entry, parsed, line, changelogUrlOf(entry, parsed)));
  }
  return { releases, findings };
}

interface RankedEntry {
  entry: RecordedRelease;
  parsed: Version;
  line: string;
}

function firstDay({ releaseTimestamp, firstSeen }: RecordedRelease): Day | undefined {
  const known = releaseTimestamp ?? firstSeen;
  return known === undefined ? undefined : dayOf(known);
}

/**
 * For each line the day before which it cannot have begun, in a scheme whose numbers grow: the latest first day among it
 * and the older lines. Decides about releases without a day whether they were there on a past day.
 */
function earliestDays(ranked: readonly RankedEntry[]): ReadonlyMap<string, Day> {
  const firstDays = new Map<string, Day | undefined>();
  for (const { entry, line } of ranked) {
    const day = firstDay(entry);
    const known = firstDays.get(line);
    firstDays.set(line, known === undefined || (day !== undefined && day < known) ? day : known);
  }
  const earliest = new Map<string, Day>();
  let latest: Day | undefined;
  for (const [line, day] of firstDays) {
    if (day !== undefined && (latest === undefined || day > latest)) latest = day;
    if (latest !== undefined) earliest.set(line, latest);
  }
  return earliest;
}

function toRelease(
  entry: RecordedRelease,
  parsed: Version,
  line: string,
  changelogUrl: string | undefined,
): Release {
  // Key by key: spreading makes three objects where an index of a million releases needs one.
  const release: { -readonly [Key in keyof Release]: Release[Key] } = {
    version: entry.version,
    parsed,
    line,
    isPrerelease: entry.isPrerelease ?? isPrereleaseSuffix(parsed.suffix),
    corrections: entry.corrections ?? none,
    recorded: entry,
  };
  if (entry.releaseTimestamp !== undefined) {
    release.releaseTimestamp = toTimestamp(entry.releaseTimestamp);
    release.timestampKind = entry.timestampKind ?? 'published';
  }
  if (changelogUrl !== undefined) release.changelogUrl = changelogUrl;
  if (entry.source !== undefined) release.source = entry.source;
  if (entry.firstSeen !== undefined) release.firstSeen = entry.firstSeen;
  if (entry.deprecated !== undefined) release.upstreamDeprecation = upstreamDeprecation(entry);
  if (entry.withdrawnSince !== undefined) release.withdrawnSince = entry.withdrawnSince;
  return release;
}

const none: readonly Correction[] = [];

/** Upstream states a reason but no day: it holds from the day it was first read. */
function upstreamDeprecation(entry: RecordedRelease): { reason: string; since?: Day } {
  const first = entry.corrections?.findLast(
    (correction) => correction.field === 'deprecated' && correction.from === undefined,
  );
  const since = first?.on ?? entry.firstSeen;
  return { reason: entry.deprecated!, ...(since !== undefined && { since }) };
}

/** What upstream names for a version wins; the definition's template serves from its `since` on. */
function changelogUrls(
  definition: Definition,
): (entry: RecordedRelease, parsed: Version) => string | undefined {
  const rule = definition.releaseChangelogUrl;
  if (!rule) return (entry) => entry.changelogUrl;
  const since = rule.since === undefined ? undefined : parseVersion(rule.since);
  return (entry, parsed) => {
    if (entry.changelogUrl !== undefined) return entry.changelogUrl;
    if (since && compareVersions(parsed, since) < 0) return undefined;
    return fillChangelogTemplate(rule.template, entry.version);
  };
}
