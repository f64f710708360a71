import { addDays, type Day } from '../core/dates.ts';
import type { VersionAnswer } from '../core/schemas/published/answer-schemas.ts';
import { soonDays, type State } from '../core/states.ts';
import {
  compareVersions,
  lineFinder,
  parseVersion,
  releaseLine,
  type Version,
} from '../core/version.ts';
import { nextStop, resolveStops, type ResolvedStop } from '../core/upgrade-stops.ts';
import { findRelease, parsedVersions } from './find-release.ts';
import type { DetailedLine, DetailedRelease, DetailsOn } from './details-on.ts';

export type MoveTo = NonNullable<VersionAnswer['moveTo']>;

export interface VersionQuestion {
  /** As written: a version, a release line, or the first digit groups of several lines. */
  readonly version: string;
  /** The latest version of the component in `replacedBy`, on the same day. */
  readonly latestOfReplacement?: string | undefined;
  /** A listed version that the user wants to move to; it need not be the recommended version. */
  readonly wanted?: string | undefined;
  /** Versions of other components in use together with this version. */
  readonly with?: readonly { readonly component: string; readonly version: string }[] | undefined;
}

/** The verdict on a version on a day, as data. */
export interface JudgedVersion {
  /** As listed, else as asked. */
  readonly version: string;
  readonly release?: DetailedRelease | undefined;
  readonly line?: DetailedLine | undefined;
  /** Whether the question names a line instead of a version. */
  readonly isWholeLine: boolean;
  /** The lines that begin with the asked text, oldest first, if there are several. */
  readonly lines: readonly DetailedLine[];
  readonly state: State;
  /** Absent if there is no need to move, or no target. */
  readonly moveTo?: MoveTo | undefined;
  /** The stop to go to first on the way to the target. */
  readonly stop?: ResolvedStop<DetailedRelease> | undefined;
  /** What to go on to, where `moveTo` is a stop. */
  readonly goal?: MoveTo | undefined;
  /** The first day without support; absent if support is over or has no known end. */
  readonly moveBy?: Day | undefined;
  /** Whether the recommended version is older. */
  readonly isBack: boolean;
  /** Whether it is the latest of a line that certainly has more than 90 days of support left. */
  readonly isSettled: boolean;
  /** The latest version of the line, unless support of the line is over or ends soon. */
  readonly latestOfLine?: DetailedRelease | undefined;
  /** The greatest stable version that is not deprecated. */
  readonly latest?: DetailedRelease | undefined;
  /** The wanted release, else the recommended release; absent if it is not in this component. */
  readonly target?: DetailedRelease | undefined;
  /** The releases between this version and the target, oldest first, without prereleases. */
  readonly between: readonly DetailedRelease[];
}

/**
 * Recommends the latest version of the same line while the line has more than 90 days of support left, else the latest of the
 * component. If support of that version ends soon too, or all releases are deprecated, it recommends the component in
 * `replacedBy`. It never recommends a vulnerable release if another release is not vulnerable.
 */
