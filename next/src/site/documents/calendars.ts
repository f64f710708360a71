/** `support.ics`, `calendars/<component>.ics`: the last days with support. iCalendar, RFC 5545 and RFC 7986. */
import { addDays, addMonths, type Day } from '../../core/day.ts';
import type { Index } from '../../core/judged-index.ts';
import type { Component, Line } from '../../core/schema/published.ts';
import type { Settings } from '../../core/schema/settings.ts';
import { formatList } from '../../core/text.ts';
import { describeTarget } from '../words.ts';
import { nameInIds } from './changes.ts';

/** Ends of so many months before this quarter are kept: calendars change four times a year, not daily. */
const monthsBack = 12;
const maxNames = 3;

/** The events of a component. Lines that end on one day share an event, with the id of the oldest. */
export function listEndEvents(component: Component, index: Index): string[] {
  const [year = '', month = ''] = index.asOf.split('-');
  const quarter = String(3 * Math.ceil(Number(month) / 3) - 2).padStart(2, '0');
  const firstDay = addMonths(`${year}-${quarter}-01`, -monthsBack);
  const groups = Map.groupBy(component.lines, ({ supportedUntil, supportedUntilAtMost }) =>
    [supportedUntil, supportedUntilAtMost].join(' '),
  );
  return [...groups.values()].flatMap((lines) => {
    const { supportedUntil, supportedUntilAtMost } = lines[0]!;
    const day = supportedUntil ?? supportedUntilAtMost;
    return day && day >= firstDay ? [formatEnd(component, lines, day, index)] : [];
  });
}

/** An event of a whole day that blocks nothing, with an alarm 30 days before. */
function formatEnd(component: Component, lines: readonly Line[], day: Day, index: Index): string {
  const [oldest, newest] = [lines[0]!, lines.at(-1)!];
  const { title, latest, support } = component;
  const names = formatList(
    lines.map(({ line }) => line),
    maxNames,
  );
  // Before there is a reason to move, the latest version of another line.
  const isNewer = latest !== undefined && latest !== newest.latest;
  const other = isNewer ? { component: component.component, version: latest } : undefined;
  const target = newest.moveTo ?? other;
  const move = target ? ` Move to ${describeTarget(target, component, index)}.` : '';
  const summary = escapeText(`${title} ${names}: support ${oldest.end}.${move}`);
  const url = `${index.settings.releasesUrl}/${component.component}.html`;
  const description = escapeText(`${oldest.because[0] ?? support.description}${move}\n${url}`);
  return `BEGIN:VEVENT
UID:${nameInIds(component)}/${oldest.line}/end-of-support@${new URL(url).hostname}
DTSTAMP:${formatDate(oldest.since ?? oldest.sinceAtMost ?? day)}T000000Z
DTSTART;VALUE=DATE:${formatDate(day)}
DTEND;VALUE=DATE:${formatDate(addDays(day, 1))}
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

/** A calendar must have a component (RFC 5545, 3.6). */
const utcZone = `BEGIN:VTIMEZONE
TZID:Etc/UTC
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0000
TZOFFSETTO:+0000
END:STANDARD
END:VTIMEZONE`;

/** `events`: of `listEndEvents`. With `component`, its own calendar. */
export function renderCalendar(
  events: readonly string[],
  { releasesUrl, title }: Settings,
  component?: Component,
): string {
  const url = `${releasesUrl}/${component ? `calendars/${component.component}` : 'support'}.ics`;
  const name = escapeText(`${component?.title ?? title}: ends of support`);
  const text = `BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//${escapeText(title)}//Ends of support//EN
CALSCALE:GREGORIAN
NAME:${name}
X-WR-CALNAME:${name}
SOURCE;VALUE=URI:${url}
URL:${url}
REFRESH-INTERVAL;VALUE=DURATION:P1D
X-PUBLISHED-TTL:P1D
${events.length > 0 ? events.join('\n') : utcZone}
END:VCALENDAR
`;
  return text.replaceAll(/.+/g, fold).replaceAll('\n', '\r\n');
}

function formatDate(day: Day): string {
  return day.replaceAll('-', '');
}

/** A value of the type TEXT (RFC 5545, 3.3.11). */
function escapeText(text: string): string {
  return text
    .replaceAll(/(?!\n)\p{Cc}/gu, '')
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`);
}

/** A line may have 75 octets (RFC 5545, 3.1); one after a break begins with a space. */
function fold(line: string): string {
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (octets + length > 74) {
      folded += '\n ';
      octets = 1;
    }

    folded += character;
    octets += length;
  }
  return folded;
}
