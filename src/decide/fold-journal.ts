import type { Day } from '../core/model/dates.ts';
import { dropUndefined } from '../core/model/objects.ts';
import { onlyPhase } from '../core/model/phases.ts';
import { describePhaseName } from '../core/model/words.ts';
import type { CorrectedField, JournalEvent } from '../core/schemas/recorded/journal.ts';

/** The state of a component after the events of its journal. */
export interface JournalState {
  name?: string;
  replacedBy?: string;
  readonly versions: Map<string, VersionState>;
  /** Under `createEndKey`. */
  readonly ends: Map<string, EndState>;
  /** The last event on each advisory, by id. */
  readonly advisories: Map<string, DraftEvent>;
}

export interface VersionState {
  readonly values: Partial<Record<CorrectedField, string>>;
  /** Whether the definition admits it. */
  isListed: boolean;
  isWithdrawn: boolean;
  /** Why it is deprecated; absent if it is not. */
  verdict?: Pick<JournalEvent, 'rule' | 'reason'>;
  /** The last accepted change of bytes: digests before and after. */
  republished?: string;
}

/** The end of a phase of a release line. */
export interface EndState {
  readonly line: string;
  readonly phase: string;
  /** The last day of the phase: exact, or the earliest possible one. */
  until?: Day;
  /** The latest possible day, if the exact day is unknown. */
  untilAtMost?: Day;
  /** The day on which `until`, or else `untilAtMost`, was stated first. */
  statedSince?: Day;
  isEnded: boolean;
  /** All phases of the line, from the last event. */
  phases?: string[];
  /** The last announcement before the end: 90, 30 or 7 days ahead. */
  daysAnnounced?: number;
}

/** An event without its place in the journal. */
export type DraftEvent = Omit<JournalEvent, 'id' | 'at' | 'initial' | 'component'>;

export function foldJournal(events: readonly JournalEvent[]): JournalState {
  const state: JournalState = {
    versions: new Map(),
    ends: new Map(),
    advisories: new Map(),
  };

  for (const event of events) {
    if (event.component !== undefined) {
      state.name = event.component;
    }

    applyEvent(state, event);
  }

  return state;
}

export function createEndKey({
  line,
  phase = onlyPhase,
}: Pick<DraftEvent, 'line' | 'phase'>): string {
  return `${line}/${phase}`;
}

/** The end of the name of a paid phase among all phases of its line. An end names its phase without it. */
const paidMark = describePhaseName({ name: '', paid: true });

/** Whether the phase that ends is paid. */
export function isPaidPhase({
  phase = onlyPhase,
  phases = [],
}: Pick<DraftEvent, 'phase' | 'phases'>): boolean {
  return phases.includes(`${phase}${paidMark}`);
}

/** Whether a phase is the last of its line that is not paid. The names decide, as a later phase may have no stated end. */
export function isLastFreePhase({ phase, phases = [phase] }: EndState): boolean {
  return phases.findLast((name) => !name.endsWith(paidMark)) === phase;
}

export function applyEvent(state: JournalState, event: DraftEvent): void {
  const release = state.versions.get(event.version ?? '');
  switch (event.type) {
    case 'renamed':
      return assign(state, 'name', event.to);
    case 'replaced':
      return assign(state, 'replacedBy', event.to);
    case 'released':
      state.versions.set(event.version!, createVersionState(event));
      return;
    case 'support-announced':
    case 'support-moved':
    case 'support-dropped':
    case 'support-ending':
    case 'support-ended':
      return applyEnd(state, event);
    case 'advisory-published':
    case 'advisory-changed':
      state.advisories.set(event.advisory!, event);
      return;
    case 'advisory-withdrawn':
      state.advisories.delete(event.advisory!);
      return;
    case 'deprecated':
    case 'restored':
      return applyVerdict(release ? [release] : listVersions(state, event.line ?? ''), event);
    case 'withdrawn':
    case 'relisted':
      if (release) {
        applyPresence(release, event);
      }
      return;
    case 'excluded':
    case 'included':
      if (release) {
        release.isListed = event.type === 'included';
      }
      return;
    case 'republished':
      if (release) {
        release.republished = `${event.from} ${event.to}`;
      }
      return;
    case 'corrected':
      if (release) {
        applyCorrection(release, event);
      }
      return;
  }
}

/** The versions of a release line that the definition admits. */
export function listVersions(state: JournalState, line: string): VersionState[] {
  return [...state.versions.values()].filter(
    (version) => version.isListed && version.values.line === line,
  );
}

function createVersionState(event: DraftEvent): VersionState {
  const { line, on: releaseTimestamp, timestampKind = 'published', url: changelogUrl } = event;
  const isPrerelease = String(event.isPrerelease ?? false);
  const values = dropUndefined({
    line,
    releaseTimestamp,
    timestampKind,
    changelogUrl,
    isPrerelease,
  });
  return { values, isListed: true, isWithdrawn: false };
}

/** A withdrawn release is deprecated, without an event of its own. */
function applyPresence(release: VersionState, { type }: DraftEvent): void {
  release.isWithdrawn = type === 'withdrawn';

  if (release.isWithdrawn) {
    release.verdict ??= { rule: 'withdrawn' };
  } else if (release.verdict?.rule === 'withdrawn') {
    delete release.verdict;
  }
}

function applyVerdict(
  releases: readonly VersionState[],
  { type, version, rule, reason }: DraftEvent,
): void {
  for (const release of releases) {
    if (type === 'restored') {
      delete release.verdict;
    } else if (version !== undefined || release.verdict === undefined) {
      // Releases of a deprecated line that were deprecated before keep their reason.
      release.verdict = { rule, reason };
    }
  }
}

function applyCorrection({ values }: VersionState, { field, to, timestampKind }: DraftEvent): void {
  assign(values, field!, to);
  if (field === 'releaseTimestamp') {
    values.timestampKind = timestampKind ?? 'published';
  }
}

function applyEnd(state: JournalState, event: DraftEvent): void {
  const { type, line, phase = onlyPhase, days, to, toAtMost } = event;
  const key = createEndKey(event);
  const end = state.ends.get(key) ?? { line: line!, phase, isEnded: false };
  state.ends.set(key, end);
  assign(end, 'phases', event.phases);

  if (type === 'support-ended') {
    end.isEnded = true;
  } else if (type === 'support-ending') {
    assign(end, 'daysAnnounced', days);
  } else {
    const day = to ?? toAtMost;
    if (day !== (end.until ?? end.untilAtMost)) {
      assign(end, 'statedSince', day && event.on);
    }

    // A changed end is announced again.
    end.isEnded = false;
    delete end.daysAnnounced;
    assign(end, 'until', to);
    assign(end, 'untilAtMost', toAtMost);
  }
}

function assign<T, K extends keyof T>(state: T, key: K, value: T[K] | undefined): void {
  if (value === undefined) {
    delete state[key];
  } else {
    state[key] = value;
  }
}
