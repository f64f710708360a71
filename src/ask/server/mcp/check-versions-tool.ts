import * as z from 'zod';
import { pickDefined } from '../../../core/model/objects.ts';
import { endFacts } from '../../../core/model/phases.ts';
import { PublishedState } from '../../../core/schemas/published/details-file.ts';
import { Plan } from '../../../core/schemas/published/plan-answer.ts';
import { formatCount, formatNumber } from '../../../core/text/wording.ts';
import { describePairAnswer, joinAnswerText } from '../../answers/version-answer.ts';
import type { Outcome } from '../../plan/plan-outcomes.ts';
import { planVersions } from '../../plan/plan-versions.ts';
import { listPlanLines } from '../../plan/plan-words.ts';
import { explainNotRead } from '../../texts/identified-text.ts';
import { identifyExactly } from '../../texts/identify.ts';
import { longestTexts } from '../../texts/read-text.ts';
import { readTextValue } from '../api/read-request.ts';
import { defineTool } from './tool.ts';

/** The fields of a verdict that its item in the answer has, in addition to the fields of an item of the plan. */
const shownFields = [
  'isListed',
  'lines',
  'lineState',
  'isLatest',
  'isSupported',
  ...endFacts,
  'isLts',
  'phase',
  'releasesBehind',
  'behind',
  'isVulnerable',
  'advisories',
  'fixes',
  'severity',
] as const;

/** The main fields: all those of a plan take too many tokens. An answer may have more fields. */
const Item = z.object({
  component: z.string(),
  version: z.string(),
  state: PublishedState.meta({ description: '' }),
  supportedUntil: z.string().optional(),
});

const Move = z.object({
  component: z.string(),
  from: z.string(),
  to: z.object({ component: z.string(), version: z.string() }),
});

/** A move, or several in `together`. */
const Step = Move.partial().extend({
  together: z.array(Move).optional(),
  by: z.string().optional(),
  text: z.string(),
});

/** The maximum number of unread parts in an answer. */
const maxNotRead = 50;

export const checkVersionsTool = defineTool({
  name: 'check_versions',
  title: 'Check versions',
  description:
    'Whether versions in use may stay, until when, what to move to and by which day. One version, or any text that names versions: a list, an e-mail, a build file, a lock file, a bill of materials.',
  example: { text: '{component} {version}' },
  input: z.strictObject({
    text: z
      .string()
      .min(1)
      .max(longestTexts.request)
      .describe('Such as "svc 2025.1", or lines of it, or the content of a file'),
  }),
  output: Plan.extend({
    items: z.array(Item),
    steps: z.array(Step).describe('What to do, in order'),
    conflicts: z.array(z.object({ text: z.string() })).describe('Without a step'),
  }),
  async answer({ text }, { index, day: asOf }) {
    const identified = await identifyExactly(index, await readTextValue(index, 'text', text));
    const { plan, outcomes, readCount } = await planVersions(index, identified);
    const notRead = plan.notRead.slice(0, maxNotRead);
    const content = { ...plan, items: outcomes.map(describeItem), notRead };

    const leftOutCount = plan.notRead.length + identified.otherCount;
    const [outcome, another] = outcomes;
    if (outcome && !another && leftOutCount === 0) {
      // The answer about a single version is its verdict.
      const sentences = [joinAnswerText(outcome.input.answer), ...identified.notes];
      return { text: sentences.join('\n'), content };
    }

    const leftOut = leftOutCount === 0 ? '' : `, ${formatNumber(leftOutCount)} left out`;
    const lines = [
      `${formatCount(readCount, 'version')} read${leftOut}, on ${asOf}. ${plan.text}`,
      ...describePair(outcomes),
      ...listPlanLines(plan),
      ...listVerdicts(outcomes),
      ...notRead.map(explainNotRead),
      // The plan also notes that the index is old.
      ...plan.notes,
    ];
    return { text: lines.join('\n'), content };
  },
});

/** The item of a plan, with further facts on its version. */
function describeItem({ item, input }: Outcome): object {
  return { ...item, ...pickDefined(input.answer, shownFields) };
}

/** Says whether the versions of a list of two work together; empty for another list, and where nothing is stated. */
function describePair(outcomes: readonly Outcome[]): string[] {
  const [first, second, third] = outcomes.map(({ input }) => input);
  if (!first || !second || third) {
    return [];
  }

  const { answer, sentence, because } = describePairAnswer(
    first.details,
    first.answer.version,
    second.answer,
  );

  // The notes of the plan name the pairs about which nothing is stated.
  return answer === 'not-stated' ? [] : [[sentence, ...because.map(({ text }) => text)].join(' ')];
}

/** The verdicts on the versions that no step of the plan moves. */
function listVerdicts(outcomes: readonly Outcome[]): string[] {
  return outcomes
    .filter(({ step }) => !step)
    .map(({ item, input: { answer } }) => {
      return `${answer.title} ${answer.version}: ${answer.label}. ${item.text}`;
    });
}
