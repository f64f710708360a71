import type { Day } from '../core/dates.ts';
import type { DetailsFile } from '../core/schemas/published/details-file.ts';
import type { VersionAnswer } from '../core/schemas/published/answer-schemas.ts';
import { didYouMean } from '../core/nearest.ts';
import { versionOf } from '../core/query/values.ts';
import { defined } from '../core/text.ts';
import { compareVersions, parseVersion, releaseLine } from '../core/version.ts';
import { findRelease, type Way, upgradePath } from './upgrade-path.ts';

type Details = Pick<
  DetailsFile,
  'component' | 'title' | 'support' | 'replacedBy' | 'latest' | 'lines' | 'releases'
>;
type DetailedLine = Details['lines'][number];
type DetailedRelease = Details['releases'][number];

export interface Asked {
  /** As somebody wrote it. */
  readonly version: string;
  /** The day that the verdicts of the details are of. */
  readonly asOf: Day;
  /** The latest version of the component that takes the place of this one, where there is any. */
  readonly latestOfReplacement?: string | undefined;
  /** A listed version that somebody could move to, whatever is recommended. */
  readonly target?: string | undefined;
}

type Said = Way &
  Pick<VersionAnswer, 'component' | 'title' | 'version' | 'asOf' | 'isLatest' | 'verdict'> & {
    readonly status?: VersionAnswer['status'] | undefined;
  };

interface About {
  readonly listed: DetailedRelease | undefined;
  readonly ofLine: DetailedLine | undefined;
}

/** The answer of `details/<component>.json` on a version, which may be spelt in another way, or not be listed. */
export function answerVersion(details: Details, asked: Asked): VersionAnswer {
  const { listed: release, ofLine: line, ...said } = describeVersion(details, asked);
  const { component, title, version, asOf, status, isLatest, moveTo, between, move, verdict } = said;
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

/** The part of the answer that is said to people, and what it is about. */
export function describeVersion(details: Details, asked: Asked): Said & About {
  const { component, title, latest, lines, releases } = details;
  const release = findRelease(releases, asked.version);
  const { version } = release ?? asked;
  const name = release?.line ?? lineOf(details, version);
  const line = lines.find((line) => line.line === name);
  return {
    ...{
      component,
      title,
      version,
      asOf: asked.asOf,
      status: release?.status,
      isLatest: version === latest,
      listed: release,
      ofLine: line,
    },
    ...(line ? toldOf(details, line, release, asked) : toldOfUnknown(details, version)),
  };
}

/** The whole answer in one text that can be quoted. */
export function versionText(answer: Omit<Said, keyof Way> & Pick<Way, 'move'>): string {
  const { title, component, version, asOf, status, isLatest, verdict, move } = answer;
  const standing = status === undefined ? '' : `: ${status}${isLatest ? ', the latest' : ''}`;
  return `${title} (${component}) ${version} on ${asOf}${standing}. ${verdict} ${move}`.trim();
}

type Told = Way & Pick<VersionAnswer, 'verdict'>;

function toldOf(
  details: Details,
  { line, isSupported, verdict }: DetailedLine,
  release: DetailedRelease | undefined,
  asked: Asked,
): Told {
  const { releases } = details;
  const { version } = asked;
  if (release) return { ...upgradePath(release, details, asked), verdict: release.verdict };
  // Nothing is known of the version itself, so that it goes where its line goes; it is never what to move to itself.
  const isOver = releases.every((other) => other.line !== line || other.isDeprecated);
  const assumed = { version, line, isDeprecated: isSupported === false || isOver, isPrerelease: true };
  const inOrder = [...releases, assumed].sort((a, b) =>
    compareVersions(versionOf(a.version)!, versionOf(b.version)!),
  );
  return {
    ...upgradePath(assumed, { ...details, releases: inOrder }, asked),
    verdict: `${version} is not listed. ${verdict}`,
  };
}

function toldOfUnknown({ component, latest, releases }: Details, version: string): Told {
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
