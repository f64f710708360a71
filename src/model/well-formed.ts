import { isDay } from '../dates.ts';
import type { RecordedRelease } from './recorded.ts';

/**
 * Whether an entry of recorded data is beyond doubt what its schema would make of it, key order included. Almost every
 * entry is, and asking the schema costs a large index more than all else. False means only: ask the schema.
 */
export function isPlainRelease(entry: unknown): entry is RecordedRelease {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return false;
  let position = -1;
  for (const key in entry) {
    const rule = rules.get(key);
    if (!rule || rule.position <= position || !rule.holds((entry as Record<string, unknown>)[key]))
      return false;
    position = rule.position;
  }
  return 'version' in entry;
}

/** By key, in the order of the schema. What is rare, or hard to judge quickly, is left to the schema. */
const rules = new Map<string, { position: number; holds(value: unknown): boolean }>(
  Object.entries({
    version: (value: unknown) => isText(value) && value.length <= 200,
    releaseTimestamp: (value: unknown) => isText(value) && isPlainTimestamp(value),
    timestampKind: (value: unknown) => value === 'published' || value === 'observed',
    changelogUrl: (value: unknown) => isText(value) && value.length <= 2000 && plainUrl.test(value),
    source: isText,
    alsoListedBy: (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isText),
    firstSeen: (value: unknown) => isText(value) && isDay(value),
    deprecated: (value: unknown) => isText(value) && value.length <= 1000 && plainLine.test(value),
    withdrawnSince: (value: unknown) => isText(value) && isDay(value),
    isPrerelease: (value: unknown) => typeof value === 'boolean',
  }).map(([key, holds], position) => [key, { position, holds }]),
);

/** A host of plain words, no credentials, no port, nothing escaped: addresses that every URL parser takes. */
const plainUrl = /^https:\/\/(?:[a-z][a-z0-9]*\.)+[a-z]{2,}(?:\/[\w./#?=&,~@-]*)?$/;
const plainLine = /^[!-~][ -~]*$/;
const plainInstant = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isPlainTimestamp(text: string): boolean {
  return isDay(text) || (plainInstant.test(text) && isDay(text.slice(0, 10)));
}
