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
} from './scalars.ts';

/** A component and a digest of consequences: `svc-4f2a91c03b`. */
export const DecisionId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,199}-[0-9a-f]{10}$/, {
  error: 'expected the name of a component, a hyphen and 10 hexadecimal digits',
});

/** A short digest of the kind and the cause of an alert. */
export const AlertId = z
  .string()
  .regex(/^[0-9a-f]{10}$/, { error: 'expected an id of 10 hexadecimal digits' });

/** What waits: the whole component, or some of its versions. */
export const WaitKind = z.enum([
  'component',
  'outlier',
  'flood',
  'restored',
  'trust',
  'bytes',
  'files',
]);
export type WaitKind = z.infer<typeof WaitKind>;

/** What waits for a person, with the facts that readers and people need. */
export const Held = z.strictObject({
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
export type Held = z.infer<typeof Held>;

/** `data/held.json`, written by the run that publishes. */
export const HeldFile = z.strictObject({ held: z.array(Held) });
export type HeldFile = z.infer<typeof HeldFile>;

const Person = lineOf(200);

/** One line of `data/decisions.ndjson`: a person lets these consequences through. Each run names the decisions that it used. */
export const Decision = z.strictObject({ id: DecisionId, at: JournalInstant, by: Person });
export type Decision = z.infer<typeof Decision>;

/** One line of `data/acknowledged.ndjson`: no run fails for an alert until a day. It lets nothing through. */
export const Acknowledgement = z.strictObject({
  id: AlertId,
  at: JournalInstant,
  by: Person,
  /** The last day, at most 30 days after the first. */
  until: DaySchema,
  cause: Line,
});
export type Acknowledgement = z.infer<typeof Acknowledgement>;
