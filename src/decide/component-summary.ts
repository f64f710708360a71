import type { Day } from '../core/model/dates.ts';
import { pick } from '../core/model/objects.ts';
import { findLastFreePhase } from '../core/model/phases.ts';
import { resolveStops } from '../core/model/upgrade-stops.ts';
import { compareToBound } from '../core/model/version-range.ts';
import type { Version } from '../core/model/version.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import type { UpgradeStop } from '../core/schemas/definition/about-component.ts';
import { isOsv, type Source } from '../core/schemas/definition/source.ts';
import { mapSourcesById } from '../core/schemas/definition/source-ids.ts';
import { listSourcesListing } from '../core/schemas/recorded/recorded.ts';
import type { Component } from './component.ts';
import { isLineSupported, type Judgement, type JudgedLine, type JudgedRelease } from './judge.ts';
import { adviseOnLines, findSuccessor, describeTarget } from './moves.ts';
import { collectPinFacts } from './pin-facts.ts';
import { listRecentReleases, listReleaseDays } from './release-days.ts';

/** The data that documents on all components need. A build keeps all summaries in memory, but the releases of few components. */
export type ComponentSummary = ReturnType<typeof summarise>;

export function summarise(component: Component) {
  const { name, definition, judgement, freshness, replacement } = component;
  const { releases, latest, lines } = judgement;
  const adviseOn = adviseOnLines(component);

  return {
    name,
    definition,
    freshness,
    releaseCount: releases.length,
    latest,
    replacement: replacement && summariseReplacement(replacement),
    packageSources: listPackageSources(definition, releases),
    pinFacts: collectPinFacts(judgement, definition),
    /** Whether it has lines, and the support of each has ended. */
    isEnded: lines.length > 0 && lines.every(({ state }) => state === 'ended'),
    /** Lines that are supported, or whose end is known; oldest first. */
    lines: lines
      .filter((line) => isLineSupported(line) || findKnownEnd(line) !== undefined)
      .map((line) => summariseLine(line, describeTarget(component, adviseOn(line).moveTo))),
    recent: listRecentReleases(name, definition.title, judgement),
    advisories: listAffectedVersions(judgement),
    /** Fixes that need not wait: no advisory affects them, and the definition or a trusted source calls them fixes, never their publisher. */
    urgentFixes: releases
      .filter(({ advisories, isTrustedFix }) => isTrustedFix && advisories.length === 0)
      .map(({ version }) => version),
    upgradeBounds: listUpgradeBounds(definition.upgradeStops, judgement),
    /** Oldest first. */
    timetableDays: listReleaseDays(judgement),
  };
}

/** The advisories by id, with the affected versions. */
function listAffectedVersions({ advisories, releases }: Judgement) {
  const affected = new Map(advisories.map((advisory) => [advisory, [] as string[]]));
  for (const release of releases) {
    for (const advisory of release.advisories) {
      affected.get(advisory)!.push(release.version);
    }
  }
  return Array.from(affected, ([advisory, versions]) => ({ advisory, versions }));
}

/** The last day with support, exact or the earliest possible one; else the latest possible one. */
export function findKnownEnd({ phases }: Pick<JudgedLine, 'phases'>): Day | undefined {
  const { until, untilAtMost } = findLastFreePhase(phases) ?? {};
  return until ?? untilAtMost;
}

export type LineSummary = ReturnType<typeof summariseLine>;

/** `moveTo`: the version to move to, such as `2026.3` or `Edge node 2.1.0`; empty without a reason to move, or if there is none. */
function summariseLine(line: JudgedLine, moveTo: string) {
  return {
    ...pick(line, ['name', 'began', 'phases', 'state', 'inferred']),
    isSupported: isLineSupported(line),
    /** Oldest first. */
    releaseDays: line.releases.flatMap(({ releaseDay }) => releaseDay ?? []).sort(),
    moveTo,
  };
}

/** The name of the component that replaces another, and the release of it to move to. */
function summariseReplacement(replacement: NonNullable<Component['replacement']>) {
  const { name, definition, judgement } = replacement;
  const { title, changelogUrl } = definition;
  const version = findSuccessor(replacement);
  const release = judgement.releases.find((each) => each.version === version);
  return { name, title, version, changelogUrl: release?.changelogUrl ?? changelogUrl };
}

/**
 * The sources that list each release that is not deprecated, from the first one that they list: of their packages, users are offered
 * every version. If no release is recorded with a source, a single source of releases is taken for such a source.
 */
function listPackageSources({ sources }: Definition, releases: readonly JudgedRelease[]): Source[] {
  const listings = releases
    .filter((release) => !release.isDeprecated)
    .map(({ recorded }) => listSourcesListing(recorded));
  if (listings.every((listing) => listing.length === 0)) {
    const releaseSources = sources.filter((source) => !isOsv(source));
    return releaseSources.length === 1 ? releaseSources : [];
  }

  const packageSources: Source[] = [];
  for (const [id, source] of mapSourcesById(sources)) {
    const first = listings.findIndex((listing) => listing.includes(id));
    if (first >= 0 && listings.slice(first).every((listing) => listing.includes(id))) {
      packageSources.push(source);
    }
  }
  return packageSources;
}

/**
 * How far versions in use may go in one step: those below `below`, and not below `from` if it is there, go no further than the release
 * `to`. The stop 17 stands for the greatest release of all lines of 17. The stop 17.3 has a lower release, so it comes first, and
 * bounds the versions below 17, too.
 */
function listUpgradeBounds(upgradeStops: readonly UpgradeStop[] | undefined, judgement: Judgement) {
  const bounds = [];
  let from: Version | undefined;
  for (const { at, release } of resolveStops({ ...judgement, upgradeStops })) {
    if (!from || compareToBound(at, from) > 0) {
      bounds.push({ from: from?.text, below: at.text, to: release });
      from = at;
    }
  }
  return bounds;
}
