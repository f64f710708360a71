import {
  createAdviser,
  type MoveTarget,
  type UpgradeAdvice,
  type VersionInUse,
} from '../../core/model/move-to.ts';
import { keepByObject } from '../../core/model/objects.ts';
import type { State } from '../../core/model/states.ts';
import { findNextStop, resolveStops, type ResolvedStop } from '../../core/model/upgrade-stops.ts';
import {
  compareVersions,
  createReleaseLineFinder,
  findNewestRelease,
  parseVersion,
  removeWildcards,
  nameReleaseLine,
  type Version,
} from '../../core/model/version.ts';
import type { DetailsOn, PublishedLineOn, PublishedReleaseOn } from './component-on.ts';
import { findRelease, listLines, parseVersions } from './find-release.ts';
import type { Silence } from './silence.ts';

export interface VersionQuestion {
  /** As written: a version, a release line, or the first digit groups of several lines. */
  readonly version: string;
  /** The component in `replacedBy`, on the same day. */
  readonly replacement?: DetailsOn | undefined;
  /** A listed version that the user wants to move to; it need not be the one of the advice. */
  readonly wanted?: string | undefined;
  readonly silence?: Silence | undefined;
}

/** The verdict on a version on a day, as data. */
export interface JudgedVersion extends UpgradeAdvice {
  /** As listed, else as asked without wildcards. */
  readonly version: string;
  /** The version to move off: of a whole line its newest release. */
  readonly from: string;
  readonly release?: PublishedReleaseOn | undefined;
  readonly line?: PublishedLineOn | undefined;
  /** Whether the question names a line instead of a version. */
  readonly isWholeLine: boolean;
  /** The lines whose digit groups begin with those asked for, oldest first, if there are several. */
  readonly lines: readonly PublishedLineOn[];
  readonly state: State;
  /** The stop to go to first on the way to the target. */
  readonly stop?: ResolvedStop<PublishedReleaseOn> | undefined;
  /** Whether `moveTo` is older than the version or line asked for: no release of an asked line is a step back from it. */
  readonly isBack: boolean;
  /** The wanted release, else the final target of the advice; absent if it is not in this component. */
  readonly target?: PublishedReleaseOn | undefined;
  /** The releases between this version and the target, oldest first, without prereleases. */
  readonly between: readonly PublishedReleaseOn[];
}

/** The state of a version on a day, and what to do about it. */
export function judgeVersion(details: DetailsOn, question: VersionQuestion): JudgedVersion {
  const { component, releases } = details;
  const { wanted, replacement, silence } = question;
  const located = locate(details, question.version);
  const { version, release, line, isWholeLine } = located;

  // A question about a line is about its newest release.
  const newest = isWholeLine && line ? findNewestRelease(line.releases) : undefined;
  const from = newest?.version ?? version;
  const move = adviseMove(details, replacement, { version: from, release, line: line?.line });
  const target =
    wanted === undefined
      ? findTarget(details, move.goal ?? move.moveTo)
      : findRelease(releases, wanted);

  const askedVersion = parseVersion(version);
  const fromVersion = parseVersion(from);
  const { moveTo } = move;
  const recommended = moveTo?.component === component ? parseVersion(moveTo.version) : undefined;
  const stops = resolveStops(details.upgradeStops, releases);

  return {
    ...move,
    ...located,
    from,
    state: findState(located, silence),
    stop: target && fromVersion && findNextStop(stops, fromVersion, target),
    isBack: recommended && askedVersion ? compareVersions(recommended, askedVersion) < 0 : false,
    target,
    between:
      target && line && askedVersion && !isWholeLine
        ? listReleasesBetween(releases, askedVersion, target)
        : [],
  };
}

/** While its source is silent, a version that is not listed may have been released. */
function findState({ state }: Located, silence: Silence | undefined): State {
  const isSilent = silence?.releases !== undefined || silence?.builtOn !== undefined;
  return state === 'not-released' && isSilent ? 'unknown-line' : state;
}

/** The advice for a release line: the advice for its newest release, as in the tables of lines. */
export function judgeLine(
  details: DetailsOn,
  name: string,
  replacement?: DetailsOn,
): UpgradeAdvice {
  const line = details.lines.find((each) => each.line === name);
  if (!line) {
    return {};
  }

  const version = findNewestRelease(line.releases)?.version ?? name;
  return adviseMove(details, replacement, { version, line: name });
}

/** The release of a target; undefined for a target in another component. */
function findTarget(
  { component, releases }: DetailsOn,
  target: MoveTarget | undefined,
): PublishedReleaseOn | undefined {
  return target?.component === component ? findRelease(releases, target.version) : undefined;
}

/** The advisers of a component, by its replacement, else by itself. Made once: a scan asks for thousands of its versions. */
const openAdvisers = /* @__PURE__ */ keepByObject((details: DetailsOn) =>
  keepByObject((replacement: DetailsOn) =>
    createAdviser(details, replacement === details ? undefined : replacement),
  ),
);

function adviseMove(
  details: DetailsOn,
  replacement: DetailsOn | undefined,
  inUse: VersionInUse,
): UpgradeAdvice {
  return openAdvisers(details)(replacement ?? details)(inUse);
}

type Located = Pick<
  JudgedVersion,
  'version' | 'release' | 'line' | 'lines' | 'isWholeLine' | 'state'
>;

/** Finds the release or the line of a version. A wildcard asks for lines, or if none fits, for the release without it. */
function locate(details: DetailsOn, text: string): Located {
  const { lines, releases } = details;
  const version = removeWildcards(text);
  const defaults = { version, lines: [], isWholeLine: false };

  const parsed = parseVersion(version);
  const prefixLines = parsed ? listLines(lines, parsed) : [];
  const asksForLines = version !== text && prefixLines.length > 0;
  const release = asksForLines ? undefined : findRelease(releases, version);
  if (release) {
    const line = lines.find((each) => each.line === release.line);
    return { ...defaults, version: release.version, release, line, state: release.state };
  }

  const [only, another] = prefixLines;
  if (only && !another) {
    return { ...defaults, line: only, state: only.state, isWholeLine: true };
  }

  const line = parsed && findLine(details, parsed);
  if (line) {
    return { ...defaults, line, state: 'not-listed' };
  }

  const greatest = parseVersions(releases).at(-1);
  const isFuture =
    parsed && greatest && prefixLines.length === 0 && compareVersions(greatest, parsed) < 0;
  return { ...defaults, lines: prefixLines, state: isFuture ? 'not-released' : 'unknown-line' };
}

/** The line of an unlisted version by its first digit groups. */
function findLine({ lines, support }: DetailsOn, version: Version): PublishedLineOn | undefined {
  const name =
    support.policy === 'stated' || support.policy === 'dated'
      ? createReleaseLineFinder(lines.map(({ line }) => line))(version)
      : nameReleaseLine(version, support.line ?? 2);
  return lines.find(({ line }) => line === name);
}

/** The releases between a version and a target, in either direction, without prereleases. */
function listReleasesBetween(
  releases: readonly PublishedReleaseOn[],
  version: Version,
  target: PublishedReleaseOn,
): PublishedReleaseOn[] {
  // An index lists only versions that can be parsed.
  const goal = parseVersion(target.version)!;
  const [first, last] = compareVersions(goal, version) < 0 ? [goal, version] : [version, goal];
  const versions = parseVersions(releases);
  return releases.filter(
    (each, index) =>
      !each.isPrerelease &&
      compareVersions(first, versions[index]!) < 0 &&
      compareVersions(versions[index]!, last) < 0,
  );
}
