import * as z from 'zod';
import { pick, pickDefined } from '../../../core/model/objects.ts';
import { listPartners } from '../../../core/model/pair-answers.ts';
import { parseVersion } from '../../../core/model/version.ts';
import { stateLabels, describeSupport } from '../../../core/model/words.ts';
import { QuestionError } from '../../../core/query/question-error.ts';
import { PublishedState } from '../../../core/schemas/published/details-file.ts';
import type { Plan } from '../../../core/schemas/published/plan-answer.ts';
import { quote } from '../../../core/text/foreign-text.ts';
import { formatCount, formatNumber, formatList } from '../../../core/text/wording.ts';
import type { PublishedLineOn, DetailsOn } from '../../answers/details-on.ts';
import { listLines } from '../../answers/find-release.ts';
import type { PublishedIndex } from '../../answers/published-index.ts';
import { requireComponent } from '../../answers/resolve.ts';
import { describePairAnswer, joinAnswerText } from '../../answers/version-answer.ts';
import { maxPlanned } from '../../plan/make-plan.ts';
import { listOutcomes } from '../../plan/plan-outcome.ts';
import { judgeRead, planFor } from '../../plan/plan-versions.ts';
import { listPlanLines } from '../../plan/plan-words.ts';
import type { PlanInput } from '../../plan/tracks.ts';
import { identifyExactly, explainLeftOut } from '../../texts/identify.ts';
import { longestTexts, readText } from '../../texts/read-text.ts';
import { defineTool, listText } from './tool.ts';

/** The fields of a verdict that its item has besides those of the plan. The steps say where to move, the text has the other facts. */
const shownFields = [
  'isListed',
  'lines',
  'lineState',
  'isLatest',
  'isSupported',
  'supportedUntil',
  'supportedUntilAtMost',
  'inferred',
  'isLts',
  'phase',
  'releasesBehind',
  'behind',
  'isVulnerable',
  'advisories',
  'fixes',
  'severity',
] as const;

/** The main fields. An answer may have more fields. */
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

const NotRead = z.object({
  line: z.number().optional(),
  text: z.string(),
  reason: z.enum(['guess', 'unknown', 'no-version', 'not-understood']),
  didYouMean: z.array(z.string()).optional(),
});

/** Maximum number of parts left out in an answer. */
const maxLeftOut = 50;

export const checkVersions = defineTool({
  name: 'check_versions',
  title: 'Check versions',
  description:
    'Whether versions in use may stay, until when, what to move to and by which day. One version, or any text that names versions: a list, an e-mail, a build file, a lock file, a bill of materials.',
  example: { text: '{component} {version}' },
  input: z.strictObject({
    text: z
      .string()
      .min(1)
      .max(longestTexts.tool)
      .describe('Such as "svc 2025.1", or lines of it, or the content of a file'),
  }),
  output: z.object({
    asOf: z.string(),
    text: z.string(),
    items: z.array(Item),
    steps: z.array(Step).describe('What to do, in order'),
    conflicts: z.array(z.object({ text: z.string() })).describe('Without a step'),
    nothingToDo: z.array(z.string()),
    notRead: z.array(NotRead).describe('Parts without a verdict, and why'),
    notes: z.array(z.string()),
  }),
  async answer({ text }, { index, day: asOf }) {
    const read = await readText(index, text, longestTexts.tool);
    if (read.problems.length > 0) {
      throw new QuestionError('request', `text: ${formatList(read.problems, 10)}`);
    }

    const identified = await identifyExactly(index, read);
    const { versions, others, notes } = identified;
    const inputs = await judgeRead(index, versions.slice(0, maxPlanned));
    const plan = await planFor(index, inputs, identified);
    const notRead = plan.notRead.slice(0, maxLeftOut);
    const content = { ...plan, items: addFacts(plan, inputs), notRead };

    const leftOut = plan.notRead.length + others;
    const [input] = inputs;
    if (input && inputs.length === 1 && leftOut === 0) {
      return { text: [joinAnswerText(input.answer), ...notes].join('\n'), content };
    }

    const omission = leftOut > 0 ? `, ${formatNumber(leftOut)} left out` : '';
    const head = `${formatCount(versions.length, 'version')} read${omission}, on ${asOf}. ${plan.text}`;
    const lines = [
      ...describePair(inputs),
      ...listPlanLines(plan),
      ...listVerdicts(plan, inputs),
      ...notRead.map(explainLeftOut),
      ...plan.notes,
    ];
    return { text: await listText(index, head, lines), content };
  },
});

/** The items of a plan, which are in the order of its inputs, with further facts on their versions. */
function addFacts({ items }: Plan, inputs: readonly PlanInput[]): object[] {
  return items.map((item, position) => {
    return { ...item, ...pickDefined(inputs[position]!.answer, shownFields) };
  });
}

