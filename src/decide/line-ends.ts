import { addMonths, type Day } from '../core/model/dates.ts';
import { hasEnded, lastFreePhase, onlyPhase } from '../core/model/phases.ts';
import type { PublishedEnd } from '../core/schemas/published/details-file.ts';
import { countedInWords, defined } from '../core/text/text.ts';
import { phaseLabel, rangeInWords } from '../core/model/words.ts';
import type { Component } from './component.ts';
import { endKey, statedEnd, type DraftEvent } from './fold-journal.ts';

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

/** By `endKey`. Moving an end to a later day starts no new notice: readers were prepared for the earlier day. */
function statedEnds(events: readonly EndEvent[]): Map<string, StatedEnd> {
  const ends = new Map<string, StatedEnd>();

  for (const event of events) {
    const { type, on, initial } = event;
    const { from, atMost } = statedEnd(event);
    const to = from ?? atMost;
    const key = endKey(event);
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
    const started = initial ? undefined : on;

    ends.set(key, { event, to, since: on, noticeSince: isLater ? end.noticeSince : started });
  }

  return ends;
}

/** The ends of lines that end together, in words. `anchors`: one of each line. */
interface EndInWords {
  readonly anchors: readonly string[];
  readonly text: string;
}

/** An end, past or future. */
interface LineEnd extends Pick<PublishedEnd, 'line' | 'phase'> {
  /** Its place on the page of the component, which has only the newest lines. */
  readonly anchor: string;
  /** Its last day: exact, or the earliest possible one. */
  readonly on?: Day | undefined;
  readonly onAtMost?: Day | undefined;
  readonly statedSince?: Day | undefined;
}

interface EndOfLine {
  readonly end: LineEnd;
  /** `with support`, or `of phase active`. */
  readonly relation: string;
}

/** Since when the journal states the present ends of a component's release lines; the oldest line first. */
export function lineEnds(component: Component): PublishedEnd[] {
  return endsOfLines(component)
    .map(({ end: { line, phase, statedSince } }) =>
      statedSince === undefined ? undefined : defined({ line, phase, statedSince }),
    )
    .filter((value) => value !== undefined);
}

/**
 * Every known end of some lines in words, past and future, once for lines that end together. `subject`: the name of all of them.
 * Independent of the day.
 */
export function openEndsInWords(
  component: Component,
): (lines: ReadonlySet<string>, subject: string) => EndInWords[] {
  const all = endsOfLines(component);

  return (lines, subject) => {
    const ends = all.filter(({ end }) => lines.has(end.line));
    const byPhase = Map.groupBy(ends, ({ relation }) => relation);

    return Array.from(byPhase.values(), (of) => ({
      anchors: of.map(({ end }) => end.anchor),
      text: announcement(of, subject),
    }));
  };
}

function endsOfLines(component: Component): EndOfLine[] {
  const { lines } = component.judgement;
  const announcedEnds = statedEnds(component.journal);

  return lines.flatMap(({ name: line, phases }) => {
    const free = lastFreePhase(phases);

    return phases
      .map((phase) => {
        const { name, until, untilAtMost } = phase;
        const on = until ?? untilAtMost;
        if (on === undefined) {
          return undefined;
        }

        const announced = announcedEnds.get(endKey({ line, phase: name }));

        const end = defined({
          anchor: phase === free ? `end-${line}` : `end-${line}-${name}`,
          line,
          phase: phases.length > 1 ? name : undefined,
          on: until,
          onAtMost: untilAtMost,
          statedSince: announced?.to === on ? announced.since : undefined,
        });

        const relation = phase === free ? 'with support' : `of phase ${phaseLabel(phase)}`;

        return { end, relation };
      })
      .filter((value) => value !== undefined);
  });
}

/** The day of ends that are the same, and since when all of them were stated. */
function announcement(ends: readonly EndOfLine[], subject: string): string {
  const [{ end, relation }] = ends as [EndOfLine, ...EndOfLine[]];
  const { on, onAtMost, statedSince } = end;
  const day = rangeInWords({ from: on, atMost: onAtMost });
  const isStatedAtOnce =
    statedSince !== undefined && ends.every((other) => other.end.statedSince === statedSince);
  const since = isStatedAtOnce ? ` Stated here since ${statedSince}.` : '';

  return `Last day ${relation} of ${subject}: ${day}.${since}`;
}

/**
 * Describes each end that was announced, or moved to an earlier day, with less notice than the definition promises. `events`:
 * the journal, and the events that the next run would record on `day`. Omits past ends, unless stated on that day.
 */
export function shortNotices(
  { definition: { notice } }: Pick<Component, 'definition'>,
  events: readonly EndEvent[],
  day: Day,
): string[] {
  if (!notice) {
    return [];
  }

  return Array.from(statedEnds(events).values())
    .map(({ event, to, noticeSince }) => {
      if (noticeSince === undefined || to >= addMonths(noticeSince, notice.months)) {
        return undefined;
      }

      if (hasEnded({ until: to }, day) && noticeSince !== day) {
        return undefined;
      }

      const { phase = onlyPhase, line } = event;
      const subject = phase === onlyPhase ? 'support' : `phase ${phase}`;
      const promised = countedInWords(notice.months, 'month');

      return `${line}: the end of ${subject} on ${to} was stated on ${noticeSince}, less than ${promised} before`;
    })
    .filter((value) => value !== undefined);
}
