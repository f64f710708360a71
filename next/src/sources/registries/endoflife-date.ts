import { addDays } from '../../core/day.ts';
import { StatedLine } from '../../core/schema/recorded.ts';
import { DaySchema } from '../../core/schema/scalars.ts';
import * as z from 'zod';
import { expectPackage, readEntries } from '../documents.ts';
import { fetchJson, joinUrl } from '../requests.ts';
import type { Datasource, SourceAnswer, SourceContext } from '../types.ts';

/** endoflife.date/docs/api/v1 */
const Product = z.object({
  result: z.object({ name: z.string(), releases: z.array(z.unknown()) }),
});

async function fetchProduct(
  product: string,
  registryUrl = 'https://endoflife.date/api/',
  { http }: SourceContext,
) {
  const url = joinUrl(registryUrl, ['v1', 'products', product]);
  const { result } = await fetchJson(http, url, Product);
  expectPackage(url, product, result.name);
  return { url, ...result };
}

const end = DaySchema.nullish();
const isOver = z.boolean().nullish();

/** A day is the last day of a phase, or the last day before long-term support. Phases that a product does not have are absent. */
const Cycle = z
  .object({
    ...{ name: z.string(), releaseDate: DaySchema.optional(), isLts: isOver, ltsFrom: end },
    ...{
      isEoas: isOver,
      eoasFrom: end,
      isEol: z.boolean(),
      eolFrom: end,
      isEoes: isOver,
      eoesFrom: end,
    },
  })
  .transform((cycle) => {
    const createPhase = (name: string, over: boolean, until: string | null | undefined) => ({
      name,
      ...(until ? { until } : over && { isOver: true as const }),
    });
    const hasActive = typeof cycle.isEoas === 'boolean';
    const lts = cycle.ltsFrom ? addDays(cycle.ltsFrom, 1) : cycle.isLts || undefined;
    return {
      line: cycle.name,
      ...(cycle.releaseDate !== undefined && { since: cycle.releaseDate }),
      ...(lts !== undefined && { lts }),
      phases: [
        ...(hasActive ? [createPhase('active', cycle.isEoas === true, cycle.eoasFrom)] : []),
        createPhase(hasActive ? 'security' : 'support', cycle.isEol, cycle.eolFrom),
        ...(typeof cycle.isEoes === 'boolean'
          ? [{ ...createPhase('extended', cycle.isEoes, cycle.eoesFrom), paid: true as const }]
          : []),
      ],
    } as StatedLine;
  })
  .pipe(StatedLine);

export const endoflifeLines: Datasource<{ product: string; registryUrl?: string | undefined }> = {
  async list({ product, registryUrl }, context) {
    const { url, releases } = await fetchProduct(product, registryUrl, context);
    return checkLines(readEntries(url, releases, Cycle, 'release line'));
  },
};

/** Each line once, without those whose phases are out of order. */
export function checkLines({
  values,
  notes,
}: {
  values: StatedLine[];
  notes: string[];
}): SourceAnswer {
  const lines = new Map<string, StatedLine>();
  for (const line of values) {
    const ends = line.phases.flatMap(({ until }) => until ?? []);
    if (
      line.phases.some(({ paid }, index) => (paid ? index === 0 : line.phases[index - 1]?.paid)) ||
      ends.some((day, index) => day < ends[index - 1]!)
    ) {
      notes.push(`"${line.line}": its phases do not follow each other. Left out.`);
    } else if (!lines.has(line.line)) {
      lines.set(line.line, line);
    }
  }
  return { releases: [], lines: [...lines.values()], notes, isPartial: notes.length > 0 };
}
