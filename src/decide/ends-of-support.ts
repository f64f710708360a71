import { oldestFirst, addMonths, type Day } from '../core/model/dates.ts';
import { dropUndefined } from '../core/model/objects.ts';
import { hasEnded, findLastFreePhase, onlyPhase } from '../core/model/phases.ts';
import type { PublishedEnd } from '../core/schemas/published/details-file.ts';
import { spellOutCount } from '../core/text/wording.ts';
import {
  findKnownEnd,
  type ComponentSummary,
  type LineSummary,
  type Component,
} from './component.ts';
import { createEndKey, readEnd, type DraftEvent } from './fold-journal.ts';

/** The end of support of one release line, or of several lines of a component that end together. */
export interface EndOfSupport {
  /** The last day with support, exact or the earliest possible one. */
  readonly day: Day;
  readonly component: ComponentSummary;
  /** Oldest first. */
  readonly lines: readonly [LineSummary, ...LineSummary[]];
  readonly newest: LineSummary;
  /** The latest possible day, if the exact day is unknown. */
  readonly atMost?: Day | undefined;
  /** The last phase of support, if the lines have several. */
  readonly phase?: string | undefined;
  /** Whether support of the whole component ends with it. */
  readonly isOfAll: boolean;
}

/** Every known end of support, past and future, by day and component. */
export function listEndsOfSupport(summaries: readonly ComponentSummary[]): EndOfSupport[] {
  return summaries.flatMap(listEnds).sort((a, b) => oldestFirst(a.day, b.day));
}

/** The next end of a part of a component. */
export function findNextEnd(
  summaries: readonly ComponentSummary[],
  day: Day,
): EndOfSupport | undefined {
  return listEndsOfSupport(summaries).find(
    (end) => !hasEnded({ until: end.day }, day) && !end.isOfAll,
  );
}

function listEnds(component: ComponentSummary): EndOfSupport[] {
  const byEnd = Map.groupBy(component.lines, (line) => JSON.stringify(findLineEnd(line)));
  const ends: EndOfSupport[] = [];
  for (const lines of byEnd.values()) {
    const [oldest] = lines;
    const end = findLineEnd(oldest);
    if (end) {
      const isOfAll = component.definition.support?.policy === 'ended';
      ends.push({ ...end, component, lines, newest: lines.at(-1) ?? oldest, isOfAll });
    }
  }
  return ends;
}

/** What lines that end together have in common; undefined if no end is known. */
function findLineEnd({
  phases,
}: LineSummary): Pick<EndOfSupport, 'day' | 'atMost' | 'phase'> | undefined {
  const day = findKnownEnd({ phases });
  const { untilAtMost: atMost, name } = findLastFreePhase(phases) ?? {};
  return day === undefined
    ? undefined
    : { day, atMost, phase: phases.length > 1 ? name : undefined };
}

type EndEvent = DraftEvent & { readonly initial?: true | undefined };

/** The end of a phase of a release line, as the journal states it. */
interface StatedEnd {
  readonly event: EndEvent;
  /** The last day of the phase: exact, or the earliest possible one, else the latest. */
  readonly day: Day;
  /** The day on which the journal first stated it. */
  readonly since: Day;
  /** The day since which readers could know that support ends by then; absent if older than the journal. */
  readonly noticeSince?: Day | undefined;
}

/** The last stated ends, by `createEndKey`. */
function collectStatedEnds(events: readonly EndEvent[]): Map<string, StatedEnd> {
  const ends = new Map<string, StatedEnd>();

  for (const event of events) {
    const key = createEndKey(event);
    const lastEnd = ends.get(key);
    switch (event.type) {
      case 'support-dropped':
        ends.delete(key);
        break;
      case 'support-announced':
      case 'support-moved': {
        const { from, atMost } = readEnd(event);
        const day = from ?? atMost;
        if (day !== undefined && day !== lastEnd?.day) {
          ends.set(key, replaceEnd(lastEnd, event, day));
        }
      }
    }
  }

  return ends;
}

/** Moving an end to a later day starts no new notice: readers were prepared for the earlier day. */
function replaceEnd(stated: StatedEnd | undefined, event: EndEvent, day: Day): StatedEnd {
  const { on, initial } = event;
  const noticeStart = initial ? undefined : on;
  const isLater = stated !== undefined && day > stated.day;
  return { event, day, since: on, noticeSince: isLater ? stated.noticeSince : noticeStart };
}

/** Since when the journal states the present ends of a component's release lines; the oldest line first. */
export function listLineEnds({
  judgement,
  journal,
}: Pick<Component, 'judgement' | 'journal'>): PublishedEnd[] {
  const statedEnds = collectStatedEnds(journal);
  const ends: PublishedEnd[] = [];
  for (const { name: line, phases } of judgement.lines) {
    for (const { name, until, untilAtMost } of phases) {
      const end = statedEnds.get(createEndKey({ line, phase: name }));
      if (end && end.day === (until ?? untilAtMost)) {
        const phase = phases.length > 1 ? name : undefined;
        ends.push(dropUndefined({ line, phase, statedSince: end.since }));
      }
    }
  }

  return ends;
}

/**
 * Describes each end that was announced, or moved to an earlier day, with less notice than the definition promises. `events`:
 * the journal, and the events that the next run would record on `today`. Omits past ends, unless stated on that day.
 */
export function describeShortNotices(
  { definition: { notice } }: Pick<Component, 'definition'>,
  events: readonly EndEvent[],
  today: Day,
): string[] {
  if (!notice) {
    return [];
  }

  const promised = spellOutCount(notice.months, 'month');
  const notices: string[] = [];
  for (const { event, day, noticeSince } of collectStatedEnds(events).values()) {
    const isShort = noticeSince !== undefined && day < addMonths(noticeSince, notice.months);
    const isPast = hasEnded({ until: day }, today) && noticeSince !== today;
    if (isShort && !isPast) {
      const { phase = onlyPhase, line } = event;
      const subject = phase === onlyPhase ? 'support' : `phase ${phase}`;
      notices.push(
        `${line}: the end of ${subject} on ${day} was stated on ${noticeSince}, less than ${promised} before`,
      );
    }
  }
  return notices;
}
