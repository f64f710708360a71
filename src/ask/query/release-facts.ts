/**
 * Computes the query fields of each release, for the columns of `search/`. Leaves out fields that all releases of a component share, and
 * fields that change each day.
 */
import type { Day } from '../../core/day.ts';
import { hasLts } from '../../core/phrases.ts';
import type { Component, Line, Release } from '../../core/schema/published.ts';
import { findNewest } from '../../core/version.ts';
import type { DailyField, ReleaseField, SharedField } from './release-fields.ts';

export type ReleaseFacts = ReturnType<typeof createFacts>;

/** Returns the value of each query field for all releases of a component, in the order of versions. */
export function listFacts(component: Component, asOf: Day): ReleaseFacts[] {
  const { releases, lines } = component;
  const byName = new Map(lines.map((line) => [line.line, line]));
  const byLine = Map.groupBy(releases, ({ line }) => line);
  const newest = new Set(Array.from(byLine.values(), findNewest));
  return releases.map((release) =>
    createFacts(release, byName.get(release.line)!, component, asOf, newest.has(release)),
  );
}

/** Computes the query fields of one release. Undefined means that a value is unknown, and null means that the release has no such value. */
function createFacts(
  release: Release,
  line: Line,
  component: Component,
  asOf: Day,
  isNewestOfLine: boolean,
) {
  const isVulnerable = release.advisories && release.advisories.length > 0;
  const daysBehind = release.isLatest ? 0 : release.behind;
  // The value of `advisory`, `severity` and `exploitedSince` for a release that is not vulnerable. Undefined if its advisories are unknown.
  const none = release.advisories === undefined ? undefined : null;
  return {
    availableAt: release.availableAt,
    version: release.version,
    line: release.line,
    state: release.state,
    reason: release.isDeprecated ? release.reasons.map(({ text }) => text) : null,
    isDeprecated: release.isDeprecated,
    isPrerelease: release.isPrerelease ?? false,
    hasProvenance: release.hasProvenance,
    isWithdrawn: release.state === 'withdrawn',
    isLatest: release.isLatest ?? false,
    isLatestOfLine: release.isLatestOfLine ?? false,
    isNewestOfLine,
    isStop: release.isStop ?? false,
    isSupported: release.isSupported,
    isLts: hasLts(line, asOf),
    isInferred: line.isInferred ?? false,
    phase: line.phase,
    releaseTimestamp: release.releaseTimestamp,
    timestampKind: release.timestampKind,
    firstSeen: release.firstSeen,
    deprecatedSince: release.isDeprecated ? release.deprecatedSince : null,
    supportedUntil: line.supportedUntil,
    supportedUntilAtMost: line.supportedUntilAtMost,
    releasesBehind: release.isLatest ? 0 : release.releasesBehind,
    behind: daysBehind === undefined ? undefined : `P${daysBehind}D`,
    isVulnerable,
    advisory: isVulnerable ? listAdvisoryIds(release, component) : none,
    fixes: release.fixes,
    severity: isVulnerable ? release.severity : none,
    isExploited: release.advisories && release.exploitedSince !== undefined,
    exploitedSince: release.exploitedSince ?? none,
    moveTo: release.moveTo?.version ?? null,
    moveToComponent: release.moveTo?.component ?? null,
    through: release.through ?? null,
  } satisfies Record<Exclude<ReleaseField, SharedField | DailyField>, unknown>;
}

/** Lists the ids of a release's advisories, including aliases. */
function listAdvisoryIds(release: Release, { advisories }: Component): string[] {
  const affecting = advisories.filter(({ id }) => release.advisories?.includes(id));
  return affecting.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
}
