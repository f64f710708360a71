import { z } from 'zod';
import { HttpsUrl } from '../links.ts';
import { Correction } from '../recorded.ts';
import { DaySchema, LineName } from '../scalars.ts';
import { PublishedReason } from './details-file.ts';
import { ComponentName, PublishedVersion, Text } from './published-scalars.ts';

export const PublishedChange = z
  .strictObject({
    id: Text.meta({ description: 'Unique, and the same in every build: remember it to know what is new.' }),
    on: DaySchema.meta({ description: 'The day it happened.' }),
    component: ComponentName,
    kind: z.enum(['added', 'deprecated', 'withdrawn', 'returned', 'corrected']).meta({
      description:
        'added: came into the index; deprecated: a verdict began to hold; withdrawn: upstream no longer lists it; returned: it does again; corrected: a recorded value changed.',
    }),
    version: PublishedVersion.optional().meta({
      description: 'The release it is about; absent where it is about a line.',
    }),
    line: LineName.optional().meta({
      description: 'The release line it is about; absent where it is about a release.',
    }),
    versions: z
      .array(PublishedVersion)
      .min(1)
      .optional()
      .meta({ description: 'Of a line: the releases concerned, oldest first.' }),
    text: Text.meta({ description: 'What happened, in a sentence.' }),
    rule: PublishedReason.shape.rule
      .optional()
      .meta({ description: 'Of a deprecation: which kind of rule it follows from.' }),
    field: Correction.shape.field.optional().meta({ description: 'Of a correction: what was corrected.' }),
    from: Text.optional().meta({
      description: 'Of a correction: the value before; absent where there was none.',
    }),
    to: Text.optional().meta({ description: 'Of a correction: the value now; absent where there is none.' }),
    reason: Text.optional().meta({ description: 'Why.' }),
    url: HttpsUrl.optional().meta({ description: 'Where to read more.' }),
  })
  .refine(
    (change) =>
      (change.version === undefined) === (change.line !== undefined && change.versions !== undefined),
    {
      error: 'expected either a version, or a line and its versions',
    },
  );

/** `changes.json`. */
export const ChangesFile = z
  .strictObject({
    changes: z.array(PublishedChange).max(1000).meta({
      description: 'Newest first. The newest 1,000, of which at most 200 are of one component.',
    }),
  })
  .meta({ description: 'What changed in the index, and when.' });
export type ChangesFile = z.infer<typeof ChangesFile>;
