import { createAdviser, findLineInUse, type UpgradeAdvice } from '../../core/model/move-to.ts';
import { keepByObject } from '../../core/model/objects.ts';
import type { State } from '../../core/model/states.ts';
import { findNextStop, resolveStops, type ResolvedStop } from '../../core/model/upgrade-stops.ts';
import {
  compareVersions,
  createReleaseLineFinder,
  parseVersion,
  removeWildcards,
  nameReleaseLine,
  type Version,
} from '../../core/model/version.ts';
import type { DetailsOn, PublishedLineOn, PublishedReleaseOn } from './component-on.ts';
import { findRelease, listLines, parseVersions } from './find-release.ts';
import type { Silence } from './silence.ts';

interface Circumstances {
  /** The component in `replacedBy`, on the same day. */
  readonly replacement?: DetailsOn | undefined;
  /** A listed version that the user wants to move to; it need not be the one of the advice. */
  readonly wanted?: string | undefined;
  readonly silence?: Silence | undefined;
}

export type VersionQuestion = Circumstances &
  (
    | {
        /** As a person or a program wrote it: a version, a release line, or the first digit groups of several lines. */
        readonly version: string;
      }
    | {
        /** The name of a release line. It means the newest release of the line if that has the same name, or the name with `.0` behind it. */
        readonly line: string;
      }
  );

/** The verdict on a version on a day, as data. */
export interface JudgedVersion extends UpgradeAdvice {
  /** As listed, else as asked without wildcards. */
  readonly version: string;
  /** The version to move off: of a whole line its newest release. */
  readonly from: string;
  readonly release?: PublishedReleaseOn | undefined;
  readonly line?: PublishedLineOn | undefined;
  /** Whether the question names a single line, and the newest release of that line has another name. */
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

/** The state of a version or a line on a day, and what to do about it. */
export function judgeVersion(details: DetailsOn, question: VersionQuestion): JudgedVersion {
  const { component, releases } = details;
  const { wanted, replacement, silence } = question;
  const located = locateAsked(details, question);
  const { version, from, release, line, isWholeLine } = located;

  const advise = openAdvisers(details)(replacement ?? details);
  const move = advise({ version: from, release, line: line?.line });
  const { moveTo, goal = moveTo } = move;
  const targetVersion = wanted ?? (goal?.component === component ? goal.version : undefined);
  const target = targetVersion === undefined ? undefined : findRelease(releases, targetVersion);
  const fromVersion = parseVersion(from);

  return {
    ...move,
    ...located,
    state: findState(located, silence),
    stop: target && fromVersion && findNextStop(openStops(details), fromVersion, target),
    isBack: moveTo?.component === component && isOlder(moveTo.version, version),
    target,
    between: target && line && !isWholeLine ? listReleasesBetween(releases, from, target) : [],
  };
}

function isOlder(text: string, otherText: string): boolean {
  const version = parseVersion(text);
  const other = parseVersion(otherText);
  return version !== undefined && other !== undefined && compareVersions(version, other) < 0;
}

/** While its source is silent, a version that is not listed may have been released. */
function findState({ state }: Located, silence: Silence | undefined): State {
  const isSilent = silence?.releases ?? silence?.builtOn;
  return state === 'not-released' && isSilent ? 'unknown-line' : state;
}

/** The upgrade stops of a component. Resolved once, like the advisers. */
export const openStops = /* @__PURE__ */ keepByObject((details: DetailsOn) =>
  resolveStops(details),
);

/** The advisers of a component, by its replacement, else by itself. Like `parseVersions`, made once for a scan of many versions. */
const openAdvisers = /* @__PURE__ */ keepByObject((details: DetailsOn) =>
  keepByObject((replacement: DetailsOn) =>
    createAdviser(details, replacement === details ? undefined : replacement, openStops(details)),
  ),
);

type Located = Pick<
  JudgedVersion,
  'version' | 'from' | 'release' | 'line' | 'lines' | 'isWholeLine' | 'state'
>;

function locateAsked(details: DetailsOn, question: VersionQuestion): Located {
  if (!('line' in question)) {
    return locate(details, question.version);
  }

  // A page from a cache may name a line that the index no longer has.
  const line = details.lines.find((each) => each.line === question.line);
  return line ? locateLine(line, line.line) : locate(details, question.line);
}

function locateLine(line: PublishedLineOn, version: string): Located {
  const { version: from, release } = findLineInUse(line.line, line.releases);
  const { state } = release ?? line;
  return { version, from, release, line, lines: [], isWholeLine: !release, state };
}

/** The release of that name, else the only line that begins with it. A wildcard asks for a release only if no line begins so. */
function locate(details: DetailsOn, text: string): Located {
  const version = removeWildcards(text);
  const parsed = parseVersion(version);
  const lines = parsed ? listLines(details.lines, parsed) : [];
  const [only, another] = lines;

  const asksForLines = only && version !== text;
  const release = asksForLines ? undefined : findRelease(details.releases, version);
  if (release) {
    const { version: from, state } = release;
    const line = details.lines.find((each) => each.line === release.line);
    return { version: from, from, release, line, lines: [], isWholeLine: false, state };
  }

  return only && !another ? locateLine(only, version) : locateUnlisted(details, version, lines);
}

/** `lines`: those that begin with the version. A version of no line is not released yet if it is above all releases. */
function locateUnlisted(
  details: DetailsOn,
  version: string,
  lines: readonly PublishedLineOn[],
): Located {
  const unlisted = { version, from: version, isWholeLine: false };
  const parsed = parseVersion(version);
  const line = parsed && findLine(details, parsed);
  if (line) {
    return { ...unlisted, line, lines: [], state: 'not-listed' };
  }

  const greatest = details.releases.at(-1);
  const isFuture = lines.length === 0 && greatest && isOlder(greatest.version, version);
  return { ...unlisted, lines, state: isFuture ? 'not-released' : 'unknown-line' };
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
  from: string,
  target: PublishedReleaseOn,
): PublishedReleaseOn[] {
  // An index lists only versions that can be parsed, and no others have a line.
  const version = parseVersion(from)!;
  const goal = parseVersion(target.version)!;
  const versions = parseVersions(releases);
  return releases.filter(({ isPrerelease }, index) => {
    const parsed = versions[index]!;
    // Above one of the two, and below the other.
    return !isPrerelease && compareVersions(parsed, version) * compareVersions(parsed, goal) < 0;
  });
}