/** Says whether the versions of a list of two work together; empty for another list, and where nothing is stated. */
function describePair(inputs: readonly PlanInput[]): string[] {
  const [first, second, third] = inputs;
  const isPair = first && second && !third;
  if (!isPair || !listPartners(first.details).includes(second.answer.component)) {
    return [];
  }

  const { answer, sentence, because } = describePairAnswer(
    first.details,
    first.answer.version,
    second.answer,
  );

  // The notes of the plan name the others.
  return answer === 'not-stated' ? [] : [[sentence, ...because.map(({ text }) => text)].join(' ')];
}

/** The verdicts on the versions that no step of the plan moves. */
function listVerdicts(plan: Plan, inputs: readonly PlanInput[]): string[] {
  const verdicts: string[] = [];
  for (const [position, { input, step }] of listOutcomes(plan, inputs).entries()) {
    if (!step) {
      const { title, version, label } = input.answer;
      verdicts.push(`${title} ${version}: ${label}. ${plan.items[position]!.text}`);
    }
  }
  return verdicts;
}

export const showComponent = defineTool({
  name: 'show_component',
  title: 'Show a component',
  description:
    'Support policy, latest version, release lines and their ends, packages and homepage; of a line its releases. Without a component: the names of all.',
  example: { component: '{component}' },
  input: z.strictObject({
    component: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Exact name, title, package or package URL'),
    line: z.string().min(1).max(200).optional().describe('Such as "2025.1"'),
  }),
  output: z.object({
    component: z.string().optional(),
    latest: z.string().optional(),
    lines: z.array(z.object({ line: z.string(), state: z.string() })).optional(),
    components: z.array(z.string()).optional(),
  }),
  async answer({ component, line }, { index, day }) {
    if (component === undefined) {
      return showNames(index, day);
    }

    const details = await requireComponent(index, component);
    return line === undefined ? showDetails(details) : showLines(details, line);
  },
});

/** Maximum number of names in an answer. */
const maxNames = 1000;

async function showNames(index: PublishedIndex, asOf: string) {
  const components = await index.named();
  const shown = components.slice(0, maxNames);
  const lines = shown.map(({ name, title }) => (name === title ? name : `${name} (${title})`));
  const share = components.length > shown.length ? `, the first ${maxNames} here` : '';
  const head = `${formatCount(components.length, 'component')} on ${asOf}${share}.`;
  const content = { asOf, total: components.length, components: shown.map(({ name }) => name) };
  return { text: await listText(index, head, lines), content };
}

const lineFields = [
  'line',
  'state',
  'supportedUntil',
  'supportedUntilAtMost',
  'inferred',
  'isLts',
] as const;

function showDetails(details: DetailsOn) {
  const { component, title, homepage, support, latest, replacedBy } = details;
  const { package: packages = [] } = details;
  const openLines = details.lines.filter(({ isSupported }) => isSupported).slice(-20);
  const policy = support.description;
  const shown = pick(details, ['component', 'title', 'homepage', 'package', 'replacedBy']);

  const sentences = [
    `${title} (${component}): ${policy}`,
    latest === undefined ? 'It has no latest version.' : `The latest version is ${latest.version}.`,
    replacedBy === undefined ? [] : `It is replaced by ${replacedBy}.`,
    openLines.map((line) => `${line.line} ${describeSupport(line)}.`),
    describeGroups(details.lines.filter((line) => !openLines.includes(line))),
    packages.length === 0 ? [] : `Packages: ${packages.join(', ')}.`,
    homepage ?? [],
  ].flat();

  return {
    text: sentences.join(' '),
    content: {
      ...shown,
      latest: latest?.version,
      policy,
      lines: openLines.map((line) => pick(line, lineFields)),
    },
  };
}

/** The lines that a text names or begins, with their releases. Throws a `QuestionError`. */
function showLines({ component, lines }: DetailsOn, text: string) {
  const parsed = parseVersion(text);
  const exact = lines.filter(({ line }) => line === text);
  const shown = exact.length > 0 || !parsed ? exact : listLines(lines, parsed);

  if (shown.length === 0) {
    const newestFirst = lines.map(({ line }) => line).reverse();
    const lineNames =
      newestFirst.length === 0 ? 'It has none.' : `It has ${formatList(newestFirst, 20)}.`;
    throw new QuestionError(
      'request',
      `line: ${component} has no release line ${quote(text)}. ${lineNames}`,
    );
  }

  const sentences = shown.map((line) => {
    const versions = line.releases.map(({ version }) => version).reverse();
    return `${component} ${line.line} ${describeSupport(line)}. Releases: ${formatList(versions, 20)}.`;
  });

  return {
    text: sentences.join('\n'),
    content: {
      component,
      lines: shown.map((line) => ({
        ...pick(line, lineFields),
        releases: line.releases.map(({ version }) => version),
      })),
    },
  };
}

/** `33 lines from 2016.0 to 2025.1: ended.` */
function describeGroups(lines: readonly PublishedLineOn[]): string[] {
  const byState = Map.groupBy(lines, ({ state }) => state);
  return Array.from(byState, ([state, group]) => {
    const [{ line: first }] = group;
    const range = group.length === 1 ? first : `from ${first} to ${group.at(-1)?.line}`;
    return `${formatCount(group.length, 'line')} ${range}: ${stateLabels[state].toLowerCase()}.`;
  });
}
