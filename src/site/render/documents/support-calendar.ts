import {
  describeSupportEnd,
  writeCalendar,
  type CalendarEvent,
} from '../../../ask/plan/write-calendar.ts';
import { addMonths, startOfQuarter, type Day } from '../../../core/model/dates.ts';
import { findLastFreePhase } from '../../../core/model/phases.ts';
import { describePhaseName, describeDayRange } from '../../../core/model/words.ts';
import { formatList } from '../../../core/text/wording.ts';
import { nameInIds, type Component } from '../../../decide/component.ts';
import type { JudgedLine } from '../../../decide/judge.ts';
import { findLineMoveOn, describeTarget } from '../../../decide/moves.ts';
import { describePolicy } from '../../../decide/policy-sentences.ts';
import { nameAuthority, createPageUrl } from '../addresses.ts';
import type { SiteContext } from '../site-context.ts';

/** Months before the present quarter whose events are kept. */
const monthsBack = 12;
const maxNames = 3;

/** `support.ics`, or `calendars/<component>.ics`. `title`: of the index or the component. */
export function renderCalendar(
  path: string,
  title: string,
  events: readonly CalendarEvent[],
  { config, baseUrl }: SiteContext,
): string {
  const head = {
    title: `${title}: ends of support`,
    producer: config.title,
    source: `${baseUrl}/${path}`,
  };
  return writeCalendar(head, events);
}

/** One event for each day and reason: lines that end together share an event, and each due fix has its own. */
export function listSupportEvents(component: Component, site: SiteContext): CalendarEvent[] {
  const { lines, advisories, day } = component.judgement;
  const oldest = addMonths(startOfQuarter(day), -monthsBack);

  const ends = listEnds(lines, oldest);
  const groups = Map.groupBy(ends, (end) =>
    [end.day, end.phase.untilAtMost, end.isOfSupport, end.phaseName].join(' '),
  );
  const events = Array.from(groups.values(), (group) => createEndEvent(group, component, site));

  for (const { id, dueBy } of advisories) {
    if (dueBy !== undefined && dueBy >= oldest) {
      const page = createPageUrl(site, component.name);
      events.push({
        uid: createUid(id, component, site),
        stamp: dueBy,
        day: dueBy,
        summary: `${component.definition.title}: fix of ${id} due`,
        description: page,
        url: page,
      });
    }
  }

  return events;
}

/** The end of a phase of a line. */
interface PhaseEnd {
  readonly line: JudgedLine;
  readonly phase: JudgedLine['phases'][number];
  readonly day: Day;
  /** Whether it is also the end of free support. */
  readonly isOfSupport: boolean;
  /** Empty if the line has no other phase. */
  readonly phaseName: string;
}

function listEnds(lines: readonly JudgedLine[], oldest: Day): PhaseEnd[] {
  const ends: PhaseEnd[] = [];
  for (const line of lines) {
    const lastFreePhase = findLastFreePhase(line.phases);
    for (const phase of line.phases) {
      const day = phase.until ?? phase.untilAtMost;
      if (day !== undefined && day >= oldest) {
        const phaseName = line.phases.length > 1 ? describePhaseName(phase) : '';
        ends.push({ line, phase, day, isOfSupport: phase === lastFreePhase, phaseName });
      }
    }
  }
  return ends;
}

/** `group`: ends of the same phase on the same day, the oldest line first. */
function createEndEvent(
  group: readonly [PhaseEnd, ...PhaseEnd[]],
  component: Component,
  site: SiteContext,
): CalendarEvent {
  const { title, support } = component.definition;
  const [oldest] = group;
  const { line, day, isOfSupport } = oldest;
  const newest = group.at(-1) ?? oldest;
  const move = isOfSupport ? describeMoveOn(component, newest.line, day) : '';
  const page = createPageUrl(site, component.name);

  const names = group.map((end) => end.line.name);
  const summary = `${title} ${formatList(names, maxNames)}: ${describeEnd(oldest)}`;
  const sentences = [describeLastDay(oldest), move && `${move}.`, describePolicy(support)];

  return {
    uid: createUid(`${line.name}/${nameEnd(oldest)}`, component, site),
    stamp: line.began.from ?? line.began.atMost ?? day,
    day,
    summary: move === '' ? summary : `${summary}. ${move}`,
    description: `${sentences.filter(Boolean).join(' ')}\n${page}`,
    url: page,
  };
}

/** The name of an end in ids, which must never change. A phase before the last may be called `support` too. */
function nameEnd({ phase, isOfSupport }: PhaseEnd): string {
  if (isOfSupport) {
    return 'end-of-support';
  }

  return phase.name === 'support' ? 'end-of-phase/support' : `end-of-${phase.name}`;
}

/** `support ends`, `support ends, end of phase security`, `end of phase active`. */
function describeEnd({ phase, isOfSupport, phaseName }: PhaseEnd): string {
  const phaseEnd = phaseName === '' ? '' : `end of phase ${phaseName}`;
  return isOfSupport ? [describeSupportEnd(phase), phaseEnd].filter(Boolean).join(', ') : phaseEnd;
}

/** `Last day with support.`, `Last day of phase active (between 2026-10-01 and 2026-12-30).` */
function describeLastDay({ phase, isOfSupport }: PhaseEnd): string {
  const { until: from, untilAtMost: atMost } = phase;
  const subject = isOfSupport ? 'with support' : `of phase ${describePhaseName(phase)}`;
  const bounds = atMost === undefined ? '' : ` (${describeDayRange({ from, atMost })})`;
  return `Last day ${subject}${bounds}.`;
}

function createUid(subject: string, component: Component, site: SiteContext): string {
  return `${nameInIds(component)}/${subject}@${nameAuthority(site)}`;
}

/** The move on the day of an end; empty where there is none. */
function describeMoveOn(component: Component, line: JudgedLine, day: Day): string {
  const { moveTo } = findLineMoveOn(component, line, day);
  return moveTo ? `Move to ${describeTarget(component, moveTo)}` : '';
}
