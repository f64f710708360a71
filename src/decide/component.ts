import type { Day } from '../core/dates.ts';
import type { Definition } from '../core/schemas/definition.ts';
import type { JournalEvent } from '../core/schemas/journal.ts';
import type { Source } from '../core/schemas/source.ts';
import { defined } from '../core/text.ts';
import type { ComponentFreshness } from './component-freshness.ts';
import { summariseDisagreements, type SourceDisagreement } from './disagreements.ts';
import { isLineSupported, type JudgedLine, type JudgedRelease, type Judgement } from './judge.ts';
import { recentReleases, type RecentRelease } from './recent.ts';
import type { Release } from './release.ts';
import { releaseDays } from './release-days.ts';
import { soleSource } from './sole-source.ts';
import { statedChangelogs, type StatedChangelog } from './stated-changelogs.ts';

/** Everything known about one component on one day. */
export interface Component {
  readonly name: string;
  readonly definition: Definition;
  readonly judgement: Judgement;
  /** Recorded, but the definition does not admit them: only its changes know them. Oldest first. */
  readonly unadmitted: readonly Release[];
  /** What the index had said of it by that day. */
  readonly journal: readonly JournalEvent[];
  readonly freshness: ComponentFreshness;
  readonly replacement?: Replacement;
}

/** The name that ids are made with: the first that it had, because readers remember ids. */
export function nameInIds({ name, definition }: Pick<Component, 'name' | 'definition'>): string {
  return definition.renamedFrom?.[0] ?? name;
}

/** The newest supported release of the component that takes the place of another. */
export interface Replacement {
  readonly name: string;
  readonly version: string;
  readonly changelogUrl: string;
}

/** What the documents about all components say of one. A build holds all summaries, but the releases of few components. */
export interface ComponentSummary {
  readonly name: string;
  readonly definition: Definition;
  readonly freshness: ComponentFreshness;
  readonly disagreements: readonly SourceDisagreement[];
  readonly releases: number;
  readonly latest?: LatestRelease;
  readonly changelogs: readonly StatedChangelog[];
  readonly replacement?: Replacement;
  readonly soleSource?: Source;
  /** Those that are supported or whose end is known, oldest first. */
  readonly lines: readonly LineSummary[];
  /** Newest day first. */
  readonly recent: readonly RecentRelease[];
  /** Versions that fix an advisory, and that none affects. */
  readonly fixes: readonly string[];
  /** Those that a timetable shows, oldest first. */
  readonly releaseDays: readonly Day[];
  readonly nextChangeOn?: Day;
}

export type LatestRelease = Pick<JudgedRelease, 'version' | 'line'> &
  Partial<Pick<JudgedRelease, 'releaseTimestamp' | 'timestampKind' | 'changelogUrl'>>;

export interface LineSummary extends Pick<JudgedLine, 'name' | 'firstReleaseDay' | 'eolFrom' | 'eolKind'> {
  /** As `isLineSupported` says. */
  readonly isSupported: boolean;
  /** Support ends no earlier, where no day is stated. */
  readonly notBefore?: Day;
}

export function summarise(component: Component): ComponentSummary {
  const { name, definition, judgement, freshness, replacement } = component;
  const { releases, latest, lines, nextChangeOn } = judgement;
  return defined({
    name,
    definition,
    freshness,
    disagreements: summariseDisagreements(definition, releases),
    releases: releases.length,
    latest,
    changelogs: statedChangelogs(definition, releases),
    replacement,
    soleSource: soleSource(definition, releases),
    lines: lines.map(summariseLine).filter((line) => line.isSupported || line.eolFrom !== undefined),
    recent: recentReleases(releases),
    fixes: releases
      .filter(({ advisories, fixes }) => fixes.length > 0 && advisories.length === 0)
      .map(({ version }) => version),
    releaseDays: releaseDays(judgement),
    nextChangeOn,
  });
}

function summariseLine(line: JudgedLine): LineSummary {
  const { name, firstReleaseDay, eolFrom, eolKind, undatedEnd } = line;
  const notBefore = undatedEnd?.kind === 'term' ? undatedEnd.notBefore : undefined;
  return defined({ name, isSupported: isLineSupported(line), firstReleaseDay, eolFrom, eolKind, notBefore });
}

/** What a run says of a component at its end. */
export interface ComponentState {
  readonly name: string;
  readonly latest?: string;
  readonly releases: number;
  /** How many release lines are supported. */
  readonly supportedLines: number;
  /** The newest of them, newest first. */
  readonly newestLines: readonly string[];
  readonly freshness: ComponentFreshness;
}

const maxLinesShown = 4;

export function stateOf({ name, latest, releases, lines, freshness }: ComponentSummary): ComponentState {
  const supported = lines.filter((line) => line.isSupported).map((line) => line.name);
  return defined({
    name,
    latest: latest?.version,
    releases,
    supportedLines: supported.length,
    newestLines: supported.slice(-maxLinesShown).reverse(),
    freshness,
  });
}
