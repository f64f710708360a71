import type { Day } from '../core/dates.ts';
import type { DetailsFile } from '../core/schemas/published/details-file.ts';
import type { VersionAnswer } from '../core/schemas/published/answer-schemas.ts';
import { didYouMean } from '../core/nearest.ts';
import type { StatusFile } from '../core/schemas/published/status-file.ts';
import { counted, defined, quote } from '../core/text.ts';
import { compareVersions, parseVersion, releaseLine } from '../core/version.ts';
import type { PublishedIndex } from './published-index.ts';
import {
  findRelease,
  upgradePath,
  type Movable,
  type UpgradeOptions,
  type UpgradePath,
} from './upgrade-path.ts';

type Details = Pick<
  DetailsFile,
  'component' | 'title' | 'support' | 'replacedBy' | 'latest' | 'lines' | 'releases'
>;
type DetailedRelease = Details['releases'][number];

export interface VersionQuestion extends UpgradeOptions {
  /** As somebody wrote it. */
  readonly version: string;
  /** The day that the verdicts of the details are of. */
  readonly asOf: Day;
}

/** A question about a version as of the day of an index. */
export function questionAbout(
  version: string,
  { replacedBy = '' }: DetailsFile,
  { asOf, components }: StatusFile,
  wanted?: string,
): VersionQuestion {
  return { version, asOf, latestOfReplacement: components[replacedBy]?.latest, wanted };
}

/** The answer of an index, from the details of a component. */
export async function answerPublished(
  index: PublishedIndex,
  details: DetailsFile,
  version: string,
): Promise<VersionAnswer> {
  return answerVersion(details, questionAbout(version, details, await index.status()));
}

/** The message for a name that no component has, with the nearest one. */
export async function unknownComponent(index: PublishedIndex, name: string): Promise<string> {
  const names = Object.keys((await index.status()).components);
  return `There is no component ${quote(name)}.${didYouMean(name, names)} The index has ${counted(names.length, 'component')}.`;
}

/** The answer of `details/<component>.json` on a version, which may be spelt in another way, or not be listed. */
export function answerVersion(details: Details, question: VersionQuestion): VersionAnswer {
  const { release, line, ...summary } = describeVersion(details, question);
  const { component, title, version, asOf, status, isLatest, moveTo, between, move, verdict } = summary;
  const { isDeprecated, reasons = [], upcoming: [next] = [] } = release ?? {};
  return defined({
    ...{ component, title, version, asOf },
    isListed: release !== undefined,
    line: line?.line,
    ...{ status, isLatest, isDeprecated },
    isSupported: line?.isSupported,
    supportedUntil: line?.eolFrom,
    reasons: reasons.map(({ text }) => text),
    until: isDeprecated ? undefined : next?.from,
    moveTo: moveTo && defined(moveTo),
    releasesBetween: between.map(({ version, isDeprecated, changelogUrl }) =>
      defined({ version, isDeprecated, changelogUrl }),
    ),
    ...{ move, verdict },
  });
}

/** The part of the answer that people read, and the release and the line that it is about. */
export function describeVersion(details: Details, question: VersionQuestion) {
  const { component, title, latest, lines, releases } = details;
  const { asOf } = question;
  const release = findRelease(releases, question.version);
  const { version } = release ?? question;
  const name = release?.line ?? lineOf(details, version);
  const line = lines.find((line) => line.line === name);
  const verdict = line ? describeOnLine(details, line, release, question) : describeUnknown(details, version);
  const { status } = release ?? {};
  return { component, title, version, asOf, status, isLatest: version === latest, release, line, ...verdict };
}

/** The whole answer in one text that can be quoted. */
export function versionText(
  answer: Pick<
    VersionAnswer,
    'component' | 'title' | 'version' | 'asOf' | 'status' | 'isLatest' | 'verdict' | 'move'
  >,
): string {
  const { title, component, version, asOf, status, isLatest, verdict, move } = answer;
  const standing = status === undefined ? '' : `: ${status}${isLatest ? ', the latest' : ''}`;
  return `${title} (${component}) ${version} on ${asOf}${standing}. ${verdict} ${move}`.trim();
}

type DescribedVersion = UpgradePath & Pick<VersionAnswer, 'verdict'>;

function describeOnLine(
  details: Details,
  { line, isSupported, verdict }: Details['lines'][number],
  release: DetailedRelease | undefined,
  question: VersionQuestion,
): DescribedVersion {
  const { releases } = details;
  const { version } = question;
  if (release) return { ...upgradePath(release, details, question), verdict: release.verdict };
  // Nothing is known of the version itself, so that it goes where its line goes; it is never what to move to itself.
  const isOver = releases.every((other) => other.line !== line || other.isDeprecated);
  const assumed = { version, line, isDeprecated: isSupported === false || isOver, isPrerelease: true };
  const asked = parseVersion(version)!;
  const place = releases.filter((other) => compareVersions(parseVersion(other.version)!, asked) <= 0).length;
  const inOrder = (releases as readonly Movable[]).toSpliced(place, 0, assumed);
  return {
    ...upgradePath(assumed, { ...details, releases: inOrder }, question),
    verdict: `${version} is not listed. ${verdict}`,
  };
}

function describeUnknown({ component, latest, releases }: Details, version: string): DescribedVersion {
  const hint = didYouMean(
    version,
    releases.map(({ version }) => version),
  );
  return {
    between: [],
    verdict: `${component} has no release ${JSON.stringify(version)} and no release line that it would belong to.${hint}`,
    move: latest === undefined ? '' : `The latest version is ${latest}.`,
  };
}

/** The name of the line to which a version would belong. */
function lineOf({ support }: Details, text: string): string | undefined {
  const parsed = parseVersion(text);
  return parsed && releaseLine(parsed, support.line ?? 2);
}
