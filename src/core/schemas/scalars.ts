import * as z from 'zod';
import { cutDay, dayForm, isDay } from '../model/dates.ts';
import { computeSpan, parseVersionRange } from '../model/version-range.ts';
import { maxVersionLength, parseVersion } from '../model/version.ts';
import { maxLineLength } from '../text/foreign-text.ts';
import { componentName } from './definition/component-name.ts';
import { createTextSchema, documented } from './keys.ts';

/** A calendar day that exists. */
export const DaySchema = z
  .string()
  .regex(dayForm, { error: 'expected a day, YYYY-MM-DD' })
  .refine(isDay, { error: 'expected a day that exists, YYYY-MM-DD' })
  .describe('A day, YYYY-MM-DD.');

const dayText = String.raw`\d{4}-\d{2}-\d{2}`;
/** A day and a time of it, without a fraction of a second. */
const instantText = String.raw`${dayText}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d`;

/** A text that begins with a day that exists. `form`: the source of a regular expression. */
function createTimeSchema(form: string, error: string) {
  return z
    .string()
    .regex(new RegExp(`^${form}$`), { error })
    .refine((text) => isDay(cutDay(text)), { error });
}

/** A day, or an instant in UTC. */
export const RecordedTimestamp = createTimeSchema(
  String.raw`(?:${dayText}|${instantText}(?:\.\d+)?Z)`,
  'expected a UTC instant (2026-06-30T09:30:00Z) or a day (2026-06-30) that exists',
).describe('A UTC instant, 2026-06-30T09:30:00Z, or a day, 2026-06-30.');

/** An instant as it is published: UTC, whole seconds. */
export const PublishedTimestamp = createTimeSchema(
  `${instantText}Z`,
  'expected a UTC instant that exists, YYYY-MM-DDTHH:MM:SSZ',
).describe('An instant in UTC, YYYY-MM-DDTHH:MM:SSZ.');

/** An instant of the journal: always with milliseconds, so instants compare as strings. */
export const JournalInstant = createTimeSchema(
  String.raw`${instantText}\.\d{3}Z`,
  'expected a UTC instant that exists, YYYY-MM-DDTHH:MM:SS.mmmZ',
);

/** A text for a person: one line, not empty, without control characters. */
export const OneLine = createLineSchema(maxLineLength);

/** A line of text with another limit. A problem with `abort` would leave out the rules of the whole document. */
export function createLineSchema(maxLength: number) {
  return z
    .string()
    .max(maxLength)
    .regex(/^(?=\s*\S)[^\p{Cc}\p{Zl}\p{Zp}]*$/u, { error: 'expected one line of text' });
}

/** Any text that is not empty: unknown values are left out. Only for documents that this program writes. */
export const Text = z.string().min(1);

/** Pairs of short texts. */
export const Labels = z
  .record(createLineSchema(100), createLineSchema(100))
  .refine((labels) => Object.keys(labels).length <= 20, { error: 'expected at most 20 labels' });

/** A version in a document: any string. `parseVersion` decides later whether it has an order. */
export const VersionText = z.string().min(1).max(maxVersionLength);

/** A version that can be compared with others. */
export const OrderedVersion = VersionText.refine((text) => parseVersion(text) !== undefined, {
  error: 'expected a version such as 2025.1',
});

export const PublishedVersion = VersionText.describe(
  'The version, exactly as the artifact is published.',
);

/** A range in the grammar of this index. */
export const RangeText = createTextSchema(
  z.string().max(10_000, { abort: true }),
  findRangeProblem,
);

/**
 * A letter instead of a digit group is a wildcard or a typo: `2.O.0` would be close to 2. A patch such as `1.0.2a` is neither. `1.2+` is
 * how publishers write "1.2 or later", but would be the version 1.2 only.
 */
const mistakenBound = /^[^+-]*(?:\.[a-z](?:[.+-]|$)|\d[a-z]\.)|[.+]$/i;

function findRangeProblem(text: string): string | undefined {
  const range = parseVersionRange(text);
  if (!range || range.flat().some(({ bound }) => mistakenBound.test(bound.text))) {
    return 'expected a range of versions such as ">=1.2 <2", "1.2" for a line or "=1.2" for one version, with || between alternatives';
  }

  return range.every(computeSpan)
    ? undefined
    : 'expected a range that allows some version in each alternative';
}

/** Exact versions, or one range. */
export const SelectedVersions = documented(
  z.union([z.array(VersionText).min(1), RangeText]),
  'A list of exact versions, or one range: comparisons that all hold, || between alternatives, * for all; 1.2 is a line with its patches, =1.2 one version.',
  ['3.4.1'],
  '>=1.2.0 <2.0.0',
);

/** The name of a release line, for instance `2025.1`. */
export const LineName = z
  .string()
  .regex(/^\d{1,50}(?:\.\d{1,50})?$/, { error: 'expected a release line such as 2025.1' });

export const ComponentName = z
  .string()
  .regex(componentName, { error: 'expected the name of a component' })
  .describe('Name of a component: lower-case letters, digits and hyphens.');

/** The name of a source in recorded data, which may hold an address. */
export const SourceId = createLineSchema(2200);

/** A commit of git. The strict form keeps options out of git's command line. */
export const CommitId = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/, {
  error: 'expected a commit, 40 or 64 hexadecimal digits',
});

export const Sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/, { error: 'expected a SHA-256 in lower-case hexadecimal' });

export const Count = z.int().min(0);

export const PositiveCount = z.int().min(1);

/** A flag that is absent when false. */
export const Flag = z.literal(true).optional();

/** A list that is absent when empty. */
export function createListSchema<Element extends z.ZodType>(element: Element) {
  return z.array(element).min(1).optional();
}
