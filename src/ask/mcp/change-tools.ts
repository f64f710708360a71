import * as z from 'zod';
import { addDays, oldestFirst, type Day } from '../../core/dates.ts';
import { comingChanges, expectedOn, type ComingChange } from '../../core/coming.ts';
import { componentOn } from '../../core/rows.ts';
import { foldEdits, sentencesOf } from '../../core/edits.ts';
import { entriesFrom, isAbout } from '../recorded-years.ts';
import { ComponentName, DaySchema } from '../../core/schemas/scalars.ts';
import { listed, sentence } from '../../core/text.ts';
import { rangeInWords } from '../../core/words.ts';
import type { PublishedIndex } from '../published-index.ts';
import { defineTool, listText, shareOf, WrongArgumentError } from './tool.ts';

/** Maximum number of changes for a model. */
const mostChanges = 500;

/** A change of several release lines or versions. */
type AnsweredComing = Omit<ComingChange, 'line' | 'version'> & {
  readonly component: string;
  readonly of: readonly string[];
};

const Changes = z.object({
  asOf: z.string(),
  total: z.number(),
  changes: z.array(z.looseObject({ component: z.string().optional() })),
});

export const comingChangesTool = defineTool({
  name: 'coming_changes',
  title: 'Coming changes',
  description: 'Ends of support and deprecations within some days, soonest first.',
  input: z.strictObject({ days: z.int().min(0).max(36_500).default(90) }),
  output: Changes,
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

/** Soonest first. Equal changes of several lines or versions of a component are one change. */
async function comingOfAll(index: PublishedIndex, day: Day): Promise<AnsweredComing[]> {
  const all = Array.from(await index.searched()).flatMap(([component, facts]) => {
    const events = Map.groupBy(
      comingChanges(componentOn(facts, day).lines, day),
      ({ line: _, version: __, ...shared }) => JSON.stringify(shared),
    );
    return Array.from(events.values(), (same): AnsweredComing => {
      const [{ line: _, version: __, ...shared }] = same;
      return {
        component,
        ...shared,
        of: same.flatMap(({ line, version }) => line ?? version ?? []),
      };
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
    'Changes that the index published on a day and later, newest first: releases, deprecations, ends of support announced, moved or reached, withdrawals. For releases by their own day: find_releases with releaseTimestamp:>=2026-11-01.',
  input: z.strictObject({
    date: DaySchema.meta({ description: '' }),
    component: ComponentName.optional().meta({ description: '' }),
    max: z.int().min(1).max(mostChanges).default(20),
  }),
  output: Changes,
  async answer({ date, component: wanted, max }, { index, day: asOf }) {
    if (date > asOf) {
      throw new WrongArgumentError(`date: expected a day up to today, ${asOf}; got "${date}"`);
    }
    const since = await index.unpublishedSince(Date.parse(date));
    const found = await Array.fromAsync(entriesFrom(index.recordedChanges, since));
    const recorded = found
      .filter((change) => wanted === undefined || isAbout(change, wanted))
      .reverse();
    const all = foldEdits(recorded.filter(({ initial }) => initial !== true));
    const entered = Map.groupBy(
      recorded.filter(({ initial }) => initial === true),
      ({ component }) => component,
    );
    const shown = all
      .slice(0, max)
      .map((entry) =>
        entry.type === 'edited' ? { ...entry, changes: sentencesOf(entry) } : entry,
      );
    const share = shareOf(shown.length, all.length, 'change');
    const rest =
      shown.length < all.length
        ? ', the newest: ask for more with max, or from a later day on'
        : '';
    const head = all.length === 0 ? 'Nothing changed' : `${share}${rest}`;
    const lines = shown.map((entry) => {
      const about = entry.type === 'edited' ? '' : `${entry.component}: `;
      return `${entry.at.slice(0, 10)}: ${about}${entry.text}`;
    });
    const entries = listed([...entered.keys()], 20);
    return {
      text: await listText(index, `${head} from ${date} until ${asOf}.`, [
        ...lines,
        ...(entered.size > 0 ? [`Added to the index: ${entries}.`] : []),
      ]),
      content: {
        asOf,
        total: all.length,
        changes: shown,
        entered: entered.size > 0 ? [...entered.keys()] : undefined,
      },
    };
  },
});
