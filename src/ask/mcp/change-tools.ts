import * as z from 'zod';
import { addDays, oldestFirst, type Day } from '../../core/dates.ts';
import { comingChanges, expectedOn } from '../../core/coming.ts';
import { componentOn } from '../../core/rows.ts';
import { entriesFrom, isAbout } from '../recorded-years.ts';
import { lenient } from '../../core/schemas/lenient.ts';
import { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import { StatusFile } from '../../core/schemas/published/status-file.ts';
import { ComponentName, DaySchema } from '../../core/schemas/scalars.ts';
import { defined, listed, sentence } from '../../core/text.ts';
import { rangeInWords } from '../../core/words.ts';
import type { PublishedIndex } from '../published-index.ts';
import { defineTool, listText, shareOf } from './tool.ts';

/** As many as a model reads. */
const mostChanges = 500;

const AnsweredComing = z.object({
  component: ComponentName,
  event: z.enum(['end of support', 'deprecation', 'end of phase']).meta({ description: 'The change.' }),
  from: DaySchema.optional().meta({ description: 'Its day: exact, or the earliest possible one.' }),
  atMost: DaySchema.optional().meta({ description: 'The latest possible day, where it is not exact.' }),
  of: z.array(z.string()).meta({ description: 'The release lines or versions that it is about.' }),
  phase: z.string().optional().meta({ description: 'The phase that ends.' }),
  nextPhase: z.string().optional().meta({ description: 'The phase that follows.' }),
  reason: z.string().optional().meta({ description: 'Why, where the event does not say it.' }),
});
type AnsweredComing = z.infer<typeof AnsweredComing>;

const total = z.int().meta({ description: 'How many there are.' });

export const comingChangesTool = defineTool({
  name: 'coming_changes',
  title: 'Coming changes',
  description:
    'What will change within some days although nothing is released: release lines whose support ends, and versions that will be deprecated; soonest first.',
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
    const coming = await comingOfAll(index, day);
    const all = coming.filter((change) => expectedOn(change) <= until);
    const shown = all.slice(0, mostChanges);
    const share = shareOf(shown.length, all.length, 'change');
    const rest = shown.length < all.length ? ', the soonest: ask for fewer days' : '';
    const next = coming[0] && all.length === 0 ? ` Next: ${comingSentence(coming[0])}` : '';
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

/** Soonest first; the same change of several lines or versions of a component once. */
async function comingOfAll(index: PublishedIndex, day: Day): Promise<AnsweredComing[]> {
  const all = Array.from(await index.searched()).flatMap(([component, facts]) => {
    const events = Map.groupBy(
      comingChanges(componentOn(facts, day).lines, day),
      ({ line: _, version: __, ...shared }) => JSON.stringify(shared),
    );
    return Array.from(events.values(), (same): AnsweredComing => {
      const { line: _, version: __, ...shared } = same[0]!;
      return defined({
        component,
        ...shared,
        of: same.flatMap(({ line, version }) => line ?? version ?? []),
      });
    });
  });
  return all.sort((a, b) => oldestFirst(expectedOn(a), expectedOn(b)));
}

function comingSentence(change: AnsweredComing): string {
  const { component, of, event, phase, nextPhase, reason } = change;
  const named = phase === undefined ? '' : ` ${phase}`;
  const next = nextPhase === undefined ? '' : `, then phase ${nextPhase}`;
  const what = `${rangeInWords(change)}: ${event}${named} of ${component} ${listed(of, 10)}${next}`;
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
