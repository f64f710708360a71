import { addDays, dayOf, latestDay, type Day } from '../../../core/model/dates.ts';
import { onlyPhase } from '../../../core/model/phases.ts';
import type { JournalEvent } from '../../../core/schemas/recorded/journal.ts';
import { applyEvent, foldJournal, type JournalState } from '../../../decide/fold-journal.ts';

/** What the index said of a component within a period: slow losses add up. */
export interface Lookback {
  /** Its first day, or the day on which the component entered, or a person last accepted a change of it. */
  readonly from: Day;
  /** The versions that were in use at some time since. */
  readonly inUse: ReadonlyMap<string, EarlierRelease>;
  /** The ends of support by release line, as stated on the first day. */
  readonly ends: ReadonlyMap<string, Day>;
  /** The versions that somebody pulled, deprecated or left out, with the last day. */
  readonly fallen: ReadonlyMap<string, Day>;
}

interface EarlierRelease {
  readonly line: string;
  readonly isStable: boolean;
}

/** For a component that entered within the period, its first state is the one it entered with. */
export function lookBack(
  events: readonly JournalEvent[],
  day: Day,
  days: number,
  acceptedOn: Day,
): Lookback {
  const from = latestDay(addDays(day, -days), acceptedOn, dayOf(events[0]?.at ?? ''));
  const state = foldJournal(events.filter((event) => isUntil(event, from)));
  const ends = endsIn(state);

  const inUse = new Map<string, EarlierRelease>();
  const fallen = new Map<string, Day>();

  addInUse(state, inUse);

  for (const event of events.filter((one) => !isUntil(one, from))) {
    applyEvent(state, event);
    addInUse(state, inUse, event.version);

    if (event.version !== undefined && isFall(event)) {
      fallen.set(event.version, dayOf(event.at));
    }
  }

  return { from, inUse, ends, fallen };
}

function isUntil({ at, initial }: JournalEvent, day: Day): boolean {
  return initial === true || dayOf(at) <= day;
}

function isFall({ type, field, to, rule }: JournalEvent): boolean {
  if (type === 'corrected') {
    return field === 'isPrerelease' && to === 'true';
  }

  return ['withdrawn', 'excluded', 'deprecated'].includes(type) && rule !== 'support policy';
}

/** `only`: the version of an event, if it concerns one. */
function addInUse(
  { versions }: JournalState,
  inUse: Map<string, EarlierRelease>,
  only?: string,
): void {
  const changed = only === undefined ? versions.keys() : [only];
  for (const version of changed) {
    const { isListed = false, verdict, values = {} } = versions.get(version) ?? {};
    if (isListed && verdict === undefined) {
      inUse.set(version, { line: values.line ?? '', isStable: values.isPrerelease !== 'true' });
    }
  }
}

/** Support ends with the last phase that is not paid. */
function endsIn({ ends }: JournalState): Map<string, Day> {
  const byLine = new Map<string, Day>();

  for (const [key, { until, untilAtMost, phases }] of ends) {
    const [line = '', phase = onlyPhase] = key.split('/');
    const end = until ?? untilAtMost;
    const isPaid = phases?.some((label) => label === `${phase} (paid)`);
    if (end !== undefined && !isPaid && end > (byLine.get(line) ?? '')) {
      byLine.set(line, end);
    }
  }

  return byLine;
}
