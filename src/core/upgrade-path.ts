import type { UpgradeRules, UpgradeStop } from './schemas/upgrades.ts';
import { defined, sentence } from './text.ts';
import { compareToBound, isInRange, parseVersionRange } from './version-range.ts';
import { parseVersion, type Version } from './version.ts';

interface Listed {
  readonly version: string;
  readonly line: string;
  readonly isPrerelease: boolean;
  readonly withdrawnSince?: string | undefined;
}

/** A release on an upgrade path, and the work that it needs. */
export interface UpgradeStep {
  readonly version: string;
  /** Why it must not be skipped. */
  readonly reason?: string;
  readonly url?: string;
  /** The step is necessary only under this condition. */
  readonly when?: string;
  /** A condition to wait for before the next step. */
  readonly finish?: string;
  /** Work to do before it. */
  readonly notes?: readonly { readonly at: string; readonly text: string; readonly url?: string }[];
}

export interface ResolvedStop<Release> {
  readonly stop: UpgradeStop;
  readonly at: Version;
  readonly release: Release;
}

/**
 * The release of each stop, lowest first: the greatest of its line that is listed and not withdrawn, deprecated or not. A stop
 * without such a release is left out.
 */
export function resolveStops<Release extends Listed>(
  stops: readonly UpgradeStop[] = [],
  releases: readonly Release[],
): ResolvedStop<Release>[] {
  return stops
    .flatMap((stop) => {
      const at = parseVersion(stop.at)!;
      const line = parseVersionRange(at.groups.slice(0, 2).join('.'))!;
      const release = releases.findLast((each) => {
        const version = parseVersion(each.version)!;
        return isOffered(each) && isInRange(line, version) && compareToBound(version, at) >= 0;
      });
      return release ? [{ stop, at, release }] : [];
    })
    .sort((a, b) => compareToBound(a.at, b.at));
}

function isOffered({ isPrerelease, withdrawnSince }: Listed): boolean {
  return !isPrerelease && withdrawnSince === undefined;
}

/**
 * The upgrade path from a version to a goal, its last step: through every stop between them, and within the limit of lines for
 * one step. `releases`: all releases, oldest first.
 */
export function upgradePath<Release extends Listed>(
  { upgradeStops, upgradeSteps, upgradeNotes = [] }: UpgradeRules,
  releases: readonly Release[],
  from: string,
  goal: Release,
): UpgradeStep[] {
  const start = parseVersion(from);
  const end = parseVersion(goal.version)!;
  if (!start || compareToBound(start, end) >= 0) return [{ version: goal.version }];
  const stops = resolveStops(upgradeStops, releases).filter(
    ({ at, release }) =>
      compareToBound(start, at) < 0 &&
      release.line !== goal.line &&
      compareToBound(parseVersion(release.version)!, end) < 0,
  );
  const required = [...stops, { stop: undefined, release: goal }];
  const steps: UpgradeStep[] = [];
  let place = start;
  for (const { stop, release } of required) {
    const isConditional = stop?.when !== undefined;
    for (const version of isConditional ? [] : between(releases, place, release, upgradeSteps?.atMost))
      steps.push(stepTo(version));
    const { reason, url, when, finish } = stop ?? {};
    steps.push(stepTo(release.version, { reason, url, when, finish }));
  }
  return steps;

  function stepTo(version: string, about: Partial<Record<keyof UpgradeStop, string | undefined>> = {}) {
    const to = parseVersion(version)!;
    const notes = upgradeNotes.filter(({ at }) => {
      const noted = parseVersion(at)!;
      return compareToBound(place, noted) < 0 && compareToBound(noted, to) <= 0;
    });
    if (about.when === undefined) place = to;
    const step = defined({ ...about, version, notes: notes.length > 0 ? notes : undefined });
    return step as unknown as UpgradeStep;
  }
}

/** The latest release of every `atMost`th line before the last line; none without a limit. */
function between<Release extends Listed>(
  releases: readonly Release[],
  from: Version,
  to: Release,
  atMost: number | undefined,
): string[] {
  if (atMost === undefined) return [];
  const start = releases.findLastIndex(({ version }) => compareToBound(parseVersion(version)!, from) <= 0);
  const above = releases.slice(start + 1, releases.indexOf(to) + 1).filter(isOffered);
  const latest = new Map(above.map((release) => [release.line, release.version]));
  latest.delete(releases[start]?.line ?? '');
  return [...latest.values()].slice(0, -1).filter((_, index) => (index + 1) % atMost === 0);
}

/** `2021.4.3, then 2024.1.9 (only where the registry is used), then 2026.3` */
export function pathInWords(path: readonly UpgradeStep[]): string {
  return path
    .map(({ version, when }) => (when === undefined ? version : `${version} (${when})`))
    .join(', then ');
}

/** What to know and do at each step, in sentences. */
export function stepSentences(
  path: readonly UpgradeStep[],
): { readonly text: string; readonly url?: string }[] {
  return path.flatMap(({ version, reason, url, finish, notes = [] }) =>
    [
      ...notes.map((note) => ({ text: `For ${note.at}: ${sentence(note.text)}`, url: note.url })),
      ...(reason === undefined ? [] : [{ text: `Stop at ${version}: ${sentence(reason)}`, url }]),
      ...(finish === undefined ? [] : [{ text: `Go on from ${version} once ${sentence(finish)}` }]),
    ].map((one) => defined(one)),
  );
}
