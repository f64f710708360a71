import * as z from 'zod';
import type { Run } from '../../core/schemas/journal.ts';
import { counted } from '../../core/text.ts';
import { defineTool, listText } from './tool.ts';

export const runsTool = defineTool({
  name: 'runs',
  title: 'Runs of the index',
  description:
    'The newest runs that gathered this index: when, how many components, and which sources failed or were held, and why.',
  input: z.strictObject({ max: z.int().min(1).max(100).default(5) }),
  output: z.object({ asOf: z.string(), runs: z.array(z.looseObject({ id: z.string(), at: z.string() })) }),
  async answer({ max }, { index, day: asOf }) {
    const runs: Run[] = [];
    for (const year of await index.recordedBuilds.years()) {
      runs.push(...(await index.recordedBuilds.of(year)));
      if (runs.length >= max) break;
    }
    const shown = runs.slice(0, max);
    const lines = shown.map(({ at, components, asked, events, troubles = [] }) => {
      const failed = troubles.map(
        ({ component, source, kind, reason }) => `${component} (${source}) ${kind}: ${reason}`,
      );
      const head = `${at}: ${asked} of ${counted(components, 'component')} asked, ${counted(events, 'event')} recorded`;
      return [`${head}.`, ...failed].join(' ');
    });
    return {
      text: await listText(index, `${counted(shown.length, 'run')}, newest first.`, lines),
      content: { asOf, runs: shown },
    };
  },
});
