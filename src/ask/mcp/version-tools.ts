import * as z from 'zod';
import { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import {
  DetailedRelease,
  DetailsFile,
  PublishedLine,
  State,
} from '../../core/schemas/published/details-file.ts';
import { lenient } from '../../core/schemas/lenient.ts';
import { LineName } from '../../core/schemas/scalars.ts';
import { defined, listed, pick } from '../../core/text.ts';
import { maxVersionLength, versionCharacters } from '../../core/version.ts';
import { supportPredicate } from '../../core/words.ts';
import { resolve, UnknownNameError } from '../resolve.ts';
import type { DetailsOn } from '../details-on.ts';
import { answerPublished, answerTyped, versionText } from '../version-answer.ts';
import { defineTool, WrongArgumentError } from './tool.ts';

const component = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'Name, title, package or package URL of a component, for instance svc.' });

const versionInput = z.string().min(1).max(maxVersionLength).regex(new RegExp(versionCharacters), {
  error: 'expected a version such as 2025.3, without white space and control characters',
});

/** The fields of an answer as data. The text of the answer has the others. */
const shownFields = [
  ...(['component', 'version', 'asOf', 'state', 'isListed', 'line', 'lineState', 'lines'] as const),
  ...(['isLatest', 'isSupported', 'supportedUntil', 'supportedUntilAtMost', 'isLts', 'phase'] as const),
  ...(['isVulnerable', 'advisories', 'fixes', 'severity'] as const),
  ...(['releasesBehind', 'behind', 'moveTo', 'moveBy'] as const),
  'provenance',
] as const;

const LeanAnswer = lenient(
  VersionAnswer.pick(Object.fromEntries(shownFields.map((name) => [name, true])) as never),
);

function leanAnswer(answer: VersionAnswer): Record<string, unknown> {
  return defined(pick(answer, shownFields));
}

export const checkVersion = defineTool({
  name: 'check_version',
  title: 'Check a version',
  description:
    'Whether a version of a component may still be used, until when, what to move to and by which day. A release line, a year or a version that is not listed is judged as well. Without a version: the latest.',
  input: z.strictObject({
    component: component.meta({
      description: 'Name, title, package or package URL, also with a version, for instance svc@2025.1.',
    }),
    version: versionInput
      .optional()
      .meta({ description: 'The version in use, as a text, for instance "2025.1".' }),
  }),
  output: LeanAnswer,
  async answer({ component, version }, { index }) {
    const answer = await answerTyped(index, component, version);
    return { text: versionText(answer), content: leanAnswer(answer) };
  },
});

export const checkVersions = defineTool({
  name: 'check_versions',
  title: 'Check several versions',
  description: 'The same for up to 50 components and versions at once, such as all that a project uses.',
  input: z.strictObject({
    items: z
      .array(z.string().min(1).max(400))
      .min(1)
      .max(50)
      .meta({ description: 'Names with versions, for instance ["svc@2025.1", "pkg:npm/agent@1.2.0"].' }),
  }),
  output: z.object({
    asOf: VersionAnswer.shape.asOf,
    answers: z.array(
      z.object({ item: z.string(), error: z.string().optional(), answer: LeanAnswer.optional() }),
    ),
  }),
  async answer({ items }, { index, day }) {
    const answers = [];
    const lines = [];
    for (const item of items) {
      try {
        const answer = await answerTyped(index, item);
        lines.push(`${item}: ${answer.label}. ${answer.sentence} ${answer.advice}`);
        answers.push({ item, answer: leanAnswer(answer) });
      } catch (error) {
        if (!(error instanceof UnknownNameError)) throw error;
        lines.push(`${item}: ${error.message}`);
        answers.push({ item, error: error.message });
      }
    }
    return { text: lines.join('\n'), content: { asOf: day, answers } };
  },
});

