/** Schemas of support policies in definitions. A support policy says when the support of release lines ends. */
import * as z from 'zod';
import type { Day } from '../day.ts';
import { findRuleProblem } from '../pattern.ts';
import { countLineGroups, readVersion, keyLine, nameLine } from '../version.ts';
import {
  checked,
  optional,
  readable,
  type Reject,
  DaySchema,
  Flag,
  HttpsUrl,
  LineName,
  OneLine,
  PhaseName,
  UpstreamUrl,
} from './scalars.ts';

export const RuleText = readable('Rule', findRuleProblem);

const Months = z.int().min(1).max(1200);
const LineCount = z.int().min(1);

const PhaseKey = PhaseName.describe('The name of the phase. For example, full or security.');
const PaidKey = Flag.describe('Write true if the phase is only for paying customers.');

const MonthPhases = checked(
  z
    .array(
      z.strictObject({
        name: PhaseKey,
        months: Months.describe(
          'When the phase ends, in months from the first stable release of the line. For example, 12.',
        ),
        paid: PaidKey,
      }),
    )
    .min(1),
  checkPhases,
).meta({ id: 'MonthPhases' });
const CountPhases = checked(
  z
    .array(
      z.strictObject({
        name: PhaseKey,
        count: LineCount.describe(
          'The phase lasts while the line is one of this many newest lines. For example, 2.',
        ),
        paid: PaidKey,
      }),
    )
    .min(1),
  checkPhases,
).meta({ id: 'CountPhases' });

/** A phase that ends after some months, after some newer lines, or on a day. */
interface LimitedPhase {
  readonly name: string;
  readonly paid?: boolean | undefined;
  readonly months?: number;
  readonly count?: number;
  readonly until?: Day;
}

/** Rejects phases that are not in order: each phase must end later than the previous phase, and paid phases come last. */
function checkPhases(phases: readonly LimitedPhase[], reject: Reject): void {
  for (const [index, phase] of phases.entries()) {
    const before = phases[index - 1];
    const path = [index];
    if (before && readLimit(before) >= readLimit(phase)) {
      reject(path, `expected ${describeLaterEnd(before)}`);
    }
    if (phases.slice(0, index).some(({ name }) => name === phase.name)) {
      reject(path, 'expected each phase once');
    }

    const isMisplaced = phase.paid ? !before : before?.paid;
    if (isMisplaced) {
      reject(path, 'expected paid phases after all others, of which there is at least one');
    }
  }
}

/** Describes the end of a phase that follows another phase. */
function describeLaterEnd({ name, months, count }: LimitedPhase): string {
  if (months !== undefined) {
    const example = 'For 12 months and then two more years, write 12 and 36';
    return `more months than ${name} (${months}), because months count from the first release of the line. ${example}`;
  }
  return count === undefined
    ? `an end after that of ${name}`
    : `a count above that of ${name} (${count})`;
}

function readLimit({ months, count, until }: LimitedPhase): number | Day {
  return months ?? count ?? until!;
}

const lineRule = z
  .literal([1, 2, 'semver'])
  .optional()
  .describe(
    'How many groups of digits name a line. 1: 3.2.1 belongs to the line 3. 2: 2025.3.1 belongs to 2025.3; this is the default. semver: 3.2.1 belongs to 3, but 0.3.1 belongs to 0.3.',
  );

const OwnEnd = z
  .union([
    DaySchema,
    z.strictObject({
      until: DaySchema.describe('The last day with support. For example, 2027-06-30.'),
      reason: OneLine.optional().describe(
        'Why support has this end. For example, Our contract with the vendor.',
      ),
      url: HttpsUrl.optional().describe('A page that says more about the reason.'),
    }),
  ])
  .meta({ id: 'OwnEnd' });

const ownEnds = z
  .record(LineName, OwnEnd)
  .meta({ id: 'Exceptions' })
  .optional()
  .describe(
    'Lines whose last day with support differs from the rule. For example, "5.1": "2027-06-30", or an object with until, and perhaps reason and url.',
  );

