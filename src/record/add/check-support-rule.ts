/** Compares the rule of a product of endoflife.date with the ends that the product states. */
import * as z from 'zod';
import type { Day } from '../../core/model/dates.ts';
import { findLastFreePhase } from '../../core/model/phases.ts';
import { parseVersion } from '../../core/model/version.ts';
import type { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import { DaySchema } from '../../core/schemas/scalars.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import { compareLineNames, type ReleaseLine } from '../../decide/lines.ts';
import { computeSupport } from '../../decide/support.ts';

/** A release line of a product, whose values are all read as text. */
export const ProductCycle = z.object({
  releaseCycle: z.string(),
  releaseDate: DaySchema.optional().catch(undefined),
  latest: z.string().optional().catch(undefined),
  /** In place of a day, whether it is over. */
  eol: z.union([DaySchema, z.stringbool()]).optional().catch(undefined),
});
type ProductCycle = z.infer<typeof ProductCycle>;

/**
 * The rule of a product, and a note on the ends. Drops a rule if most of its days differ from those of the product, or if a line would
 * be supported today by only one of them.
 */
export function checkSupportRule(
  product: string,
  rule: SupportPolicy | undefined,
  cycles: readonly ProductCycle[],
  day: Day,
): { support?: SupportPolicy; note: string } {
  const origin = `at endoflife.date for ${quote(product)}`;
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
  const ruleEnds = computeEnds(rule, cycles, day);
  const comparisons: EndComparison[] = [];

  for (const { releaseCycle, releaseDate, eol } of cycles) {
    const ruleEnd = ruleEnds.get(releaseCycle);
    const result = releaseDate && compareEnd(eol, ruleEnd, day);
    if (result) {
      const end = eol === true ? 'ended' : eol || 'supported';
      const description = `${releaseCycle} ${end} (rule: ${ruleEnd ?? 'none'})`;
      comparisons.push({ result, description });
    }
  }

  return comparisons;
}

/** The last days by a rule of the lines that have begun by a day. */
function computeEnds(
  rule: SupportPolicy,
  cycles: readonly ProductCycle[],
  day: Day,
): Map<string, Day | undefined> {
  const lines: ReleaseLine[] = [];
  for (const { releaseCycle: name, releaseDate: from } of cycles) {
    if (parseVersion(name) && from && from <= day) {
      lines.push({ name, releases: [], hasStableRelease: true, began: { from } });
    }
  }

  lines.sort((a, b) => compareLineNames(a.name, b.name));
  return new Map(
    computeSupport(rule, lines, []).map(({ name, phases }) => [
      name,
      findLastFreePhase(phases)?.until,
    ]),
  );
}

/**
 * The result for one line: whether it would be supported today by only one of both, or would end on another day. Undefined if both
 * agree about today, but one of them has no day.
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
