import { addDays, type Day } from '../../core/model/dates.ts';
import type { Phase } from '../../core/schemas/definition/phase.ts';

/** An end of support in a calendar. */
export interface CalendarEvent {
  readonly uid: string;
  /** A day of the data, never the clock: equal data give equal bytes. */
  readonly stamp: Day;
  readonly day: Day;
  readonly summary: string;
  readonly description: string;
  readonly url: string;
}

interface CalendarHead {
  readonly title: string;
  readonly producer: string;
  /** The address of the calendar; absent for a file to save. */
  readonly source?: string;
}

/** The alarm before an event. */
const alarmDays = 30;

/** iCalendar (RFC 5545 and RFC 7986), to subscribe to or to save: events of a whole day that block nothing, with an alarm before. */
export function writeCalendar(
  { title, producer, source }: CalendarHead,
  events: readonly CalendarEvent[],
): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapeText(producer)}//Ends of support//EN`,
    'CALSCALE:GREGORIAN',
    `NAME:${escapeText(title)}`,
    `X-WR-CALNAME:${escapeText(title)}`,
    ...(source === undefined ? [] : [`SOURCE;VALUE=URI:${source}`, `URL:${source}`]),
    'REFRESH-INTERVAL;VALUE=DURATION:P1D',
    'X-PUBLISHED-TTL:P1D',
    ...(events.length === 0 ? utcZone : events.flatMap(formatEvent)),
    'END:VCALENDAR',
  ];

  return lines.map((line) => `${fold(line)}\r\n`).join('');
}

/** A calendar must have a component (RFC 5545, 3.6), even if no end of support is known. */
const utcZone = [
  'BEGIN:VTIMEZONE',
  'TZID:Etc/UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/** The words for an event, which is on the earliest possible last day with support, or on the latest if only that is known. */
export function describeSupportEnd({
  until,
  untilAtMost,
}: Pick<Phase, 'until' | 'untilAtMost'>): string {
  if (untilAtMost === undefined) {
    return 'support ends';
  }

  return until === undefined ? 'support has ended by now' : 'support may end';
}

function formatEvent({ uid, stamp, day, summary, description, url }: CalendarEvent): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${formatDate(stamp)}T000000Z`,
    `DTSTART;VALUE=DATE:${formatDate(day)}`,
    `DTEND;VALUE=DATE:${formatDate(addDays(day, 1))}`,
    `SUMMARY:${escapeText(summary)}`,
    `DESCRIPTION:${escapeText(description)}`,
    `URL:${url}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(summary)}`,
    `TRIGGER:-P${alarmDays}D`,
    'END:VALARM',
    'END:VEVENT',
  ];
}

function formatDate(day: Day): string {
  return day.replaceAll('-', '');
}

/** A value of type TEXT (RFC 5545, 3.3.11), which must not contain control characters. */
function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/(?!\n)\p{Cc}/gu, '')
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`);
}

/** One less than the 75 that a line may have (RFC 5545, 3.1). */
const maxOctets = 74;
const encoder = new TextEncoder();

/** Breaks a line that is too long. A line after a break begins with a space, and no character is cut. */
function fold(line: string): string {
  let folded = '';
  let octets = 0;

  for (const character of line) {
    const { length } = encoder.encode(character);
    if (octets + length > maxOctets) {
      folded += '\r\n ';
      octets = 1;
    }

    folded += character;
    octets += length;
  }

  return folded;
}