const LtsLines = z
  .union([z.array(LineName).min(1), RuleText])
  .describe(
    'The lines with long-term support: a list of names such as ["1.2"], or a regular expression between slashes that matches their names.',
  );

const origin = optional({
  url: HttpsUrl.describe('The page on which the vendor or the maintainers publish the rule.'),
  inferred: OneLine.describe(
    'If no page publishes the rule: why you think that it holds. Readers then see "estimated" beside the end date. For example, "It was so for 1.x."',
  ),
});
const lastEnd = OwnEnd.optional().describe(
  'The last day with support of the whole component, such as 2027-06-30, or an object with until, and perhaps reason and url. Lines that the policy ends earlier keep their end.',
);
const ownLines = { lines: ownEnds, line: lineRule };
const exceptions = { ...ownLines, until: lastEnd };

function createLts<Phases extends z.ZodType>(phases: Phases) {
  return z
    .strictObject({
      lines: LtsLines,
      phases: phases.describe('The phases of support of these lines.'),
    })
    .optional()
    .describe('Release lines with long-term support, and the phases of their support.');
}

const DatedPhases = z.record(PhaseName, DaySchema).meta({ id: 'DatedPhases' });

export const SupportSource = z.discriminatedUnion('datasource', [
  z.strictObject({
    datasource: z.literal('endoflife-date'),
    product: z
      .string()
      .regex(/^\w[\w.+-]{0,99}$/)
      .describe('The name of the product in its address at endoflife.date, such as nodejs.'),
    registryUrl: UpstreamUrl.optional().describe(
      'The URL of a mirror, or of another index, such as https://eol.example.com/api/. If absent, endoflife.date.',
    ),
  }),
  z.strictObject({
    datasource: z.literal('json'),
    url: UpstreamUrl.describe(
      'The URL of a JSON document that lists the ends of the release lines.',
    ),
    transform: z
      .string()
      .min(1)
      .describe(
        'A JSONata expression that turns the document into {"lines": […]}. A line looks like {"line": "5.0", "phases": {"support": "2026-01-31"}}.',
      ),
  }),
]);

const AnyPolicy = z.discriminatedUnion('policy', [
  z.strictObject({
    policy: z.literal('none').describe('Nobody gives an end of support.'),
    ...exceptions,
  }),
  z.strictObject({
    policy: z.literal('ended').describe('Support of all release lines has ended.'),
    ...optional({
      until: DaySchema.describe(
        'The last day with support, such as 2025-06-30. Leave it out if support ended on an unknown day. For a day ahead, write until beside another policy.',
      ),
      deprecatedFrom: DaySchema.describe(
        'The first day on which all versions are deprecated, such as 2027-01-01. If absent, they are deprecated at once.',
      ),
      reason: OneLine.describe('Why support ends. Readers see it beside deprecated releases.'),
    }),
    ...origin,
    ...ownLines,
  }),
  z.strictObject({
    policy: z
      .literal('term')
      .describe('Support of a line ends some months after its first stable release.'),
    months: Months.optional().describe(
      'How many months a line is supported, from its first stable release. For example, 18.',
    ),
    phases: MonthPhases.optional().describe(
      'Instead of months: several phases, each with its months from the first stable release. Support ends with the last phase that is not paid.',
    ),
    lts: createLts(MonthPhases),
    ...origin,
    ...exceptions,
  }),
  z.strictObject({
    policy: z
      .literal('latest-lines')
      .describe('Support of a line ends when there are enough newer lines.'),
    count: LineCount.optional().describe(
      'How many of the newest lines are supported. For example, 2.',
    ),
    months: Months.optional().describe(
      'How many months a line stays supported after it is no longer one of the newest. For example, 6.',
    ),
    phases: CountPhases.optional().describe(
      'Instead of count: several phases. With "count": 2, a phase lasts while the line is one of the 2 newest. Support ends with the last phase that is not paid.',
    ),
    lts: createLts(CountPhases),
    ...origin,
    ...exceptions,
  }),
  z.strictObject({
    policy: z
      .literal('dated')
      .describe('Support of a line ends on the date that you write for it.'),
    lines: z
      .record(LineName, z.union([DaySchema, DatedPhases]))
      .refine((lines) => Object.keys(lines).length > 0, 'expected a line')
      .describe(
        'The last day with support of each line, such as "5.0": "2026-01-31", or the last day of each of its phases. Lines that are older than all listed lines have ended.',
      ),
    paid: z
      .array(PhaseName)
      .min(1)
      .optional()
      .describe('The names of the phases that are only for paying customers.'),
    lts: z
      .strictObject({ lines: LtsLines })
      .optional()
      .describe('The release lines with long-term support.'),
    ...origin,
    line: lineRule,
    until: lastEnd,
  }),
  z.strictObject({
    policy: z
      .literal('stated')
      .describe('Support of a line ends on the date that a source gives for it.'),
    source: SupportSource.describe('The source that lists the end of each line.'),
    ...exceptions,
  }),
]);

