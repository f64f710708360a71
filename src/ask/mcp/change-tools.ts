import * as z from 'zod';
import { boundInWords, addDays, type Day } from '../../core/dates.ts';
import { isAbout } from '../published-changes.ts';
import { lenient } from '../../core/schemas/lenient.ts';
import { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import { DetailsFile } from '../../core/schemas/published/details-file.ts';
import { PublishedComing } from '../../core/schemas/published/search-file.ts';
import { StatusFile } from '../../core/schemas/published/status-file.ts';
import { ComponentName, DaySchema } from '../../core/schemas/scalars.ts';
import { sentence } from '../../core/text.ts';
import type { PublishedIndex } from '../published-index.ts';
import { defineTool, shareOf } from './tool.ts';

/** As many as a model reads. */
const mostChanges = 500;

const AnsweredComing = PublishedComing.extend({ component: ComponentName, title: DetailsFile.shape.title });
type AnsweredComing = z.infer<typeof AnsweredComing>;

const total = z.int().meta({ description: 'How many there are.' });

export const comingChangesTool = defineTool({
  name: 'coming_changes',
  title: 'Coming changes',
  description:
    'What will change within some days although nothing is released: release lines that leave support, and versions that will be deprecated; soonest first.',
  input: z.strictObject({
    days: z
      .int()
      .min(0)
      .max(36_500)
      .default(90)
      .meta({ description: 'How many days to look ahead from today on.' }),
  }),
  output: z.object({
    asOf: StatusFile.shape.asOf,
    until: DaySchema.meta({ description: 'The last day that is looked at.' }),
    total,
    changes: z.array(lenient(AnsweredComing)).meta({ description: 'Soonest first.' }),
  }),
  async answer({ days }, { index, day }) {
    const { asOf } = await index.status();
    const until = addDays(day, days);
    const all = await comingUntil(index, until);
    const shown = all.slice(0, mostChanges);
    const share = shareOf(shown.length, all.length, 'change');
    const rest = shown.length < all.length ? ', the soonest: ask for fewer days' : '';
    const head = all.length === 0 ? 'Nothing changes by itself' : `${share}${rest}`;
    return {
      text: [
        `${head} until ${until}, as known on ${asOf}.`,
        ...shown.map((change) => `${boundInWords(change.on, change.onKind)}: ${comingSentence(change)}`),
      ].join('\n'),
      content: { asOf, until, total: all.length, changes: shown },
    };
  },
});

/** Those until the end of a day, soonest first; of one day by component. */
async function comingUntil(index: PublishedIndex, until: Day): Promise<AnsweredComing[]> {
  const all = Array.from(await index.searched()).flatMap(([component, { title, coming = [] }]) =>
    coming.map((change) => ({ ...change, component, title })),
  );
  return all.filter(({ on }) => on <= until).sort((a, b) => (a.on < b.on ? -1 : Number(a.on > b.on)));
}

/** Without its day. */
function comingSentence({ component, line, version, event, reason }: AnsweredComing): string {
  const what = `${component} ${line ?? version} ${event}`;
  return reason === undefined ? `${what}.` : `${what}: ${sentence(reason)}`;
}

export const changesSinceTool = defineTool({
  name: 'changes_since',
  title: 'Changes since a day',
  description:
    'What the index recorded on a day and later: releases, deprecations and their end, ends of support that were announced, moved, dropped or reached, withdrawals, corrections; newest first.',
  input: z.strictObject({
    date: DaySchema.meta({ description: 'The first day to look at, YYYY-MM-DD; it counts itself.' }),
    component: ComponentName.optional().meta({ description: 'Only changes of this component.' }),
  }),
  output: z.object({
    asOf: StatusFile.shape.asOf,
    total,
    changes: z.array(lenient(PublishedChange)).meta({ description: 'Newest first.' }),
  }),
  async answer({ date, component: wanted }, { index }) {
    const { asOf } = await index.status();
    const found = await index.changes(date);
    const all = wanted === undefined ? found : found.filter((change) => isAbout(change, wanted));
    const shown = all.slice(0, mostChanges);
    const share = shareOf(shown.length, all.length, 'change');
    const rest =
      shown.length < all.length ? ', the newest: ask from a later day on; changes/<year>.json has all' : '';
    const head = all.length === 0 ? 'Nothing changed' : `${share}${rest}`;
    return {
      text: [
        `${head} from ${date} until ${asOf}.`,
        ...shown.map(({ at, component, text }) => `${at.slice(0, 10)}: ${component}: ${text}`),
      ].join('\n'),
      content: { asOf, total: all.length, changes: shown },
    };
  },
});
