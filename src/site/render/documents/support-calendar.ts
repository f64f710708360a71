import { writeCalendar, type CalendarEvent } from '../../../ask/server/formats/write-calendar.ts';
import { addMonths, startOfQuarter, type Day } from '../../../core/model/dates.ts';
import { findLastFreePhase } from '../../../core/model/phases.ts';
import { describePhaseName, describeDayRange, type DayRange } from '../../../core/model/words.ts';
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

/** `calendars/<component>.ics`. */
export function renderComponentCalendar(
  component: Component,
  site: SiteContext,
  events = listSupportEvents(component, site),
): string {
  const { name, definition } = component;
  return renderCalendar(site, `calendars/${name}.ics`, definition.title, events);
}

/** `support.ics`: the events of all components. */
export function renderSiteCalendar(site: SiteContext, events: readonly CalendarEvent[]): string {
  return renderCalendar(site, 'support.ics', site.config.title, events);
}

function renderCalendar(
  site: SiteContext,
  path: string,
  title: string,
  events: readonly CalendarEvent[],
): string {
  const head = {
    title: `${title}: ends of support`,
    producer: site.config.title,
    source: `${site.baseUrl}/${path}`,
  };
  return writeCalendar(head, events);
}

/** One event for each day and reason: lines that end together share an event, and each due fix has its own. */
export function listSupportEvents(component: Component, site: SiteContext): CalendarEvent[] {
  const { name, definition, judgement } = component;
  const page = createPageUrl(site, name);
  const oldest = addMonths(startOfQuarter(judgement.day), -monthsBack);

  const ends = judgement.lines.flatMap((line) =>
    line.phases
      .map((phase) => {
        const { until: from, untilAtMost: atMost } = phase;
        const day = from ?? atMost;
        if (day === undefined || day < oldest) {
          return undefined;
        }

        const isLastFree = phase === findLastFreePhase(line.phases);
        const label = line.phases.length > 1 ? `end of phase ${describePhaseName(phase)}` : '';
        return { line, phase, day, from, atMost, isLastFree, label };
      })
      .filter((value) => value !== undefined),
  );

  const groups = Map.groupBy(ends, ({ day, atMost, isLastFree, label }) =>
    [day, atMost, isLastFree, label].join(' '),
  );

  const events = Array.from(groups.values(), (group): CalendarEvent => {
    const [{ line, phase, day, from, atMost, isLastFree, label }] = group;
    const lines = group.map((end) => end.line.name);
    const names = formatList(lines, maxNames);
    const words = isLastFree ? [chooseVerb({ from, atMost }), label] : [label];
    const heading = isLastFree
      ? 'Last day with support'
      : `Last day of phase ${describePhaseName(phase)}`;
    const bounds = atMost === undefined ? '' : ` (${describeDayRange({ from, atMost })})`;
    const goal = isLastFree ? describeGoal(component, group.at(-1)!.line, day) : '';

    return {
      uid: `${nameInIds(component)}/${line.name}/end-of-${isLastFree ? 'support' : phase.name}@${nameAuthority(site)}`,
      stamp: line.began.from ?? line.began.atMost ?? day,
      day,
      summary: `${definition.title} ${names}: ${words.filter(Boolean).join(', ')}${goal && `. ${goal}`}`,
      description: `${heading}${bounds}. ${goal && `${goal}. `}${describePolicy(definition.support)}\n${page}`,
      url: page,
    };
  });

  for (const { id, dueBy: day = '' } of judgement.advisories) {
    if (day >= oldest) {
      events.push({
        uid: `${nameInIds(component)}/${id}@${nameAuthority(site)}`,
        stamp: day,
        day,
        summary: `${definition.title}: fix of ${id} due`,
        description: page,
        url: page,
      });
    }
  }

  return events;
}

/** `from` and `atMost`: the range of the last day with support. */
function chooseVerb({ from, atMost }: DayRange): string {
  if (atMost === undefined) {
    return 'support ends';
  }

  return from === undefined ? 'support has ended by now' : 'support may end';
}

/** The move on the day of the end, where support ends then. */
function describeGoal(component: Component, line: JudgedLine, day: Day): string {
  const { moveTo } = findLineMoveOn(component, line, day);
  return moveTo ? `Move to ${describeTarget(component, moveTo)}` : '';
}
