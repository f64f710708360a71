/** Reads the dates that upstreams and people write. */
import { isDay, toTimestamp } from '../core/day.ts';

const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/** Returns the number of a month from its name: `march`, `mar` → 3. `sept` is also a name. Returns 0 for any other word. */
function readMonth(name: string): number {
  const isCut = name.length === 3 || name === 'sept';
  return months.findIndex((month) => month === name || (isCut && month.startsWith(name))) + 1;
}

/** Matches ISO 8601: a date, or a date and a time: `2026-03-25 14:30:00.5+01:00`, `2026-03-25T14:30Z`, `2026-03-25 14:30 UTC`. */
const isoForm =
  /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[T ](?<hours>\d{2}):(?<minutes>\d{2})(?::(?<seconds>\d{2})(?:[.,]\d+)?)?\s?(?:Z|UTC|(?<offset>[+-]\d{2}):?(?<offsetMinutes>\d{2})?)?)?$/i;
/** Matches `2026/3/25` and `25.3.2026`. With dots, the day always comes first. */
const slashForm = /^(?<year>\d{4})\/(?<month>\d{1,2})\/(?<day>\d{1,2})$/;
const dotForm = /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/;
/** Matches `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7). In mails, an offset of zero replaces `GMT`. */
const httpDate =
  /^(?:[a-z]{3,9}, )?(?<day>\d{1,2}) (?<month>[a-z]{3}) (?<year>\d{4}) (?<hours>\d{2}):(?<minutes>\d{2}):(?<seconds>\d{2}) (?:GMT|UTC|[+-]0000)$/i;
/** Matches `25th March 2026`. Some vendors print `06th June` and `21th November`. */
const dayMonthYear =
  /^(?<day>\d{1,2})(?:st|nd|rd|th)? (?:of )?(?<month>[a-z]{3,9})\.?,? (?<year>\d{4})$/i;
/** Matches `March 25, 2026`. */
const monthDayYear = /^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})$/i;
const forms = [isoForm, slashForm, dotForm, httpDate, dayMonthYear, monthDayYear];

/**
 * Reads a date whose form has the same meaning everywhere. A date without a time becomes midnight in UTC. A time without an offset is UTC.
 * Returns undefined:
 * - for a date that does not exist, such as 30 February
 * - for a form whose meaning differs by country, such as 01/02/2025
 */
export function parseTimestamp(text: string): string | undefined {
  const line = text.trim().replace(/\s+/g, ' ');
  const matches = forms.values().map((form) => form.exec(line));
  const { groups = {} } = matches.find(Boolean) ?? {};
  const { year, month = '', day = '', hours = '00', minutes = '00', seconds = '00' } = groups;
  const { offset = '+00', offsetMinutes = '00' } = groups;
  const monthNumber = /^\d/.test(month) ? month : String(readMonth(month.toLowerCase()));
  const date = `${year}-${monthNumber.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = `${hours}:${minutes}:${seconds}`;
  const instant = new Date(`${date}T${time}${offset}:${offsetMinutes}`);

  // Rejects dates that do not exist. JavaScript would read 30 February and 24:00 as a later day.
  if (Number.isNaN(instant.getTime()) || !isDay(date) || hours === '24') {
    return undefined;
  }
  return toTimestamp(instant.toISOString());
}
