import { addDays, type Day } from '../dates.ts';
import type { Component, ComponentSummary } from '../policy/component.ts';
import type { SiteContext } from './site-context.ts';
import type { Definition } from '../model/definition.ts';
import { describePolicy } from '../policy/describe-policy.ts';
import type { JudgedLine } from '../policy/judge.ts';
import { authorityOf, pageUrl } from './addresses.ts';

interface Supported {
  readonly name: string;
  readonly definition: Definition;
  readonly lines: readonly Pick<JudgedLine, 'name' | 'firstReleaseDay' | 'eolFrom'>[];
}

/** `calendars/<component>.ics`. */
export function renderComponentCalendar(
  { name, definition, judgement }: Component,
  site: SiteContext,
): string {
  const title = `${definition.title}: ends of support`;
  const events = renderEvents(site, { name, definition, lines: judgement.lines });
  return `${opening(site, { path: `calendars/${name}.ics`, title })}${events || noEvents}${closing}`;
}

/** An event takes half a kilobyte, and hosts take files up to 25 MiB. */
const maxSiteEvents = 20_000;

/**
 * `support.ics`: the events of the components' calendars, `calendarOf` as they were rendered. Of more ends than it has room
 * for, it tells of the latest, and says where the others are; which these are does not depend on the day.
 */
export function* renderSiteCalendar(
  site: SiteContext,
  summaries: readonly ComponentSummary[],
  calendarOf: (component: string) => Uint8Array,
  limit = maxSiteEvents,
): Generator<string | Uint8Array> {
  const calendar = { path: 'support.ics', title: `${site.config.title}: ends of support` };
  const withEnds = summaries.filter(({ lines }) => lines.some(({ eolFrom }) => eolFrom !== undefined));
  const ends = withEnds.flatMap(({ lines }) => lines.flatMap(({ eolFrom }) => eolFrom ?? []));
  if (ends.length <= limit) {
    yield opening(site, calendar);
    for (const { name } of withEnds) yield eventsIn(calendarOf(name));
    if (ends.length === 0) yield noEvents;
  } else {
    const leftOut = ends.sort()[ends.length - limit - 1]!;
    const description = `Ends of support after ${leftOut}. Earlier ones are in the calendars of the components.`;
    const events = withEnds.map(({ name, definition, lines }) =>
      renderEvents(site, {
        name,
        definition,
        lines: lines.filter(({ eolFrom }) => eolFrom !== undefined && eolFrom > leftOut),
      }),
    );
    yield opening(site, { ...calendar, description });
    yield events.join('') || noEvents;
  }
  yield closing;
}

const lineEnd = '\r\n';
const closing = `END:VCALENDAR${lineEnd}`;

function eventsIn(calendar: Uint8Array): Uint8Array {
  const text = Buffer.from(calendar.buffer, calendar.byteOffset, calendar.byteLength);
  return text.subarray(text.indexOf(`${lineEnd}BEGIN:VEVENT`) + lineEnd.length, -closing.length);
}

interface Calendar {
  path: string;
  title: string;
  /** What a reader cannot see from the events. */
  description?: string;
}

/** iCalendar, RFC 5545 and RFC 7986, to subscribe to. Past ends stay: a calendar is also where one looks back. */
function opening(site: SiteContext, { path, title, description }: Calendar): string {
  return contentLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapeText(site.config.title)}//Ends of support//EN`,
    'CALSCALE:GREGORIAN',
    `NAME:${escapeText(title)}`,
    `X-WR-CALNAME:${escapeText(title)}`,
    ...(description === undefined
      ? []
      : [`DESCRIPTION:${escapeText(description)}`, `X-WR-CALDESC:${escapeText(description)}`]),
    `SOURCE;VALUE=URI:${site.baseUrl}/${path}`,
    'REFRESH-INTERVAL;VALUE=DURATION:P1D',
    'X-PUBLISHED-TTL:P1D',
  ]);
}

/** A calendar must have a component (RFC 5545, 3.6), also where there is no end to tell of. */
const noEvents = [
  'BEGIN:VTIMEZONE',
  'TZID:Etc/UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
  '',
].join('\r\n');

function renderEvents(site: SiteContext, { name, definition, lines }: Supported): string {
  const page = pageUrl(site, name);
  const authority = authorityOf(site);
  const title = escapeText(definition.title);
  const end = contentLines([
    `DESCRIPTION:${escapeText(`First day without support. ${describePolicy(definition.support)}\n${page}`)}`,
    `URL:${page}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]);
  let events = '';
  for (const line of lines) {
    const { eolFrom } = line;
    if (eolFrom === undefined) continue;
    const uid = contentLine(`UID:${name}/${line.name}/end-of-support@${authority}`);
    // The day the line came into being stands for the clock, so that the same data give the same bytes.
    const stamp = basicDay(line.firstReleaseDay ?? eolFrom);
    const days = `DTSTART;VALUE=DATE:${basicDay(eolFrom)}\r\nDTEND;VALUE=DATE:${basicDay(addDays(eolFrom, 1))}`;
    const summary = contentLine(`SUMMARY:${title} ${line.name} is no longer supported`);
    events += `BEGIN:VEVENT\r\n${uid}DTSTAMP:${stamp}T000000Z\r\n${days}\r\n${summary}${end}`;
  }
  return events;
}

function basicDay(day: Day): string {
  return `${day.slice(0, 4)}${day.slice(5, 7)}${day.slice(8)}`;
}

/** A value of type TEXT (RFC 5545, 3.3.11). Control characters have no place in it. */
function escapeText(text: string): string {
  if (/^[\w !-+./:=?@()-]*$/.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, '');
}

const maxOctets = 75;

function contentLines(lines: readonly string[]): string {
  return lines.map(contentLine).join('');
}

function contentLine(line: string): string {
  return `${line.length * 3 <= maxOctets ? line : fold(line)}\r\n`;
}

const plain = /^[ -~]*$/;

/** Lines longer than 75 octets go on in the next line behind a space (RFC 5545, 3.1), never within a character. */
function fold(line: string): string {
  if (plain.test(line) ? line.length <= maxOctets : Buffer.byteLength(line) <= maxOctets) return line;
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > maxOctets) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}
