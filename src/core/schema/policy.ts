/** Support policies: when the support of release lines ends, in the form that people write. */
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

const MonthPhases = checked(
  z.array(z.strictObject({ name: PhaseName, months: Months, paid: Flag })).min(1),
  checkPhases,
).meta({ id: 'MonthPhases' });
const CountPhases = checked(
  z.array(z.strictObject({ name: PhaseName, count: LineCount, paid: Flag })).min(1),
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

/** Rejects phases that are not in order: each must end later than the previous one, and paid phases come last. */
function checkPhases(phases: readonly LimitedPhase[], reject: Reject): void {
  for (const [index, phase] of phases.entries()) {
    const before = phases[index - 1];
    const path = [index];
    if (before && readLimit(before) >= readLimit(phase)) {
      reject(path, `expected an end after that of ${before.name}`);
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

function readLimit({ months, count, until }: LimitedPhase): number | Day {
  return months ?? count ?? until!;
}

const lineRule = z
  .literal([1, 2, 'semver'])
  .optional()
  .describe(
    'How many groups of digits name a line. If absent, 2: 2025.3.1 belongs to 2025.3. semver: one, and below 1.0 two: 3.2.1 belongs to 3, 0.3.1 to 0.3.',
  );

const ownEnds = z
  .record(
    LineName,
    z.union([
      DaySchema,
      z.strictObject({ until: DaySchema, reason: OneLine.optional(), url: HttpsUrl.optional() }),
    ]),
  )
  .meta({ id: 'Exceptions' })
  .optional()
  .describe('Lines whose last day with support differs from the rule.');

const LtsLines = z
  .union([z.array(LineName).min(1), RuleText])
  .describe('Names of lines, or /regex/ for them.');

const origin = optional({
  url: HttpsUrl.describe('The page that states the rule.'),
  inferred: OneLine.describe('Nobody states the rule: why we think so.'),
});
const exceptions = { lines: ownEnds, line: lineRule };

function createLts<Phases extends z.ZodType>(phases: Phases) {
  return z
    .strictObject({ lines: LtsLines, phases })
    .optional()
    .describe('Lines with other phases.');
}

const DatedPhases = z.record(PhaseName, DaySchema).meta({ id: 'DatedPhases' });

export const SupportSource = z.discriminatedUnion('datasource', [
  z.strictObject({
    datasource: z.literal('endoflife-date'),
    product: z
      .string()
      .regex(/^\w[\w.+-]{0,99}$/)
      .describe('The product at endoflife.date.'),
    registryUrl: UpstreamUrl.optional(),
  }),
  z.strictObject({
    datasource: z.literal('json'),
    url: UpstreamUrl,
    transform: z.string().min(1).describe('JSONata that makes {"lines": […]} of the document.'),
  }),
]);

const AnyPolicy = z.discriminatedUnion('policy', [
  z.strictObject({ policy: z.literal('none'), ...exceptions }),
  z.strictObject({
    policy: z.literal('ended'),
    ...optional({
      until: DaySchema.describe(
        'The last day with support; absent if it has ended on an unknown day.',
      ),
      deprecatedFrom: DaySchema.describe(
        'The day from which all versions are deprecated. If absent: at once.',
      ),
      reason: OneLine,
    }),
    ...origin,
    ...exceptions,
  }),
  z.strictObject({
    policy: z.literal('term'),
    months: Months.optional().describe('Months from the first stable release of a line.'),
    phases: MonthPhases.optional().describe(
      'Instead of months. Support ends with the last phase that is not paid.',
    ),
    lts: createLts(MonthPhases),
    ...origin,
    ...exceptions,
  }),
  z.strictObject({
    policy: z.literal('latest-lines'),
    count: LineCount.optional().describe('How many of the newest lines are supported.'),
    months: Months.optional().describe('Months for which an older line stays supported.'),
    phases: CountPhases.optional().describe('Instead of count.'),
    lts: createLts(CountPhases),
    ...origin,
    ...exceptions,
  }),
  z.strictObject({
    policy: z.literal('dated'),
    lines: z
      .record(LineName, z.union([DaySchema, DatedPhases]))
      .refine((lines) => Object.keys(lines).length > 0, 'expected a line')
      .describe(
        'The last day of each line, or of its phases. Lines older than all of these have ended.',
      ),
    paid: z.array(PhaseName).min(1).optional().describe('The phases for paying customers.'),
    lts: z.strictObject({ lines: LtsLines }).optional(),
    ...origin,
    line: lineRule,
  }),
  z.strictObject({
    policy: z.literal('stated'),
    source: SupportSource.describe('The source that states the end of each line.'),
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

/** Rejects names that no line can have: 2025.1 if one group names a line, 3.2 with `semver`, 2025.01 instead of 2025.1, or two spellings of one line. */
function checkLineNames(policy: SupportPolicy, reject: Reject): void {
  // In `dated` and `stated`, lines have the vendor's names, with any number of groups.
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
