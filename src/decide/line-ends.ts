import { addMonths, type Day } from '../core/dates.ts';
import { lastFreePhase, onlyPhase } from '../core/phases.ts';
import type { PublishedEnd } from '../core/schemas/published/details-file.ts';
import { countedInWords, defined } from '../core/text.ts';
import { phaseLabel, rangeInWords } from '../core/words.ts';
import type { Component } from './component.ts';
import { newestRelease } from './lines.ts';
import { endKey, statedEnd, type DraftEvent } from './journal/fold-journal.ts';

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
    const known = ends.get(key);
    if (type === 'support-dropped') {
      ends.delete(key);
    }
    if (
      (type !== 'support-announced' && type !== 'support-moved') ||
      to === undefined ||
      to === known?.to
    ) {
      continue;
    }
    const isLater = known !== undefined && to > known.to;
    const started = initial ? undefined : on;
    ends.set(key, { event, to, since: on, noticeSince: isLater ? known.noticeSince : started });
  }
  return ends;
}

/** Every known end of a component's release lines, past and future; the oldest line first. Independent of the day. */
export function lineEnds(component: Component): PublishedEnd[] {
  const { lines } = component.judgement;
  const stated = statedEnds(component.journal);
  const moveFrom = successors(component);
  return lines.flatMap(({ name: line, phases, releases }) => {
    const free = lastFreePhase(phases);
    const { version: lastRelease, releaseDay, timestampKind } = newestRelease(releases);
    return phases.flatMap((phase) => {
      const { name, until, untilAtMost } = phase;
      const on = until ?? untilAtMost;
      if (on === undefined) {
        return [];
      }
      const known = stated.get(endKey({ line, phase: name }));
      const end = defined({
        anchor: phase === free ? `end-${line}` : `end-${line}-${name}`,
        line,
        phase: phases.length > 1 ? name : undefined,
        on: until,
        onAtMost: untilAtMost,
        statedSince: known?.to === on ? known.since : undefined,
        lastRelease,
        lastReleaseDate: timestampKind === 'observed' ? undefined : releaseDay,
        moveTo: moveFrom(line, on, phase === free),
      });
      const what = phase === free ? 'without support' : `after phase ${phaseLabel(phase)}`;
      return { ...end, text: endSentences(end, what, component.name) };
    });
  });
}

function endSentences(
  {
    line,
    on,
    onAtMost,
    statedSince,
    lastRelease,
    lastReleaseDate,
    moveTo,
  }: Omit<PublishedEnd, 'text'>,
  what: string,
  component: string,
): string {
  const dated = lastReleaseDate === undefined ? '' : ` of ${lastReleaseDate}`;
  const { component: other = component, version = '' } = moveTo ?? {};
  const successor = other === component ? version : `${other} ${version}`.trim();
  return [
    `First day ${what} of ${line}: ${rangeInWords({ from: on, atMost: onAtMost })}.`,
    ...(statedSince === undefined ? [] : [`Stated here since ${statedSince}.`]),
    `Its latest release: ${lastRelease}${dated}.`,
    successor === '' ? 'There is nothing later to move to yet.' : `Move to ${successor}.`,
  ].join(' ');
}

/**
 * The release to move to at an end of a line: the greatest sound release of a later line that outlives it, preferably without a
 * known vulnerability. At the end of support, an older line is possible, too. Otherwise the replacing component.
 */
function successors({ name, judgement, definition }: Component) {
  const sound = judgement.lines
    .flatMap(({ phases, reason, releases }, place) => {
      const { until, untilAtMost, isOver } = lastFreePhase(phases) ?? {};
      const lasting =
        isOver || (until === undefined && untilAtMost !== undefined) ? '' : (until ?? '9999-12-31');
      const end = reason?.from !== undefined && reason.from < lasting ? reason.from : lasting;
      return releases.map(({ version, advisories, isPrerelease, reasons }) => {
        return { version, advisories, isSound: !isPrerelease && reasons.length === 0, end, place };
      });
    })
    .filter(({ isSound }) => isSound);
  const { replacedBy } = definition;
  return (line: string, end: Day, isOfSupport: boolean): PublishedEnd['moveTo'] => {
    const own = judgement.lines.findIndex((each) => each.name === line);
    const serves = (release: (typeof sound)[number]) =>
      release.end > end && (release.place > own || (isOfSupport && release.place < own));
    const best =
      sound.findLast((release) => serves(release) && release.advisories.length === 0) ??
      sound.findLast(serves);
    if (best) {
      return { component: name, version: best.version };
    }
    return replacedBy === undefined ? undefined : { component: replacedBy };
  };
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
  return Array.from(statedEnds(events).values()).flatMap(({ event, to, noticeSince }) => {
    if (noticeSince === undefined || to >= addMonths(noticeSince, notice.months)) {
      return [];
    }
    if (to <= day && noticeSince !== day) {
      return [];
    }
    const { phase = onlyPhase, line } = event;
    const what = phase === onlyPhase ? 'support' : `phase ${phase}`;
    const promised = countedInWords(notice.months, 'month');
    return `${line}: the end of ${what} on ${to} was stated on ${noticeSince}, less than ${promised} before`;
  });
}
