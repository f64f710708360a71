import type { Day } from '../dates.ts';
import { isLineSupported, type JudgedLine, type JudgedRelease, type Judgement } from './judge.ts';
import { maxChangesPerComponent, type Change } from './change.ts';
import type { ComponentFreshness } from './component-freshness.ts';
import type { Definition } from '../model/definition.ts';
import { statedChangelogs, type StatedChangelog } from './stated-changelogs.ts';

/** Everything known about one component on one day. */
export interface Component {
  readonly name: string;
  readonly definition: Definition;
  readonly judgement: Judgement;
  readonly freshness: ComponentFreshness;
  readonly replacement?: Replacement;
}

/** The newest supported release of the component that takes the place of another. */
export interface Replacement {
  readonly name: string;
  readonly version: string;
  readonly changelogUrl: string;
}

/**
 * What the documents about all components say of one. Small, because a build holds one for each component while it
 * holds the releases of only a few.
 */
export interface ComponentSummary {
  readonly name: string;
  readonly definition: Definition;
  readonly freshness: ComponentFreshness;
  readonly releases: number;
  readonly latest?: LatestRelease;
  readonly changelogs: readonly StatedChangelog[];
  readonly replacement?: Replacement;
  /** Those that are supported or whose end is known, oldest first. */
  readonly lines: readonly LineSummary[];
  readonly nextChangeOn?: Day;
  /** The newest changes, newest first, at most `maxChangesPerComponent`. */
  readonly changes: readonly Change[];
}

export interface LatestRelease extends Pick<JudgedRelease, 'version' | 'line'> {
  readonly releaseTimestamp?: JudgedRelease['releaseTimestamp'];
  readonly timestampKind?: JudgedRelease['timestampKind'];
  readonly changelogUrl?: JudgedRelease['changelogUrl'];
}

export interface LineSummary extends Pick<JudgedLine, 'name' | 'firstReleaseDay' | 'eolFrom'> {
  /** As `isLineSupported` says. */
  readonly isSupported: boolean;
}

/** `changes`: those of the component, newest first. */
export function summarise(component: Component, changes: readonly Change[]): ComponentSummary {
  const { name, definition, judgement, freshness, replacement } = component;
  const { latest, lines, nextChangeOn } = judgement;
  return {
    name,
    definition,
    freshness,
    releases: judgement.releases.length,
    ...(latest && { latest: pickLatest(latest) }),
    changelogs: statedChangelogs(definition, judgement.releases),
    ...(replacement && { replacement }),
    lines: lines.map(summariseLine).filter((line) => line.isSupported || line.eolFrom !== undefined),
    ...(nextChangeOn !== undefined && { nextChangeOn }),
    changes: changes.slice(0, maxChangesPerComponent),
  };
}

function summariseLine(line: JudgedLine): LineSummary {
  const { name, firstReleaseDay, eolFrom } = line;
  return {
    name,
    isSupported: isLineSupported(line),
    ...(firstReleaseDay !== undefined && { firstReleaseDay }),
    ...(eolFrom !== undefined && { eolFrom }),
  };
}

/** What a run says of a component at its end. */
export interface ComponentState {
  readonly name: string;
  readonly latest?: string;
  readonly releases: number;
  /** How many release lines are supported, and the newest of them. */
  readonly supportedLines: number;
  readonly newestLines: readonly string[];
  readonly freshness: ComponentFreshness;
}

const mostLines = 4;

export function stateOf({ name, latest, releases, lines, freshness }: ComponentSummary): ComponentState {
  const supported = lines.filter((line) => line.isSupported).map((line) => line.name);
  return {
    name,
    ...(latest && { latest: latest.version }),
    releases,
    supportedLines: supported.length,
    newestLines: supported.slice(-mostLines).reverse(),
    freshness,
  };
}

function pickLatest(latest: JudgedRelease): LatestRelease {
  const { version, line, releaseTimestamp, timestampKind, changelogUrl } = latest;
  return { version, line, releaseTimestamp, timestampKind, changelogUrl };
}
