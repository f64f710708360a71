import * as z from 'zod';
import {
  CommitId,
  ComponentName,
  DaySchema,
  JournalInstant,
  Line,
  lineOf,
  listOf,
  PositiveCount,
} from '../scalars.ts';

const decisionForm = '[a-z0-9][a-z0-9-]{0,199}-[0-9a-f]{10}';

/** A component and a digest of consequences: `svc-4f2a91c03b`. */
export const DecisionId = z.string().regex(new RegExp(`^${decisionForm}$`), {
  error: 'expected the name of a component, a hyphen and 10 hexadecimal digits',
});

/** A short digest of the kind and the cause of an alert. */
export const AlertId = z
  .string()
  .regex(/^[0-9a-f]{10}$/, { error: 'expected an id of 10 hexadecimal digits' });

/** What waits: the whole component, or some of its versions. */
export const WaitKind = z.enum(['component', 'outlier', 'flood', 'restored', 'bytes', 'files']);
export type WaitKind = z.infer<typeof WaitKind>;

/** What waits for a person, with the facts that readers and people need. */
export const HeldChange = z.strictObject({
  /** The decision that lets it through. */
  id: DecisionId,
  component: ComponentName,
  kind: WaitKind,
  /** The first day on which it waited. */
  since: DaySchema,
  /** The sources, edited files and defaults that cause it. */
  causes: z.array(Line).min(1),
  /** What readers would lose, in numbers. */
  reason: Line,
  /** How many consequences the decision lets through. */
  consequences: PositiveCount,
  /** The first consequences by name. */
  examples: z.array(Line).min(1).max(5),
  /** The versions that wait. */
  versions: listOf(lineOf(200)),
  /** The commit that counts instead. */
  commit: CommitId.optional(),
});
export type HeldChange = z.infer<typeof HeldChange>;

/** `data/held.json`, written by the run that publishes. */
export const HeldFile = z.strictObject({ held: z.array(HeldChange) });
export type HeldFile = z.infer<typeof HeldFile>;

const Person = lineOf(200);

/**
 * One line of `data/decisions.ndjson`: a person lets these consequences through, or starts from a commit where there is no
 * comparable last run. Each run names the decisions that it used.
 */
export const Decision = z.strictObject({
  id: z.string().regex(new RegExp(`^(?:history|${decisionForm})$`), {
    error: 'expected "history", or the name of a component, a hyphen and 10 hexadecimal digits',
  }),
  at: JournalInstant,
  by: Person,
  /** Of "history": the state that later changes are compared with. */
  commit: CommitId.optional(),
  /** Of "history": the greatest published id of each component with lost events. New ids go on above it. */
  published: z.record(ComponentName, PositiveCount).optional(),
});
export type Decision = z.infer<typeof Decision>;
