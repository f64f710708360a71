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

function createPhase(
  name: string,
  isOver: boolean | null | undefined,
  until: string | null | undefined,
  paid?: true,
) {
  return typeof isOver === 'boolean'
    ? [{ name, until: until ?? undefined, isOver: (isOver && !until) || undefined, paid }]
    : [];
}

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
  .transform((cycle): z.input<typeof StatedLine> => ({
    line: cycle.name,
    since: cycle.releaseDate,
    lts: cycle.ltsFrom ? addDays(cycle.ltsFrom, 1) : cycle.isLts || undefined,
    phases: [
      ...createPhase('active', cycle.isEoas, cycle.eoasFrom),
      ...createPhase(cycle.isEoas == null ? 'support' : 'security', cycle.isEol, cycle.eolFrom),
      ...createPhase('extended', cycle.isEoes, cycle.eoesFrom, true),
    ],
  }))
  .pipe(StatedLine);

export const endoflifeLines: Datasource<{ product: string; registryUrl?: string | undefined }> = {
  async list({ product, registryUrl = 'https://endoflife.date/api/' }, { http }) {
    const url = joinUrl(registryUrl, ['v1', 'products', product]);
    const { result } = await fetchJson(http, url, Product);
    return checkLines(readEntries(url, result.releases, Cycle, 'release line'));
  },
};

/** Each line once, without those whose phases are out of order. */
export function checkLines({
  values,
  notes,
}: ReturnType<typeof readEntries<StatedLine>>): SourceAnswer {
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