export type SupportSource = z.infer<typeof SupportSource>;

/** A support policy, which says when support of release lines ends. */
export const SupportPolicy = checked(AnyPolicy, checkPolicy);
/** A support policy. `none` and `stated` contain no rule of their own, so they have neither `url` nor `inferred`. */
export type SupportPolicy = z.infer<typeof AnyPolicy> & {
  url?: string | undefined;
  inferred?: string | undefined;
};
export type PolicyOf<Name extends SupportPolicy['policy']> = Extract<
  SupportPolicy,
  { policy: Name }
>;

function checkPolicy(policy: SupportPolicy, reject: Reject): void {
  if (policy.policy === 'term' && (policy.months === undefined) === (policy.phases === undefined)) {
    reject([], 'expected either months or phases');
  }
  if (policy.policy === 'latest-lines') {
    if ((policy.count === undefined) === (policy.phases === undefined)) {
      reject([], 'expected either count or phases');
    }
    if (policy.months !== undefined && policy.phases !== undefined) {
      reject(['months'], 'expected it only beside count');
    }
  }
  if (policy.policy === 'dated') {
    checkDated(policy, reject);
  }

  checkLineNames(policy, reject);
}

function checkDated({ lines, paid = [] }: PolicyOf<'dated'>, reject: Reject): void {
  const names = Object.values(lines).flatMap((ends) => Object.keys(ends));
  for (const [index, name] of paid.entries()) {
    if (!names.includes(name)) {
      reject(['paid', index], 'expected a phase of its lines');
    }
  }
  for (const [line, ends] of Object.entries(lines)) {
    if (typeof ends === 'string') {
      continue;
    }
    const phases = Object.entries(ends).map(([name, until]) => ({
      name,
      until,
      paid: paid.includes(name),
    }));
    checkPhases(phases, ([index], message) =>
      reject(['lines', line, phases[index as number]!.name], message),
    );
  }
}

/**
 * Rejects names that no line of the policy can have:
 * - a name with too many digit groups: 2025.1 if `line` is 1, and 3.2 if `line` is `semver`
 * - a name with a leading zero: 2025.01 instead of 2025.1. `dated` and `stated` policies allow it.
 * - a second name for the same line: 24.4 after 24.04
 */
function checkLineNames(policy: SupportPolicy, reject: Reject): void {
  // In `dated` and `stated` policies, lines have the vendor's names. Their number of digit groups is checked only if a `dated` policy has
  // the key `line`.
  const isOfVendor = policy.policy === 'dated' || policy.policy === 'stated';
  const rule = policy.policy === 'stated' ? undefined : policy.line;
  const lines = new Set<string>();
  for (const name of Object.keys(policy.lines ?? {})) {
    const version = readVersion(name);
    const groups =
      rule === undefined && isOfVendor ? Infinity : countLineGroups(version, rule ?? 2);
    const line = nameLine(version, groups);
    if (line !== (isOfVendor ? keyLine(name) : name)) {
      reject(['lines', name], `expected the name of a line, ${line}`);
    } else if (lines.has(line)) {
      reject(['lines', name], 'expected each line once');
    }

    lines.add(line);
  }
}