export const showComponent = defineTool({
  name: 'show_component',
  title: 'Show a component',
  description:
    'Support policy, supported release lines and their ends, packages and homepage of a component.',
  input: z.strictObject({ component }),
  output: z.object({
    ...lenient(DetailsFile.pick({ component: true, title: true, homepage: true, package: true })).shape,
    ...lenient(DetailsFile.pick({ replacedBy: true })).shape,
    latest: VersionAnswer.shape.version.optional().meta({ description: 'Its latest version.' }),
    policy: z.string().meta({ description: 'The support policy in a sentence.' }),
    lines: z
      .array(
        lenient(
          PublishedLine.pick({ line: true, supportedUntil: true, supportedUntilAtMost: true, isLts: true }),
        ).extend({
          state: State,
        }),
      )
      .meta({ description: 'Lines that are not over, oldest first.' }),
  }),
  async answer({ component: text }, { index }) {
    const { details } = await resolve(index, text);
    const { component, title, homepage, support, latest, replacedBy, package: packages = [] } = details;
    const open = details.lines.filter(({ isSupported }) => isSupported !== false).slice(-20);
    const policy = support.description;
    const shown = pick(details, ['component', 'title', 'homepage', 'package', 'replacedBy']);
    const lines = open.map((line) =>
      defined(pick(line, ['line', 'state', 'supportedUntil', 'supportedUntilAtMost', 'isLts'])),
    );
    return {
      text: [
        `${title} (${component}): ${policy}`,
        latest === undefined ? 'It has no latest version.' : `The latest version is ${latest.version}.`,
        ...(replacedBy === undefined ? [] : [`It is replaced by ${replacedBy}.`]),
        ...open.map((line) => `${line.line} ${supportPredicate(line)}.`),
        ...(packages.length > 0 ? [`Packages: ${packages.join(', ')}.`] : []),
        homepage,
      ].join(' '),
      content: defined({ ...shown, latest: latest?.version, policy, lines }),
    };
  },
});

export const latestVersion = defineTool({
  name: 'latest_version',
  title: 'Latest version',
  description:
    'The latest version of a component, or of one of its release lines: the greatest that is stable and not deprecated. Where there is none, why, and what to use instead.',
  input: z.strictObject({
    component,
    line: LineName.optional().meta({
      description: 'A release line, for instance "2025.1"; absent: of the whole component.',
    }),
  }),
  output: LeanAnswer.partial().extend({
    version: VersionAnswer.shape.version.optional().meta({
      description: 'The latest version; absent where none is stable and not deprecated.',
    }),
    releaseTimestamp: DetailedRelease.shape.releaseTimestamp,
    changelogUrl: DetailedRelease.shape.changelogUrl,
  }),
  async answer({ component, line }, { index }) {
    const { details, note } = await resolve(index, component);
    const releases = line === undefined ? details.releases : releasesOfLine(details, line);
    const latest = releases.findLast(({ isPrerelease, isDeprecated }) => !isPrerelease && !isDeprecated);
    const release = latest ?? releases.at(-1);
    if (!release)
      throw new WrongArgumentError(
        `No release of ${details.component} is known yet, so that it has no latest version.`,
      );
    const answer = await answerPublished(index, details, release.version, note);
    const where = line === undefined ? details.component : `release line ${line} of ${details.component}`;
    const { version, ...rest } = leanAnswer(answer);
    if (!latest) {
      const head = `No version of ${where} is stable and not deprecated. Its newest release:`;
      return { text: `${head} ${versionText(answer)}`, content: rest };
    }
    const { releaseTimestamp, changelogUrl } = latest;
    const released = releaseTimestamp === undefined ? '' : `, released on ${releaseTimestamp.slice(0, 10)}`;
    const head = `The latest version of ${where} is ${latest.version}${released}.`;
    return {
      text: `${head} ${versionText(answer)}`,
      content: { ...rest, version, ...defined({ releaseTimestamp, changelogUrl }) },
    };
  },
});

function releasesOfLine({ component, lines, releases }: DetailsOn, name: string): DetailsOn['releases'] {
  const ofLine = releases.filter(({ line }) => line === name);
  if (ofLine.length > 0) return ofLine;
  const newestFirst = lines.map(({ line }) => line).reverse();
  const known = newestFirst.length === 0 ? 'It has none.' : `It has ${listed(newestFirst, 20)}.`;
  throw new WrongArgumentError(`${component} has no release line "${name}". ${known}`);
}
