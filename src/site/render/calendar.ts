import ical, { ICalEventTransparency, type ICalEventData } from 'ical-generator';
import { addDays, type Day } from '../../core/dates.ts';
import { lastFreePhase, phaseLabel } from '../../core/phases.ts';
import type { Definition } from '../../core/schemas/definition.ts';
import { nameInIds, type Component, type ComponentSummary } from '../../decide/component.ts';
import { describePolicy } from '../../decide/support.ts';
import type { JudgedLine } from '../../decide/judge.ts';
import { authorityOf, pageUrl } from './addresses.ts';
import type { SiteContext } from './site-context.ts';

/** `calendars/<component>.ics`. */
export function renderComponentCalendar(component: Component, site: SiteContext): string {
  const { name, definition, judgement } = component;
  const title = `${definition.title}: ends of support`;
  const events = eventsOf(site, { name, definition, lines: judgement.lines });
  return renderCalendar(site, `calendars/${name}.ics`, title, events);
}

/** `support.ics`: the events of all components. */
export function renderSiteCalendar(site: SiteContext, summaries: readonly ComponentSummary[]): string {
  const events = summaries.flatMap((summary) => eventsOf(site, summary));
  return renderCalendar(site, 'support.ics', `${site.config.title}: ends of support`, events);
}

/** The library needs many times the memory of its output, so that it gets this many events at a time. */
const eventsAtATime = 1000;

/** iCalendar, RFC 5545 and RFC 7986, to subscribe to. */
function renderCalendar(site: SiteContext, path: string, title: string, events: ICalEventData[]): string {
  const calendar = ical({
    prodId: `//${escapeText(site.config.title)}//Ends of support//EN`,
    scale: 'GREGORIAN',
    name: escapeText(title),
    source: `${site.baseUrl}/${path}`,
    ttl: 24 * 60 * 60,
  });
  if (events.length === 0) calendar.timezone({ name: 'Etc/UTC', generator: () => utc });
  const end = 'END:VCALENDAR';
  const texts = [calendar.toString().slice(0, -end.length)];
  for (let index = 0; index < events.length; index += eventsAtATime) {
    calendar.clear().events(events.slice(index, index + eventsAtATime));
    texts.push(calendar.toString().slice(texts[0]!.length, -end.length));
  }
  return `${texts.join('')}${end}\r\n`;
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

interface Supported {
  readonly name: string;
  readonly definition: Definition;
  readonly lines: readonly Pick<JudgedLine, 'name' | 'firstReleaseDay' | 'phases'>[];
}

/** Past ends stay: people also look back in a calendar. */
function eventsOf(site: SiteContext, { name, definition, lines }: Supported): ICalEventData[] {
  const page = pageUrl(site, name);
  const authority = authorityOf(site);
  return lines.flatMap(({ name: line, firstReleaseDay, phases }) =>
    phases.flatMap((phase) => {
      const { until, untilKind } = phase;
      if (until === undefined) return [];
      const isLastFree = phase === lastFreePhase(phases);
      const label = phases.length > 1 ? `end of phase ${phaseLabel(phase)}` : '';
      const words = isLastFree ? [`${line} is no longer supported`, label] : [line, label];
      const first = isLastFree ? 'First day without support' : `First day after phase ${phaseLabel(phase)}`;
      const isObserved = untilKind === 'observed';
      return {
        id: `${nameInIds({ name, definition })}/${line}/end-of-${isLastFree ? 'support' : phase.name}@${authority}`,
        // The first day of the line instead of the clock, so that the same data give the same bytes.
        stamp: dateOf(firstReleaseDay ?? until),
        start: dateOf(until),
        end: dateOf(addDays(until, 1)),
        allDay: true,
        summary: printable(
          `${definition.title} ${words.filter(Boolean).join(': ')}${isObserved ? ' by now' : ''}`,
        ),
        description: printable(
          // As of the day of the event, so that it reads the same on every day.
          `${first}${isObserved ? ', no later than that' : ''}. ${describePolicy(definition.support, until)}\n${page}`,
        ),
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