export function judgeVersion(details: DetailsOn, question: VersionQuestion): JudgedVersion {
  const { component, lines, releases, replacedBy, support, day } = details;
  const { latestOfReplacement, wanted } = question;
  const asked = question.version.replace(/(?:\.[x*])+$/i, '');
  const release = asked === question.version ? findRelease(releases, asked) : undefined;
  const version = release?.version ?? asked;
  const parsed = parseVersion(version);
  const ofPrefix = parsed && !release ? linesOf(lines, parsed) : [];
  const lineOfParsed =
    support.policy === 'stated'
      ? lineFinder(lines.map((line) => line.line))
      : (other: Version) => releaseLine(other, support.line ?? 2);
  const name = release?.line ?? (parsed && lineOfParsed(parsed));
  const line = ofPrefix.length === 1 ? ofPrefix[0] : lines.find((line) => line.line === name);

  const usable = releases.filter(
    ({ isDeprecated, isPrerelease }) => !isDeprecated && !isPrerelease,
  );
  const latest = usable.at(-1);
  const safe = usable.filter(({ isVulnerable }) => !isVulnerable);
  const offered = safe.length > 0 ? safe : usable;
  const best = offered.at(-1);
  const successor: MoveTo | undefined =
    replacedBy === undefined ? undefined : { component: replacedBy, version: latestOfReplacement };
  const toLatest = best ? { component, version: best.version } : successor;

  if (!line) {
    const isNewer =
      parsed && parsedVersions(releases).every((other) => compareVersions(parsed, other) > 0);
    const isFuture = isNewer && releases.length > 0;
    const state = isFuture && ofPrefix.length === 0 ? 'not-released' : 'unknown-line';
    const nothing = { isWholeLine: false, isBack: false, isSettled: false, between: [] };
    const moveTo = isFuture ? undefined : toLatest;
    return { version, lines: ofPrefix, state, moveTo, latest, ...nothing };
  }

  const isOpen = usable.some((other) => other.line === line.line);
  const isVulnerable = release?.isVulnerable === true;
  const isWholeLine = !release && ofPrefix.length === 1;
  const place = release ? releases.indexOf(release) : placeOf(line);
  const isAhead = (other: DetailedRelease) => releases.indexOf(other) > place;
  // A newer line without the vulnerability is better than an older release of the same line.
  const ofLine = offered.findLast(
    (other) => other.line === line.line && (!isVulnerable || isAhead(other)),
  );
  const isLeft = isEnding(line, day);
  const lineOfBest = lines.find((line) => line.line === best?.line);
  const isLatestLeft = lineOfBest !== undefined && isEnding(lineOfBest, day);
  const latestOfLine = isLeft ? undefined : ofLine;
  const goal = latestOfLine ?? best;
  const isBack = goal !== undefined && releases.indexOf(goal) < place;
  // A prerelease newer than all other releases need not move.
  const isBad =
    line.isSupported === false ||
    (release ? release.isDeprecated || (isVulnerable && safe.length > 0) : !isOpen);
  const isReplaced = successor !== undefined && (!goal || (!latestOfLine && isLatestLeft));
  const toGoal =
    goal && goal !== release && (isWholeLine || !isBack || isBad)
      ? { component, version: goal.version }
      : undefined;
  const aim = isReplaced ? successor : toGoal;
  const aimed = aim?.component === component ? aim.version : undefined;
  const target = findRelease(releases, wanted ?? aimed ?? '');
  // A question about a line is about its last known release.
  const from = isWholeLine ? (line.releases.at(-1)?.version ?? version) : version;
  const start = parseVersion(from);
  const stops = resolveStops(details.upgradeStops, releases);
  const stop = target && start && nextStop(stops, start, target);
  const isOnWay = stop !== undefined && aim?.component === component && wanted === undefined;
  const moveTo = isOnWay ? { component, version: stop.release.version } : aim;
  return {
    ...{ version, release, line, isWholeLine },
    lines: [],
    state: release?.state ?? (isWholeLine ? line.state : 'not-listed'),
    ...{ moveTo, stop, goal: isOnWay ? aim : undefined },
    moveBy: moveTo && isLeft && line.isSupported ? line.supportedUntil : undefined,
    isSettled: !moveTo && release === latestOfLine && line.isSupported === true && !isLeft,
    isBack: isBack && !isReplaced,
    ...{ latestOfLine, latest, target },
    between: target && !isWholeLine ? releasesBetween(place, releases.indexOf(target)) : [],
  };

  /** The position of an unlisted version among the releases: 2.5 is between the releases 2 and 3. */
  function placeOf(line: DetailedLine): number {
    if (isWholeLine) {
      return releases.findIndex((other) => other.line === line.line) - 0.5;
    }
    const isLower = (other: Version) => parsed !== undefined && compareVersions(other, parsed) <= 0;
    return parsedVersions(releases).findLastIndex(isLower) + 0.5;
  }

  function releasesBetween(from: number, to: number): DetailedRelease[] {
    const between = releases.slice(
      Math.floor(Math.min(from, to)) + 1,
      Math.ceil(Math.max(from, to)),
    );
    return between.filter(({ isPrerelease }) => !isPrerelease);
  }
}

/** Whether support is over, may be over, or ends within 90 days. */
function isEnding({ phases, isSupported, supportedUntil }: DetailedLine, day: Day): boolean {
  if (!isSupported) {
    return phases !== undefined;
  }
  return supportedUntil !== undefined && supportedUntil <= addDays(day, soonDays);
}

/** The lines whose digit groups begin with the groups of a version. */
export function linesOf<Line extends { readonly line: string }>(
  lines: readonly Line[],
  { groups, suffix }: Version,
): Line[] {
  if (suffix !== '') {
    return [];
  }
  return lines.filter(({ line }) => {
    const own = parseVersion(line);
    return own !== undefined && groups.every((group, index) => group === own.groups[index]);
  });
}
