import * as z from 'zod';
import { moveReasons } from '../../model/move-to.ts';
import { optionalKey } from '../keys.ts';
import { ComponentName, DaySchema, PositiveCount, PublishedVersion, Text } from '../scalars.ts';
import { HttpsUrl } from '../urls.ts';
import { PublishedMoveTarget, VersionAnswer } from './answer-schemas.ts';
import { PublishedState } from './details-file.ts';

const lineNumber = optionalKey(
  PositiveCount,
  'The line in the text, or the place in the list, from 1.',
);

const ResolvedConflict = z.object({
  between: z.array(Text).length(2).describe('Two versions, such as svc@2025.1.'),
  text: Text.describe('The statement behind it, in a sentence.'),
  url: optionalKey(HttpsUrl, 'The address of the statement.'),
});

export const PlanItem = z.object({
  line: lineNumber,
  component: ComponentName,
  version: PublishedVersion,
  state: PublishedState,
  text: Text.describe('The verdict in sentences.'),
  ...VersionAnswer.pick({ latestOfLine: true, newest: true }).shape,
  lastStated: optionalKey(
    z.record(ComponentName, PublishedVersion),
    'By another component of the plan: the greatest older release that is stated to work with it, where nothing is stated about the version at the end of the plan.',
  ),
});
export type PlanItem = z.infer<typeof PlanItem>;

const PlanMove = z.object({
  component: ComponentName,
  from: PublishedVersion,
  to: PublishedMoveTarget,
  goal: optionalKey(PublishedMoveTarget, 'What to go on to, where `to` is a stop.'),
});

export type PlanMove = z.infer<typeof PlanMove>;

const stepFields = {
  by: optionalKey(DaySchema, 'The day by which to move; absent means now.'),
  reason: z.enum([...moveReasons, 'conflict']).describe('Why to move.'),
  text: Text.describe('The step in sentences.'),
  resolves: z.array(ResolvedConflict).describe('The conflicts that the step ends.'),
};

export const PlanStep = z.union([
  PlanMove.extend(stepFields),
  z.object({
    together: z
      .array(PlanMove)
      .min(2)
      .describe('Moves to do together: any order of them would break a pair.'),
    ...stepFields,
  }),
]);
export type PlanStep = z.infer<typeof PlanStep>;

const Resolution = z.union([
  z.object({
    component: ComponentName,
    atLeast: PublishedVersion.describe('Move it to this version or a later one.'),
    before: PublishedVersion.optional().describe(
      'The next version that is stated not to work with the other component again.',
    ),
  }),
  z.object({
    component: ComponentName,
    until: PublishedVersion.describe(
      'The version to go down to until the other component moves or is replaced.',
    ),
  }),
  z.object({
    component: ComponentName,
    replace: z.literal(true).describe('No newer release of it is stated to work with the other.'),
  }),
]);

export type Resolution = z.infer<typeof Resolution>;

export const PlanConflict = ResolvedConflict.extend({
  ways: z.array(Resolution).describe('What would resolve it.'),
});
export type PlanConflict = z.infer<typeof PlanConflict>;

const NotReadPart = z.object({
  line: lineNumber,
  text: Text.describe('As it was written.'),
  reason: z
    .enum(['guess', 'unknown', 'no-version', 'not-understood'])
    .describe(
      'Why. Both a guess and an unknown name are not in the index; a person may confirm a guess.',
    ),
  didYouMean: optionalKey(z.array(Text), 'What it may mean, such as svc@2025.1.'),
});

/** The plan for a list of versions: `/api/plan`, `check_versions`, `scan --json`. */
export const Plan = z.object({
  asOf: DaySchema.describe('The day that it was judged for.'),
  text: Text.describe('The whole plan in a few words.'),
  items: z.array(PlanItem).describe('The versions that were read, in the order of the text.'),
  steps: z.array(PlanStep).describe('What to do, in order.'),
  conflicts: z
    .array(PlanConflict)
    .describe('The conflicts that no step resolves, between the versions after all steps.'),
  nothingToDo: z
    .array(Text)
    .describe('Versions about which there is nothing to do or to say, such as svc@2026.3.'),
  notRead: z.array(NotReadPart).describe('What was left out, and why.'),
  notes: z.array(Text).describe('What it rests on, and what is not known.'),
});
export type Plan = z.infer<typeof Plan>;
