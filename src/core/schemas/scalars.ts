import * as z from 'zod';
import { dayForm, isDay, isDayOrInstant } from '../model/dates.ts';
import { findRangeProblem } from '../model/version-range.ts';
import { maxVersionLength } from '../model/version.ts';
import { maxLineLength } from '../text/foreign-text.ts';
import { componentName } from './definition/component-name.ts';

/** A calendar day that exists. */
export const DaySchema = z
  .string()
  .regex(dayForm, { error: 'expected a day, YYYY-MM-DD' })
  .refine(isDay, { error: 'expected a day that exists, YYYY-MM-DD' })
  .describe('A day, YYYY-MM-DD.');

/** A day, or an instant in UTC. */
export const RecordedTimestamp = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z)?$/, {
    error: 'expected a UTC instant (2026-06-30T09:30:00Z) or a day (2026-06-30)',
  })
  .refine(isDayOrInstant, {
    error: 'expected a UTC instant (2026-06-30T09:30:00Z) or a day (2026-06-30) that exists',
  })
  .describe('A UTC instant, 2026-06-30T09:30:00Z, or a day, 2026-06-30.');

/** An instant in UTC. `fraction`: the form of the fraction of a second. */
function createInstantSchema(fraction: string, example: string) {
  return z
    .string()
    .regex(new RegExp(`^\\d{4}-\\d{2}-\\d{2}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d${fraction}Z$`), {
      error: `expected a UTC instant, ${example}`,
    })
    .refine((text) => isDay(text.slice(0, 10)), {
      error: 'expected a UTC instant whose day exists',
    });
}

/** An instant as it is published: UTC, whole seconds. */
export const PublishedTimestamp = createInstantSchema('', 'YYYY-MM-DDTHH:MM:SSZ').describe(
  'An instant in UTC, YYYY-MM-DDTHH:MM:SSZ.',
);

/** An instant of the journal: always with milliseconds, so instants compare as strings. */
export const JournalInstant = createInstantSchema('\\.\\d{3}', 'YYYY-MM-DDTHH:MM:SS.mmmZ');

/** A text for a person: one line, not empty, without control characters. */
export const Line = createLineSchema(maxLineLength);

/** A `Line` with another limit. */
export function createLineSchema(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .regex(/^[^\p{Cc}]*[^\p{Cc}\s][^\p{Cc}]*$/u, { error: 'expected one line of text' });
}

/** A text for a person. Never empty: unknown values are left out. */
export const Text = z.string().min(1);

/** Pairs of short texts. */
export const Labels = z
  .record(createLineSchema(100), createLineSchema(100))
  .refine((labels) => Object.keys(labels).length <= 20, { error: 'expected at most 20 labels' });

/** A version in a document: any string. `parseVersion` decides later whether it has an order. */
export const VersionText = z.string().min(1).max(maxVersionLength);

export const PublishedVersion = VersionText.describe(
  'The version, exactly as the artifact is published.',
);

/** The name of a release line, for instance `2025.1`. */
export const LineName = z
  .string()
  .regex(/^\d+(?:\.\d+)?$/, { error: 'expected a release line such as 2025.1' });

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

export const Count = z.int().min(0);

export const PositiveCount = z.int().min(1);

/** A flag that is absent when false. */
export const Flag = z.literal(true).optional();

/** A list that is absent when empty. */
export function createListSchema<Element extends z.ZodType>(element: Element) {
  return z.array(element).min(1).optional();
}

/** A key of a hand-written document, with the description and examples that editors show. */
export function documented<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: z.input<Schema>[]
): Schema {
  return schema.meta({ description, ...(examples.length > 0 && { examples }) });
}

/** A key that a hand-written document may leave out. */
export function optionalKey<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: z.input<z.ZodOptional<Schema>>[]
) {
  return documented(schema.optional(), description, ...examples);
}

/** The discriminator of an object with several forms. */
export function formName<Name extends string>(name: Name, description: string) {
  return documented(z.literal(name), description, name);
}

/** The key `$schema` of a hand-written document. */
export function createSchemaKey(example: string) {
  return optionalKey(z.string(), 'The address of this description, for editors.', example);
}

/** Reports a problem at a path below the value. `got`: the actual value, where the value at the path does not show it. */
export type Reject = (path: readonly PropertyKey[], expected: string, got?: string) => void;

/** Adds rules between the parts of a value. They run even if a part is invalid, so a rule gets values of any form. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  check: (value: any, reject: Reject) => void,
): Schema {
  return schema.superRefine(
    (value, context) =>
      check(value, (path, message, got) =>
        context.addIssue({ code: 'custom', path: [...path], message, params: { got } }),
      ),
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
}

/** A text in which `findProblem` finds no problem. The form ends the check of a text that is too long to search. */
export function createTextSchema(
  form: z.ZodString,
  findProblem: (text: string) => string | undefined,
) {
  return form.superRefine((text, context) => {
    const message = findProblem(text);
    if (message !== undefined) {
      context.addIssue({ code: 'custom', message });
    }
  });
}

/** A range in the grammar of this index. */
export const RangeText = createTextSchema(
  z.string().max(10_000, { abort: true }),
  findRangeProblem,
);

/** Exact versions, or one range. */
export const SelectedVersions = documented(
  z.union([z.array(VersionText).min(1), RangeText]),
  'A list of exact versions, or one range: comparisons that all hold, || between alternatives, * for all; 1.2 is a line with its patches, =1.2 one version.',
  ['3.4.1'],
  '>=1.2.0 <2.0.0',
);
export type SelectedVersions = z.infer<typeof SelectedVersions>;
