import * as z from 'zod';
import type { Day } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { findLastFreePhase } from '../../core/model/phases.ts';
import { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import { DaySchema } from '../../core/schemas/scalars.ts';
import { quote, toLine } from '../../core/text/foreign-text.ts';
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

interface RuleInput {
  name: string;
  yaml: string;
  cycles: readonly ProductCycle[];
  url: string | undefined;
  day: Day;
}

/**
 * The rule in the comments of a product, such as `eol(x) = releaseDate(x+2)`, and a note on the ends. Drops a rule if most of
 * its days differ from those of the product, or if a line would be supported today by only one of them.
 */
export function readSupportRule({ name, yaml, cycles, url, day }: RuleInput): {
  support?: SupportPolicy;
  note: string;
} {
  const origin = `at endoflife.date for ${quote(name)}`;
  // A comment that is cut ends with an ellipsis, so it is no rule.
  const comments = yaml
    .split('\n')
    .filter((line) => line.startsWith('#'))
    .map((line) => toLine(line));
  const end = readLength(comments, 'eol');
  const support = end && writePolicy(end, readLength(comments, 'eoas'), { cycles, url });
  if (!support) {
    return { note: `support: as stated ${origin}` };
  }

  const comparisons = compareEnds(support, cycles, day);
  if (comparisons.length === 0) {
    const note = `support: the rule ${origin}, but no day of an end could be compared`;
    return { support, note };
  }

  const differences = comparisons.filter(({ result }) => result !== 'same');
  const summary = describeDifferences(comparisons);
  const differsToday = differences.some(({ result }) => result === 'other state today');
  if (differsToday || differences.length * 2 > comparisons.length) {
    return { note: `support: as stated ${origin}; its rule gives ${summary}` };
  }

  const difference = differences.length > 0 ? `; stated there is ${summary}` : '';
  return { support, note: `support: the rule ${origin}${difference}` };
}

interface Length {
  /** Newer lines until the end. */
  count?: number;
  /** Months, after these lines or after the first release. */
  months?: number;
}

/** A comment that states the end of a phase in any form. */
const statement = { eol: /\beol\b.*=/i, eoas: /\beoas\b.*=/i };

/** A rule for all lines: `# - eol(x) = releaseDate(x+2)`, `# eol = release(x) + 1.5 years.` */
const rule = /^#[ -]*(eol|eoas)(?:\([a-z]\))? ?= ?(.*?)\.?$/i;

/** The end in a rule, such as `releaseDate(x+2)` and `release(x) + 1.5 years`. */
const endForm =
  /^release(?:Date)?\(x(?:\s*\+\s*(?<count>\d+))?\)(?:\s*\+\s*(?<sum>[\d.]+)\s*(?<unit>m|months?|y|years?))?$/i;

/**
 * The length of a phase by its rule; in the examples, 2 newer lines and 18 months. Undefined where no comment, or more
 * than one, states the end of the phase: there are other rules for some lines.
 */
function readLength(
  comments: readonly string[],
  phase: keyof typeof statement,
): Length | undefined {
  const [comment, another] = comments.filter((line) => statement[phase].test(line));
  if (comment === undefined || another !== undefined) {
    return undefined;
  }

  const [, rulePhase, end = ''] = rule.exec(comment) ?? [];
  const { count, sum, unit } = endForm.exec(end)?.groups ?? {};
  if (rulePhase?.toLowerCase() !== phase || (count === undefined && sum === undefined)) {
    return undefined;
  }

  const monthsOfUnit = /^y/i.test(unit ?? '') ? 12 : 1;
  return dropUndefined({
    count: count === undefined ? undefined : Number(count),
    months: sum === undefined ? undefined : Number(sum) * monthsOfUnit,
  });
}

/**
 * The policy with these lengths, in phases if both have the same unit. Undefined if the names of lines have different forms or more
 * than two digit groups, as a policy has one form of lines, or if the schema rejects the policy, such as a fraction of a month.
 */
function writePolicy(
  end: Length,
  active: Length | undefined,
  { cycles, url }: Pick<RuleInput, 'cycles' | 'url'>,
): SupportPolicy | undefined {
  const groupCounts = new Set(cycles.map(({ releaseCycle }) => releaseCycle.split('.').length));
  const [groups = 0, another] = groupCounts;
  if (another !== undefined || groups > 2) {
    return undefined;
  }

  const policy = end.count === undefined ? 'term' : 'latest-lines';
  // Two digit groups are the default.
  const line = groups === 1 ? 1 : undefined;
  const parsePolicy = (ends: object) =>
    SupportPolicy.safeParse(dropUndefined({ policy, ...ends, line, url })).data;

  const phased =
    active &&
    parsePolicy({
      phases: [
        { name: 'active', ...active },
        { name: 'security', ...end },
      ],
    });
  // The schema rejects phases in different units, and an active phase that is not the shorter one. Then only the end is used.
  return phased ?? parsePolicy(end);
}

interface EndComparison {
  result: 'same' | 'other day' | 'other state today';
  /** The line with both ends, such as `1.0 2026-01-01 (rule: 2026-03-01)`. */
  description: string;
}

/** Compares the stated ends of the lines with those by a rule, where possible. */
function compareEnds(
  support: SupportPolicy,
  cycles: readonly ProductCycle[],
  day: Day,
): EndComparison[] {
  const dated = cycles.filter(({ releaseDate }) => releaseDate !== undefined);
  const releases = dated.map(({ releaseCycle, releaseDate }) =>
    dropUndefined({ version: releaseCycle, releaseTimestamp: releaseDate }),
  );
  // Only the policy and the releases decide the ends.
  const definition = { title: '', homepage: '', changelogUrl: '', sources: [], support };
  const { lines } = judgeRecorded('', definition, { releases }, day).judgement;
  const ruleEnds = new Map(
    lines.map(({ name, phases }) => [name, findLastFreePhase(phases)?.until]),
  );
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
