/** Finds the required stops of a component: releases that every upgrade from an older release must pass through. */
import { createRuleTest } from '../core/pattern.ts';
import { compareToBound } from '../core/range.ts';
import type { Component } from '../core/schema/published.ts';
import type { RequiredStops } from '../core/schema/written.ts';
import { formatList, joinList } from '../core/text.ts';
import {
  beginsWith,
  compareNames,
  createLineFinder,
  keyLine,
  readVersion,
  type Version,
} from '../core/version.ts';
import { nameSource } from './policy-words.ts';
import type { JudgedLine, JudgedRelease } from './states.ts';

/**
 * A required stop. For `17.3`, any release of the line 17.3 is the stop. For `21.6.3`, these are 21.6.3 and later releases of the line
 * 21.6.
 */
export interface Stop {
  readonly name: string;
  /** The name, as the lowest version that has reached the stop. */
  readonly parsed: Version;
  /** The name of the stop's line, to tell which versions are beyond the stop. */
  readonly line: Version;
  /** The releases of the stop that can be installed, in version order. Empty if the index lists none. */
  readonly releases: readonly JudgedRelease[];
}

/**
 * Lists the required stops in version order. They come from the definition, and from sources that mark releases (`isStop`). A rule such as
 * `*` selects only lines with a stable release, because a line that was only announced cannot be a stop yet. If all releases of a line are
 * withdrawn, it is still a stop, so no upgrade skips it.
 */
export function listStops(
  required: RequiredStops | undefined,
  lines: readonly JudgedLine[],
): Stop[] {
  const names = [
    ...(Array.isArray(required?.lines) ? required.lines : []),
    ...(typeof required?.lines === 'string' ? listSelected(required.lines, lines) : []),
    ...lines.flatMap(findMarked),
  ];
  if (names.length === 0) {
    return [];
  }

  const byKey = new Map(names.map((name) => [keyLine(name), name]));
  const findLine = createLineFinder(lines.map(({ name }) => name));
  const byName = new Map(lines.map((line) => [line.name, line]));
  return [...byKey.values()].sort(compareNames).map((name) => {
    const parsed = readVersion(name);
    const line = byName.get(findLine(parsed) ?? '');
    const releases = line?.releases.filter((release) => {
      return isInstallable(release) && compareToBound(release.parsed, parsed) >= 0;
    });
    return { name, parsed, line: readVersion(line?.name ?? name), releases: releases ?? [] };
  });
}

function listSelected(rule: string, lines: readonly JudgedLine[]): string[] {
  const isSelected = rule === 'lts' ? isLts : createNameTest(rule);
  return lines
    .filter((line) => isSelected(line) && line.releases.some(isStable))
    .map(({ name }) => name);
}

function isLts({ support }: JudgedLine): boolean {
  return support.isLts === true;
}

function createNameTest(rule: string): (line: JudgedLine) => boolean {
  const isSelected = createRuleTest(rule);
  return ({ name }) => isSelected(readVersion(name));
}

/** Returns the lowest version of a line that a source marks as a stop. If this is the first of the line, returns the name of the line. */
function findMarked({ name, releases }: JudgedLine): string[] {
  const stable = releases.filter(isStable);
  const marked = stable.find(({ recorded }) => recorded.isStop);
  return marked ? [marked === stable[0] ? name : marked.parsed.groups.join('.')] : [];
}

function isStable({ isPrerelease }: JudgedRelease): boolean {
  return !isPrerelease;
}

/**
 * Tells whether users can pass through a release. Support of its line may have ended, because most stops are old. But a prerelease is not a
 * stop, and neither is a release that was withdrawn, yanked or deprecated for a reason of its own. A source may both deprecate a release and
 * mark it as a stop: another index does so after its support has ended.
 */
function isInstallable({ isPrerelease, because, recorded }: JudgedRelease): boolean {
  const isMarked = recorded.isStop && !recorded.malware;
  return (
    !isPrerelease &&
    because.every(({ rule }) => rule === 'support policy' || (rule === 'upstream' && isMarked))
  );
}

/** Returns the version of the newest release of a stop. If the index lists none, returns the name of the stop. */
function nameStop({ name, releases }: Stop): string {
  return releases.at(-1)?.version ?? name;
}

/**
 * Lists the stops on the way from one version to a greater one, in order. A version that has reached a stop need not pass through it again:
 * from 17.3.1, users go on without 17.3.7. A prerelease of a stop has reached it, too, as in Renovate's rules (see `matchBelow`). Undefined
 * if there is no stop on the way.
 */
export function listWay(stops: readonly Stop[], from: Version, to: Version): string[] | undefined {
  const way = stops
    .filter(({ parsed, line }) => {
      const isBefore = compareToBound({ ...from, suffix: '' }, parsed) < 0;
      return isBefore && compareToBound(to, parsed) > 0 && !beginsWith(to, line);
    })
    .map(nameStop);
  return way.length > 0 ? way : undefined;
}

/** The required stops, as `details/` publishes them. Undefined if there are none. */
export function describeStops(
  required: RequiredStops | undefined,
  stops: readonly Stop[],
): Component['requiredStops'] {
  if (stops.length === 0) {
    return undefined;
  }

  const names = stops.map(({ name }) => name);
  const list = names.length > 20 ? formatList(names, 20) : joinList(names);
  const isEach = required?.lines === '*';
  const rule = isEach
    ? 'Upgrades must not skip a release line'
    : `Upgrades must pass through ${list}`;
  const source = required ? `, according to ${nameSource(required.url)}` : '';
  return {
    description: `${rule}${source}.`,
    url: required?.url,
    stops: stops.map(({ name, line, releases }) => ({
      stop: name,
      line: line.groups.join('.'),
      release: releases.at(-1)?.version,
    })),
  };
}
