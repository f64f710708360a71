import * as z from 'zod';
import type { Day } from '../../core/model/dates.ts';
import { dropUndefined } from '../../core/model/objects.ts';
import { findLastFreePhase } from '../../core/model/phases.ts';
import { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import { DaySchema } from '../../core/schemas/scalars.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import { judgeRecorded } from '../../decide/judge.ts';

export const PlainText = z.union([z.string(), z.number()]).transform(String);
const StatedDay = DaySchema.optional().catch(undefined);

/** A release line of a product. */
export const Cycle = z.object({
  releaseCycle: PlainText,
  releaseDate: StatedDay,
  latest: PlainText.optional().catch(undefined),
  /** In place of a day, whether it is over. */
  eol: z.union([DaySchema, z.boolean()]).optional().catch(undefined),
});
type Cycle = z.infer<typeof Cycle>;

interface RuleInput {
  name: string;
  yaml: string;
  cycles: readonly Cycle[];
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
  const comments = yaml.split('\n').filter((line) => line.startsWith('#'));
  const end = readLength(comments, 'eol');
  const support = end && writePolicy(end, readLength(comments, 'eoas'), { cycles, url });
  if (!support) {
    return { note: `support: as stated ${origin}` };
  }

  const comparisons = compareEnds(support, cycles, day);

  // First the lines that only the rule or only the stated end supports today, the oldest of them first.
  const otherToday = comparisons.filter(({ result }) => result === 'other today').reverse();
  const otherDay = comparisons.filter(({ result }) => result === 'other day');
  const differences = [...otherToday, ...otherDay].map(({ words }) => words);
  const lineCount = formatCount(comparisons.length, 'line');
  const summary = `another end for ${differences.length} of ${lineCount}: ${formatList(differences, 3)}`;
  if (otherToday.length > 0 || differences.length * 2 > comparisons.length) {
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
const rule = /^#[\s-]*(eol|eoas)(?:\([a-z]\))?\s*=\s*(.*?)\.?\s*$/i;

/** The end in a rule, such as `releaseDate(x+2)` and `release(x) + 1.5 years`. */
const ruleEnd =
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

  const [, rulePhase, end] = rule.exec(comment) ?? [];
  const terms = end === undefined ? undefined : ruleEnd.exec(end)?.groups;
  const { count, sum, unit } = terms ?? {};
  if (rulePhase?.toLowerCase() !== phase || (count === undefined && sum === undefined)) {
    return undefined;
  }

  const monthsOfUnit = unit?.toLowerCase().startsWith('y') ? 12 : 1;
  return dropUndefined({
    count: count === undefined ? undefined : Number(count),
    months: sum === undefined ? undefined : Number(sum) * monthsOfUnit,
  });
}

/** Undefined where lines have different digit groups: a policy has one form of lines. */
function writePolicy(
  end: Length,
  active: Length | undefined,
  { cycles, url }: Pick<RuleInput, 'cycles' | 'url'>,
): SupportPolicy | undefined {
  const groups = new Set(cycles.map(({ releaseCycle }) => releaseCycle.split('.').length));
  if (groups.size > 1) {
    return undefined;
  }

  const parsePolicy = (ends: object) =>
    SupportPolicy.safeParse(
      dropUndefined({
        policy: end.count === undefined ? 'term' : 'latest-lines',
        ...ends,
        line: groups.has(1) ? 1 : undefined,
        url,
      }),
    ).data;

  // A policy has phases of newer lines or of months, not of both.
  const units = new Set([...Object.keys(end), ...Object.keys(active ?? {})]);
  const phases = [
    { name: 'active', ...active },
    { name: 'security', ...end },
  ];
  return (active && units.size === 1 ? parsePolicy({ phases }) : undefined) ?? parsePolicy(end);
}

interface EndComparison {
  result: 'same' | 'other day' | 'other today';
  /** The line with both ends, such as `1.0 2026-01-01 (rule: 2026-03-01)`. */
  words: string;
}

/** Compares the stated ends of the lines with those by a rule, where possible. */
function compareEnds(support: SupportPolicy, cycles: readonly Cycle[], day: Day): EndComparison[] {
  const dated = cycles.filter(({ releaseDate }) => releaseDate !== undefined);
  const releases = dated.map(({ releaseCycle, releaseDate }) =>
    dropUndefined({ version: releaseCycle, releaseTimestamp: releaseDate }),
  );
  // Only the policy and the releases decide the ends.
  const definition = { title: '', homepage: '', changelogUrl: '', sources: [], support };
  const { lines } = judgeRecorded('', definition, { releases }, day).judgement;
  const byRule = new Map(lines.map(({ name, phases }) => [name, findLastFreePhase(phases)?.until]));
  const comparisons: EndComparison[] = [];

  for (const { releaseCycle, eol } of dated) {
    const until = byRule.get(releaseCycle);
    const result = compareEnd(eol, until, day);
    if (result !== undefined) {
      const words = `${releaseCycle} ${describeEnd(eol)} (rule: ${until ?? 'none'})`;
      comparisons.push({ result, words });
    }
  }

  return comparisons;
}

function describeEnd(eol: Cycle['eol']): string {
  if (typeof eol === 'string') {
    return eol;
  }

  return eol ? 'ended' : 'supported';
}

/**
 * The result for one line: whether it would be supported today by only one of both, or would end on another day. Undefined if the
 * ends cannot be compared: a stated day ahead may be an estimate.
 */
function compareEnd(
  stated: Cycle['eol'],
  byRule: Day | undefined,
  day: Day,
): EndComparison['result'] | undefined {
  const isEnded = typeof stated === 'string' ? stated < day : stated;
  const isEndedByRule = byRule !== undefined && byRule < day;
  if (isEnded !== undefined && isEnded !== isEndedByRule) {
    return 'other today';
  }
  if (typeof stated !== 'string' || byRule === undefined) {
    return undefined;
  }

  return byRule === stated ? 'same' : 'other day';
}
