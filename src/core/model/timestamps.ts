import { isDay, monthNames, type Timestamp } from './dates.ts';

/** ISO 8601: a day, or a day and a time, with or without a fraction and an offset. */
const isoForm =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s?(?:Z|UTC|([+-])(\d{2}):?(\d{2})?)?)?$/i;
/** RFC 9110, section 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const httpDate =
  /^(?:[a-z]{3,9}, )?(?<day>\d{1,2}) (?<month>[a-z]{3}) (?<year>\d{4}) (?<hours>\d{2}):(?<minutes>\d{2}):(?<seconds>\d{2}) (?:GMT|UTC|[+-]0000)$/i;
/** `25th March 2026`; vendors print `06th June` and `21th November` as well. */
const dayMonthYear =
  /^(?<day>\d{1,2})(?:st|nd|rd|th)? (?:of )?(?<month>[a-z]{3,9})\.?,? (?<year>\d{4})$/i;
/** `March 25, 2026`. */
const monthDayYear = /^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})$/i;

/**
 * Reads a date in a form with one meaning everywhere. A day means its midnight in UTC, and a time without an offset is UTC.
 * Undefined for a day that does not exist (30 February), and for forms such as 01/02/2025 whose meaning differs by country.
 */
export function parseTimestamp(text: string): Timestamp | undefined {
  const plain = text.trim().replace(/\s+/g, ' ');
  const [, isoDay, hour, minute, second, sign, offsetHour = '0', offsetMinute = '0'] =
    isoForm.exec(plain) ?? [];

  if (isoDay !== undefined) {
    const offset = Number(offsetHour) * 60 + Number(offsetMinute);

    if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) {
      return undefined;
    }

    return composeTimestamp(isoDay, [hour, minute, second], sign === '-' ? -offset : offset);
  }

  const words = (httpDate.exec(plain) ?? dayMonthYear.exec(plain) ?? monthDayYear.exec(plain))
    ?.groups;
  if (!words) {
    return undefined;
  }

  const { day = '', month = '', year, hours, minutes, seconds } = words;
  const monthInDigits = String(monthNumber(month)).padStart(2, '0');
  return composeTimestamp(`${year}-${monthInDigits}-${day.padStart(2, '0')}`, [hours, minutes, seconds]);
}

/** 0 for any word that is not a month. English has both `Sept` and `Sep`. */
function monthNumber(word: string): number {
  const name = word.toLowerCase();
  return (
    monthNames.findIndex(
      (month) =>
        name === month || name === month.slice(0, 3) || (name === 'sept' && month === 'september'),
    ) + 1
  );
}

function composeTimestamp(
  day: string,
  [hour = '0', minute = '0', second = '0']: readonly (string | undefined)[] = [],
  offsetMinutes = 0,
): Timestamp | undefined {
  if (!isDay(day) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) {
    return undefined;
  }

  const instant = new Date(`${day}T00:00:00Z`);
  instant.setUTCHours(Number(hour), Number(minute) - offsetMinutes, Number(second));
  const year = instant.getUTCFullYear();
  return year < 0 || year > 9999 ? undefined : `${instant.toISOString().slice(0, 19)}Z`;
}
