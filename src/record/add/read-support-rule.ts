/** Reads the rule of support that people write into the comments of a product of endoflife.date. */
import { dropUndefined } from '../../core/model/objects.ts';
import { SupportPolicy } from '../../core/schemas/definition/support-policy.ts';
import { toLine } from '../../core/text/foreign-text.ts';

interface Cycle {
  /** The name of a release line. */
  releaseCycle: string;
}

/**
 * The policy for a rule such as `eol(x) = releaseDate(x+2)`; undefined without a rule that a policy can express. `url`: the address of
 * the policy.
 */
export function readSupportRule(
  yaml: string,
  cycles: readonly Cycle[],
  url: string | undefined,
): SupportPolicy | undefined {
  // A comment that is cut ends with an ellipsis, so it is no rule.
  const comments = yaml
    .split('\n')
    .filter((line) => line.startsWith('#'))
    .map((line) => toLine(line));
  const end = readLength(comments, 'eol');
  return end && writePolicy(end, readLength(comments, 'eoas'), cycles, url);
}

interface Length {
  /** Newer lines until the end. */
  count?: number;
  /** Months, after these lines or after the first release. */
  months?: number;
}

/** A comment that states the end of a phase in any form. */
const statementForms = { eol: /\beol\b.*=/i, eoas: /\beoas\b.*=/i };

/** A rule for all lines: `# - eol(x) = releaseDate(x+2)`, `# eol = release(x) + 1.5 years.` */
const ruleForm =
  /^#[ -]*eo(?:l|as)(?:\([a-z]\))? ?= ?release(?:Date)?\(x(?: ?\+ ?(?<count>\d+))?\)(?: ?\+ ?(?<sum>[\d.]+) ?(?<unit>m|months?|y|years?))?\.?$/i;

/**
 * The length of a phase by its rule; in the examples, 2 newer lines and 18 months. Undefined where no comment, or more
 * than one, states the end of the phase: there are other rules for some lines.
 */
function readLength(
  comments: readonly string[],
  phase: keyof typeof statementForms,
): Length | undefined {
  const [comment, another] = comments.filter((line) => statementForms[phase].test(line));
  if (comment === undefined || another !== undefined) {
    return undefined;
  }

  const { count, sum, unit } = ruleForm.exec(comment)?.groups ?? {};
  if (count === undefined && sum === undefined) {
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
  cycles: readonly Cycle[],
  url: string | undefined,
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
