/** What is told: the events of a component, and the runs that told them. */
import * as z from 'zod';
import { severities } from './advisory.ts';
import { optional } from './forms.ts';
import { DaySchema as Day, Flag, Instant, PastDay } from './scalars.ts';

const EventType = z.enum([
  'released',
  'withdrawn',
  'relisted',
  'excluded',
  'included',
  'deprecated',
  'restored',
  'corrected',
  'republished',
  'unproven',
  'support-changed',
  'support-ending',
  'support-ended',
  'advisory-published',
  'advisory-changed',
  'advisory-withdrawn',
  'replaced',
]);

const Text = z.string().max(2000);

/** A line of `data/journal/<component>.ndjson`. Lines are never changed. */
export const Event = z
  .strictObject({
    id: z.int().positive(),
    at: Instant,
    type: EventType,
    on: Day,
    ...optional({
      version: Text,
      /** Of `deprecated`, in place of a version: all releases of the line that were told by then. */
      line: Text,
      advisory: Text,
      field: z.enum(['day', 'line', 'isPrerelease', 'link', 'digest']),
      /** The name of the file whose digest is corrected. */
      file: Text,
      digest: Text,
      from: Text,
      to: Text,
      toAtMost: Day,
      isObserved: Flag,
      isInferred: Flag,
      severity: z.enum(severities),
      exploitedSince: Day,
      isPrerelease: Flag,
      reason: Text,
      url: Text,
      initial: Flag,
    }),
  })
  .refine(({ type, field }) => type !== 'corrected' || field !== undefined, {
    path: ['field'],
    error: 'expected what was corrected',
  });
export type Event = z.infer<typeof Event>;
export type Draft = Omit<Event, 'id' | 'at'>;

const Trouble = z.strictObject({
  component: Text,
  source: Text,
  kind: z.literal('failed'),
  reason: Text,
  at: Instant,
});
const Wait = z.strictObject({ id: Text, component: Text, since: Day, reason: Text });

/** A line of `data/runs/<year>.ndjson`. */
export const Run = z.strictObject({
  id: z.string().regex(/^[a-z0-9]{13}$/),
  asOf: PastDay,
  at: Instant,
  requested: z.array(Text),
  program: Text,
  node: Text,
  npm: Text.optional(),
  projectName: Text.optional(),
  operatingSystem: Text,
  numberOfCpuCores: z.int(),
  nodeLocale: Text,
  commit: Text.optional(),
  startedAt: Instant,
  components: z.int(),
  asked: z.int(),
  ...optional({
    answered: z.int(),
    troubles: z.array(Trouble),
    waits: z.array(Wait),
    accepted: z.array(Text),
  }),
  finishedAt: Instant,
  events: z.int(),
});
export type Run = z.infer<typeof Run>;
