import * as z from 'zod';
import { ComponentName, DaySchema, Flag, PublishedVersion, Text } from '../scalars.ts';

const Chosen = z.object({
  component: ComponentName,
  title: Text.describe('Its name for people.'),
  version: PublishedVersion,
  isRecommended: Flag.describe('Present where its publisher recommends it for what is given.'),
});

const Part = z.object({
  given: z
    .array(z.object({ component: ComponentName, version: Text }))
    .describe('The versions that the others have to work with.'),
  conflicts: z.array(Text).describe('Statements that exclude a pair of what is given.'),
  set: z
    .array(Chosen)
    .describe('The greatest release of each component that works with all given versions.'),
  notStated: z
    .array(Chosen)
    .describe('Components without such a release: the greatest of which nothing is stated.'),
  without: z
    .array(z.object({ component: ComponentName, title: Text, reason: Text }))
    .describe('Components without any release that can be used with it, and why.'),
});

/** `GET /api/sets`. */
export const CompatibleSet = Part.extend({
  asOf: DaySchema.describe('The day of the question.'),
  next: Part.optional().describe(
    'The set after the next step of the first given component towards its latest release; absent at the latest.',
  ),
}).describe('Versions of components to use together, as their publishers state it.');
export type CompatibleSet = z.infer<typeof CompatibleSet>;
export type SetPart = z.infer<typeof Part>;
