import {
  cutDay,
  findLatestDay,
  toTimestamp,
  type Day,
  type Timestamp,
} from '../core/model/dates.ts';
import { isInAllowedRange, parseAllowedRange } from '../core/model/source-expressions.ts';
import {
  compareVersions,
  isPrereleaseSuffix,
  createLineFinder,
  parseVersion,
  nameReleaseLine,
  type Version,
} from '../core/model/version.ts';
import { createChangelogFiller, type Definition } from '../core/schemas/definition/definition.ts';
import { allowedVersionsPattern, mapSourcesById } from '../core/schemas/definition/source.ts';
import type { Finding } from '../core/schemas/finding.ts';
import {
  listSourcesListing,
  type RecordedRelease,
  type StatedLine,
  type TimestampKind,
} from '../core/schemas/recorded/recorded.ts';
import { compileExpression } from '../core/text/expression.ts';
import { formatCount, formatList } from '../core/text/wording.ts';

/** A release before it is judged: parsed, assigned to its line, with its links resolved. */
export interface UnjudgedRelease {
  readonly version: string;
  readonly parsed: Version;
  readonly line: string;
  readonly isPrerelease: boolean;
  /** Start of the day if only the day is known. */
  readonly releaseTimestamp: Timestamp | undefined;
  readonly releaseDay: Day | undefined;
  readonly timestampKind: TimestampKind | undefined;
  readonly changelogUrl: string | undefined;
  readonly withdrawnSince: Day | undefined;
  readonly recorded: RecordedRelease;
}

interface NormalisedReleases {
  /** Oldest first, of different rank, up to the day. */
  releases: UnjudgedRelease[];
  /** Recorded versions that the definition does not admit, oldest first. */
  unadmitted: string[];
  findings: Finding[];
}

/**
 * The releases that a build of the given day shows. Each omitted release has a finding, except releases after that day, which did
 * not exist yet. `statedLines`: those that a source names.
 */
export function normaliseReleases(
  component: string,
  definition: Definition,
  recorded: readonly RecordedRelease[],
  day: Day,
  statedLines: readonly StatedLine[] = [],
): NormalisedReleases {
  const findings: Finding[] = [];
  const warn = (message: string) =>
    findings.push({ level: 'warning', subject: component, message });
  const toRelease = createReleaseConverter(definition, statedLines);
  const candidates: UnjudgedRelease[] = [];

  for (const entry of recorded) {
    const parsed = parseVersion(entry.version);
    if (!parsed) {
      warn(`"${entry.version}" has no place in the version order. Left out.`);
    } else {
      candidates.push(toRelease(entry, parsed));
    }
  }

  // The sort is stable: entries of equal rank keep their recorded order.
  candidates.sort((a, b) => compareVersions(a.parsed, b.parsed));

  const isAdmitted = createAdmission(definition);
  const admitted: UnjudgedRelease[] = [];
  const unadmitted: string[] = [];
  for (const release of candidates) {
    if (isAdmitted(release)) {
      admitted.push(release);
    } else {
      unadmitted.push(release.version);
    }
  }

  if (unadmitted.length > 0) {
    const unadmittedText = `${formatCount(unadmitted.length, 'recorded release')} that components/${component}.json does not admit`;
    const message = `the site leaves out ${unadmittedText}: ${formatList(unadmitted, 5)}. data/${component}.json keeps ${unadmitted.length === 1 ? 'it' : 'them'}.`;
    findings.push({ level: 'notice', subject: component, message });
  }

  const releases: UnjudgedRelease[] = [];
  let previous: Version | undefined;
  let latestDay: Day | undefined;

  for (const release of admitted) {
    const { parsed, releaseDay, recorded } = release;
    if (previous && compareVersions(previous, parsed) === 0) {
      const difference =
        previous.text === parsed.text
          ? 'is recorded twice'
          : `and "${previous.text}" are one version in two spellings`;
      warn(`"${parsed.text}" ${difference}. The first recorded stays.`);
      continue;
    }

    previous = parsed;

    // As version numbers grow, a release without a day came no earlier than older versions.
    const from = releaseDay ?? recorded.firstSeen ?? latestDay;
    latestDay = from && findLatestDay(from, latestDay ?? from);
    if (from === undefined || from <= day) {
      releases.push(release);
    }
  }

  return { releases, unadmitted, findings };
}

