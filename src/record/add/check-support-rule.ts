/** Compares the rule of a product of endoflife.date with the ends that the product states. */
import * as z from 'zod';
import type { Day } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { findLastFreePhase } from '../../core/model/phases.ts';
import type { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import { DaySchema } from '../../core/schemas/scalars.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import { judgeRecorded } from '../../decide/judge.ts';

/** A release line of a product, whose values are all read as text. */
export const ProductCycle = z.object({
  releaseCycle: z.string(),
  releaseDate: DaySchema.optional().catch(undefined),
  latest: z.string().optional().catch(undefined),
  /** In place of a day, whether it is over. */
  eol: z.union([DaySchema, z.stringbool()]).optional().catch(undefined),
});
type ProductCycle = z.infer<typeof ProductCycle>;

interface StatedEnds {
  /** The name of the product. */
  name: string;
  cycles: readonly ProductCycle[];
  day: Day;
}

/**
 * The rule of a product, and a note on the ends. Drops a rule if most of its days differ from those of the product, or if a line would
 * be supported today by only one of them.
 */
export function checkSupportRule(
  rule: SupportPolicy | undefined,
  { name, cycles, day }: StatedEnds,
): { support?: SupportPolicy; note: string } {
  const origin = `at endoflife.date for ${quote(name)}`;
  const asStated = `support: as stated ${origin}`;
  if (!rule) {
    return { note: asStated };
  }

  const byRule = `support: the rule ${origin}`;
  const comparisons = compareEnds(rule, cycles, day);
  if (comparisons.length === 0) {
    return { support: rule, note: `${byRule}, but no day of an end could be compared` };
  }

  const differences = comparisons.filter(({ result }) => result !== 'same');
  if (differences.length === 0) {
    return { support: rule, note: byRule };
  }

  const summary = describeDifferences(comparisons);
  const differsToday = differences.some(({ result }) => result === 'other state today');
  return differsToday || differences.length * 2 > comparisons.length
    ? { note: `${asStated}; its rule gives ${summary}` }
    : { support: rule, note: `${byRule}; stated there is ${summary}` };
}

interface EndComparison {
  result: 'same' | 'other day' | 'other state today';
  /** The line with both ends, such as `1.0 2026-01-01 (rule: 2026-03-01)`. */
  description: string;
}

/** Compares the stated ends of the lines with those by a rule, where possible. */
function compareEnds(
  rule: SupportPolicy,
  cycles: readonly ProductCycle[],
  day: Day,
): EndComparison[] {
  const dated = cycles.filter(({ releaseDate }) => releaseDate !== undefined);
  const ruleEnds = computeEnds(rule, dated, day);
  const comparisons: EndComparison[] = [];

  for (const { releaseCycle, eol } of dated) {
    const ruleEnd = ruleEnds.get(releaseCycle);
    const result = compareEnd(eol, ruleEnd, day);
    if (result !== undefined) {
      const description = `${releaseCycle} ${describeEnd(eol)} (rule: ${ruleEnd ?? 'none'})`;
      comparisons.push({ result, description });
    }
  }

  return comparisons;
}

/** The last day of each line by a policy, as if each had one release. */
function computeEnds(
  support: SupportPolicy,
  cycles: readonly ProductCycle[],
  day: Day,
): Map<string, Day | undefined> {
  const releases = cycles.map(({ releaseCycle, releaseDate }) =>
    dropUndefined({ version: releaseCycle, releaseTimestamp: releaseDate }),
  );
  // Only the policy and the releases decide the ends.
  const definition = { title: '', homepage: '', changelogUrl: '', sources: [], support };
  const { lines } = judgeRecorded('', definition, { releases }, day).judgement;
  return new Map(lines.map(({ name, phases }) => [name, findLastFreePhase(phases)?.until]));
}

function describeEnd(eol: ProductCycle['eol']): string {
  if (typeof eol === 'string') {
    return eol;
  }

  return eol ? 'ended' : 'supported';
}

/**
 * The result for one line: whether it would be supported today by only one of both, or would end on another day. Undefined if the
 * rule gives no day or the product states none, and both agree about today.
 */
function compareEnd(stated: ProductCycle['eol'], ruleEnd: Day | undefined, day: Day) {
  const isEnded = typeof stated === 'string' ? stated < day : stated;
  const isEndedByRule = ruleEnd !== undefined && ruleEnd < day;
  if (isEnded !== undefined && isEnded !== isEndedByRule) {
    return 'other state today';
  }
  // A stated day ahead may be an estimate if the rule gives no day yet.
  if (typeof stated !== 'string' || ruleEnd === undefined) {
    return undefined;
  }

  return ruleEnd === stated ? 'same' : 'other day';
}

/**
 * `another end for 2 of 9 lines: 1.0 ended (rule: none), 1.2 2026-01-01 (rule: 2026-03-01)`. First the lines that only the rule
 * or only the stated end supports today, the oldest of them first.
 */
function describeDifferences(comparisons: EndComparison[]): string {
  // The product lists its newest line first.
  const otherState = comparisons.filter(({ result }) => result === 'other state today').reverse();
  const otherDay = comparisons.filter(({ result }) => result === 'other day');
  const descriptions = [...otherState, ...otherDay].map(({ description }) => description);
  const ratio = `${descriptions.length} of ${formatCount(comparisons.length, 'line')}`;
  return `another end for ${ratio}: ${formatList(descriptions, 3)}`;
}
