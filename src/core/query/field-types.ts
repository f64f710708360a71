import { compareVersions, parseVersion, type Version } from '../model/version.ts';
import { readDuration, readExactDuration, readTime, type Sign } from './times.ts';

/** The value of a field as JSON, by the type of the field. */
export interface ValueOfType {
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

export type FieldType = keyof ValueOfType;

export interface Field {
  readonly name: string;
  readonly type: FieldType;
  readonly allowedValues?: readonly string[];
  /** A text without a field is searched in it. */
  readonly isSearched?: true;
  /** A query may name it, but nothing is recorded under it. */
  readonly isUnrecorded?: true;
  /** Without a value, the field is unknown only where this other field is unknown, too; else it is known to be empty. */
  readonly decidedBy?: string;
  /** For a duration: it is counted back from the day of the question. */
  readonly countsBack?: true;
  /** For a duration: it is known to the second, not only in days. */
  readonly isExact?: true;
  /** Words for which a message suggests it: they are more similar to the names of other fields. */
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

/** The form of the values of a type. */
interface ValueForm {
  /** The expected form in a query, for messages. */
  readonly expected: string;
  /** Which texts in a query are patterns for the text of a value. `*` always is. */
  readonly textPatterns?: 'all' | 'with wildcards';
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

export const valueForms: Readonly<Record<FieldType, ValueForm>> = {
  String: {
    expected: 'a text, in which * stands for any characters',
    textPatterns: 'all',
  },
  'Key-value': { expected: 'key=value, in both of which * stands for any characters' },
  Version: {
    expected: 'a version such as 2025.3',
    textPatterns: 'with wildcards',
    readText: parseVersion,
    readValue: parseVersion,
  },
  Timestamp: {
    expected:
      'a day that exists, or a time on it, such as 2026-01-31, 2026-01, 2026-01-31T10:30, today, -5d or +3mo',
    readText: readTime,
    // A day means the instant at which it begins.
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
export function compareOrdered(a: Ordered, b: Ordered): number {
  return typeof a === 'number' ? a - (b as number) : compareVersions(a, b as Version);
}

function readSize(text: string): number | undefined {
  const [, amount = '', unit = '', binary] = sizeForm.exec(text.toLowerCase()) ?? [];
  if (!numberForm.test(amount)) {
    return undefined;
  }

  const exponent = ['', 'k', 'm', 'g', 't'].indexOf(unit);
  // In floating point, 1.005 times 1,000 is a little less than 1,005; `1.005e3` is not.
  return binary ? Number(amount) * 1024 ** exponent : Number(`${amount}e${3 * exponent}`);
}
