import { addMonths, type Day } from '../core/model/dates.ts';
import { dropUndefined } from '../core/model/objects.ts';
import { hasEnded, onlyPhase } from '../core/model/phases.ts';
import type { PublishedEnd } from '../core/schemas/published/details-file.ts';
import { spellOutCount } from '../core/text/wording.ts';
import type { Component } from './component.ts';
import { createEndKey, type DraftEvent } from './fold-journal.ts';

type EndEvent = DraftEvent & { readonly initial?: true | undefined };

/** The end of a phase of a release line, as the journal states it. */
interface StatedEnd {
  readonly event: EndEvent;
  /** The last day of the phase: exact, or the earliest possible one, else the latest. */
  readonly day: Day;
  /** The day on which the journal first stated it. */
  readonly since: Day;
  /** The day since which readers could know that the phase ends by `day`; absent if older than the journal. */
  readonly noticeSince?: Day | undefined;
}

/** The last stated ends, by `createEndKey`. */
function collectStatedEnds(events: readonly EndEvent[]): Map<string, StatedEnd> {
  const ends = new Map<string, StatedEnd>();

  for (const event of events) {
    const key = createEndKey(event);
    const former = ends.get(key);
    if (event.type === 'support-dropped') {
      ends.delete(key);
    } else if (event.type === 'support-announced' || event.type === 'support-moved') {
      const day = event.to ?? event.toAtMost;
      if (day !== undefined && day !== former?.day) {
        ends.set(key, replaceEnd(former, event, day));
      }
    }
  }

  return ends;
}

/** Moving an end to a later day starts no new notice: readers were prepared for the earlier day. */
function replaceEnd(former: StatedEnd | undefined, event: EndEvent, day: Day): StatedEnd {
  const { on, initial } = event;
  if (former !== undefined && day > former.day) {
    return { event, day, since: on, noticeSince: former.noticeSince };
  }

  return { event, day, since: on, noticeSince: initial ? undefined : on };
}

/** Lists the present ends of a component's release lines, each with the day since which the journal states it; the oldest line first. */
export function listPublishedEnds({
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
 * the journal, and the events that the next run would record on `today`. Omits past ends, unless their notice begins today.
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
        `${line}: readers know only since ${noticeSince} that ${subject} ends by ${day}, less than ${promised} before`,
      );
    }
  }
  return notices;
}
