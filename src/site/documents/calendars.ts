/** Renders `support.ics` and `calendars/<component>.ics`: the last days with support, as iCalendar (RFC 5545, RFC 7986). */
import { addDays, type Day } from '../../core/day.ts';
import { markEstimated } from '../../core/phrases.ts';
import type { Component, Line } from '../../core/schema/published.ts';
import { formatList } from '../../core/text.ts';
import { describeTarget, groupByEnd, groupByPaidEnd } from '../descriptions.ts';
import type { Index } from '../load-index.ts';
import { nameInIds } from './changes.ts';

/** The time zone UTC. A calendar without events contains only this, because a calendar must not be empty (RFC 5545, section 3.6). */
const utcZone = `BEGIN:VTIMEZONE
TZID:Etc/UTC
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0000
TZOFFSETTO:+0000
END:STANDARD
END:VTIMEZONE`;

/** Renders a calendar. `path`: the path without `.ics`. `subject`: a part of the calendar's name. `events`: the results of `listEnds`. */
export function renderCalendar(
  path: string,
  subject: string,
  events: readonly string[],
  { settings }: Index,
): string {
  const { releasesUrl, title } = settings;
  const name = escapeText(`${subject}: ends of support`);
  const text = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//${escapeText(title)}//Ends of support//EN
NAME:${name}
X-WR-CALNAME:${name}
SOURCE;VALUE=URI:${releasesUrl}/${path}.ics
REFRESH-INTERVAL;VALUE=DURATION:P1D
${events.length > 0 ? events.join('\n') : utcZone}
END:VCALENDAR
`;
  return text.split('\n').map(foldLine).join('\r\n');
}

/**
 * Folds a long line: each further line begins with a space. A line should have at most 75 octets (RFC 5545, section 3.1). Most characters
 * have one octet.
 */
function foldLine(line: string): string {
  return line.length > 73 ? line.replaceAll(/.{73}(?=.)/gu, '$&\r\n ') : line;
}

/**
 * Lists the calendar events of a component, from the first day of last year on. Release lines with the same end share an event, which has
 * the id of the oldest line.
 */
export function listEnds(component: Component, index: Index): string[] {
  // This day changes only once a year, so that calendars do not change daily.
  const firstDay = `${Number(index.asOf.slice(0, 4)) - 1}-01-01`;
  const ends = groupByEnd(component).map((end) => describeEnd(component, end, index));
  const paid = groupByPaidEnd(component).map((end) => describePaidEnd(component, end));
  const shown = [...ends, ...paid].filter(({ day }) => day >= firstDay);
  return shown.map((entry) => formatEntry(component, entry, index));
}

type LinesWithEnd = ReturnType<typeof groupByEnd>[number];

/** An event names at most this many release lines, and the reasons for their ends. */
const shownLines = 3;

/** A calendar event about an end of support. `id`: the part of its id that follows the name of the component. */
interface CalendarEntry {
  readonly id: string;
  readonly day: Day;
  readonly oldest: Line;
  readonly summary: string;
  readonly description: string;
}

function describeEnd(
  component: Component,
  { lines, oldest, newest, day }: LinesWithEnd,
  index: Index,
): CalendarEntry {
  const { title, latest } = component;
  const names = lines.map(({ line }) => line);
  // If a line has an end of support, `reason` always explains this end.
  const grounds = lines
    .slice(0, shownLines)
    .flatMap(({ paidSupport, reason }) => [paidSupport, reason!.text]);
  // As long as users need not move, `describeTarget` returns undefined. Then the event names the component's latest version. If the ending
  // line itself contains the latest version, the event names no version.
  const other = latest === newest.latest ? undefined : latest;
  const target = describeTarget(newest, component, index) ?? other;
  const move = target ? ` Move to ${target}.` : '';
  // The title contains the end, because a reminder shows only the title.
  const end = markEstimated(oldest.end, oldest.isInferred);
  const summary = `${title} ${formatList(names, shownLines)}: support ${end}.${move}`;
  const description = `${joinOnce(grounds)}${move}`;
  return { id: `${oldest.line}/end-of-support`, day, oldest, summary, description };
}

/** Describes the end of paid support. Most users cannot use paid support, so the event names no version to move to. */
function describePaidEnd(
  { title }: Component,
  { lines, oldest, day }: LinesWithEnd,
): CalendarEntry {
  const shown = lines.slice(0, shownLines);
  const names = lines.map(({ line }) => line);
  const end = oldest.paidSupport!.replace(/^P/, 'p');
  return {
    id: `${oldest.line}/end-of-paid-support`,
    day,
    oldest,
    summary: `${title} ${formatList(names, shownLines)}: ${end}`,
    description: joinOnce(
      shown.map(({ line, end }) => `Support of ${line} for everybody: ${end}.`),
    ),
  };
}

function joinOnce(sentences: readonly (string | undefined)[]): string {
  return [...new Set(sentences)].filter(Boolean).join(' ');
}

/** Formats an all-day event with an alarm 30 days before. The event does not mark the day as busy. */
function formatEntry(
  component: Component,
  { id, day, oldest, ...texts }: CalendarEntry,
  index: Index,
): string {
  const url = `${index.settings.releasesUrl}/${component.component}.html`;
  const summary = escapeText(texts.summary);
  const description = escapeText(`${texts.description}\n${url}`);
  // This date comes from the data, not from the clock, so that the same data give the same bytes.
  const begun = oldest.since ?? oldest.sinceAtMost ?? day;
  return `BEGIN:VEVENT
UID:${nameInIds(component)}/${id}@${new URL(url).hostname}
DTSTAMP:${begun.replaceAll('-', '')}T000000Z
DTSTART;VALUE=DATE:${day.replaceAll('-', '')}
DTEND;VALUE=DATE:${addDays(day, 1).replaceAll('-', '')}
SUMMARY:${summary}
DESCRIPTION:${description}
URL:${url}
TRANSP:TRANSPARENT
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:${summary}
TRIGGER:-P30D
END:VALARM
END:VEVENT`;
}

/** Escapes a value of the type TEXT (RFC 5545, section 3.3.11). */
function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, '\\$&').replaceAll('\n', '\\n');
}
