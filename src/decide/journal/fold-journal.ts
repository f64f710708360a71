import type { Day } from '../../core/dates.ts';
import type { CorrectedField, JournalEvent } from '../../core/schemas/journal.ts';
import type { Reason } from '../../core/schemas/published/details-file.ts';
import { defined } from '../../core/text.ts';
import { pairKey } from '../../core/works-with.ts';
import type { DayRange } from '../../core/words.ts';

/** The last statements of a journal on a component. */
export interface JournalState {
  name?: string;
  replacedBy?: string;
  readonly versions: Map<string, VersionState>;
  /** Under `endKey`. */
  readonly ends: Map<string, EndState>;
  /** The last event on each advisory, by id. */
  readonly advisories: Map<string, DraftEvent>;
  /** The last event on each statement on other components, under `pairKey`. */
  readonly compatibility: Map<string, DraftEvent>;
}

export interface VersionState {
  readonly values: Partial<Record<CorrectedField, string>>;
  /** Whether the definition admits it. */
  isListed: boolean;
  isWithdrawn: boolean;
  /** Why it is deprecated; absent while it is not. */
  verdict?: Pick<JournalEvent, 'reason'> & { rule: Reason['rule'] };
  /** Which other bytes were accepted last. */
  republished?: string;
}

/** The end of a phase of a release line. */
export interface EndState {
  /** The first day without it: exact, or the earliest possible one. */
  until?: Day;
  /** The latest possible one, where the exact day is unknown. */
  untilAtMost?: Day;
  isEnded: boolean;
  /** Those of the line, as in the last event. */
  phases?: readonly string[];
  /** The least of 90, 30 and 7 days ahead that was announced. */
  daysAnnounced?: number;
}

/** An event that still lacks its place in the journal. */
export type DraftEvent = Omit<JournalEvent, 'id' | 'at' | 'initial' | 'component'>;

/** The whole state that the events of a journal add up to. */
export function foldJournal(events: readonly JournalEvent[]): JournalState {
  const state: JournalState = {
    versions: new Map(),
    ends: new Map(),
    advisories: new Map(),
    compatibility: new Map(),
  };
  for (const event of events) {
    if (event.component !== undefined) state.name = event.component;
    applyEvent(state, event);
  }
  return state;
}

export function endKey({ line = '', phase = '' }: Pick<DraftEvent, 'line' | 'phase'>): string {
  return `${line}/${phase}`;
}

export function applyEvent(state: JournalState, event: DraftEvent): void {
  const { type, version, line, to } = event;
  if (type === 'renamed') state.name = to!;
  else if (type === 'replaced') assign(state, 'replacedBy', to);
  else if (type === 'released') state.versions.set(version!, newVersion(event));
  else if (type.startsWith('support-')) applyEnd(state, event);
  else if (type === 'advisory-withdrawn') state.advisories.delete(event.advisory!);
  else if (type.startsWith('advisory-')) state.advisories.set(event.advisory!, event);
  else if (type.startsWith('compatibility-')) {
    if (to === undefined) state.compatibility.delete(pairKey(event));
    else state.compatibility.set(pairKey(event), event);
  } else if (version !== undefined) applyToVersion(state.versions.get(version)!, event);
  else if (line !== undefined) {
    // A deprecated line changes nothing about releases that were deprecated before.
    for (const of of listedOf(state, line))
      if (type === 'restored' || of.verdict === undefined) applyToVersion(of, event);
  }
}

/** The end that an event states. Earlier events have an upper bound in `to`, which `timestampKind` marks. */
export function statedEnd({ to, toAtMost, timestampKind }: DraftEvent): DayRange {
  return timestampKind === 'observed' ? { atMost: to } : { from: to, atMost: toAtMost };
}

/** The versions of a release line that the definition admits. */
export function listedOf(state: JournalState, line: string): VersionState[] {
  return [...state.versions.values()].filter((version) => version.isListed && version.values.line === line);
}

function newVersion(event: DraftEvent): VersionState {
  const { line, on: releaseTimestamp, timestampKind = 'published', url: changelogUrl } = event;
  const isPrerelease = String(event.isPrerelease ?? false);
  const values = defined({ line, releaseTimestamp, timestampKind, changelogUrl, isPrerelease });
  return { values, isListed: true, isWithdrawn: false };
}

function applyToVersion(state: VersionState, event: DraftEvent): void {
  const { type, rule, reason, from, to } = event;
  if (type === 'deprecated') state.verdict = defined({ rule: rule!, reason });
  else if (type === 'restored') delete state.verdict;
  else if (type === 'withdrawn' || type === 'relisted') state.isWithdrawn = type === 'withdrawn';
  else if (type === 'excluded' || type === 'included') state.isListed = type === 'included';
  else if (type === 'republished') state.republished = `${from} ${to}`;
  else if (type === 'corrected') {
    assign(state.values, event.field!, to);
    if (event.field === 'releaseTimestamp') state.values.timestampKind = event.timestampKind ?? 'published';
  }
}

function applyEnd(state: JournalState, event: DraftEvent): void {
  const { type, days } = event;
  const end = state.ends.get(endKey(event)) ?? { isEnded: false };
  state.ends.set(endKey(event), end);
  assign(end, 'phases', event.phases);
  if (type === 'support-ended') end.isEnded = true;
  else if (type === 'support-ending') assign(end, 'daysAnnounced', days);
  else {
    // Another end resets the announcements.
    end.isEnded = false;
    delete end.daysAnnounced;
    const { from, atMost } = statedEnd(event);
    assign(end, 'until', from);
    assign(end, 'untilAtMost', atMost);
  }
}

function assign<T, K extends keyof T>(state: T, key: K, value: T[K] | undefined): void {
  if (value === undefined) delete state[key];
  else state[key] = value;
}
