/** The support policy of a new component: stated by endoflife.date, by the rule in the file of a product, or by a person. */
import * as z from 'zod';
import { dropUndefined } from '../../core/model/objects.ts';
import type { Source } from '../../core/schemas/definition/source.ts';
import { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import { formatList, formatCount } from '../../core/text/wording.ts';
import type { Fetcher } from '../../io/http/client.ts';
import { HttpError } from '../../io/http/error.ts';
import { SourceError } from '../sources/source-answer.ts';
import { createSupportSource, findProducts } from '../sources/endoflife-date.ts';
import { renderPackageUrl } from '../sources/source-packages.ts';
import type { Day } from '../../core/model/dates.ts';
import { findLastFreePhase } from '../../core/model/phases.ts';
import { DaySchema } from '../../core/schemas/scalars.ts';
import { quote } from '../../core/text/foreign-text.ts';
import { judgeRecorded } from '../../decide/judge.ts';

export interface PolicyContext {
  /** The API to use instead of endoflife.date; empty for none. */
  endoflifeDate?: string | undefined;
  /** Asks a person for a policy, which may be none; absent if the program is not interactive. */
  askPolicy?: (() => Promise<SupportPolicy | undefined>) | undefined;
}

interface PolicyAnswer {
  support?: SupportPolicy;
  note: string;
}

/** Finds the support policy of a package: from endoflife.date, else from a person. */
export async function findSupportPolicy(
  source: Source,
  context: PolicyContext & { http: Fetcher },
): Promise<PolicyAnswer> {
  const { product, problem } = await lookUpProduct(source, context);
  if (product !== undefined) {
    return {
      support: { policy: 'stated', source: createSupportSource(product, context.endoflifeDate) },
      note: `support: stated by endoflife.date, which lists the package for ${product}`,
    };
  }

  const policy = await context.askPolicy?.();
  if (policy) {
    return { support: policy, note: 'support: as you answered' };
  }

  const reason = problem === undefined ? '' : `${problem}; `;
  return { note: `support: ${reason}no end is stated; add a support policy to state one` };
}

/** The only product of endoflife.date that has the package, or the problem with it. */
async function lookUpProduct(
  source: Source,
  { http, endoflifeDate }: PolicyContext & { http: Fetcher },
): Promise<{ product?: string; problem?: string }> {
  const purl = renderPackageUrl(source);
  if (purl === undefined || endoflifeDate === '') {
    return {};
  }

  try {
    const products = await findProducts(http, purl, endoflifeDate);
    const [product, another] = products;
    if (product === undefined) {
      return { problem: 'endoflife.date does not list the package' };
    }
    if (another === undefined) {
      return { product };
    }

    const names = formatList(products, 5);
    return { problem: `endoflife.date lists the package for several products, ${names}` };
  } catch (error) {
    if (!(error instanceof SourceError || error instanceof HttpError)) {
      throw error;
    }

    return { problem: `endoflife.date could not be asked (${error.message})` };
  }
}

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

/**
 * The rule of a phase, `eol` or `eoas`: 2 newer lines in `# - eol(x) = releaseDate(x+2)`, 18 months in
 * `# eol = release(x) + 1.5 years.` Undefined where no comment, or more than one, states the end of the phase: there are other rules
 * for some lines.
 */
function readLength(comments: readonly string[], phase: string): Length | undefined {
  const about = new RegExp(String.raw`\b${phase}\b.*=`, 'i');
  const form = new RegExp(String.raw`^#[\s-]*${phase}(?:\([a-z]\))?\s*=\s*(.*?)\.?\s*$`, 'i');
  const [rule = '', another] = comments.filter((line) => about.test(line));
  const text = another === undefined ? form.exec(rule)?.[1] : undefined;
  const [, count, sum, unit] =
    /^release(?:Date)?\(x(?:\s*\+\s*(\d+))?\)(?:\s*\+\s*([\d.]+)\s*(m|months?|y|years?))?$/i.exec(
      text ?? '',
    ) ?? [];
  const months = sum === undefined ? undefined : Number(sum) * (/^y/i.test(unit ?? '') ? 12 : 1);

  return count === undefined && months === undefined
    ? undefined
    : dropUndefined({ count: count === undefined ? undefined : Number(count), months });
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

  const unit = end.count === undefined ? 'months' : 'count';
  const phases = [
    { name: 'active', [unit]: active?.[unit] },
    { name: 'security', [unit]: end[unit] },
  ];
  const parsePolicy = (length: object) =>
    SupportPolicy.safeParse(
      dropUndefined({
        policy: unit === 'count' ? 'latest-lines' : 'term',
        ...length,
        line: groups.has(1) ? 1 : undefined,
        url,
      }),
    ).data;

  // A policy states its phases in one unit.
  const hasPhases = Object.keys({ ...end, ...active }).length === 1;
  return (hasPhases ? parsePolicy({ phases }) : undefined) ?? parsePolicy(end);
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
  const definition = { title: '', homepage: '', changelogUrl: '', sources: [], support };
  const { lines } = judgeRecorded('', definition, { releases }, day).judgement;
  const byRule = new Map(lines.map(({ name, phases }) => [name, findLastFreePhase(phases)?.until]));
  const comparisons: EndComparison[] = [];

  for (const { releaseCycle, eol } of dated) {
    const until = byRule.get(releaseCycle);
    const result = compareEnd(eol, until, day);
    if (result !== undefined) {
      const end = String(eol).replace('true', 'ended').replace('false', 'supported');
      comparisons.push({ result, words: `${releaseCycle} ${end} (rule: ${until ?? 'none'})` });
    }
  }

  return comparisons;
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
  if (typeof stated !== 'string' || (byRule === undefined && !isEnded)) {
    return undefined;
  }

  return byRule === stated ? 'same' : 'other day';
}
