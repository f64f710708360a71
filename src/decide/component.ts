import type { Day } from '../core/model/dates.ts';
import { dropUndefined, pick } from '../core/model/objects.ts';
import { findLastFreePhase } from '../core/model/phases.ts';
import { resolveStops } from '../core/model/upgrade-stops.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import type { UpgradeStop } from '../core/schemas/definition/upgrade-stop.ts';
import { mapSourcesById, type Source } from '../core/schemas/definition/source.ts';
import type { WorksWith } from '../core/schemas/definition/works-with.ts';
import type { Finding } from '../core/schemas/finding.ts';
import type { JournalEvent } from '../core/schemas/recorded/journal.ts';
import {
  listSourcesListing,
  type Advisory,
  type RecordedData,
} from '../core/schemas/recorded/recorded.ts';
import type { StatedAdvisory } from './advisories.ts';
import type { ComponentFreshness } from './component-freshness.ts';
import {
  isLineSupported,
  judge,
  type JudgedLine,
  type JudgedRelease,
  type Judgement,
} from './judge.ts';
import { listStatedLines } from './lines.ts';
import { listLineMoves, findSuccessor, describeTarget } from './moves.ts';
import { listPinFacts, type PinFacts } from './pin-facts.ts';
import { listRecentReleases, listReleaseDays, type RecentRelease } from './recent.ts';
import { normaliseReleases } from './releases.ts';

/** Everything known about one component on one day. */
export interface Component {
  readonly name: string;
  readonly definition: Definition;
  /** The keys that the definition inherits from the site's defaults. */
  readonly inherited?: readonly string[];
  readonly judgement: Judgement;
  /** Recorded versions that the definition does not admit; only lists of changes show them. Oldest first. */
  readonly unadmitted: readonly string[];
  /** Its recorded events up to that day. */
  readonly journal: readonly JournalEvent[];
  readonly freshness: ComponentFreshness;
  /** The component that replaces it. */
  readonly replacement?: Pick<Component, 'name' | 'definition' | 'judgement'>;
  /** The statements of other components on it, by their names. */
  readonly statedBy?: WorksWith | undefined;
}

/** Ids contain a component's first name and survive renames, because readers remember ids. */
export function nameInIds({ name, definition }: Pick<Component, 'name' | 'definition'>): string {
  return definition.renamedFrom?.[0] ?? name;
}

/** The component that replaces another, and the release of it to move to. */
export interface Replacement {
  readonly name: string;
  readonly title: string;
  readonly version?: string | undefined;
  readonly changelogUrl: string;
}

/** The data that documents on all components need. A build keeps all summaries in memory, but the releases of few components. */
export interface ComponentSummary {
  readonly name: string;
  readonly definition: Definition;
  readonly freshness: ComponentFreshness;
  readonly releases: number;
  readonly latest?: JudgedRelease;
  readonly replacement?: Replacement;
  /** Sources that list every release in use since their first one. */
  readonly packageSources: readonly Source[];
  readonly pinFacts: PinFacts;
  /** Lines that are supported, may have ended, or whose end is known; oldest first. */
  readonly lines: readonly LineSummary[];
  /** Newest day first. */
  readonly recent: readonly RecentRelease[];
  /** By id. */
  readonly advisories: readonly AdvisorySummary[];
  /** Fixes that need not wait: the definition or a trusted source calls them fixes, never the publisher of the release. */
  readonly urgentFixes: readonly string[];
  /** How far versions in use may go in one step. */
  readonly upgradeBounds: readonly UpgradeBound[];
  /** The days for a timetable, oldest first. */
  readonly releaseDays: readonly Day[];
  readonly nextChangeOn?: Day;
}

interface AdvisorySummary {
  readonly advisory: Advisory;
  /** The affected versions. */
  readonly versions: readonly string[];
}

export interface LineSummary extends Pick<
  JudgedLine,
  'name' | 'began' | 'phases' | 'state' | 'inferred'
> {
  /** As `isLineSupported` says. */
  readonly isSupported: boolean;
  /** Oldest first. */
  readonly releaseDays: readonly Day[];
  /** The version to move to, such as `2026.3` or `Edge node 2.1.0`; empty without a reason to move, or if there is none. */
  readonly moveTo: string;
}

const summaries = new WeakMap<Component, ComponentSummary>();

export function summarise(component: Component): ComponentSummary {
  const summary = summaries.get(component) ?? makeSummary(component);
  summaries.set(component, summary);
  return summary;
}

