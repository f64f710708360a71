import * as z from 'zod';
import { recordedBuildFields, buildFieldSet } from '../../../core/query/build-fields.ts';
import { parseQuery } from '../../../core/query/parse.ts';
import type { Run } from '../../../core/schemas/recorded/runs.ts';
import { toLine } from '../../../core/text/foreign-text.ts';
import { endSentence, formatCount, formatList } from '../../../core/text/wording.ts';
import { readEntriesFrom } from '../../history/run-publications.ts';
import { selectRuns } from '../../search/select-runs.ts';
import { defineTool, describeShare, joinLines } from './tool.ts';

export const listRunsTool = defineTool({
  name: 'list_runs',
  title: 'Runs of the index',
  description: `The newest runs that gathered this index: when, how many components, which sources failed or were held, and why. A query selects by ${recordedBuildFields.map(({ name }) => name).join(', ')}: buildOutcome:failed.`,
  example: { max: 1 },
  input: z.strictObject({
    query: z.string().default(''),
    max: z.int().min(1).max(100).default(5),
  }),
  output: z.object({
    asOf: z.string(),
    runs: z.array(z.looseObject({ id: z.string(), at: z.string() })),
  }),
  async answer({ query: text, max }, { index, day: asOf }) {
    const query = parseQuery(text, asOf, buildFieldSet);
    const publications = await index.publications();
    const runs = await readEntriesFrom(index.recordedBuilds, publications, 0);
    const selectedRuns = selectRuns(query, runs, 'Use fewer terms.');
    const shown = selectedRuns.toReversed().slice(0, max);

    const share = describeShare(shown.length, selectedRuns.length, 'run');
    return {
      text: await joinLines(index, [`${share}, newest first.`, ...shown.map(describeRun)]),
      content: {
        asOf,
        runs: shown.map(({ id, at, asked, events, troubles = [], waits = [] }) => {
          return { id, at, asked, events, troubles: troubles.length, waits: waits.length };
        }),
      },
    };
  },
});

/** Maximum number of causes in the text of a run. */
const maxCauses = 3;

/** `2026-11-20T…: 14 sources of 8 components asked, 2 events recorded. svc failed: … old held: …` */
function describeRun({ at, components, asked, events, troubles = [], waits = [] }: Run): string {
  const sources = `${formatCount(asked, 'source')} of ${formatCount(components, 'component')}`;
  const problems = [...troubles, ...waits.map((wait) => ({ ...wait, kind: 'held' }))];
  const byCause = Map.groupBy(problems, ({ kind, reason }) => `${kind}: ${toLine(reason, 120)}`);
  const causes = Array.from(byCause, ([cause, failures]) => {
    const names = new Set(failures.map(({ component }) => component));
    return endSentence(`${formatList([...names], 3)} ${cause}`);
  });

  const sentences = [
    `${at}: ${sources} asked, ${formatCount(events, 'event')} recorded.`,
    ...causes.slice(0, maxCauses),
  ];
  if (causes.length > maxCauses) {
    sentences.push(`And ${causes.length - maxCauses} more.`);
  }
  return sentences.join(' ');
}
