import * as z from 'zod';
import { addDays } from '../../core/day.ts';
import type { StatedLine } from '../../core/schema/recorded.ts';
import { DaySchema } from '../../core/schema/scalars.ts';
import { OrderedLine, readLines } from '../read-releases.ts';
import { fetchJson, joinUrl } from '../requests.ts';
import type { Datasource } from '../types.ts';

/** endoflife.date/docs/api/v1 */
const Product = z.object({ result: z.object({ releases: z.array(z.unknown()) }) });

const end = DaySchema.nullish();
const flag = z.boolean().nullish();

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
    const main = cycle.isEoas == null ? 'support' : 'security';
    return {
      line: cycle.name,
      since: cycle.releaseDate,
      lts: cycle.ltsFrom ? addDays(cycle.ltsFrom, 1) : cycle.isLts || undefined,
      phases: [
        ...listPhase('active', cycle.isEoas, cycle.eoasFrom),
        ...listPhase(main, cycle.isEol, cycle.eolFrom),
        ...listPhase('extended', cycle.isEoes, cycle.eoesFrom),
      ],
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

/** A phase without a day has at least a flag. */
function listPhase(name: string, isPast?: boolean | null, until?: string | null) {
  if (isPast == null) {
    return [];
  }
  const paid = name === 'extended' || undefined;
  return [until ? { name, until, paid } : { name, isOver: isPast || undefined, paid }];
}
