import { addDays, cutDay, findLatestDay, type Day } from '../../../core/model/dates.ts';
import { hasEnded } from '../../../core/model/phases.ts';
import { sortGreatestFirst, sortVersions, type Version } from '../../../core/model/version.ts';
import type { SupportPolicy } from '../../../core/schemas/definition/support-policy.ts';
import type { JournalEvent } from '../../../core/schemas/recorded/journal.ts';
import {
  applyEvent,
  foldJournal,
  isLastFreePhase,
  type DraftEvent,
  type JournalState,
  type VersionState,
} from '../../../decide/fold-journal.ts';

/** A step in what readers are told: the state before and after its events. */
export interface Step {
  oldState: JournalState;
  newState: JournalState;
  day: Day;
  policy: SupportPolicy['policy'] | undefined;
}

/** The state after events, as a copy. */
export function applyEvents(state: JournalState, events: readonly DraftEvent[]): JournalState {
  const newState = structuredClone(state);
  for (const event of events) {
    applyEvent(newState, event);
  }
  return newState;
}

/** The end of support of a line: of its last phase that is not paid. */
export interface LineEnd {
  /** The last day with support, exact or the earliest possible one; else the latest possible one. */
  until: Day | undefined;
  /** Whether support has ended, for certain. */
  isEnded: boolean;
}

/** The end of a line of which none is stated. */
export const noStatedEnd: LineEnd = { until: undefined, isEnded: false };

/** By line, the end of its last free phase. If the journal does not name the phases, it is the end with the latest day, or else the last one. */
export function findEnds(state: JournalState, day: Day): Map<string, LineEnd> {
  const ends = new Map<string, LineEnd>();
  for (const end of state.ends.values()) {
    const until = end.until ?? end.untilAtMost;
    const latest = ends.get(end.line)?.until;
    const isLast = latest === undefined || (until !== undefined && until > latest);
    if (isLast && isLastFreePhase(end)) {
      ends.set(end.line, { until, isEnded: end.isEnded || hasEnded(end, day) === true });
    }
  }

  return ends;
}

/** Without a known support, a release is in use if its line is among the newest, or if it is recent. */
const maxNewestLines = 3;
const recentDays = 730;

/** The versions that readers may have in use: supported ones, and where support is unknown, those of the newest lines and recent ones. */
export function listInUse({ oldState, day, policy }: Step): Map<string, VersionState> {
  const inUse = new Map<string, VersionState>();
  const newestLines = listNewestLines(oldState);
  const ends = findEnds(oldState, day);
  const recentFrom = addDays(day, -recentDays);

  for (const [version, state] of oldState.versions) {
    const { line = '', releaseTimestamp = '' } = state.values;
    const { until, isEnded } = ends.get(line) ?? noStatedEnd;
    // A policy that counts lines supports each line until its end is stated.
    const isSupportKnown = until !== undefined || isEnded || policy === 'latest-lines';
    const isLikely = newestLines.has(line) || releaseTimestamp >= recentFrom;
    if (isOffered(state) && (isSupportKnown ? !isEnded : isLikely)) {
      inUse.set(version, state);
    }
  }

  return inUse;
}

/** The newest lines, and the newest with a stable release: the latest release is in one of these. */
function listNewestLines({ versions }: JournalState): Set<string> {
  const offered = [...versions.values()].filter(isOffered);
  const listNewest = (states: readonly VersionState[]) =>
    sortGreatestFirst([...listLines(states)]).slice(0, maxNewestLines);
  return new Set([...listNewest(offered), ...listNewest(offered.filter(isStable))]);
}

function listLines(states: readonly VersionState[]): Set<string> {
  return new Set(states.map(({ values }) => values.line ?? ''));
}

function isStable({ values }: VersionState): boolean {
  return values.isPrerelease !== 'true';
}

/** Whether a version is listed, not withdrawn, and not deprecated. */
function isOffered({ isListed, isWithdrawn, verdict }: VersionState): boolean {
  return isListed && !isWithdrawn && verdict === undefined;
}

/** The versions in use that become worse, each with the loss in words. A line that a new one pushes out is no loss. */
export function findWorse(step: Step): Map<string, string> {
  const worse = new Map<string, string>();
  const endedLines = new Map<string, string>();

  for (const [version, before] of listInUse(step)) {
    const after = step.newState.versions.get(version);
    const words = describeWorse(before, after);
    if (words !== undefined) {
      worse.set(version, words);
    }
    if (words === 'deprecated' && after?.verdict?.rule === 'support policy') {
      endedLines.set(version, before.values.line ?? '');
    }
  }

  for (const version of findPushedOut(endedLines, step)) {
    worse.delete(version);
  }

  return worse;
}

function describeWorse(before: VersionState, after: VersionState | undefined): string | undefined {
  if (!after?.isListed) {
    return 'no longer listed';
  }
  if (after.isWithdrawn) {
    return 'withdrawn';
  }
  if (after.verdict) {
    return 'deprecated';
  }

  return isStable(before) && !isStable(after) ? 'a prerelease' : undefined;
}

/** A new line pushes out one line; one with long-term support also pushes out one of its own kind. */
const maxPushedOut = 2;

/**
 * Of versions whose line ends, those of the oldest lines: as many lines as new ones push out by a policy that counts lines.
 * `lines`: by version.
 */
export function findPushedOut(
  lines: ReadonlyMap<string, string>,
  { oldState, newState, policy }: Step,
): string[] {
  if (policy !== 'latest-lines') {
    return [];
  }

  const newLines = listStableLines(newState).difference(listStableLines(oldState));
  const endingLines = sortGreatestFirst([...new Set(lines.values())]).reverse();
  const pushedOut = new Set(endingLines.slice(0, newLines.size * maxPushedOut));
  return [...lines.keys()].filter((version) => pushedOut.has(lines.get(version)!));
}

/** The lines that a policy counts: a prerelease ends the support of no line. */
function listStableLines({ versions }: JournalState): Set<string> {
  return listLines([...versions.values()].filter(isStable));
}

/** The stable versions on offer, the least first. */
export function listUsable({ versions }: JournalState): Version[] {
  const usable = [...versions].filter(([, state]) => isOffered(state) && isStable(state));
  return sortVersions(usable.map(([version]) => ({ version })));
}

/** Losses of so many days add up. */
export const lookbackDays = 30;

/** The versions that the events after a day made worse, without those that are on offer again. */
export function findEarlierWorse(
  journal: readonly JournalEvent[],
  after: Day,
  { oldState, policy }: Step,
): Set<string> {
  const [first] = journal;
  // What a component enters with is not worse than before.
  const from = findLatestDay(after, first && cutDay(first.at));
  const isRecent = ({ at }: JournalEvent) => cutDay(at) > from;
  const worse = new Set<string>();
  let state = foldJournal(journal.filter((event) => !isRecent(event)));

  for (const [at, events] of Map.groupBy(journal.filter(isRecent), (event) => event.at)) {
    const newState = applyEvents(state, events);
    const step = { oldState: state, newState, day: cutDay(at), policy };
    for (const version of findWorse(step).keys()) {
      worse.add(version);
    }
    state = newState;
  }

  const offered = [...oldState.versions].filter(([, version]) => isOffered(version));
  return worse.difference(new Map(offered));
}
