import type { Day } from '../dates.ts';
import type { DetailsFile } from '../model/published/details-file.ts';
import { nearest } from '../query/query-error.ts';
import { defined, sentence } from '../text.ts';
import { compareVersions, parseVersion, releaseLine } from '../version.ts';
import { moveFrom, moveSentence, releasesBetween, type Movable, type Move } from './move.ts';
import { verdictLines } from './verdict-lines.ts';

type Details = Pick<DetailsFile, 'component' | 'title' | 'support' | 'replacedBy' | 'latest'> & {
  readonly lines: readonly DetailedLine[];
  readonly releases: readonly DetailedRelease[];
};
type DetailedLine = DetailsFile['lines'][number];
type DetailedRelease = DetailsFile['releases'][number];

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
export interface VersionAnswer {
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
  /** Absent where there is nothing to move to, or no need to. */
  readonly moveTo?: Move;
  /** Between it and the target, or what to move to; oldest first, without prereleases. */
  readonly releasesBetween: readonly {
    readonly version: string;
    readonly isDeprecated: boolean;
    readonly changelogUrl?: string;
  }[];
  /** Why it stands where it stands, in sentences. */
  readonly verdict: string;
  /** What to move to, in a sentence. */
  readonly move: string;
}

/** The answer of `details/<component>.json` on a version, which may be spelt in another way, or not be listed. */
export function answerVersion(details: Details, asked: Asked): VersionAnswer {
  const release = findRelease(details.releases, asked.version);
  if (release) return answerListed(details, release, asked);
  const line = lineOf(details, asked.version);
  return line ? answerOfLine(details, line, asked) : answerUnknown(details, asked);
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
export function versionText({
  title,
  component,
  version,
  asOf,
  verdict,
  move,
  ...answer
}: VersionAnswer): string {
  const status = answer.isListed ? `: ${answer.status}${answer.isLatest ? ', the latest' : ''}` : '';
  return `${title} (${component}) ${version} on ${asOf}${status}. ${verdict} ${move}`.trim();
}

function answerListed(details: Details, release: DetailedRelease, asked: Asked): VersionAnswer {
  const line = details.lines.find(({ line }) => line === release.line)!;
  const { version, isDeprecated, reasons = [], upcoming = [] } = release;
  const support = { isSupported: line.isSupported, supportedUntil: line.eolFrom };
  return defined({
    ...head(details, asked),
    version,
    isListed: true,
    line: release.line,
    status: release.status,
    isLatest: version === details.latest,
    isDeprecated,
    ...support,
    reasons: reasons.map(({ text }) => text),
    until: isDeprecated ? undefined : upcoming[0]?.from,
    ...moveOf(details, release, asked),
    verdict: verdictLines({ ...release, ...support, undatedEnd: line.undatedEnd }).join(' '),
  });
}

/** Nothing is known of the version itself, so that it goes where its line goes. */
function answerOfLine(details: Details, line: DetailedLine, asked: Asked): VersionAnswer {
  const { isSupported, eolFrom } = line;
  const open = details.releases.some((release) => release.line === line.line && !release.isDeprecated);
  const known = [
    `${asked.version} is not listed.`,
    `Its release line ${line.line} ${lineVerdict(line, open)}`,
  ];
  const place = placeFor(details.releases, asked.version);
  const assumed = {
    ...{ version: asked.version, line: line.line, status: 'listed' as const },
    // It is never what to move to itself.
    ...{ isDeprecated: isSupported === false || !open, isPrerelease: true },
  };
  const releases = details.releases.toSpliced(place, 0, assumed);
  return defined({
    ...head(details, asked),
    version: asked.version,
    isListed: false,
    line: line.line,
    isLatest: false,
    isSupported,
    supportedUntil: eolFrom,
    reasons: [],
    ...moveOf({ ...details, releases }, assumed, asked),
    verdict: known.join(' '),
  });
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

function answerUnknown(details: Details, asked: Asked): VersionAnswer {
  const { component, latest } = details;
  const near = nearest(
    asked.version,
    details.releases.map(({ version }) => version),
  );
  const hint = near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`;
  return defined({
    ...head(details, asked),
    version: asked.version,
    isListed: false,
    isLatest: false,
    reasons: [],
    releasesBetween: [],
    verdict: `${component} has no release ${JSON.stringify(asked.version)} and no release line that it would belong to.${hint}`,
    move: latest === undefined ? '' : `The latest version is ${latest}.`,
  });
}

function head(
  { component, title }: Details,
  { asOf }: Asked,
): Pick<VersionAnswer, 'component' | 'title' | 'asOf'> {
  return { component, title, asOf };
}

function moveOf(details: Details, release: DetailedRelease, asked: Asked) {
  const component = movable(details, asked.latestOfReplacement);
  const moveTo = moveFrom(component, release);
  const target = asked.target === undefined ? undefined : findRelease(details.releases, asked.target);
  const goal = target ? { component: details.component, version: target.version } : moveTo;
  const between = releasesBetween(component, release, goal);
  return {
    moveTo,
    releasesBetween: between.map(({ version, isDeprecated, changelogUrl }) =>
      defined({ version, isDeprecated, changelogUrl }),
    ),
    move: moveSentence(component, release),
  };
}

function movable(
  { component, releases, replacedBy }: Details,
  latest: string | undefined,
): Movable<DetailedRelease> {
  const replacement = replacedBy === undefined ? undefined : defined({ name: replacedBy, version: latest });
  return { name: component, releases, ...(replacement && { replacement }) };
}

/** The known line to which a version would belong. */
function lineOf({ lines, support }: Details, text: string): DetailedLine | undefined {
  const parsed = parseVersion(text);
  const name = parsed && releaseLine(parsed, support.line ?? 2);
  return lines.find(({ line }) => line === name);
}

/** Where a version would stand among the others. */
function placeFor(releases: readonly DetailedRelease[], text: string): number {
  const parsed = parseVersion(text)!;
  const place = releases.findIndex(({ version }) => compareVersions(parseVersion(version)!, parsed) > 0);
  return place === -1 ? releases.length : place;
}
