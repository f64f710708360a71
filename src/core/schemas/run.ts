import * as z from 'zod';
import { JournalInstant } from './journal.ts';
import { Count, DaySchema, Line } from './scalars.ts';

/** One line of `data/runs/<year>.ndjson`: a run that recorded what the index says. */
export const Run = z.strictObject({
  id: z.string().regex(/^[a-z0-9]{13}$/, { error: 'expected an id of 13 letters and digits' }),
  asOf: DaySchema.meta({ description: 'The day that it decided for.' }),
  at: JournalInstant.meta({ description: 'The instant of its events.' }),
  startedAt: JournalInstant,
  finishedAt: JournalInstant,
  program: Line.meta({ description: 'Version of this program.' }),
  node: Line.meta({ description: 'Version of Node.' }),
  npm: Line.optional().meta({ description: 'Version of npm, where it is known.' }),
  commit: z.string().optional().meta({ description: 'Commit of the repository, where there is one.' }),
  components: Count.meta({ description: 'How many components there were.' }),
  asked: Count.meta({ description: 'How many of their sources were asked on that day.' }),
  troubles: z
    .array(
      z.strictObject({
        component: z.string(),
        source: Line,
        kind: z.enum(['failed', 'held']),
        reason: Line,
      }),
    )
    .min(1)
    .optional()
    .meta({ description: 'Sources that did not answer, or whose answer waits for a person, and why.' }),
  events: Count.meta({ description: 'How many events it appended.' }),
});
export type Run = z.infer<typeof Run>;
