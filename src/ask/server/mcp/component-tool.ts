import * as z from 'zod';
import type { Day } from '../../../core/model/dates.ts';
import { pick } from '../../../core/model/objects.ts';
import { endFacts } from '../../../core/model/phases.ts';
import { parseVersion, removeWildcards } from '../../../core/model/version.ts';
import { describeSupport, nameState } from '../../../core/model/words.ts';
import { QuestionError } from '../../../core/query/question-error.ts';
import { quote } from '../../../core/text/foreign-text.ts';
import { formatCount, formatList, formatRange } from '../../../core/text/wording.ts';
import type { PublishedLineOn, DetailsOn } from '../../answers/component-on.ts';
import { listLines } from '../../answers/find-release.ts';
import type { NamedComponent } from '../../answers/match-names.ts';
import { requireComponent } from '../../answers/resolve.ts';
import { defineTool, joinLines } from './tool.ts';

export const showComponentTool = defineTool({
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
  // Further members follow: an object may have more than its schema names.
  output: z.object({
    component: z.string().optional(),
    latest: z.string().optional(),
    lines: z.array(z.object({ line: z.string(), state: z.string() })).optional(),
    components: z.array(z.string()).optional(),
  }),
  async answer({ component, line }, { index, day }) {
    if (component === undefined && line !== undefined) {
      throw new QuestionError('request', `line: name the component of ${quote(line)}, too.`);
    }

    const { textLines, content } =
      component === undefined
        ? describeNames((await index.names()).components, day)
        : describeDetails(await requireComponent(index, component), line);
    return { text: await joinLines(index, textLines), content: { asOf: day, ...content } };
  },
});

function describeNames(components: readonly NamedComponent[], day: Day) {
  const names = components.map(({ name, title }) => (name === title ? name : `${name} (${title})`));
  return {
    textLines: [`${formatCount(components.length, 'component')} on ${day}.`, ...names],
    content: { total: components.length, components: components.map(({ name }) => name) },
  };
}

/** The most lines, or releases of a line, that a text names. */
const maxNamed = 20;

const lineFields = ['line', 'state', 'isSupported', ...endFacts, 'isLts'] as const;

/** Describes a component, or only its release lines with a name. */
function describeDetails(details: DetailsOn, lineName: string | undefined) {
  if (lineName !== undefined) {
    return describeLines(details, lineName);
  }

  const {
    component,
    title,
    homepage,
    support,
    latest,
    replacedBy,
    package: packages = [],
  } = details;
  const supportedLines = details.lines.filter(({ isSupported }) => isSupported).slice(-maxNamed);
  const otherLines = details.lines.filter((line) => !supportedLines.includes(line));
  const policy = support.description;

  const sentences = [
    `${title} (${component}): ${policy}`,
    latest ? `The latest version is ${latest.version}.` : 'It has no latest version.',
    replacedBy && `It is replaced by ${replacedBy}.`,
    ...supportedLines.map((line) => `${line.line} ${describeSupport(line)}.`),
    ...describeOtherLines(otherLines),
    packages.length > 0 && `Packages: ${packages.join(', ')}.`,
    homepage,
  ];

  return {
    textLines: [sentences.filter(Boolean).join(' ')],
    content: {
      ...pick(details, ['component', 'title', 'homepage', 'package', 'replacedBy']),
      latest: latest?.version,
      policy,
      lines: supportedLines.map((line) => pick(line, lineFields)),
    },
  };
}

/**
 * The release line with a name, else those whose names begin with its digit groups, with their releases. Throws a `QuestionError`
 * if there is none.
 */
function describeLines({ component, lines }: DetailsOn, text: string) {
  const shown = findLines(lines, text);
  if (shown.length === 0) {
    const newestFirst = lines.map(({ line }) => line).reverse();
    const names = formatList(newestFirst, maxNamed) || 'none';
    throw new QuestionError(
      'request',
      `line: ${component} has no release line ${quote(text)}. It has ${names}.`,
    );
  }

  const textLines = shown.map((line) => {
    const versions = line.releases.map(({ version }) => version).reverse();
    const releases = formatList(versions, maxNamed) || 'none';
    return `${component} ${line.line} ${describeSupport(line)}. Releases: ${releases}.`;
  });

  return {
    textLines,
    content: {
      component,
      lines: shown.map((line) => ({
        ...pick(line, lineFields),
        releases: line.releases.map(({ version }) => version),
      })),
    },
  };
}

function findLines(lines: readonly PublishedLineOn[], text: string): readonly PublishedLineOn[] {
  const exact = lines.filter(({ line }) => line === text);
  if (exact.length > 0) {
    return exact;
  }

  const parsed = parseVersion(removeWildcards(text));
  return parsed ? listLines(lines, parsed) : [];
}

/** `33 lines, 2016.0 to 2025.1: ended.` */
function describeOtherLines(lines: readonly PublishedLineOn[]): string[] {
  const byState = Map.groupBy(lines, ({ state }) => state);
  return Array.from(byState, ([state, group]) => {
    const range = formatRange(group[0].line, group.at(-1)!.line);
    return `${formatCount(group.length, 'line')}, ${range}: ${nameState(state)}.`;
  });
}
