import * as z from 'zod';
import { HttpsUrl } from '../links.ts';
import { Correction } from '../recorded.ts';
import { DaySchema, LineName } from '../scalars.ts';
import { PublishedReason } from './details-file.ts';
import { ComponentName, PublishedVersion, Text } from './published-scalars.ts';

export const PublishedChange = z
  .strictObject({
    id: Text.meta({ description: 'Unique, and the same in every build: remember it to know what is new.' }),
    on: DaySchema.meta({
      description:
        'The day on which the index showed it: where it was learnt late, a day after the one it happened on.',
    }),
    component: ComponentName,
    kind: z
      .enum([
        'added',
        'deprecated',
        'supported',
        'withdrawn',
        'left out',
        'returned',
        'corrected',
        'republished',
      ])
      .meta({
        description:
          'added: came into the index; deprecated: a verdict began to hold; supported: none holds any more; withdrawn: upstream no longer lists it; left out: the definition no longer admits it, and no document holds it; returned: listed or admitted again; corrected: a recorded value changed; republished: an artifact has other bytes under the same version, which a person has looked at.',
      }),
    version: PublishedVersion.optional().meta({
      description: 'The release it is about; absent where it is about several.',
    }),
    line: LineName.optional().meta({
      description: 'The release line it is about, if it is about one.',
    }),
    versions: z
      .array(PublishedVersion)
      .min(1)
      .optional()
      .meta({ description: 'Of a line: the releases concerned, oldest first.' }),
    releases: z.int().min(1).optional().meta({
      description:
        'How many releases came, were left out or returned at once: those that a component entered the index with, whatever had happened to them before, or more than 20 of a later day.',
    }),
    first: PublishedVersion.optional().meta({ description: 'The least of these releases.' }),
    last: PublishedVersion.optional().meta({ description: 'The greatest of them.' }),
    text: Text.meta({ description: 'What happened, in a sentence.' }),
    rule: PublishedReason.shape.rule.optional().meta({
      description:
        'Which kind of rule a deprecation follows from; of what was added or returned: by which it is deprecated all the same.',
    }),
    field: Correction.shape.field.optional().meta({ description: 'Of a correction: what was corrected.' }),
    from: Text.optional().meta({
      description: 'Of a correction: the value before; absent where there was none.',
    }),
    to: Text.optional().meta({ description: 'Of a correction: the value now; absent where there is none.' }),
    reason: Text.optional().meta({ description: 'Why.' }),
    url: HttpsUrl.optional().meta({ description: 'Where to read more.' }),
  })
  .refine(
    ({ version, line, versions, releases, first, last }) =>
      [
        version !== undefined,
        line !== undefined && versions !== undefined,
        releases !== undefined && first !== undefined && last !== undefined,
      ].filter(Boolean).length === 1,
    {
      error:
        'expected either a version, or a line and its versions, or how many releases with the first and the last',
    },
  );

/** `changes.json`. */
export const ChangesFile = z
  .strictObject({
    changes: z.array(PublishedChange).max(1000).meta({
      description: 'Newest first. The newest 1,000; changes/<year>.json holds all.',
    }),
  })
  .meta({ description: 'What changed in the index, and when.' });
export type ChangesFile = z.infer<typeof ChangesFile>;

/** `changes/<year>.json`. */
export const ChangesYearFile = z
  .strictObject({
    changes: z.array(PublishedChange).min(1).meta({
      description: 'Newest first. All of the year, or, of a year with more than 20 MiB of them, the newest.',
    }),
  })
  .meta({ description: 'What changed in the index in a year, and when.' });
export type ChangesYearFile = z.infer<typeof ChangesYearFile>;
