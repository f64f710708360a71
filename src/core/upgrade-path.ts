import type { UpgradeRules, UpgradeStop } from './schemas/upgrades.ts';
import { defined, sentence } from './text.ts';
import { compareToBound, isInRange } from './version-range.ts';
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

/**
 * The release of each stop, lowest first: the greatest of its line that is listed and not withdrawn, deprecated or not. A stop
 * without such a release is left out.
 */
export function resolveStops<Release extends Listed>(
  stops: readonly UpgradeStop[] = [],
  releases: readonly Release[],
) {
  if (stops.length === 0) {
    return [];
  }
  const offered = parsed(releases.filter(isOffered), ({ version }) => version);
  return parsed(stops, ({ at }) => at)
    .flatMap(({ one: stop, version: at }) => {
      const line = { ...at, groups: at.groups.slice(0, 2) };
      const found = offered.findLast(
        ({ version }) =>
          isInRange([[{ sign: 'line', bound: line }]], version) && compareToBound(version, at) >= 0,
      );
      return found ? [{ stop, at, release: found.one, version: found.version }] : [];
    })
    .sort((a, b) => compareToBound(a.at, b.at));
}

/** Each with its version. Schemas admit only versions that can be parsed. */
function parsed<One>(all: readonly One[], textOf: (one: One) => string) {
  return all.flatMap((one) => {
    const version = parseVersion(textOf(one));
    return version ? [{ one, version }] : [];
  });
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
  const end = parseVersion(goal.version);
  if (!start || !end || compareToBound(start, end) >= 0) {
    return [{ version: goal.version }];
  }
  const stops = resolveStops(upgradeStops, releases).filter(
    ({ at, release, version }) =>
      compareToBound(start, at) < 0 &&
      release.line !== goal.line &&
      compareToBound(version, end) < 0,
  );
  const required = [...stops, { stop: undefined, release: goal, version: end }];
  const notesAt = parsed(upgradeNotes, ({ at }) => at);
  const steps: UpgradeStep[] = [];
  let place = start;
  for (const { stop, release, version } of required) {
    const isConditional = stop?.when !== undefined;
    for (const skipped of isConditional
      ? []
      : between(releases, place, release, upgradeSteps?.atMost)) {
      steps.push(stepTo(skipped));
    }
    const { reason, url, when, finish } = stop ?? {};
    steps.push(stepTo(version, { reason, url, when, finish }));
  }
  return steps;

  function stepTo(to: Version, about: Partial<Record<keyof UpgradeStop, string | undefined>> = {}) {
    const notes = notesAt.filter(
      ({ version }) => compareToBound(place, version) < 0 && compareToBound(version, to) <= 0,
    );
    if (about.when === undefined) {
      place = to;
    }
    const texts = notes.length > 0 ? notes.map(({ one }) => one) : undefined;
    return defined({ ...about, version: to.text, notes: texts }) as unknown as UpgradeStep;
  }
}

/** The latest release of every `atMost`th line before the last line; none without a limit. */
function between<Release extends Listed>(
  releases: readonly Release[],
  from: Version,
  to: Release,
  atMost: number | undefined,
): Version[] {
  if (atMost === undefined) {
    return [];
  }
  const upTo = parsed(releases.slice(0, releases.indexOf(to) + 1), ({ version }) => version);
  const start = upTo.findLastIndex(({ version }) => compareToBound(version, from) <= 0);
  const above = upTo.slice(start + 1).filter(({ one }) => isOffered(one));
  const latest = new Map(above.map(({ one, version }) => [one.line, version]));
  latest.delete(upTo[start]?.one.line ?? '');
  return [...latest.values()].slice(0, -1).filter((_, index) => (index + 1) % atMost === 0);
}

/** `2021.4.3, then 2024.1.9 (only where the registry is used), then 2026.3` */
export function pathInWords(path: readonly UpgradeStep[]): string {
  return path
    .map(({ version, when }) => (when === undefined ? version : `${version} (${when})`))
    .join(', then ');
}

/** The work and the conditions of each step, in sentences. */
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
