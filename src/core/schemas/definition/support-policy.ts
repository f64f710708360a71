import * as z from 'zod';
import { addDays, isDay } from '../../model/dates.ts';
import { parseVersion, nameReleaseLine } from '../../model/version.ts';
import { DaySchema, OneLine, LineName } from '../scalars.ts';
import { checked, documented, formName, optionalKey, type Fields, type Reject } from '../keys.ts';
import { HttpsUrl } from '../urls.ts';
import { createPhasesSchema, listMisplacedPhases, OwnEnd, PhaseName } from './phase.ts';
import { AllowedVersions, SupportSource } from './source.ts';

const lineGroups = optionalKey(
  z.literal([1, 2]),
  'The number of digit groups of a version that name its release line. With 2, the default, 2025.3 and 2025.3.1 share a line; with 1, all of 2025.',
  2,
);

const LongTermLines = documented(
  z.union([
    z.array(LineName).min(1).max(1000),
    z
      .string()
      .regex(/^\/.*\/i?$/, { error: 'expected a pattern between slashes, such as /\\.4$/' })
      .pipe(AllowedVersions),
  ]),
  'The lines with long-term support: their names, or a regular expression between slashes that finds them.',
  '/\\.4$/',
);

function createLongTermSchema<Phases extends z.ZodType>(phases: Phases, example: z.input<Phases>) {
  const schema = z.strictObject({
    lines: LongTermLines,
    phases: documented(
      phases,
      'Their phases, instead of the phases of other lines. A count includes only lines with long-term support.',
      example,
    ),
  });

  // The compiler computes the input of the object only for phases that it knows.
  const schemaExample = { lines: '/\\.4$/', phases: example } as z.input<typeof schema>;
  const description = 'Lines with long-term support, and their phases.';
  return optionalKey(schema, description, schemaExample);
}

const months = z.int().min(1).max(1200);
const count = z.int().min(1).max(10_000);
const termPhases = createPhasesSchema(
  'months',
  documented(months, 'Months from the first release of the line to the end of the phase.', 18),
);
const countedPhases = createPhasesSchema(
  'count',
  documented(count, 'The number of newest lines in this phase or an earlier one.', 3),
);

/** The last day of each phase of a line, in the order of the phases. */
const DaysOfPhases = checked(z.record(PhaseName, DaySchema), checkDaysOfPhases);

function checkDaysOfPhases(days: Fields, reject: Reject): void {
  const entries = Object.entries(days);
  if (entries.length === 0) {
    reject([], 'expected at least one phase', 'none');
  }

  for (const [index, [name, day]] of entries.entries()) {
    const [previousName, previousDay] = entries[index - 1] ?? [];
    if (typeof previousDay === 'string' && typeof day === 'string' && day <= previousDay) {
      reject([name], `expected a day after ${previousDay}, the end of ${previousName}`);
    }
  }
}

const ownEnds = optionalKey(
  z.record(LineName, z.union([DaySchema, OwnEnd])),
  'Lines with an end of their own, longer or shorter than the rule: the last day with support, also with a reason.',
  { '2025.1': '2026-12-31' },
);

/** Ends of single lines, and the number of groups in their names. */
const ownLines = { lines: ownEnds, line: lineGroups };

/** The address of a rule, and the reason for which it was inferred. */
const origin = {
  url: optionalKey(
    HttpsUrl,
    'The address at which the rule is stated.',
    'https://example.com/support',
  ),
  inferred: optionalKey(
    OneLine,
    'Marks a rule that nobody stated: why we think so. Ends that rest on it are called inferred.',
    'Both lists of ended versions fit 18 months.',
  ),
};

