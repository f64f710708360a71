import { cutDay, findLatestDay, toTimestamp, type Day } from '../core/model/dates.ts';
import { isPrereleaseSuffix } from '../core/model/prerelease.ts';
import {
  compareVersions,
  createReleaseLineFinder,
  parseVersion,
  nameReleaseLine,
  type Version,
} from '../core/model/version.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import { notice, warning } from '../core/schemas/finding.ts';
import {
  listSourcesListing,
  type RecordedRelease,
  type StatedLine,
} from '../core/schemas/recorded/recorded.ts';
import { formatCount, formatList } from '../core/text/wording.ts';
import { isInAllowedRange, parseAllowedRange } from '../core/model/source-expressions.ts';
import { allowedVersionsPattern } from '../core/schemas/definition/source.ts';
import { mapSourcesById } from '../core/schemas/definition/source-ids.ts';
import { compileExpression } from '../core/text/expression.ts';

/** A release before it is judged: parsed, assigned to its line, with its links resolved. */
export type UnjudgedRelease = ReturnType<ReturnType<typeof createReleaseConverter>>;

/**
 * The releases that a build of the given day shows, oldest first and of different rank, and the versions that the definition does
 * not admit. Each omitted release has a finding, except releases after that day, which did not exist yet. `statedLines`: the lines
 * that a source or the policy names.
 */
export function normaliseReleases(
  { name, definition }: { readonly name: string; readonly definition: Definition },
  recorded: readonly RecordedRelease[],
  statedLines: readonly StatedLine[],
  day: Day,
) {
  const releasesOnDay = recorded.map((release) => forgetLater(release, day));
  const { ordered, unordered } = orderReleases(releasesOnDay, definition, statedLines);
  const isAdmitted = createAdmission(definition);
  const { admitted = [], omitted = [] } = Object.groupBy(ordered, (release) =>
    isAdmitted(release.recorded, release.isPrerelease) ? 'admitted' : 'omitted',
  );
  const unadmitted = omitted.map(({ version }) => version);

  const findings = unordered.map((version) =>
    warning(name, `"${version}" has no place in the version order. Left out.`),
  );
  if (unadmitted.length > 0) {
    findings.push(notice(name, describeUnadmitted(name, unadmitted)));
  }

  const distinct: UnjudgedRelease[] = [];
  for (const release of admitted) {
    const previous = distinct.at(-1);
    if (previous && compareVersions(previous.parsed, release.parsed) === 0) {
      findings.push(warning(name, describeRepeat(previous.version, release.version)));
    } else {
      distinct.push(release);
    }
  }

  return { releases: listReleasedBy(distinct, day), unadmitted, findings };
}

/** A recorded release as of a day: a deprecation or a withdrawal that was seen later is no fact yet. */
function forgetLater(recorded: RecordedRelease, day: Day): RecordedRelease {
  const release = { ...recorded };
  const { deprecatedSince = release.firstSeen, withdrawnSince } = release;

  if (deprecatedSince !== undefined && deprecatedSince > day) {
    delete release.deprecated;
    delete release.deprecatedSince;
  }
  if (withdrawnSince !== undefined && withdrawnSince > day) {
    delete release.withdrawnSince;
  }

  return release;
}

/** The releases in version order, and the texts that are no version. */
function orderReleases(
  recorded: readonly RecordedRelease[],
  definition: Definition,
  statedLines: readonly StatedLine[],
) {
  const convert = createReleaseConverter(definition, statedLines);
  const ordered: UnjudgedRelease[] = [];
  const unordered: string[] = [];

  for (const entry of recorded) {
    const parsed = parseVersion(entry.version);
    if (parsed) {
      ordered.push(convert(entry, parsed));
    } else {
      unordered.push(entry.version);
    }
  }

  // The sort is stable: entries of equal rank keep their recorded order.
  ordered.sort((a, b) => compareVersions(a.parsed, b.parsed));
  return { ordered, unordered };
}

function describeUnadmitted(component: string, versions: readonly string[]): string {
  const count = formatCount(versions.length, 'recorded release');
  const pronoun = versions.length === 1 ? 'it' : 'them';
  return `the site leaves out ${count} that components/${component}.json does not admit: ${formatList(versions, 5)}. data/${component}.json keeps ${pronoun}.`;
}

function describeRepeat(first: string, repeat: string): string {
  const difference =
    first === repeat ? 'is recorded twice' : `and "${first}" are one version in two spellings`;
  return `"${repeat}" ${difference}. The first recorded stays.`;
}

