import * as z from 'zod';
import { resolve } from '../resolve.ts';
import { answerPublished, versionText } from '../version-answer.ts';
import { lenient } from '../../core/schemas/lenient.ts';
import { VersionAnswer } from '../../core/schemas/published/answer-schemas.ts';
import { DetailedRelease, type DetailsFile } from '../../core/schemas/published/details-file.ts';
import { LineName, PublishedVersion } from '../../core/schemas/scalars.ts';
import { counted, defined, listed } from '../../core/text.ts';
import { maxVersionLength, versionCharacters } from '../../core/version.ts';
import { defineTool, WrongArgumentError } from './tool.ts';

const component = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'Name of a component, for instance svc; list_components names all.' });

/** Of the releases between a version and what to move to. */
const mostBetween = 500;

export const checkVersion = defineTool({
  name: 'check_version',
  title: 'Check a version',
  description:
    'Whether a version of a component may still be used: its verdict and why, until when that holds, what to move to, and the releases between. Also answers for a version that is spelt in another way, or that is not listed but belongs to a known release line.',
  input: z.strictObject({
    component,
    version: z
      .string()
      .min(1)
      .max(maxVersionLength)
      .regex(new RegExp(versionCharacters), {
        error: 'expected a version such as 2025.3, without white space and control characters',
      })
      .meta({ description: 'The version in use, as a text, for instance "2025.1".' }),
  }),
  output: lenient(VersionAnswer),
  async answer({ component, version }, { index }) {
    const { details, note } = await resolve(index, component);
    return versionAnswer(await answerPublished(index, details, version, note));
  },
});

export const latestVersion = defineTool({
  name: 'latest_version',
  title: 'Latest version',
  description:
    'The latest version of a component, or of one of its release lines: the greatest that is stable and not deprecated, with its day, its changelog and how long it is supported. Where there is none, why, and what to use instead.',
  input: z.strictObject({
    component,
    line: LineName.optional().meta({
      description: 'A release line, for instance "2025.1"; absent: of the whole component.',
    }),
  }),
  output: z.object({
    ...lenient(VersionAnswer).shape,
    latest: PublishedVersion.optional().meta({
      description:
        'The latest version; absent where none is stable and not deprecated: the other fields are then of the newest release.',
    }),
    version: VersionAnswer.shape.version.optional().meta({
      description: 'The version that the other fields are of; absent where there is no release.',
    }),
    releaseTimestamp: DetailedRelease.shape.releaseTimestamp,
    changelogUrl: DetailedRelease.shape.changelogUrl,
  }),
  async answer({ component, line }, { index }) {
    const { details } = await resolve(index, component);
    const releases = line === undefined ? details.releases : releasesOfLine(details, line);
    const latest =
      line === undefined
        ? releases.find(({ version }) => version === details.latest)
        : releases.findLast(({ isPrerelease, isDeprecated }) => !isPrerelease && !isDeprecated);
    const release = latest ?? releases.at(-1);
    if (!release)
      throw new WrongArgumentError(
        `No release of ${details.component} is known yet, so that it has no latest version.`,
      );
    const { text, content } = versionAnswer(await answerPublished(index, details, release.version));
    const { releaseTimestamp, changelogUrl } = release;
    const where = line === undefined ? details.component : `release line ${line} of ${details.component}`;
    const head = latest
      ? `The latest version of ${where} is ${latest.version}.`
      : `No version of ${where} is stable and not deprecated. Its newest release:`;
    return {
      text: `${head} ${text}`,
      content: {
        ...defined({ latest: latest?.version }),
        ...content,
        ...defined({ releaseTimestamp, changelogUrl }),
      },
    };
  },
});

function releasesOfLine({ component, lines, releases }: DetailsFile, name: string): DetailsFile['releases'] {
  const ofLine = releases.filter(({ line }) => line === name);
  if (ofLine.length > 0) return ofLine;
  const newestFirst = lines.map(({ line }) => line).reverse();
  const known = newestFirst.length === 0 ? 'It has none.' : `It has ${listed(newestFirst, 20)}.`;
  throw new WrongArgumentError(`${component} has no release line "${name}". ${known}`);
}

function versionAnswer(answer: VersionAnswer) {
  const { releasesBetween } = answer;
  const between = releasesBetween.slice(-mostBetween);
  const leftOut = releasesBetween.length - between.length;
  const hint =
    leftOut === 0 ? '' : ` The ${counted(leftOut, 'oldest release')} of those between are left out here.`;
  return { text: `${versionText(answer)}${hint}`, content: { ...answer, releasesBetween: between } };
}
