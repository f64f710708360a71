import { z } from 'zod';
import { foldEdits, listSentences } from '../../../core/model/edits.ts';
import { QuestionError } from '../../../core/query/question-error.ts';
import { ComponentName } from '../../../core/schemas/scalars.ts';
import { quote } from '../../../core/text/foreign-text.ts';
import { listed } from '../../../core/text/wording.ts';
import { entriesFrom, findAvailableAt, isAbout } from '../../answers/recorded-years.ts';
import { aPastInstant } from '../api/endpoint.ts';
import { readPastInstant } from '../api/read-request.ts';
import { defineTool, listText, describeShare } from './tool.ts';

/** Maximum number of changes for a model. */
const mostChanges = 500;

const Changes = z.object({
  asOf: z.string(),
  total: z.number(),
  changes: z.array(z.looseObject({ component: z.string().optional() })),
});

export const changesSinceTool = defineTool({
  name: 'changes_since',
  title: 'Changes since a day',
  description:
    'Changes that the index published on a day, or at an instant (2026-01-31T10:30:00Z), and later, newest first: releases, deprecations, ends of support announced, moved or reached, withdrawals. For releases by their own day: find_releases with releaseTimestamp:>=2026-11-01.',
  example: { date: '2026-01-31', max: 3 },
  input: z.strictObject({
    date: z.string(),
    component: ComponentName.optional().meta({ description: '' }),
    max: z.int().min(1).max(mostChanges).default(20),
  }),
  output: Changes,
  async answer({ date, component: wanted, max }, { index, day: asOf }) {
    const since = readPastInstant(date);
    if (since === undefined) {
      throw new QuestionError('request', `date: expected ${aPastInstant}; got ${quote(date)}`);
    }

    const publications = await index.publications();
    const recentEntries = await Array.fromAsync(
      entriesFrom(index.recordedChanges, publications, since),
    );
    const recorded = recentEntries
      .filter((change) => wanted === undefined || isAbout(change, wanted))
      .reverse();
    const all = foldEdits(recorded.filter(({ initial }) => initial !== true));

    const entered = Map.groupBy(
      recorded.filter(({ initial }) => initial === true),
      ({ component }) => component,
    );

    const shown = all.slice(0, max).map((entry) => ({
      ...(entry.type === 'edited' ? { ...entry, changes: listSentences(entry) } : entry),
      availableAt: new Date(findAvailableAt(publications, entry.at)).toISOString(),
    }));
    const share = describeShare(shown.length, all.length, 'change');
    const count = all.length === 0 ? 'Nothing changed' : share;
    const rest =
      shown.length < all.length ? ' The newest: ask for more with max, or for a later date.' : '';
    const head = `${count} from ${date} until ${asOf}.${rest}`;

    const lines = shown.map((entry) => {
      const about = entry.type === 'edited' ? '' : `${entry.component}: `;
      return `${entry.at.slice(0, 10)}: ${about}${entry.text}`;
    });
    const entries = listed([...entered.keys()], 20);

    return {
      text: await listText(index, head, [
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
