import { addMonths, oldestFirst, type Day } from '../core/model/dates.ts';
import { dropUndefined } from '../core/model/objects.ts';
import { hasEnded, findLastFreePhase, onlyPhase, listIfSeveral } from '../core/model/phases.ts';
import type { PublishedEnd } from '../core/schemas/published/details-file.ts';
import { spellOutCount } from '../core/text/wording.ts';
import {
  findKnownEnd,
  type Component,
  type ComponentSummary,
  type LineSummary,
} from './component.ts';
import { createEndKey, readEnd, type DraftEvent } from './fold-journal.ts';

type EndEvent = DraftEvent & { readonly initial?: true | undefined };

/** The end of a phase of a release line, as the journal states it. */
interface StatedEnd {
  readonly event: EndEvent;
  readonly to: Day;
  /** The day on which the journal first stated it. */
  readonly since: Day;
  /** The day since which readers could know that support ends by then; absent if older than the journal. */
  readonly noticeSince?: Day | undefined;
}

/** By `createEndKey`. Moving an end to a later day starts no new notice: readers were prepared for the earlier day. */
function collectStatedEnds(events: readonly EndEvent[]): Map<string, StatedEnd> {
  const ends = new Map<string, StatedEnd>();

  for (const event of events) {
    const { type, on, initial } = event;
    const { from, atMost } = readEnd(event);
    const to = from ?? atMost;
    const key = createEndKey(event);
    const end = ends.get(key);
    if (type === 'support-dropped') {
      ends.delete(key);
    }

    if (
      (type !== 'support-announced' && type !== 'support-moved') ||
      to === undefined ||
      to === end?.to
    ) {
      continue;
    }

    const isLater = end !== undefined && to > end.to;
    const noticeStart = initial ? undefined : on;
    ends.set(key, { event, to, since: on, noticeSince: isLater ? end.noticeSince : noticeStart });
  }

  return ends;
}

/** Since when the journal states the present ends of a component's release lines; the oldest line first. */
export function listLineEnds({ judgement, journal }: Pick<Component, 'judgement' | 'journal'>) {
  const statedEnds = collectStatedEnds(journal);
  const ends: PublishedEnd[] = [];
  for (const { name: line, phases } of judgement.lines) {
    for (const { name, until, untilAtMost } of phases) {
      const end = statedEnds.get(createEndKey({ line, phase: name }));
      if (end && end.to === (until ?? untilAtMost)) {
        const phase = phases.length > 1 ? name : undefined;
        ends.push(dropUndefined({ line, phase, statedSince: end.since }));
      }
    }
  }

  return ends;
}

/**
 * Describes each end that was announced, or moved to an earlier day, with less notice than the definition promises. `events`:
 * the journal, and the events that the next run would record on `day`. Omits past ends, unless stated on that day.
 */
export function describeShortNotices(
  { definition: { notice } }: Pick<Component, 'definition'>,
  events: readonly EndEvent[],
  day: Day,
): string[] {
  if (!notice) {
    return [];
  }

  const promised = spellOutCount(notice.months, 'month');
  const notices: string[] = [];
  for (const { event, to, noticeSince } of collectStatedEnds(events).values()) {
    const isShort = noticeSince !== undefined && to < addMonths(noticeSince, notice.months);
    const isPast = hasEnded({ until: to }, day) && noticeSince !== day;
    if (isShort && !isPast) {
      const { phase = onlyPhase, line } = event;
      const subject = phase === onlyPhase ? 'support' : `phase ${phase}`;
      notices.push(
        `${line}: the end of ${subject} on ${to} was stated on ${noticeSince}, less than ${promised} before`,
      );
    }
  }
  return notices;
}

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
  /** Support of the whole component has ended. */
  readonly isOfAll: boolean;
}

const endsBySummaries = new WeakMap<readonly ComponentSummary[], EndOfSupport[]>();

/** Every known end of support, past and future, by day and component. */
export function listEndsOfSupport(summaries: readonly ComponentSummary[]): readonly EndOfSupport[] {
  const cached = endsBySummaries.get(summaries);
  if (cached) {
    return cached;
  }

  const ends = summaries.flatMap(listEnds).sort((a, b) => oldestFirst(a.day, b.day));
  endsBySummaries.set(summaries, ends);
  return ends;
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
  const { definition, lines } = component;
  const linesWithEnd = lines.filter((line) => findKnownEnd(line) !== undefined);
  const byEnd = Map.groupBy(linesWithEnd, (line) => JSON.stringify(describeLineEnd(line)));

  return Array.from(byEnd.values(), (group) => ({
    ...describeLineEnd(group[0]),
    component,
    lines: group,
    newest: group.at(-1)!,
    isOfAll: definition.support?.policy === 'ended',
  }));
}

function describeLineEnd(line: LineSummary): Pick<EndOfSupport, 'day' | 'atMost' | 'phase'> {
  return {
    day: findKnownEnd(line)!,
    atMost: findLastFreePhase(line.phases)?.untilAtMost,
    phase: findLastFreePhase(listIfSeveral(line.phases))?.name,
  };
}
