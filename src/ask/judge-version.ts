import { addDays, type Day } from '../core/dates.ts';
import type { VersionAnswer } from '../core/schemas/published/answer-schemas.ts';
import { soonDays, type State } from '../core/states.ts';
import { defined } from '../core/text.ts';
import { compareVersions, lineFinder, parseVersion, releaseLine, type Version } from '../core/version.ts';
import { upgradePath, type UpgradeStep } from '../core/upgrade-path.ts';
import { findRelease, parsedVersions } from './find-release.ts';
import type { DetailedLine, DetailedRelease, DetailsOn } from './details-on.ts';

export type MoveTo = NonNullable<VersionAnswer['moveTo']>;

export interface VersionQuestion {
  /** As somebody wrote it: a version, a release line, or the first digit groups of several lines. */
  readonly version: string;
  /** The latest version of the component that replaces this one, as of the same day. */
  readonly latestOfReplacement?: string | undefined;
  /** A listed version that somebody could move to, whatever is recommended. */
  readonly wanted?: string | undefined;
  /** Versions of other components that it is used with. */
  readonly with?: readonly { readonly component: string; readonly version: string }[] | undefined;
}

/** The judgement of a version on a day, from which the sentences are made. */
export interface JudgedVersion {
  /** As listed, or else as asked. */
  readonly version: string;
  readonly release?: DetailedRelease;
  readonly line?: DetailedLine;
  /** Whether the question is about the whole line. */
  readonly isWholeLine: boolean;
  /** The lines that begin with what was asked, oldest first, where there are several. */
  readonly lines: readonly DetailedLine[];
  readonly state: State;
  /** Absent where there is nothing to move to, or no need to. */
  readonly moveTo?: MoveTo;
  /** The releases to go through; the last is the goal. Empty where there is nothing to move to in this component. */
  readonly path: readonly UpgradeStep[];
  /** The day before which to move; absent where it is over or nothing ends. */
  readonly moveBy?: Day;
  /** Whether what to move to is older. */
  readonly isBack: boolean;
  /** It is the latest of a line that certainly has more than 90 days of support left. */
  readonly isSettled: boolean;
  /** The latest version of the line, where one can stay in it. */
  readonly latestOfLine?: DetailedRelease;
  /** The greatest version that is stable and not deprecated. */
  readonly latest?: DetailedRelease;
  /** The wanted release, else the one to move to; absent where it is not a release of this component. */
  readonly target?: DetailedRelease;
  /** Between the release and the target; oldest first, without prereleases. */
  readonly between: readonly DetailedRelease[];
}

/**
 * Recommends the latest of the same line while that line has more than 90 days of support left, else the latest of the
 * component. Where that ends too, or all is deprecated, it recommends the component that replaces this one. It never recommends
 * a vulnerable release where there is another one.
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

  const usable = releases.filter(({ isDeprecated, isPrerelease }) => !isDeprecated && !isPrerelease);
  const latest = usable.at(-1);
  const safe = usable.filter(({ isVulnerable }) => !isVulnerable);
  const offered = safe.length > 0 ? safe : usable;
  const best = offered.at(-1);
  const successor: MoveTo | undefined =
    replacedBy === undefined ? undefined : defined({ component: replacedBy, version: latestOfReplacement });
  const toLatest = best ? { component, version: best.version } : successor;

  if (!line) {
    const isNewer = parsed && parsedVersions(releases).every((other) => compareVersions(parsed, other) > 0);
    const isFuture = isNewer && releases.length > 0;
    const state = isFuture && ofPrefix.length === 0 ? 'not-released' : 'unknown-line';
    const nothing = { isWholeLine: false, isBack: false, isSettled: false, path: [], between: [] };
    const moveTo = isFuture ? undefined : toLatest;
    return defined({ version, lines: ofPrefix, state, moveTo, latest, ...nothing } as const);
  }

  const isOpen = usable.some((other) => other.line === line.line);
  const isVulnerable = release?.isVulnerable === true;
  const isAhead = (other: DetailedRelease) => releases.indexOf(other) > releases.indexOf(release!);
  // Going back in its line to before a vulnerability is worse than going on in another one.
  const ofLine = offered.findLast((other) => other.line === line.line && (!isVulnerable || isAhead(other)));
  const isWholeLine = !release && ofPrefix.length === 1;
  const isLeft = isEnding(line, day);
  const lineOfBest = lines.find((line) => line.line === best?.line);
  const isLatestLeft = lineOfBest !== undefined && isEnding(lineOfBest, day);
  const latestOfLine = isLeft ? undefined : ofLine;
  const goal = latestOfLine ?? best;
  const place = release ? releases.indexOf(release) : placeOf(line);
  const isBack = goal !== undefined && releases.indexOf(goal) < place;
  // A prerelease ahead of everything else may stay.
  const isBad =
    line.isSupported === false ||
    (release ? release.isDeprecated || (isVulnerable && safe.length > 0) : !isOpen);
  const isReplaced = successor !== undefined && (!goal || (!latestOfLine && isLatestLeft));
  const toGoal =
    goal && goal !== release && (isWholeLine || !isBack || isBad)
      ? { component, version: goal.version }
      : undefined;
  const aim = isReplaced ? successor : toGoal;
  const target = findRelease(releases, wanted ?? (aim?.component === component ? aim.version! : ''));
  // A question about a line is about its latest release, where one is known.
  const from = isWholeLine ? (line.releases.at(-1)?.version ?? version) : version;
  const path = target && (wanted || aim) ? upgradePath(details, releases, from, target) : [];
  const next = path.find(({ when }) => when === undefined);
  const moveTo =
    next && aim?.component === component && wanted === undefined ? { component, version: next.version } : aim;
  return defined({
    ...{ version, release, line, isWholeLine },
    lines: [],
    state: release?.state ?? (isWholeLine ? line.state : 'not-listed'),
    ...{ moveTo, path },
    moveBy: moveTo && isLeft && line.isSupported ? line.supportedUntil : undefined,
    isSettled: !moveTo && release === latestOfLine && line.isSupported === true && !isLeft,
    isBack: isBack && !isReplaced,
    ...{ latestOfLine, latest, target },
    between: target && !isWholeLine ? releasesBetween(place, releases.indexOf(target)) : [],
  });

  /** The place of an unlisted version among the releases: a half lies between two of them. */
  function placeOf(line: DetailedLine): number {
    if (isWholeLine) return releases.findIndex((other) => other.line === line.line) - 0.5;
    return parsedVersions(releases).findLastIndex((other) => compareVersions(other, parsed!) <= 0) + 0.5;
  }

  function releasesBetween(from: number, to: number): DetailedRelease[] {
    const between = releases.slice(Math.floor(Math.min(from, to)) + 1, Math.ceil(Math.max(from, to)));
    return between.filter(({ isPrerelease }) => !isPrerelease);
  }
}

/** Support is over, may be over, or ends within 90 days. */
function isEnding({ phases, isSupported, supportedUntil }: DetailedLine, day: Day): boolean {
  if (!isSupported) return phases !== undefined;
  return supportedUntil !== undefined && supportedUntil <= addDays(day, soonDays);
}

/** The lines whose digit groups begin with all of those of a text. */
export function linesOf<Line extends { readonly line: string }>(
  lines: readonly Line[],
  { groups, suffix }: Version,
): Line[] {
  if (suffix !== '') return [];
  return lines.filter(({ line }) => {
    const own = parseVersion(line)!.groups;
    return groups.every((group, index) => group === own[index]);
  });
}
