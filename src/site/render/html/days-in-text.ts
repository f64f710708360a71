import { isDay } from '../../../core/dates.ts';

/** A part of a text: words, or a day. The other is empty. */
export interface TextPart {
  words: string;
  day: string;
}

/** For `days.hbs`: a text in parts, so that its days are marked as such, and none breaks at the end of a line. */
export function daysIn(text: string): TextPart[] {
  return text
    .split(/\b(\d{4}-\d{2}-\d{2})\b/)
    .filter((part) => part !== '')
    .map((part) => (isDay(part) ? { words: '', day: part } : { words: part, day: '' }));
}
