import * as z from 'zod';
import { addDays, boundInWords, newestFirst } from '../../core/dates.ts';
import { entriesFrom, isAbout } from '../recorded-years.ts';
import { lenient } from '../../core/schemas/lenient.ts';
import { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import { PublishedComing } from '../../core/schemas/published/search-file.ts';
import { StatusFile } from '../../core/schemas/published/status-file.ts';
import { ComponentName, DaySchema } from '../../core/schemas/scalars.ts';
import { defined, listed, sentence } from '../../core/text.ts';
import type { PublishedIndex } from '../published-index.ts';
import { defineTool, listText, shareOf } from './tool.ts';

/** As many as a model reads. */
const mostChanges = 500;

const AnsweredComing = PublishedComing.omit({ line: true, version: true }).extend({
  component: ComponentName,
  of: z.array(z.string()).meta({ description: 'The release lines or versions that it is about.' }),
});
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
    const until = addDays(day, days);
    const coming = await comingChanges(index);
    const all = coming.filter(({ on }) => on <= until);
    const shown = all.slice(0, mostChanges);
    const share = shareOf(shown.length, all.length, 'change');
    const rest = shown.length < all.length ? ', the soonest: ask for fewer days' : '';
    const next = coming[0] && all.length === 0 ? ` Next on ${comingSentence(coming[0])}` : '';
    const head = all.length === 0 ? 'Nothing changes by itself' : `${share}${rest}`;
    return {
      text: await listText(
        index,
        `${head} until ${until}, as known on ${day}.${next}`,
        shown.map(comingSentence),
      ),
      content: { asOf: day, until, total: all.length, changes: shown },
    };
  },
});

/** Soonest first; those of one day by component, each once for all lines or versions that it is about. */
async function comingChanges(index: PublishedIndex): Promise<AnsweredComing[]> {
  const all = Array.from(await index.searched()).flatMap(([component, { coming = [] }]) => {
    const events = Map.groupBy(coming, ({ on, onKind, event, phase, reason }) =>
      JSON.stringify([on, onKind, event, phase, reason]),
    );
    return Array.from(events.values(), (same) => {
      const { on, onKind, event, phase, reason } = same[0]!;
      const of = same.flatMap(({ line, version }) => line ?? version ?? []);
      return defined({ on, onKind, component, event, phase, of, reason });
    });
  });
  return all.sort((a, b) => newestFirst(b.on, a.on));
}

function comingSentence({ on, onKind, component, of, event, phase = '', reason }: AnsweredComing): string {
  const verb = `${of.length > 1 ? event.replace(/s\b/, '') : event} ${phase}`.trim();
  const what = `${boundInWords(on, onKind)}: ${component} ${listed(of, 10)} ${verb}`;
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
  async answer({ date, component: wanted }, { index, day: asOf }) {
    const found = await Array.fromAsync(entriesFrom(index.recordedChanges, Date.parse(date)));
    const all = found.filter((change) => wanted === undefined || isAbout(change, wanted)).reverse();
    const shown = all.slice(0, mostChanges);
    const share = shareOf(shown.length, all.length, 'change');
    const rest =
      shown.length < all.length ? ', the newest: ask from a later day on; changes/<year>.json has all' : '';
    const head = all.length === 0 ? 'Nothing changed' : `${share}${rest}`;
    const lines = shown.map(({ at, component, text }) => `${at.slice(0, 10)}: ${component}: ${text}`);
    return {
      text: await listText(index, `${head} from ${date} until ${asOf}.`, lines),
      content: { asOf, total: all.length, changes: shown },
    };
  },
});