function makeSummary(component: Component): ComponentSummary {
  const { name, definition, judgement, freshness, replacement } = component;
  const { releases, latest, lines, nextChangeOn } = judgement;
  const lineMoves = listLineMoves(component);
  const urgentFixes = releases.filter(
    ({ advisories, isTrustedFix }) => isTrustedFix && advisories.length === 0,
  );

  return dropUndefined({
    name,
    definition,
    freshness,
    releases: releases.length,
    latest,
    replacement: replacement && summariseReplacement(replacement),
    packageSources: listPackageSources(definition, releases),
    pinFacts: listPinFacts(judgement, definition),
    lines: lines
      .filter((line) => isLineSupported(line) || findKnownEnd(line) !== undefined)
      .map((line) => summariseLine(line, describeTarget(component, lineMoves.get(line)?.moveTo))),
    recent: listRecentReleases(name, definition.title, judgement),
    advisories: judgement.advisories.map((advisory) => summariseAdvisory(advisory, judgement)),
    urgentFixes: urgentFixes.map(({ version }) => version),
    upgradeBounds: listUpgradeBounds(definition.upgradeStops, releases),
    releaseDays: listReleaseDays(judgement),
    nextChangeOn,
  });
}

/** The last day with support, exact or the earliest possible one; else the latest possible one. */
export function findKnownEnd({ phases }: Pick<JudgedLine, 'phases'>): Day | undefined {
  const { until, untilAtMost } = findLastFreePhase(phases) ?? {};
  return until ?? untilAtMost;
}

function summariseAdvisory(
  advisory: Advisory,
  { releases }: Component['judgement'],
): AdvisorySummary {
  const affected = releases.filter(({ advisories }) => advisories.includes(advisory));
  return { advisory, versions: affected.map(({ version }) => version) };
}

function summariseLine(line: JudgedLine, moveTo: string): LineSummary {
  return {
    ...pick(line, ['name', 'began', 'phases', 'state', 'inferred']),
    isSupported: isLineSupported(line),
    releaseDays: line.releases
      .map(({ releaseDay }) => releaseDay)
      .filter((value) => value !== undefined)
      .sort(),
    moveTo,
  };
}

function summariseReplacement(replacement: NonNullable<Component['replacement']>): Replacement {
  const { name, definition, judgement } = replacement;
  const { title, changelogUrl } = definition;
  const version = findSuccessor(replacement);
  const release = judgement.releases.find((each) => each.version === version);
  return { name, title, version, changelogUrl: release?.changelogUrl ?? changelogUrl };
}

/**
 * Users of such a package are offered only versions that the package has. If nothing was ever gathered, a single source is
 * complete.
 */
function listPackageSources({ sources }: Definition, releases: readonly JudgedRelease[]): Source[] {
  const listings = releases
    .filter((release) => !release.isDeprecated)
    .map(({ recorded }) => listSourcesListing(recorded));
  if (listings.every((listing) => listing.length === 0)) {
    return sources.length === 1 ? [...sources] : [];
  }

  return [...mapSourcesById(sources)]
    .filter(([id]) => {
      const first = listings.findIndex((listing) => listing.includes(id));
      return listings.slice(first).every((listing) => listing.includes(id));
    })
    .map(([, source]) => source);
}

/** How far a version in use may go in one step. */
interface UpgradeBound {
  /** The lowest version in use that the bound applies to; undefined for all versions below `below`. */
  readonly from: string | undefined;
  readonly below: string;
  /** The greatest release that may be proposed. */
  readonly to: JudgedRelease;
}

/** For versions in use, the next stop. */
function listUpgradeBounds(
  stops: readonly UpgradeStop[] | undefined,
  releases: readonly JudgedRelease[],
): UpgradeBound[] {
  return resolveStops(stops, releases).map(({ at, release }, index, resolved) => ({
    from: resolved[index - 1]?.at.text,
    below: at.text,
    to: release,
  }));
}

/** A component as judged on a day. */
export type Judged = Pick<Component, 'name' | 'definition' | 'judgement' | 'unadmitted'>;

/** Judges a component's recorded data by a definition, as of a day. */
export function judgeRecorded(
  name: string,
  definition: Definition,
  recorded: RecordedData,
  day: Day,
): Judged & { findings: Finding[] } {
  const statedLines = listStatedLines(recorded, definition);
  const { releases, unadmitted, findings } = normaliseReleases(
    { name, definition },
    recorded.releases,
    statedLines,
    day,
  );

  // Ignore sources that the definition no longer names.
  const sources = mapSourcesById(definition.sources);
  const advisories = recorded.advisories
    ?.map(({ source: id, affected, ...advisory }): StatedAdvisory | undefined => {
      const source = sources.get(id);
      return source && affected
        ? { ...advisory, affected, isTrusted: source.trusted === true }
        : undefined;
    })
    .filter((value) => value !== undefined);
  const judgement = judge(releases, definition, day, advisories, statedLines, recorded.advisories);
  return { name, definition, judgement, unadmitted, findings };
}
