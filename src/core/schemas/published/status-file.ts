import * as z from 'zod';
import { FreshnessState } from '../freshness.ts';
import { Run } from '../journal.ts';
import { ComponentName, Count, DaySchema, PublishedVersion, Text } from '../scalars.ts';

export const PublishedTrouble = z.strictObject({
  source: Text.meta({ description: 'The source, for instance maven:com.example:agent.' }),
  kind: z.enum(['failed', 'held']).meta({
    description: 'failed: it did not answer soundly; held: its answer waits for a person to look at it.',
  }),
  reason: Text.meta({ description: 'The problem.' }),
  failures: Count.meta({ description: 'Days in a row on which it did not answer soundly.' }),
  heldSince: DaySchema.optional().meta({ description: 'Day since which its answer waits.' }),
  lastAnswered: DaySchema.optional().meta({
    description: 'Day of its last sound answer; absent where there was none.',
  }),
});

export const ComponentStatus = z.strictObject({
  title: Text.optional().meta({ description: 'Its name for people.' }),
  state: FreshnessState.meta({
    description:
      'live: every source answered; stale: a source did not; held: an answer waits for a person; static: nothing is asked.',
  }),
  lastChecked: DaySchema.optional().meta({
    description: 'Day its sources were last asked; absent where never.',
  }),
  lastChanged: DaySchema.optional().meta({
    description: 'Day its recorded data last changed; absent where never.',
  }),
  consecutiveFailures: Count.meta({
    description: 'The most days in a row on which a source of it did not answer.',
  }),
  releases: Count.meta({ description: 'How many releases it has.' }),
  latest: PublishedVersion.optional().meta({ description: 'As tags.latest of the release file.' }),
  troubles: z
    .array(PublishedTrouble)
    .min(1)
    .optional()
    .meta({ description: 'Sources that did not answer soundly, in the order of the definition.' }),
});

const PublishedRun = z.strictObject({
  id: Run.shape.id,
  asOf: DaySchema.meta({ description: 'The day that it decided for.' }),
  startedAt: Run.shape.startedAt,
  finishedAt: Run.shape.finishedAt,
  asked: Run.shape.asked,
  troubles: Count.meta({ description: 'How many sources did not answer, or have an answer that waits.' }),
  events: Run.shape.events,
});

/** `builds/<year>.json`. */
export const BuildsFile = z
  .strictObject({
    builds: z.array(Run).min(1).meta({
      description:
        'Newest first. All runs that were recorded in the year, or, of a year with more than 20 MiB, the newest.',
    }),
  })
  .meta({ description: 'The runs of the index in a year.' });

/** `status.json`. */
export const StatusFile = z
  .strictObject({
    asOf: DaySchema.meta({ description: 'The day the site was built for; every verdict is of this day.' }),
    staleAfterDays: z.int().min(1).optional().meta({
      description: 'How many days later the site is too old to rely on: every answer says so from then on.',
    }),
    inputs: z
      .string()
      .regex(/^sha256:[0-9a-f]{64}$/, { error: 'expected sha256: and a digest' })
      .meta({ description: 'Digest of everything the site was built from.' }),
    components: z
      .record(ComponentName, ComponentStatus)
      .meta({ description: 'The status of each component under its name, alphabetical.' }),
    runs: z
      .array(PublishedRun)
      .min(1)
      .optional()
      .meta({ description: 'The runs of the last 90 days, newest first.' }),
    delay: z
      .strictObject({
        releases: z.int().min(1).meta({ description: 'How many releases it is about.' }),
        medianHours: Count.meta({ description: 'Hours, of half of them at most.' }),
        worstHours: Count.meta({ description: 'Hours, of the one that was seen last.' }),
      })
      .optional()
      .meta({
        description:
          'How long after the instant that upstream states the releases of the last 90 days were recorded.',
      }),
  })
  .meta({ description: 'How fresh the index is.' });
export type StatusFile = z.infer<typeof StatusFile>;
