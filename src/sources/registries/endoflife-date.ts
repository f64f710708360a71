import * as z from 'zod';
import type { Day } from '../../core/day.ts';
import { OrderedLine, type StatedLine } from '../../core/schema/recorded.ts';
import { DaySchema } from '../../core/schema/scalars.ts';
import { toLine } from '../../core/text.ts';
import { readLines } from '../read-releases.ts';
import { anyText, fetchJson, joinUrl } from '../requests.ts';
import type { Datasource } from '../types.ts';

/** A product in endoflife.date/docs/api/v1. `labels.eoes`: the heading above its end dates of extended support, such as `Debian LTS`. */
const Product = z.object({
  result: z.object({
    labels: z.object({ eoes: anyText }).optional().catch(undefined),
    releases: z.array(z.unknown()),
  }),
});

/** The headings (`labels.eoes`) that mean free extended support. Debian, Apache Pulsar and Hibernate offer it. */
const freeExtensions: Record<string, Extension> = {
  'Debian LTS': { name: 'lts' },
  'Security Support': { name: 'security' },
  'Limited support': { name: 'limited' },
};
/** The phase after the end of support. This phase is usually paid, even if it is called LTS. */
const paidExtension: Extension = { name: 'extended', paid: true };

type Extension = Pick<z.infer<typeof OrderedLine>['phases'][number], 'name' | 'paid'>;

const end = DaySchema.nullish();
const lineText = z
  .string()
  .transform((name) => toLine(name, 200) || undefined)
  .nullish()
  .catch(undefined);
const flag = z.boolean().nullish();

/**
 * Keys that only the site of an index adds to endoflife.date's format. `supportedUntil` and `supportedUntilAtMost` are the earliest and the
 * latest possible end of support. `isInferred` means that the end of support is estimated. No product of endoflife.date uses the keys with
 * another meaning.
 */
const custom = z
  .object({
    supportedUntil: DaySchema.optional(),
    supportedUntilAtMost: DaySchema.optional(),
    isInferred: z.literal('true').optional(),
  })
  .catch({});

/**
 * Creates the schema of a cycle. `eoasFrom`, `eolFrom` and `eoesFrom` are the last days of phases. `ltsFrom` is the first day of long-term
 * support. If a product does not have a phase, the keys of the phase are absent.
 */
function createCycle(extension: Extension) {
  return z
    .object({
      name: z.string(),
      codename: lineText,
      label: lineText,
      releaseDate: DaySchema.optional(),
      isLts: flag,
      ltsFrom: end,
      isEoas: flag,
      eoasFrom: end,
      isEol: z.boolean(),
      eolFrom: end,
      isEoes: flag,
      eoesFrom: end,
      custom,
    })
    .transform((cycle): z.input<typeof StatedLine> => {
      const main = cycle.isEoas == null ? 'support' : 'security';
      const { supportedUntil, supportedUntilAtMost, isInferred } = cycle.custom;
      const end = supportedUntilAtMost
        ? { until: supportedUntil, untilAtMost: supportedUntilAtMost }
        : { until: cycle.eolFrom };
      return {
        line: cycle.name,
        codename: cycle.codename || undefined,
        alias: readAlias(cycle.name, cycle.codename ?? '', cycle.label ?? ''),
        since: cycle.releaseDate,
        lts: cycle.ltsFrom ?? (cycle.isLts || undefined),
        isInferred: isInferred && true,
        phases: [
          { name: 'active', isOver: cycle.isEoas, until: cycle.eoasFrom },
          { name: main, isOver: cycle.isEol, ...end },
          { ...extension, isOver: cycle.isEoes, until: cycle.eoesFrom },
        ].flatMap(listPhase),
      };
    })
    .pipe(OrderedLine);
}

/**
 * Reads another name of a line from its label: 2024 for 24, `Core 3.1` for 3.1, and 2022 for 16.0 from `2022 'Dallas'`. Undefined if the label
 * only adds words after the name, as in `9.4 LTS`, or contains the codename in another place.
 */
function readAlias(name: string, codename: string, label: string): string | undefined {
  const plain = toLine(
    label.replace(`'${codename}'`, ' ').replaceAll(/\([^()]*\)/g, ' '),
    200,
  ).trim();
  const spell = (text: string) => ` ${text.toLowerCase().replaceAll(/[^a-z0-9.]+/g, ' ')} `;
  const isWorded = spell(plain).startsWith(spell(name)) || (codename && plain.includes(codename));
  return isWorded ? undefined : plain || undefined;
}

interface StatedPhase extends Extension {
  isOver: boolean | null | undefined;
  until: Day | null | undefined;
  untilAtMost?: Day | undefined;
}

/** Lists a phase. The list is empty if the flag `isOver` is missing, because the product then does not have this phase. */
function listPhase({ name, isOver, until, untilAtMost, paid }: StatedPhase) {
  if (isOver == null) {
    return [];
  }
  const isDated = until ?? untilAtMost;
  return [
    {
      name,
      until: until ?? undefined,
      untilAtMost,
      isOver: isDated ? undefined : isOver || undefined,
      paid,
    },
  ];
}

export const endoflifeLines: Datasource<{ product: string; registryUrl?: string | undefined }> = {
  async list({ product, registryUrl = 'https://endoflife.date/api/' }, { http }) {
    const url = joinUrl(registryUrl, ['v1', 'products', product]);
    const { result } = await fetchJson(http, { url }, Product);
    const cycle = createCycle(freeExtensions[result.labels?.eoes ?? ''] ?? paidExtension);
    return readLines(url, result.releases, cycle, 'name');
  },
};