/** The releases up to a day. As version numbers grow, a release without a day came no earlier than older versions. */
function listReleasedBy(releases: readonly UnjudgedRelease[], day: Day): UnjudgedRelease[] {
  const released: UnjudgedRelease[] = [];
  let latestDay: Day | undefined;

  for (const release of releases) {
    const releasedOn = release.releaseDay ?? release.firstSeen ?? latestDay;
    if (releasedOn === undefined || releasedOn <= day) {
      released.push(release);
    }

    if (releasedOn !== undefined) {
      latestDay = findLatestDay(releasedOn, latestDay);
    }
  }

  return released;
}

/** Converts recorded releases by the lines, links and prereleases of a definition. */
function createReleaseConverter(definition: Definition, statedLines: readonly StatedLine[]) {
  const findLine = createReleaseLineFinder(statedLines.map(({ line }) => line));

  // Other lines are named in the form of the newest stated one.
  const isNamedByMajor = statedLines.at(-1)?.line.includes('.') === false;
  const groups = definition.support?.line ?? (isNamedByMajor ? 1 : 2);
  const { template, since: sinceText } = definition.releaseChangelogUrl ?? {};
  const since = parseVersion(sinceText ?? '');

  return (entry: RecordedRelease, parsed: Version) => {
    const { version, releaseTimestamp, timestampKind = 'published' } = entry;
    const isBefore = since !== undefined && compareVersions(parsed, since) < 0;

    return {
      version,
      parsed,
      line: findLine(parsed) ?? nameReleaseLine(parsed, groups),
      isPrerelease: entry.isPrerelease ?? isPrereleaseSuffix(parsed.suffix),
      /** Start of the day if only the day is known. */
      releaseTimestamp: releaseTimestamp && toTimestamp(releaseTimestamp),
      releaseDay: releaseTimestamp && cutDay(releaseTimestamp),
      timestampKind: releaseTimestamp === undefined ? undefined : timestampKind,
      // A link from upstream takes precedence over the template.
      changelogUrl:
        entry.changelogUrl ?? (template && !isBefore ? fillTemplate(template, version) : undefined),
      firstSeen: entry.firstSeen,
      withdrawnSince: entry.withdrawnSince,
      recorded: entry,
    };
  };
}

/** Tests versions by a rule in the form of `AllowedVersions`; without a rule, every version passes. */
export function createVersionFilter(rule: string | undefined): (version: string) => boolean {
  if (rule === undefined) {
    return () => true;
  }

  const [, negation, pattern, flag] = allowedVersionsPattern.exec(rule) ?? [];
  if (pattern === undefined) {
    // The schema has parsed it.
    const range = parseAllowedRange(rule)!;
    return (version) => isInAllowedRange(range, version);
  }

  const expression = compileExpression(flag ? `(?i)${pattern}` : pattern);
  const isNegated = negation === '!';
  return (version) => expression.test(version) !== isNegated;
}

/**
 * Tests whether a definition still admits a release that was recorded under an earlier definition: at least one of the sources that
 * listed it must allow it, and a prerelease needs a definition with prereleases. Releases recorded by hand, or from a source that
 * was removed, stay. `extractVersion` does not matter: it was applied before recording.
 */
export function createAdmission({
  sources,
  prereleases,
}: Definition): (release: RecordedRelease, isPrerelease: boolean) => boolean {
  const filters = new Map<string, (version: string) => boolean>();
  for (const [id, { allowedVersions }] of mapSourcesById(sources)) {
    filters.set(id, createVersionFilter(allowedVersions));
  }

  return (release, isPrerelease) => {
    const tests = listSourcesListing(release).flatMap((id) => filters.get(id) ?? []);
    if (tests.length === 0) {
      return true;
    }
    if (isPrerelease && prereleases !== true) {
      return false;
    }

    return tests.some((isAllowed) => isAllowed(release.version));
  };
}

/** The address of a version's changelog by a definition's template with `{version}` and `{versionDashed}`. */
function fillTemplate(template: string, version: string): string {
  return template.replaceAll(/\{version(Dashed)?\}/g, (_, isDashed?: string) => {
    const text = isDashed ? version.replaceAll('.', '-') : version;
    // `encodeURIComponent` leaves the apostrophe, which published addresses must not have.
    return encodeURIComponent(text).replaceAll("'", '%27');
  });
}
