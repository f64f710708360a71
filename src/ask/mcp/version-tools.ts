import * as z from 'zod';
import type { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { State } from '../../core/schemas/published/details-file.ts';
import { counted, defined, listed, pick } from '../../core/text.ts';
import { maxVersionLength, versionCharacters } from '../../core/version.ts';
import { stateLabels, supportPredicate } from '../../core/words.ts';
import { answerResolved, askExactly, problemOf } from '../ask.ts';
import { requireComponent, resolveExact } from '../resolve.ts';
import type { DetailedLine, DetailsOn } from '../details-on.ts';
import { versionText } from '../version-answer.ts';
import { defineTool, WrongArgumentError } from './tool.ts';

const component = z.string().min(1).max(200).describe('Exact name, title, package or package URL');

/** The fields of an answer as data. The text has the other facts. */
const shownFields = [
  'component',
  'version',
  'asOf',
  'state',
  'isListed',
  'line',
  'lines',
  'lineState',
  'isLatest',
  'isSupported',
  'supportedUntil',
  'supportedUntilAtMost',
  'isLts',
  'phase',
  'releasesBehind',
  'behind',
  'isVulnerable',
  'advisories',
  'fixes',
  'severity',
  'moveTo',
  'moveBy',
  'goal',
  'with',
  'provenance',
] as const;

/** The main fields. An answer may have more fields. */
const Answered = z.object({
  component: z.string(),
  version: z.string(),
  state: State.meta({ description: '' }),
  supportedUntil: z.string().optional(),
  moveTo: z.object({ component: z.string(), version: z.string().optional() }).optional(),
});

function leanAnswer(answer: VersionAnswer): Record<string, unknown> {
  return defined(pick(answer, shownFields));
}

export const checkVersion = defineTool({
  name: 'check_version',
  title: 'Check a version',
  description:
    'Whether a version may still be used, until when, what to move to and by which day; a line, a year or an unlisted version, too. Without one: the latest.',
  input: z.strictObject({
    component: component.describe(
      'Exact name, title, package or package URL; svc@2025.1 names a version, too',
    ),
    version: z
      .string()
      .min(1)
      .max(maxVersionLength)
      .regex(new RegExp(versionCharacters), {
        error: 'expected a version such as 2025.3, without white space and control characters',
      })
      .optional()
      .describe('As a text, such as "2025.1"'),
    with: z
      .array(z.string().min(1).max(400))
      .max(20)
      .optional()
      .describe('Versions that it is used with, such as ["svc@2025.1"]'),
  }),
  output: Answered,
  async answer({ component, version, with: others }, { index }) {
    const { answer } = await askExactly(index, component, version, others);
    return { text: versionText(answer), content: leanAnswer(answer) };
  },
});

export const checkVersions = defineTool({
  name: 'check_versions',
  title: 'Check several versions',
  description: 'Like check_version, for up to 50 versions.',
  input: z.strictObject({
    items: z
      .array(z.string().min(1).max(400))
      .min(1)
      .max(50)
      .describe('Such as ["svc@2025.1", "pkg:npm/agent@1.2.0"]'),
  }),
  output: z.object({ asOf: z.string(), answers: z.array(z.object({ item: z.string() })) }),
  async answer({ items }, { index, day }) {
    const answers = [];
    const lines = [];
    for (const item of items) {
      try {
        const { answer } = await askExactly(index, item);
        lines.push(`${item}: ${answer.label}. ${answer.sentence} ${answer.advice}`);
        answers.push({ item, answer: leanAnswer(answer) });
      } catch (error) {
        const problem = problemOf(error);
        if (!problem) {
          throw error;
        }
        lines.push(`${item}: ${problem.message}`);
        answers.push({ item, error: problem.message });
      }
    }
    return { text: lines.join('\n'), content: { asOf: day, answers } };
  },
});

export const showComponent = defineTool({
  name: 'show_component',
  title: 'Show a component',
  description:
    'Support policy, latest version, release lines and their ends, packages and homepage.',
  input: z.strictObject({ component }),
  output: z.object({
    component: z.string(),
    policy: z.string(),
    latest: z.string().optional(),
    lines: z
      .array(z.object({ line: z.string(), state: z.string() }))
      .describe('Supported lines, oldest first'),
  }),
  async answer({ component: text }, { index }) {
    const details = await requireComponent(index, text);
    const {
      component,
      title,
      homepage,
      support,
      latest,
      replacedBy,
      package: packages = [],
    } = details;
    const open = details.lines.filter(({ isSupported }) => isSupported).slice(-20);
    const others = details.lines.filter((line) => !open.includes(line));
    const policy = support.description;
    const shown = pick(details, ['component', 'title', 'homepage', 'package', 'replacedBy']);
    const lines = open.map((line) =>
      pick(line, ['line', 'state', 'supportedUntil', 'supportedUntilAtMost', 'isLts']),
    );
    return {
      text: [
        `${title} (${component}): ${policy}`,
        latest === undefined
          ? 'It has no latest version.'
          : `The latest version is ${latest.version}.`,
        replacedBy && `It is replaced by ${replacedBy}.`,
        ...open.map((line) => `${line.line} ${supportPredicate(line)}.`),
        ...groupsOf(others),
        packages.length > 0 && `Packages: ${packages.join(', ')}.`,
        homepage,
      ]
        .filter(Boolean)
        .join(' '),
      content: { ...shown, latest: latest?.version, policy, lines },
    };
  },
});

/** `33 lines from 2016.0 to 2025.1: support ended.` */
function groupsOf(lines: readonly DetailedLine[]): string[] {
  const byState = Map.groupBy(lines, ({ state }) => state);
  return Array.from(byState, ([state, of]) => {
    const [first, last = first] = [of[0].line, of.at(-1)?.line];
    const range = of.length === 1 ? first : `from ${first} to ${last}`;
    return `${counted(of.length, 'line')} ${range}: ${stateLabels[state].toLowerCase()}.`;
  });
}

export const latestVersion = defineTool({
  name: 'latest_version',
  title: 'Latest version',
  description:
    'The greatest stable version, not deprecated, of a component or release line; if there is none, the reason, and what to use instead.',
  input: z.strictObject({
    component,
    line: z.string().max(200).optional().describe('Such as "2025.1"'),
  }),
  output: Answered.partial(),
  async answer({ component, line }, { index }) {
    const resolved = await resolveExact(index, component);
    const { details } = resolved;
    const releases = line === undefined ? details.releases : releasesOfLine(details, line);
    const latest = releases.findLast(
      ({ isPrerelease, isDeprecated }) => !isPrerelease && !isDeprecated,
    );
    const release = latest ?? releases.at(-1);
    if (!release) {
      throw new WrongArgumentError(
        `No release of ${details.component} is known, so it has no latest version.`,
      );
    }
    const { answer } = await answerResolved(index, { ...resolved, version: release.version });
    const where =
      line === undefined ? details.component : `release line ${line} of ${details.component}`;
    const { version, ...rest } = leanAnswer(answer);
    if (!latest) {
      const head = `No version of ${where} is stable and not deprecated. Its newest release:`;
      return { text: `${head} ${versionText(answer)}`, content: rest };
    }
    const { releaseTimestamp, changelogUrl } = latest;
    const released =
      releaseTimestamp === undefined ? '' : `, released on ${releaseTimestamp.slice(0, 10)}`;
    const head = `The latest version of ${where} is ${latest.version}${released}.`;
    return {
      text: `${head} ${versionText(answer)}`,
      content: { ...rest, version, releaseTimestamp, changelogUrl },
    };
  },
});

function releasesOfLine(
  { component, lines, releases }: DetailsOn,
  name: string,
): DetailsOn['releases'] {
  const ofLine = releases.filter(({ line }) => line === name);
  if (ofLine.length > 0) {
    return ofLine;
  }
  const newestFirst = lines.map(({ line }) => line).reverse();
  const known = newestFirst.length === 0 ? 'It has none.' : `It has ${listed(newestFirst, 20)}.`;
  throw new WrongArgumentError(`${component} has no release line "${name}". ${known}`);
}
