import * as z from 'zod';
import type { Run } from '../../core/schema/recorded.ts';
import { formatList } from '../../core/text.ts';
import { countNewest, defineTool, limitSchema, takeNewest } from '../tool.ts';
import { selectRuns } from './builds.ts';

export const listRuns = defineTool({
  name: 'list_runs',
  description:
    'Lists the newest runs that collected the data of this index: when they ran, how many sources they asked, and what failed or waits, and why.',
  inputSchema: z.strictObject({ query: z.string().default(''), max: limitSchema(5) }),
  async answer(index, { query, max }) {
    const shown = await takeNewest(index.runsByYear(), max, (runs) => selectRuns(query, runs));
    return {
      lines: [`${countNewest(shown, max, 'run')}, newest first.`, ...shown.map(describeRun)],
      content: { runs: shown.map(countRun) },
    };
  },
});

function countRun({ id, at, asked, events, troubles = [], waits = [] }: Run) {
  return { id, at, asked, events, troubles: troubles.length, waits: waits.length };
}

function describeRun({ at, components, asked, events, troubles = [], waits = [] }: Run): string {
  const causes = [
    ...troubles.map(({ component, kind, reason }) => `${component} ${kind}: ${reason}`),
    ...waits.map(({ component, reason }) => `${component} held: ${reason}`),
  ];
  const counts = `${asked} sources of ${components} components asked, ${events} events recorded.`;
  return `${at}: ${counts} ${formatList(causes, 3)}`.trim();
}
