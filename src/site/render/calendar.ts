import ical, { ICalEventTransparency, type ICalEventData } from 'ical-generator';
import { addDays, type Day } from '../../core/dates.ts';
import { lastFreePhase } from '../../core/phases.ts';
import { phaseLabel, rangeInWords } from '../../core/words.ts';
import { nameInIds, type Component } from '../../decide/component.ts';
import { describePolicy } from '../../decide/support.ts';
import { authorityOf, pageUrl } from './addresses.ts';
import type { SiteContext } from './site-context.ts';

/** `calendars/<component>.ics`. */
export function renderComponentCalendar(component: Component, site: SiteContext): string {
  const { name, definition } = component;
  const events = ical().events(eventsOf(component, site)).toString();
  return renderCalendar(
    site,
    `calendars/${name}.ics`,
    `${definition.title}: ends of support`,
    eventsIn(events),
  );
}

/** `support.ics`: the events of all calendars of components. */
export function renderSiteCalendar(site: SiteContext, calendars: readonly string[]): string {
  const title = `${site.config.title}: ends of support`;
  return renderCalendar(site, 'support.ics', title, calendars.map(eventsIn).join(''));
}

const end = 'END:VCALENDAR';

function eventsIn(calendar: string): string {
  // As a line of its own: a title may hold the same words.
  const [first] = /^BEGIN:VEVENT\r\n[^]*(?=END:VCALENDAR)/m.exec(calendar) ?? [''];
  return first;
}

/** iCalendar, RFC 5545 and RFC 7986, to subscribe to. `events`: their text. */
function renderCalendar(site: SiteContext, path: string, title: string, events: string): string {
  const calendar = ical({
    prodId: `//${escapeText(site.config.title)}//Ends of support//EN`,
    scale: 'GREGORIAN',
    name: escapeText(title),
    source: `${site.baseUrl}/${path}`,
    ttl: 24 * 60 * 60,
  });
  if (events === '') calendar.timezone({ name: 'Etc/UTC', generator: () => utc });
  return `${calendar.toString().slice(0, -end.length)}${events}${end}\r\n`;
}

/** A calendar must have a component (RFC 5545, 3.6), even if no end of support is known. */
const utc = [
  'BEGIN:VTIMEZONE',
  'TZID:Etc/UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
].join('\r\n');

/** Past ends stay: people also look back in a calendar. */
function eventsOf({ name, definition, judgement }: Component, site: SiteContext): ICalEventData[] {
  const page = pageUrl(site, name);
  const authority = authorityOf(site);
  return judgement.lines.flatMap(({ name: line, began, phases }) =>
    phases.flatMap((phase) => {
      const { until: from, untilAtMost: atMost } = phase;
      const until = from ?? atMost;
      if (until === undefined) return [];
      const isLastFree = phase === lastFreePhase(phases);
      const label = phases.length > 1 ? `end of phase ${phaseLabel(phase)}` : '';
      const isEarliest = from !== undefined && atMost !== undefined;
      const verb = isEarliest ? 'may no longer be' : 'is no longer';
      const words = isLastFree ? [`${line} ${verb} supported`, label] : [line, label];
      const first = isLastFree ? 'First day without support' : `First day after phase ${phaseLabel(phase)}`;
      const bounds = atMost === undefined ? '' : ` (${rangeInWords({ from, atMost })})`;
      const byNow = atMost !== undefined && !isEarliest ? ' by now' : '';
      return {
        id: `${nameInIds({ name, definition })}/${line}/end-of-${isLastFree ? 'support' : phase.name}@${authority}`,
        // The first day of the line instead of the clock, so that the same data give the same bytes.
        stamp: dateOf(began.from ?? began.atMost ?? until),
        start: dateOf(until),
        end: dateOf(addDays(until, 1)),
        allDay: true,
        summary: printable(`${definition.title} ${words.filter(Boolean).join(': ')}${byNow}`),
        description: printable(`${first}${bounds}. ${describePolicy(definition.support)}\n${page}`),
        url: page,
        transparency: ICalEventTransparency.TRANSPARENT,
      };
    }),
  );
}

function dateOf(day: Day): Date {
  return new Date(`${day}T00:00:00Z`);
}

/** A calendar must not contain control characters, line ends aside. */
function printable(text: string): string {
  return text.toWellFormed().replaceAll(/[^\P{Cc}\n]/gu, '');
}

/** A value of type TEXT (RFC 5545, 3.3.11); the library does not escape these. */
function escapeText(text: string): string {
  return printable(text)
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`);
}
