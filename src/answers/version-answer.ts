import type { Day } from '../dates.ts';
import type { DetailsFile } from '../model/published/details-file.ts';
import { nearest } from '../query/query-error.ts';
import { defined, sentence } from '../text.ts';
import { compareVersions, parseVersion, releaseLine } from '../version.ts';
import { verdictOf } from './verdict-sentences.ts';
import { wayFrom, type Movable, type Way } from './move.ts';

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

/** What somebody who uses a version has to know. The same object and sentences come out of every door. */
export interface VersionAnswer extends Way {
  readonly component: string;
  readonly title: string;
  /** As listed; as asked where it is not. */
  readonly version: string;
  readonly asOf: Day;
  readonly isListed: boolean;
  /** Absent where the version is not listed and belongs to no known line. */
  readonly line?: string;
  /** The rest, down to `releasesBetween`, is of a listed release, or as far as its line tells. */
  readonly status?: DetailedRelease['status'];
  readonly isLatest: boolean;
  readonly isDeprecated?: boolean;
  /** Absent where nobody promised support. */
  readonly isSupported?: boolean;
  /** First day without support, past or future, where the policy names one. */
  readonly supportedUntil?: Day;
  /** Why it is deprecated; empty where it is not. */
  readonly reasons: readonly string[];
  /** The first day on which it will be deprecated, where one is known. */
  readonly until?: Day;
  /** Why it stands where it stands, in sentences. */
  readonly verdict: string;
}

/** The answer of `details/<component>.json` on a version, which may be spelt in another way, or not be listed. */
export function answerVersion(details: Details, asked: Asked): VersionAnswer {
  const { component, title, latest, lines, releases } = details;
  const { asOf } = asked;
  const release = findRelease(releases, asked.version);
  const { version } = release ?? asked;
  const lineName = release?.line ?? lineOf(details, version);
  const line = lines.find(({ line }) => line === lineName);
  const { reasons = [], upcoming: [next] = [] } = release ?? {};
  return defined({
    ...{ component, title, version, asOf },
    isListed: release !== undefined,
    line: line?.line,
    status: release?.status,
    isLatest: version === latest,
    isDeprecated: release?.isDeprecated,
    isSupported: line?.isSupported,
    supportedUntil: line?.eolFrom,
    reasons: reasons.map(({ text }) => text),
    until: release?.isDeprecated ? undefined : next?.from,
    ...(line ? toldOf(details, line, release, asked) : toldOfUnknown(details, version)),
  });
}

/** The release of a version: spelt like this, else one of equal rank, such as `2025.1` for `v2025.01`. */
export function findRelease<Release extends { readonly version: string }>(
  releases: readonly Release[],
  text: string,
): Release | undefined {
  const parsed = parseVersion(text);
  const isSame = ({ version }: Release) => compareVersions(parseVersion(version)!, parsed!) === 0;
  return releases.find(({ version }) => version === text) ?? (parsed && releases.find(isSame));
}

/** The whole answer in one text that can be quoted. */
export function versionText(answer: VersionAnswer): string {
  const { title, component, version, asOf, status, isLatest, verdict, move } = answer;
  const standing = status === undefined ? '' : `: ${status}${isLatest ? ', the latest' : ''}`;
  return `${title} (${component}) ${version} on ${asOf}${standing}. ${verdict} ${move}`.trim();
}

type Told = Way & Pick<VersionAnswer, 'verdict'>;

function toldOf(
  details: Details,
  line: DetailedLine,
  release: DetailedRelease | undefined,
  { version, latestOfReplacement, target = '' }: Asked,
): Told {
  const { releases } = details;
  const wanted = { latestOfReplacement, goal: findRelease(releases, target) };
  if (release) return { ...wayFrom(release, details, wanted), verdict: verdictOf(release, line) };
  const isOpen = releases.some((other) => other.line === line.line && !other.isDeprecated);
  // Nothing is known of the version itself, so that it goes where its line goes; it is never what to move to itself.
  const isDeprecated = line.isSupported === false || !isOpen;
  const assumed: Movable = { version, line: line.line, isDeprecated, isPrerelease: true };
  return {
    ...wayFrom(assumed, { ...details, releases: withRelease(releases, assumed) }, wanted),
    verdict: `${version} is not listed. Its release line ${line.line} ${lineVerdict(line, isOpen)}`,
  };
}

function lineVerdict({ isSupported, eolFrom, undatedEnd, reason }: DetailedLine, open: boolean): string {
  if (isSupported === false)
    return eolFrom === undefined
      ? `is not supported: ${sentence(reason ?? '')}`
      : `left support on ${eolFrom}.`;
  if (!open) return 'has no release that is free of deprecation.';
  if (isSupported === undefined) return 'is listed: no support policy covers it.';
  if (undatedEnd !== undefined) return `is supported. End of support: ${sentence(undatedEnd)}`;
  return eolFrom === undefined ? 'is supported, and no end is stated.' : `leaves support on ${eolFrom}.`;
}

function toldOfUnknown({ component, latest, releases }: Details, version: string): Told {
  const near = nearest(
    version,
    releases.map(({ version }) => version),
  );
  const hint = near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`;
  return {
    releasesBetween: [],
    verdict: `${component} has no release ${JSON.stringify(version)} and no release line that it would belong to.${hint}`,
    move: latest === undefined ? '' : `The latest version is ${latest}.`,
  };
}

/** The name of the line to which a version would belong. */
function lineOf({ support }: Details, text: string): string | undefined {
  const parsed = parseVersion(text);
  return parsed && releaseLine(parsed, support.line ?? 2);
}

/** The releases with one more, in their order. */
function withRelease(releases: readonly Movable[], added: Movable): readonly Movable[] {
  const parsed = parseVersion(added.version)!;
  const isBefore = ({ version }: Movable) => compareVersions(parseVersion(version)!, parsed) <= 0;
  return releases.toSpliced(releases.findLastIndex(isBefore) + 1, 0, added);
}
