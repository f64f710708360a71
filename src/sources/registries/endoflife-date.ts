import * as z from 'zod';
import { addDays } from '../../core/day.ts';
import { StatedLine } from '../../core/schema/recorded.ts';
import { DaySchema } from '../../core/schema/scalars.ts';
import { readEntries } from '../read-releases.ts';
import { fetchJson, joinUrl } from '../requests.ts';
import type { Datasource, SourceAnswer } from '../types.ts';

/** endoflife.date/docs/api/v1 */
const Product = z.object({ result: z.object({ releases: z.array(z.unknown()) }) });

const end = DaySchema.nullish();
const flag = z.boolean().nullish();

/** A release line whose phases follow each other, the paid ones last. */
export const OrderedLine = StatedLine.refine(({ phases }) => {
  const ends = phases.flatMap(({ until }) => until ?? []);
  return (
    phases.every(({ paid }, index) => (paid ? index > 0 : !phases[index - 1]?.paid)) &&
    ends.every((day, index) => index === 0 || ends[index - 1]! <= day)
  );
}, 'expected phases that follow each other, the paid ones last');

/** A day is the last day of a phase, or the last day before long-term support. Phases that a product does not have are absent. */
const Cycle = z
  .object({
    name: z.string(),
    releaseDate: DaySchema.optional(),
    isLts: flag,
    ltsFrom: end,
    isEoas: flag,
    eoasFrom: end,
    isEol: z.boolean(),
    eolFrom: end,
    isEoes: flag,
    eoesFrom: end,
  })
  .transform((cycle): z.input<typeof StatedLine> => {
    const phases = [
      ['active', cycle.isEoas, cycle.eoasFrom],
      [cycle.isEoas == null ? 'support' : 'security', cycle.isEol, cycle.eolFrom],
      ['extended', cycle.isEoes, cycle.eoesFrom],
    ] as const;
    return {
      line: cycle.name,
      since: cycle.releaseDate,
      lts: cycle.ltsFrom ? addDays(cycle.ltsFrom, 1) : cycle.isLts || undefined,
      phases: phases.flatMap(([name, isPast, last]) => {
        const until = last ?? undefined;
        const isOver = (isPast && !until) || undefined;
        return isPast == null
          ? []
          : { name, until, isOver, paid: name === 'extended' || undefined };
      }),
    };
  })
  .pipe(OrderedLine);

export const endoflifeLines: Datasource<{ product: string; registryUrl?: string | undefined }> = {
  async list({ product, registryUrl = 'https://endoflife.date/api/' }, { http }) {
    const url = joinUrl(registryUrl, ['v1', 'products', product]);
    const { result } = await fetchJson(http, { url }, Product);
    return readLines(url, result.releases, Cycle);
  },
};

/** Each line once. */
export function readLines(
  url: string,
  entries: readonly unknown[],
  schema: z.ZodType<StatedLine>,
): SourceAnswer {
  const { values, notes } = readEntries(url, entries, schema, 'release line');
  const lines = new Map(values.map((line) => [line.line, line]));
  return { releases: [], lines: [...lines.values()], notes, isPartial: notes.length > 0 };
}
