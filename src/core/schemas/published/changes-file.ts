import * as z from 'zod';
import { JournalEvent } from '../recorded/journal.ts';
import { ComponentName, Text } from '../scalars.ts';

/** The meaning of each type of event; types that are alike share a line. */
const typeMeanings = [
  'released: new in the index',
  'deprecated, restored: a version, or all of a release line for one reason',
  'support-announced, support-moved, support-dropped: the end of support of a release line',
  'support-ending: 90, 30 or 7 days ahead',
  'support-ended: after the last day with support',
  'withdrawn, relisted: upstream no longer lists it, which deprecates it, or lists it again',
  'excluded, included: the definition no longer admits it, or admits it again',
  'corrected: a recorded value changed',
  'republished: other bytes under the same version',
  'renamed, replaced: the component has a new name or a replacement',
  'advisory-published, advisory-changed, advisory-withdrawn: an advisory on its releases',
];

/** An event of the journal, as it is published. */
export const PublishedChange = JournalEvent.extend({
  id: Text.describe(
    '<component>/<number>, with the first name of a renamed component. It never changes, so remember it to find what is new.',
  ),
  at: JournalEvent.shape.at.describe(
    'The instant at which the index recorded it; all events of one run have the same.',
  ),
  type: JournalEvent.shape.type.describe(`${typeMeanings.join('; ')}.`),
  component: ComponentName.describe('Name of the component at that time.'),
  text: Text.describe('The change, in a sentence.'),
});
export type PublishedChange = z.infer<typeof PublishedChange>;

/** `changes.json`. */
export const ChangesFile = z.strictObject({
  changes: z
    .array(PublishedChange)
    .max(1000)
    .describe('Newest first. The newest 1,000; changes/<year>.json has those of a year.'),
});
export type ChangesFile = z.infer<typeof ChangesFile>;

/** `changes/<year>.json`. */
export const ChangesYearFile = z.strictObject({
  changes: z
    .array(PublishedChange)
    .min(1)
    .describe(
      'Newest first. All that was recorded in the year, or, of a year with more than 20 MiB, the newest.',
    ),
});
