import * as z from 'zod';
import { cutDay } from '../../../core/model/dates.ts';
import { foldEdits, listChangeSentences, type EditEntry } from '../../../core/model/edits.ts';
import { listDistinct } from '../../../core/model/objects.ts';
import type { PublishedChange } from '../../../core/schemas/published/changes-file.ts';
import { quote } from '../../../core/text/foreign-text.ts';
import { formatList } from '../../../core/text/wording.ts';
import type { PublishedIndex } from '../../answers/published-index.ts';
import {
  findAvailableAt,
  readEntriesFrom,
  type Publications,
} from '../../history/run-publications.ts';
import { requireComponent } from '../../answers/resolve.ts';
import { createParameterError, pastTimeForm, readPastTime } from '../api/read-request.ts';
import { adviseMore, defineTool, describeShare, greatestMax, joinLines } from './tool.ts';

export const changesSinceTool = defineTool({
  name: 'changes_since',
  title: 'Changes since a day',
  description:
    'Changes that the index published on a day, or at an instant (2026-01-31T10:30:00Z), and later, newest first: releases, deprecations, ends of support announced, moved or reached, withdrawals. For releases by their own day: find_releases with releaseTimestamp:>=2026-11-01.',
  example: { date: '2026-01-31', max: 3 },
  input: z.strictObject({
    date: z.string(),
    component: z.string().min(1).max(200).optional(),
    max: z.int().min(1).max(greatestMax).default(20),
  }),
  output: z.object({
    asOf: z.string(),
    total: z.number(),
    changes: z.array(z.looseObject({ component: z.string().optional() })),
    entered: z.array(z.string()).optional(),
  }),
  async answer({ date, component, max }, { index, day: asOf }) {
    const since = readPastTime(date);
    if (since === undefined) {
      throw createParameterError('date', pastTimeForm, quote(date));
    }

    // By the clock, also for an answer as of an earlier day: what was published is public.
    const publications = await index.publications();
    const recorded = await readEntriesFrom(index.recordedChanges, publications, since);
    const selected =
      component === undefined ? recorded : await listOwnChanges(index, component, recorded);
    const { changes, entered } = summariseChanges(selected);
    const total = changes.length;

    const shown = changes.slice(0, max);
    const nothing = `Nothing ${entered ? 'else ' : ''}changed`;
    const share = total === 0 ? nothing : describeShare(shown.length, total, 'change');
    const hint = shown.length < total ? ` The newest: ask for a later date${adviseMore(max)}.` : '';
    const lines = [`${share} from ${date} until ${asOf}.${hint}`, ...shown.map(describeChange)];
    if (entered) {
      lines.push(`Added to the index: ${formatList(entered, 20)}.`);
    }

    return {
      text: await joinLines(index, lines),
      content: {
        asOf,
        total,
        changes: shown.map((change) => describeFacts(change, publications)),
        entered,
      },
    };
  },
});

/**
 * The changes of a component, by any name that it had. Their ids begin with its first name, which a renaming does not change. A
 * removed component has changes, but no details that would name it. Throws a `QuestionError` for an unknown name.
 */
async function listOwnChanges(
  index: PublishedIndex,
  text: string,
  recorded: readonly PublishedChange[],
): Promise<PublishedChange[]> {
  const findFirstName = ({ id }: PublishedChange) => id.slice(0, id.indexOf('/'));
  const isRecorded = recorded.some((change) =>
    [change.component, findFirstName(change)].includes(text),
  );
  const name = isRecorded ? text : (await requireComponent(index, text)).component;

  const named = recorded.filter(({ component }) => component === name);
  const firstNames = new Set([name, ...named.map(findFirstName)]);
  return recorded.filter((change) => firstNames.has(findFirstName(change)));
}

/** Changes newest first, and the components that were added to the index with some of them. */
function summariseChanges(recorded: readonly PublishedChange[]) {
  const newestFirst = recorded.toReversed();
  const initialChanges = newestFirst.filter(({ initial }) => initial);
  return {
    changes: foldEdits(newestFirst.filter(({ initial }) => !initial)),
    entered: listDistinct(initialChanges.map((change) => change.component)),
  };
}

/** A change with the instant from which all readers could see it, and an edit with a sentence for each of its changes. */
function describeFacts(change: PublishedChange | EditEntry, publications: Publications): object {
  const availableAt = new Date(findAvailableAt(publications, change.at)).toISOString();
  return change.type === 'edited'
    ? { ...change, changes: listChangeSentences(change), availableAt }
    : { ...change, availableAt };
}

function describeChange(change: PublishedChange | EditEntry): string {
  const subject = change.type === 'edited' ? '' : `${change.component}: `;
  return `${cutDay(change.at)}: ${subject}${change.text}`;
}
