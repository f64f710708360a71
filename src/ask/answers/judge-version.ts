import {
  findNewestRelease,
  openMoves,
  type MoveTarget,
  type UpgradeAdvice,
  type VersionInUse,
} from '../../core/model/move-to.ts';
import type { State } from '../../core/model/states.ts';
import { findNextStop, resolveStops, type ResolvedStop } from '../../core/model/upgrade-stops.ts';
import {
  compareVersions,
  createLineFinder,
  parseVersion,
  rankKey,
  nameReleaseLine,
  type Version,
} from '../../core/model/version.ts';
import type {
  DetailsOn,
  PublishedLineOn,
  PublishedReleaseOn,
  UnansweredSources,
} from './details-on.ts';

export interface VersionQuestion {
  /** As written: a version, a release line, or the first digit groups of several lines. */
  readonly version: string;
  /** The component in `replacedBy`, on the same day. */
  readonly replacement?: DetailsOn | undefined;
  /** A listed version that the user wants to move to; it need not be the recommended version. */
  readonly wanted?: string | undefined;
  /** The sources of the component that have not answered. */
  readonly silence?: UnansweredSources | undefined;
}

/** The verdict on a version on a day, as data. */
export interface JudgedVersion extends UpgradeAdvice {
  /** As listed, else as asked. */
  readonly version: string;
  readonly release?: PublishedReleaseOn | undefined;
  readonly line?: PublishedLineOn | undefined;
  /** Whether the question names a line instead of a version. */
  readonly isWholeLine: boolean;
  /** The lines that begin with the asked text, oldest first, if there are several. */
  readonly lines: readonly PublishedLineOn[];
  readonly state: State;
  /** The stop to go to first on the way to the target. */
  readonly stop?: ResolvedStop<PublishedReleaseOn> | undefined;
  /** Whether the recommended version is older. */
  readonly isBack: boolean;
  /** The wanted release, else the recommended release; absent if it is not in this component. */
  readonly target?: PublishedReleaseOn | undefined;
  /** The releases between this version and the target, oldest first, without prereleases. */
  readonly between: readonly PublishedReleaseOn[];
}

/** The state of a version on a day, and what to do about it. */
export function judgeVersion(details: DetailsOn, question: VersionQuestion): JudgedVersion {
  const { releases } = details;
  const { wanted, replacement } = question;
  const located = locate(details, question.version);
  const { version, release, line, isWholeLine, position } = located;

  // A question about a line is about its newest release.
  const newest = isWholeLine && line ? findNewestRelease(line.releases) : undefined;
  const from = newest?.version ?? version;
  const move = adviseMove(details, replacement, { version: from, release, line });
  const recommended = findTarget(details, move.moveTo);
  const target =
    wanted === undefined
      ? findTarget(details, move.goal ?? move.moveTo)
      : findRelease(releases, wanted);
  const start = parseVersion(from);
  const stops = resolveStops(details.upgradeStops, releases);

  return {
    ...move,
    version,
    release,
    line,
    isWholeLine,
    lines: located.lines,
    state: findState(located, question.silence),
    stop: target && start && findNextStop(stops, start, target),
    isBack: recommended !== undefined && releases.indexOf(recommended) < position,
    target,
    between:
      target && line && !isWholeLine
        ? listReleasesBetween(releases, position, releases.indexOf(target))
        : [],
  };
}

/** Only a source that answers knows that a version is not released. */
function findState({ state }: Located, silence: UnansweredSources | undefined): State {
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
  return adviseMove(details, replacement, { version, line });
}

/** The release of a target in the component itself. */
function findTarget(
  { component, releases }: DetailsOn,
  target: MoveTarget | undefined,
): PublishedReleaseOn | undefined {
  return target?.component === component ? findRelease(releases, target.version) : undefined;
}

const movesByDetails = new WeakMap<
  DetailsOn,
  { replacement: DetailsOn | undefined; moveFrom: ReturnType<typeof openMoves> }
>();

/** Advises on a version in use. The moves of a component are prepared once: a scan asks for thousands of its versions. */
function adviseMove(
  details: DetailsOn,
  replacement: DetailsOn | undefined,
  inUse: VersionInUse,
): UpgradeAdvice {
  const cached = movesByDetails.get(details);
  if (cached && cached.replacement === replacement) {
    return cached.moveFrom(inUse);
  }

  const moveFrom = openMoves(details, replacement);
  movesByDetails.set(details, { replacement, moveFrom });
  return moveFrom(inUse);
}

type Located = Pick<
  JudgedVersion,
  'version' | 'release' | 'line' | 'lines' | 'isWholeLine' | 'state'