/** When support of release lines ends. */
export const SupportPolicy = checked(
  z.discriminatedUnion('policy', [
    z.strictObject({
      policy: formName(
        'none',
        'No support policy: no end is stated, and no release is deprecated by age.',
      ),
      ...ownLines,
    }),
    z.strictObject({
      policy: formName(
        'ended',
        'Support of the whole component has ended, or will end on a stated day.',
      ),
      until: optionalKey(
        DaySchema,
        'The last day with support, past or future. Where absent, support has ended on a day that nobody states.',
        '2026-12-31',
      ),
      deprecatedFrom: optionalKey(
        DaySchema,
        'The day from which every version is deprecated, no later than the day after until; at once where absent.',
        '2026-06-01',
      ),
      reason: optionalKey(OneLine, 'Why, in a sentence for readers.', 'Move to the edge node.'),
      ...origin,
      ...ownLines,
    }),
    z.strictObject({
      policy: formName(
        'term',
        'A release line is supported for some months from its first release.',
      ),
      months: optionalKey(
        months,
        'Calendar months from the first release of a line, ignoring prereleases. The line is deprecated from the day after.',
        18,
      ),
      phases: optionalKey(
        termPhases,
        'Instead of months: consecutive phases. Support ends with the last phase that is not paid.',
        [
          { name: 'active', months: 12 },
          { name: 'security', months: 18 },
          { name: 'extended', months: 36, paid: true },
        ],
      ),
      lts: createLongTermSchema(termPhases, [{ name: 'security', months: 36 }]),
      ...origin,
      orNewest: optionalKey(
        count,
        'Beside inferred: another rule fits as well, that only so many newest lines are supported. Each verdict says whether the two agree.',
        6,
      ),
      ...ownLines,
    }),
    z.strictObject({
      policy: formName('latest-lines', 'Only the newest release lines are supported.'),
      count: optionalKey(
        count,
        'The number of supported release lines. The day of the first release of the line that exceeds the number is the last with support for an older line.',
        6,
      ),
      months: optionalKey(
        months,
        'Months for which a line beyond count stays supported after the release that exceeds the number.',
        1,
      ),
      phases: optionalKey(
        countedPhases,
        'Instead of count: consecutive phases. Support ends with the last phase that is not paid.',
        [
          { name: 'active', count: 1 },
          { name: 'security', count: 3 },
        ],
      ),
      lts: createLongTermSchema(countedPhases, [{ name: 'security', count: 2 }]),
      ...origin,
      ...ownLines,
    }),
    z.strictObject({
      policy: formName('dated', 'The support of each release line ends on a stated day.'),
      lines: documented(
        z
          .record(LineName, z.union([DaySchema, DaysOfPhases]))
          .refine((lines) => Object.keys(lines).length > 0, {
            error: 'expected at least one release line',
          }),
        'The last day with support of each release line, or the last day of each of its phases. Lines older than the oldest listed line are deprecated, and lines newer than the newest are not. A line between two listed lines ends with the next newer one.',
        { '2025.1': '2026-10-08' },
        { '2025.1': { active: '2026-04-08', security: '2026-10-08' } },
      ),
      firstReleaseDates: optionalKey(
        z.record(LineName, DaySchema),
        'The day of the first release of lines of which sources list only later releases.',
        { '2025.1': '2025-04-08' },
      ),
      paid: optionalKey(
        z.array(PhaseName).min(1).max(12),
        'The phases that are for paying customers only.',
        ['extended'],
      ),
      lts: optionalKey(
        z.strictObject({ lines: LongTermLines }),
        'Lines with long-term support. Their days are in lines, too.',
        { lines: ['2025.4'] },
      ),
      ...origin,
      line: lineGroups,
    }),
    z.strictObject({
      policy: formName('stated', 'A source states when support of each release line ends.'),
      source: documented(
        SupportSource,
        'The source that states it, gathered like the sources of releases.',
        {
          datasource: 'endoflife-date',
          product: 'postgresql',
        },
      ),
      ...ownLines,
    }),
  ]),
  checkPolicy,
);
export type SupportPolicy = z.infer<typeof SupportPolicy>;
export type SupportPolicyOf<Name extends SupportPolicy['policy']> = Extract<
  SupportPolicy,
  { policy: Name }
>;

