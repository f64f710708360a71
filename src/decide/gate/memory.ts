import { addDays, dayOf, type Day } from '../../core/dates.ts';
import type { JournalEvent } from '../../core/schemas/journal.ts';
import { applyEvent, foldJournal, type JournalState } from '../journal/fold-journal.ts';

/** A component's recent journal: slow losses add up. */
export interface Memory {
  /** The current state in the journal. */
  readonly said: JournalState;
  /** The state at the beginning of a period, and every version in use at some time since. */
  recall(days: number): Period;
  /** The versions that were withdrawn, excluded, deprecated or called a prerelease in the last days. */
  recentFalls(days: number): readonly string[];
  /** Whether an advisory entered the index in the last days. */
  isNew(advisory: string, days: number): boolean;
}

export interface Period {
  /** Its first day, or the day the component entered the index. */
  readonly from: Day;
  readonly start: JournalState;
  readonly inUse: ReadonlySet<string>;
}

/** `acceptedOn`: the day a person last accepted a change, which resets the look-back. */
export function remember(events: readonly JournalEvent[], day: Day, acceptedOn: Day = ''): Memory {
  const periods = new Map<number, Period>();
  const since = (days: number) => {
    const from = addDays(day, -days);
    return from > acceptedOn ? from : acceptedOn;
  };
  return {
    said: foldJournal(events),
    recall(days) {
      const known = periods.get(days) ?? readPeriod(events, since(days));
      periods.set(days, known);
      return known;
    },
    recentFalls(days) {
      const falls = events.filter((event) => isFall(event) && dayOf(event.at) > since(days));
      return [...new Set(falls.flatMap(({ version }) => version ?? []))];
    },
    isNew: (advisory, days) =>
      events.every((event) => event.advisory !== advisory || dayOf(event.at) > addDays(day, -days)),
  };
}

function isFall({ type, field, to, rule, initial }: JournalEvent): boolean {
  if (initial || rule === 'support policy') {
    return false;
  }
  if (type === 'corrected') {
    return field === 'isPrerelease' && to === 'true';
  }
  return type === 'deprecated' || type === 'withdrawn' || type === 'excluded';
}

/** For a component that entered within the period, the state it entered with. */
function readPeriod(events: readonly JournalEvent[], from: Day): Period {
  const isBefore = ({ at, initial }: JournalEvent) => initial === true || dayOf(at) <= from;
  const start = foldJournal(events.filter(isBefore));
  const state = structuredClone(start);
  const inUse = new Set<string>();
  const note = () => {
    for (const [version, { isListed, verdict }] of state.versions) {
      if (isListed && verdict === undefined) {
        inUse.add(version);
      }
    }
  };
  note();
  for (const event of events) {
    if (isBefore(event)) {
      continue;
    }
    applyEvent(state, event);
    if (['released', 'restored', 'included'].includes(event.type)) {
      note();
    }
  }
  const entered = dayOf(events[0]?.at ?? from);
  return { from: entered > from ? entered : from, start, inUse };
}