> & {
  /** The position among the releases; an unlisted version or a line is between two: 2.5 is between the releases 2 and 3. */
  readonly position: number;
};

/** Finds the release or the line of a version. */
function locate(details: DetailsOn, text: string): Located {
  const { lines, releases } = details;
  const version = removeWildcards(text);
  const release = version === text ? findRelease(releases, text) : undefined;
  const unlisted = { version, lines: [], isWholeLine: false };
  if (release) {
    const line = lines.find((each) => each.line === release.line);
    const position = releases.indexOf(release);
    return { ...unlisted, version: release.version, release, line, state: release.state, position };
  }

  const parsed = parseVersion(version);
  const prefixLines = parsed ? listLines(lines, parsed) : [];
  const [only, another] = prefixLines;
  if (only && !another) {
    const position = releases.findIndex(({ line }) => line === only.line) - 0.5;
    return { ...unlisted, line: only, state: only.state, isWholeLine: true, position };
  }

  const line = parsed && findLine(details, parsed);
  const versions = parseVersions(releases);
  if (line) {
    const last = versions.findLastIndex((other) => compareVersions(other, parsed) <= 0);
    return { ...unlisted, line, state: 'not-listed', position: last + 0.5 };
  }

  const isFuture =
    versions.length > 0 &&
    prefixLines.length === 0 &&
    versions.every((other) => parsed && compareVersions(other, parsed) < 0);
  const state = isFuture ? 'not-released' : 'unknown-line';
  return { ...unlisted, lines: prefixLines, state, position: releases.length };
}

/** The line of an unlisted version by its first digit groups. */
function findLine({ lines, support }: DetailsOn, version: Version): PublishedLineOn | undefined {
  const name =
    support.policy === 'stated' || support.policy === 'dated'
      ? createLineFinder(lines.map(({ line }) => line))(version)
      : nameReleaseLine(version, support.line ?? 2);
  return lines.find(({ line }) => line === name);
}

/** `2025.1` for `2025.1.x`. */
export function removeWildcards(text: string): string {
  return text.replace(/(?:\.[x*])+$/i, '');
}

function listReleasesBetween(
  releases: readonly PublishedReleaseOn[],
  from: number,
  to: number,
): PublishedReleaseOn[] {
  const between = releases.slice(Math.floor(Math.min(from, to)) + 1, Math.ceil(Math.max(from, to)));
  return between.filter(({ isPrerelease }) => !isPrerelease);
}

/** The lines whose digit groups begin with the groups of a version. */
export function listLines<Line extends { readonly line: string }>(
  lines: readonly Line[],
  { groups, suffix }: Version,
): Line[] {
  if (suffix !== '') {
    return [];
  }

  return lines.filter(({ line }) => {
    const lineVersion = parseVersion(line);
    return (
      lineVersion !== undefined &&
      groups.every((group, index) => group === lineVersion.groups[index])
    );
  });
}

interface Listed {
  readonly version: string;
}

const tablesByList = new WeakMap<readonly Listed[], ReturnType<typeof createTables>>();

/** Lookup tables for a list of releases, made once: a scan looks up thousands of versions of one component. */
function openTables(releases: readonly Listed[]) {
  const tables = tablesByList.get(releases) ?? createTables(releases);
  tablesByList.set(releases, tables);
  return tables;
}

function createTables(releases: readonly Listed[]) {
  const parsed = releases.map(({ version }) => parseVersion(version)!);
  return {
    byText: new Map(releases.map((release) => [release.version, release])),
    parsed,
    byRank: new Map(releases.map((release, index) => [rankKey(parsed[index]!), release])),
  };
}

/** The parsed versions of the releases, in the same order. */
function parseVersions(releases: readonly Listed[]): readonly Version[] {
  return openTables(releases).parsed;
}

/** Finds the release with this spelling, else with equal rank, else equal except for a `.0` at the end. */
export function findRelease<Release extends Listed>(
  releases: readonly Release[],
  text: string,
): Release | undefined {
  const { byText, byRank } = openTables(releases);

  const findEqual = (version: string) => {
    const parsed = parseVersion(version);
    return parsed && byRank.get(rankKey(parsed));
  };

  const match = byText.get(text) ?? findEqual(text) ?? findEqual(respell(text));
  return match as Release | undefined;
}

/** `2025.1` for `2025.1.0`, and the reverse. */
function respell(text: string): string {
  return text.replace(/^(v?\d+\.\d+)(\.0)?$/i, (_, start: string, zero?: string) =>
    zero === undefined ? `${start}.0` : start,
  );
}