/** The rules between the keys of a policy. */
function checkPolicy(policy: Fields, reject: Reject): void {
  for (const key of ['lines', 'firstReleaseDates']) {
    checkLineNames([key], policy[key], policy, reject);
  }
  checkLineNames(['lts', 'lines'], Object(policy['lts']).lines, policy, reject);

  switch (policy['policy']) {
    case 'ended':
      checkDeprecatedFrom(policy, reject);
      break;

    case 'term':
      checkEnds('months', policy, reject);
      if (policy['orNewest'] !== undefined && policy['inferred'] === undefined) {
        reject(['orNewest'], 'expected it only beside inferred');
      }
      break;

    case 'latest-lines':
      checkEnds('count', policy, reject);
      if (policy['months'] !== undefined && policy['phases'] !== undefined) {
        reject(['months'], 'expected months only beside count');
      }
      break;

    case 'dated':
      checkPaidPhases(policy, reject);
  }
}

/**
 * Rejects a name that no line has, such as 2025.1 where lines have one digit group, or 2025.01 for 2025.1. Rejects a second name of
 * one line, too. `named`: an object by names, a list of them, or a pattern, which names none.
 */
function checkLineNames(
  path: readonly PropertyKey[],
  named: unknown,
  { policy, line }: Fields,
  reject: Reject,
): void {
  if (typeof named === 'string') {
    return;
  }

  const isList = Array.isArray(named);
  // These policies name all lines, so a line may be called 24.04. A list only finds lines, in any spelling.
  const keepsZeros = policy === 'dated' || policy === 'stated' || isList;
  // A source may name its lines in two groups, whatever the setting.
  const groups = line === 1 && policy !== 'stated' ? 1 : 2;
  const names = new Map<string, string>();

  for (const [key, value] of Object.entries(Object(named))) {
    const name = isList ? String(value) : key;
    const parsed = parseVersion(name);
    if (!parsed) {
      continue;
    }

    const expected = nameReleaseLine(parsed, groups);
    const written = keepsZeros ? nameReleaseLine(parsed, 2) : name;
    const earlier = names.get(expected);
    names.set(expected, name);
    const ownPath = [...path, isList ? Number(key) : key];
    if (written !== expected) {
      reject(ownPath, `expected the name of a line, ${expected}`, name);
    } else if (earlier !== undefined) {
      reject(ownPath, 'expected each line once', `${earlier} again`);
    }
  }
}

function checkDeprecatedFrom({ until, deprecatedFrom }: Fields, reject: Reject): void {
  const end = String(until);
  const start = String(deprecatedFrom);
  if (isDay(end) && isDay(start) && start > addDays(end, 1)) {
    reject(['deprecatedFrom'], 'expected no later day than the one after until');
  }
}

/** Checks that ends are either one number, or phases with a number each. */
function checkEnds(
  key: 'months' | 'count',
  { [key]: number, phases }: Fields,
  reject: Reject,
): void {
  if (number === undefined && phases === undefined) {
    reject([key], 'expected a number, or phases', 'nothing');
  }
  if (number !== undefined && phases !== undefined) {
    reject(['phases'], `expected either ${key} or phases`, 'both');
  }
}

/** `paid` names phases of the lines, and in no line a paid phase precedes one that is not. */
function checkPaidPhases({ lines, paid }: Fields, reject: Reject): void {
  if (!Array.isArray(paid)) {
    return;
  }

  const phaseNames: unknown[] = [];
  for (const [line, days] of Object.entries(Object(lines))) {
    const names = typeof days === 'string' ? [] : Object.keys(Object(days));
    const arePaid = names.map((name) => paid.includes(name));
    for (const { index, expected, got } of listMisplacedPhases(arePaid)) {
      reject(['lines', line, names[index]!], expected, got);
    }
    phaseNames.push(...names);
  }

  for (const [index, name] of paid.entries()) {
    if (!phaseNames.includes(name)) {
      reject(['paid', index], 'expected a phase of lines');
    }
  }
}
