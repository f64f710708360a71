import { readInstant } from '../../core/query/values.ts';

/** A time in milliseconds since 1970, or in ISO 8601; a day means its start. Undefined for anything else. */
export function readMoment(text: string): number | undefined {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return readInstant(text.toUpperCase())?.[0];
}
