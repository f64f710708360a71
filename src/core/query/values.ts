import { compareVersions, parseVersion, type Version } from '../model/version.ts';
import { readDuration, readExactDuration, readTime, type Sign } from './times.ts';

/** A value of a field, as JSON. */
export interface Values {
  String: string | readonly string[];
  'Key-value': Readonly<Record<string, string>>;
  Version: string;
  /** A day, or an instant in UTC. */
  Timestamp: string;
  /** In ISO 8601, such as `P90D`. */
  Duration: string;
  Number: number;
  'Storage size': number;
  Boolean: boolean;
}

export type FieldType = keyof Values;

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  /** All values that it can have. */
  readonly values?: readonly string[];
  /** A text without a field is searched in it. */
  readonly isSearched?: true;
  /** No item has a value. */
  readonly isUnrecorded?: true;
  /** Without a value, the field is unknown only where this other field is unknown, too; else it is known to be empty. */
  readonly decidedBy?: string;
  /** For a duration: it ends on the day of the question. */
  readonly countsBack?: true;
  /** For a duration: it is known to the second, not only in days. */
  readonly isExact?: true;
  /** Other words for it, which are more similar to the names of other fields. */
  readonly synonyms?: RegExp;
}

/** The fields that a query may name, and a rule for all of them. */
export interface FieldSet {
  readonly fields: readonly Field[];
  /** `!field:*` selects the items without a value, for a field of any type. */
  readonly allowsNegatedPresence?: true;
}

/** A value of an ordered type; instants and durations in milliseconds. */
export type Ordered = number | Version;

/** The first and the last value that a text means: a day means all of its milliseconds. */
export type Span = readonly [first: Ordered, last: Ordered];

interface ValueType {
  /** The expected form in a query, for messages. */
  readonly expected: string;
  /** The least number of pieces that makes a text pattern: 1 for any text, 2 for a text with a wildcard. `*` always does. */
  readonly minPieces?: number;
  /**
   * Reads a value of an ordered type in a query, as of the start of a day; undefined where invalid. `sign`: the direction of a
   * duration from that day.
   */
  readonly readText?: (text: string, now: number, sign: Sign) => Ordered | Span | undefined;
  /** Reads the value of an item, unless that is a number. */
  readonly readValue?: (text: string) => Ordered | undefined;
}

/** Whole numbers of up to 15 digits are exact. */
const numberForm = /^\d{1,15}(?:\.\d{1,9})?$/;
/** `10`, `1.5gi`, `500mb`. */
const sizeForm = /^([\d.]+)(?:([kmgt])(i?))?b?$/;

export const valueTypes: Readonly<Record<FieldType, ValueType>> = {
  String: {
    expected: 'a text, in which * stands for any characters',
    minPieces: 1,
  },
  'Key-value': { expected: 'key=value, in both of which * stands for any characters' },
  Version: {
    expected: 'a version such as 2025.3',
    minPieces: 2,
    readText: parseVersion,
    readValue: parseVersion,
  },
  Timestamp: {
    expected:
      'a day that exists, or a time on it, such as 2026-01-31, 2026-01, 2026-01-31T10:30, today, -5d or +3mo',
    readText: readTime,
    // A day means its first midnight.
    readValue: (text) => Date.parse(text),
  },
  Duration: {
    expected: 'a duration such as 90d, 3mo, 1y, 24h, 1d12h, 1500ms or P90D',
    readText: readDuration,
    readValue: readExactDuration,
  },
  Number: {
    expected: 'a number such as 10 or 1.5',
    readText: (text) => (numberForm.test(text) ? Number(text) : undefined),
  },
  'Storage size': {
    expected: 'a size such as 10, 1.5gi or 500mb',
    readText: readSize,
  },
  Boolean: { expected: 'true, false or *' },
};

/** Compares two values of one type. */
export function compare(a: Ordered, b: Ordered): number {
  return typeof a === 'number' ? a - (b as number) : compareVersions(a, b as Version);
}

function readSize(text: string): number | undefined {
  const [, amount = '', unit = '', binary] = sizeForm.exec(text.toLowerCase()) ?? [];
  if (!numberForm.test(amount)) {
    return undefined;
  }

  const exponent = ['', 'k', 'm', 'g', 't'].indexOf(unit);
  const bytes = Number(amount) * (binary ? 1024 : 1000) ** exponent;

  // In floating point, 1.005 times 1,000 is a little less than 1,005.
  return Number(bytes.toPrecision(15));
}

/** The values of fields that documents state, too. */
export const policies = ['none', 'ended', 'term', 'latest-lines', 'dated', 'stated'] as const;
export const freshnessStates = ['live', 'stale', 'held', 'static'] as const;
