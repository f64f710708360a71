import * as z from 'zod';
import { DaySchema, Flag, OneLine } from '../scalars.ts';
import { checked, documented, optionalKey, rejectRepeated, type Reject } from '../keys.ts';
import { HttpsUrl } from '../urls.ts';

/** The name of a phase, which is part of permanent ids. */
export const PhaseName = z.string().regex(/^[a-z](?:[a-z0-9-]{0,38}[a-z0-9])?$/, {
  error:
    'expected up to 40 lower-case letters, digits and hyphens, beginning with a letter and not ending with a hyphen',
});

/** A phase of the support of a release line. The first begins with the line; each later one begins as the previous one ends. */
export const Phase = z.strictObject({
  name: PhaseName.describe('The name of the phase, for instance security.'),
  until: optionalKey(
    DaySchema,
    'Its last day, past or future: exact, or with untilAtMost the earliest possible one.',
  ),
  untilAtMost: optionalKey(
    DaySchema,
    'Its latest possible last day, where the exact day is unknown.',
  ),
  paid: Flag.describe(
    'Present if the phase is only for paying customers, which does not count as support.',
  ),
  isOver: Flag.describe('Present if the phase ended on an unknown day.'),
});
export type Phase = z.infer<typeof Phase>;

/** The end of a single line. It takes precedence over the rule for all lines. */
export const OwnEnd = z.strictObject({
  until: documented(DaySchema, 'Its last day with support.', '2026-12-31'),
  reason: optionalKey(OneLine, 'Why, in a sentence for readers.', 'The move takes longer.'),
  url: optionalKey(HttpsUrl, 'Where it is stated.', 'https://example.com/news'),
});
export type OwnEnd = z.infer<typeof OwnEnd>;

/** Phases in chronological order. `endKey`: the key of the limit of a phase, in months from the first release or as a number of newest lines. */
export function createPhasesSchema<Key extends 'months' | 'count'>(endKey: Key, schema: z.ZodInt) {
  // TypeScript types a computed key as `string`.
  const endShape = { [endKey]: schema } as Record<Key, z.ZodInt>;
  const phase = z.strictObject({
    name: documented(PhaseName, 'The name of the phase, unique in the list.', 'security'),
    ...endShape,
    paid: documented(Flag, 'For paying customers only.', true),
  });

  return checked(z.array(phase).min(1).max(12), (phases, reject) => {
    if (Array.isArray(phases)) {
      checkPhases(phases, endKey, reject);
    }
  });
}

function checkPhases(phases: readonly any[], endKey: 'months' | 'count', reject: Reject): void {
  const arePaid = phases.map((phase) => Boolean(phase?.paid));
  for (const { index, expected, got } of listMisplacedPhases(arePaid)) {
    reject([index, 'paid'], expected, got);
  }

  for (const [index, phase] of phases.entries()) {
    const previousEnd = phases[index - 1]?.[endKey];
    if (phase?.[endKey] <= previousEnd) {
      reject([index, endKey], `expected more than the ${previousEnd} of the phase before`);
    }
  }

  const names = phases.map((phase) => phase?.name);
  rejectRepeated(names, 'name', (index) => [index, 'name'], reject);
}

/** The problems with the order of paid phases. Support ends with the last phase that is not paid: one must exist, and paid phases follow it. */
export function listMisplacedPhases(arePaid: readonly boolean[]) {
  const lastFree = arePaid.lastIndexOf(false);
  if (lastFree === -1 && arePaid.length > 0) {
    return [
      { index: 0, expected: 'expected a first phase that is not paid', got: 'only paid phases' },
    ];
  }

  const expected = 'expected paid phases after all others';
  const got = 'one before a phase that is not paid';
  return [...arePaid.keys()]
    .filter((index) => arePaid[index] && index < lastFree)
    .map((index) => ({ index, expected, got }));
}