/** Converts recorded releases by a definition. */
function createReleaseConverter(
  definition: Definition,
  statedLines: readonly StatedLine[],
): (entry: RecordedRelease, parsed: Version) => UnjudgedRelease {
  const findLine = createLineFinder(statedLines.map(({ line }) => line));

  // Name further lines in the form of the newest line.
  const groups =
    definition.support?.line ?? (statedLines.at(-1)?.line.includes('.') === false ? 1 : 2);
  const { template, since: sinceText } = definition.releaseChangelogUrl ?? {};
  const since = sinceText === undefined ? undefined : parseVersion(sinceText);
  const fill = template === undefined ? () => undefined : createChangelogFiller(template);

  return (entry, parsed) => {
    const { version, releaseTimestamp, timestampKind = 'published' } = entry;
    const isDated = releaseTimestamp !== undefined;
    const isBefore = since !== undefined && compareVersions(parsed, since) < 0;

    return {
      version,
      parsed,
      line: findLine(parsed) ?? nameReleaseLine(parsed, groups),
      isPrerelease: entry.isPrerelease ?? isPrereleaseSuffix(parsed.suffix),
      releaseTimestamp: isDated ? toTimestamp(releaseTimestamp) : undefined,
      releaseDay: isDated ? cutDay(releaseTimestamp) : undefined,
      timestampKind: isDated ? timestampKind : undefined,
      // A link from upstream takes precedence over the template.
      changelogUrl: entry.changelogUrl ?? (isBefore ? undefined : fill(version)),
      withdrawnSince: entry.withdrawnSince,
      recorded: entry,
    };
  };
}

/** Upstream states a reason but no day: the release is deprecated since the day the reason was first read. */
export function findDeprecatedSince(entry: RecordedRelease): Day | undefined {
  return entry.deprecatedSince ?? entry.firstSeen;
}

/** Tests versions by `createVersionFilter`, a regular expression or semver range as in Renovate (docs/usage/configuration-options.md). */
export function createVersionFilter(rule: string | undefined): (version: string) => boolean {
  if (rule === undefined) {
    return () => true;
  }

  const match = allowedVersionsPattern.exec(rule);
  if (!match) {
    const range = parseAllowedRange(rule)!;
    return (version) => isInAllowedRange(range, version);
  }

  const expression = compileExpression(match[2]!, match[3] === 'i' ? 'i' : '');
  const isNegated = match[1] === '!';
  return (version) => expression.test(version) !== isNegated;
}

/** A recorded release with its version and form. */
interface CandidateRelease {
  readonly version: string;
  readonly isPrerelease: boolean;
  readonly recorded: RecordedRelease;
}

/**
 * Whether a definition still admits a release recorded under an earlier definition: at least one of the sources that listed it
 * must allow it. Releases recorded by hand, or from a source that was removed, stay. `extractVersion` does not matter: it was
 * applied before recording.
 */
export function createAdmission({
  sources,
  prereleases,
}: Definition): (release: CandidateRelease) => boolean {
  const tests = new Map(
    Array.from(mapSourcesById(sources), ([id, source]) => [
      id,
      createVersionFilter(source.allowedVersions),
    ]),
  );

  return ({ version, isPrerelease, recorded }) => {
    const sourceIds = listSourcesListing(recorded).filter((id) => tests.has(id));
    if (sourceIds.length === 0) {
      return true;
    }

    return (
      (prereleases === true || !isPrerelease) && sourceIds.some((id) => tests.get(id)!(version))
    );
  };
}
