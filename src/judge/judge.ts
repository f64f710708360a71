/** Judges components for a day. The result is the content of `details/<component>.json`. All functions are pure. */
import { nameSourcePackage } from '../core/datasources.ts';
import { countDays, type Day, toTimestamp } from '../core/day.ts';
import { pick } from '../core/objects.ts';
import {
  describeParts,
  describeUnproven,
  findWords,
  isOpen,
  nameState,
  vulnerableLabel,
} from '../core/phrases.ts';
import { namePackage, parsePurl } from '../core/purl.ts';
import { nameSources } from '../core/schema/names.ts';
import type { Component, Line, Release } from '../core/schema/published.ts';
import type { Definition } from '../core/schema/written.ts';
import { readVersion } from '../core/version.ts';
import { findCertainDay, sortReasons } from './listed-releases.ts';
import { findMove, isAbove, isUsable, listChoices, type Move, type Options } from './move.ts';
import { describePolicy } from './policy-words.ts';
import { describeAdvice, describeLineEnd, describeState, listGrounds } from './sentences.ts';
import { describeStops, listStops, listWay, type Stop } from './stops.ts';
import {
  type Judged,
  type JudgedLine,
  type JudgedRelease,
  judgeStates,
  type Subject,
  type VerdictFacts,
} from './states.ts';

export type { Subject } from './states.ts';

/** Judges all components of an index for a day. Judges all together, because a component may name others that replace it. */
export function judgeAll(subjects: readonly Subject[], day: Day): Component[] {
  const byName = new Map<string | undefined, Subject>(
    subjects.map((subject) => [subject.name, subject]),
  );
  return subjects.map((subject) => {
    const { replacedBy, splitInto = [] } = subject.definition;
    const successors = [replacedBy, ...splitInto].map((name) => byName.get(name));
    return judgeOne(
      subject,
      day,
      successors.filter((successor) => successor !== undefined),
    );
  });
}

/** The facts that all verdicts of a component depend on. */
interface Context extends Options {
  readonly judged: Judged;
  readonly stops: readonly Stop[];
  /** The newest supported line. Undefined if the index lists releases of this line, or if no line is supported. */
  readonly emptyLine: JudgedLine | undefined;
}

/** Judges a component for a day. `others`: the component that replaces it, or the components into which it was split. */
export function judgeOne(subject: Subject, day: Day, others: readonly Subject[] = []): Component {
  const judged = judgeStates(subject, day);
  const stops = listStops(subject.definition.requiredStops, judged.lines);
  const successors = others.map((other) => ({
    name: other.name,
    title: other.definition.title,
    choices: listChoices(judgeStates(other, day).releases),
  }));
  const choices = listChoices(
    judged.releases,
    successors.map((successor) => successor.choices),
  );
  const isSplit = subject.definition.splitInto !== undefined;
  const supported = judged.lines.findLast(({ isSupported }) => isSupported);
  const emptyLine = supported?.releases.length === 0 ? supported : undefined;
  const context: Context = { judged, stops, emptyLine, day, choices, successors, isSplit };
  const lines = judged.lines.map((line) => completeLine(line, context));
  const byName = new Map(lines.map((line) => [line.line, line]));
  const places = findPlaces(judged, stops);
  return {
    ...describeDefinition(judged, stops),
    latest: judged.latest?.version,
    watchesAdvisories: judged.watchesAdvisories,
    advisories: judged.advisories,
    lines,
    releases: judged.releases.map((release, index) =>
      completeRelease(release, byName.get(release.line)!, places[index]!, context),
    ),
  };
}

function describeDefinition({ subject, policy, releases }: Judged, stops: readonly Stop[]) {
  const { name, definition } = subject;
  const { url, inferred } = policy;
  return {
    component: name,
    ...pick(definition, [
      'title',
      'description',
      'homepage',
      'sourceRepository',
      'changelogUrl',
      'aliases',
      'renamedFrom',
      'replacedBy',
      'splitInto',
    ]),
    support: { policy: policy.policy, description: describePolicy(policy), url, inferred },
    requiredStops: describeStops(definition.requiredStops, stops),
    packages: listPackageUrls(definition),
    files: listFileNames(definition, releases),
    sources: Array.from(nameSources(definition.sources), ([id, source]) => ({
      id,
      ...pick(source, ['datasource', 'packageName', 'registryUrl', 'field', 'extractVersion']),
    })),
  };
}

/** Lists the package URLs of a component, from its sources and its aliases. */
function listPackageUrls({ sources, aliases = [] }: Definition): string[] {
  const ofAliases = aliases.map(parsePurl).map((purl) => purl && namePackage(purl));
  const packages = [...sources.map(nameSourcePackage), ...ofAliases];
  return [...new Set(packages)].filter((purl) => purl !== undefined);
}

/**
 * Lists the file names of a component, from its definition and its recorded releases. Recorded releases may have file names that the
 * definition does not contain. These names came from a release list or an earlier definition.
 */
function listFileNames(
  { sources }: Definition,
  releases: readonly JudgedRelease[],
): string[] | undefined {
  const patterns = sources.map(({ digestOf }) => digestOf);
  const defined = patterns.filter((each) => typeof each === 'object').flatMap(Object.keys);
  const recorded = releases.flatMap(({ recorded: { files = {} } }) => Object.keys(files));
  const names = [...new Set([...defined, ...recorded])].sort();
  return names.length > 0 ? names : undefined;
}

function completeLine(line: JudgedLine, context: Context): Line {
  const { name, began, support, releases, newest } = line;
  return {
    line: name,
    since: began.from,
    sinceAtMost: began.atMost,
    ...support,
    latest: newest?.version,
    releases: releases.length,
    end: describeLineEnd(support, line.beginsOn),
    ...describeVerdict(name, line, context),
  };
}

// The function is long only because it lists all keys of a release.
// oxlint-disable-next-line max-lines-per-function
function completeRelease(release: JudgedRelease, line: Line, place: Place, context: Context) {
  const { version, recorded: facts, security, support } = release;
  const verdict = describeVerdict(version, release, context);
  const shared = findWords({ version, line: line.line }, [line]);
  // A single object literal, because adding keys later or by a spread is slow for 98,000 objects.
  return {
    version,
    releaseTimestamp: facts.releaseTimestamp && toTimestamp(facts.releaseTimestamp),
    timestampKind: release.day === undefined ? undefined : (facts.timestampKind ?? 'published'),
    notBefore: facts.notBefore,
    firstSeen: facts.firstSeen,
    ignoredDay: facts.ignoredDay,
    sources: facts.sources,
    changelogUrl: release.changelogUrl,
    isPrerelease: release.isPrerelease || undefined,
    hasProvenance: facts.hasProvenance,
    lastProven: release.lastProven,
    unprovenSibling: release.unprovenSibling,
    withdrawnSince: facts.withdrawnSince,
    isQuarantined: facts.isQuarantined,
    digests: facts.digests,
    digest: facts.digest,
    url: facts.url,
    files: facts.files,
    urls: facts.urls,
    hasAllFiles: facts.hasAllFiles,
    republishedOn: facts.republishedOn,
    line: release.line,
    supportedUntil: support.supportedUntil,
    supportedUntilAtMost: support.supportedUntilAtMost,
    isInferred: support.isInferred,
    paidUntil: support.paidUntil,
    paidUntilAtMost: support.paidUntilAtMost,
    availableAt: context.judged.subject.availableAt?.get(version),
    isDeprecated: release.isDeprecated,
    deprecatedSince: findDeprecatedSince(release, context.judged.subject),
    reasons: uniteReasons(release),
    advisories: listAdvisories(release, context.judged),
    fixes: security.fixes,
    isTrustedFix: security.isTrustedFix,
    severity: security.severity,
    exploitedSince: security.exploitedSince,
    dueBy: security.dueBy,
    isStop: place.isStop,
    isLatest: place.isLatest,
    isLatestOfLine: place.isLatestOfLine,
    releasesBehind: place.releasesBehind,
    behind: place.behind,
    state: verdict.state,
    label: omitShared(verdict.label, shared.label),
    isSupported: verdict.isSupported,
    moveReason: verdict.moveReason,
    moveTo: verdict.moveTo,
    moveToParts: verdict.moveToParts,
    through: verdict.through,
    moveBy: verdict.moveBy,
    sentence: omitShared(verdict.sentence, shared.sentence),
    advice: omitShared(verdict.advice, shared.advice),
    because: omitShared(verdict.because, shared.because),
  } satisfies { [K in keyof Required<Release>]: Release[K] };
}

/**
 * Returns `words`, a part of the verdict on a release. Undefined if `shared`, the same part of the verdict on the release line, has the
 * same text.
 */
function omitShared<T extends string | string[]>(words: T, shared: T): T | undefined {
  return String(words) === String(shared) ? undefined : words;
}

/** Lists the advisories that affect a release. Undefined if none is known, and no advisory source has answered. */
function listAdvisories({ isAffected, security }: JudgedRelease, { watchesAdvisories }: Judged) {
  return isAffected || watchesAdvisories ? security.advisories : undefined;
}

/** Returns the reasons for deprecation, including the reason of the release line. */
function uniteReasons({ because, reasons }: JudgedRelease) {
  return reasons.length === 0 ? [...because] : sortReasons([...new Set([...because, ...reasons])]);
}

/**
 * Returns the verdict on a line or release: its state, the version to move to, and sentences that explain both. `name`: the line or version
 * in these sentences.
 */
function describeVerdict(name: string, facts: VerdictFacts, context: Context) {
  const { version, parsed, state, isSupported, support, beginsOn, because } = facts;
  const { judged, stops, emptyLine } = context;
  const { definition, name: component } = judged.subject;
  const advisories = facts.security?.advisories ?? [];
  const isAffected = advisories.length > 0;
  const { moveReason, moveTo, moveToParts, moveBy } = chooseMove(facts, isAffected, context);
  const goal = moveTo?.component === component ? readVersion(moveTo.version) : undefined;
  const isBack = goal !== undefined && isAbove(parsed, goal);
  const through = goal && listWay(stops, parsed, goal);
  const sentence = describeState(`${definition.title} ${name}`, facts, support, because);
  const unproven = describeUnproven(facts);
  return {
    state,
    label:
      isAffected && isOpen({ state })
        ? vulnerableLabel
        : nameState({ state, isUnreleased: beginsOn !== undefined }),
    isSupported,
    moveReason,
    moveTo,
    moveToParts,
    through,
    moveBy,
    sentence,
    advice: describeAdvice({
      moveReason,
      moveBy,
      target: describeTarget({ moveTo, moveToParts }, component, context),
      isSplit: moveToParts !== undefined,
      through,
      version,
      isBack,
      latest: judged.latest?.version,
      isAffected,
      isUnwatched: !judged.watchesAdvisories,
      isUnproven: unproven !== undefined,
      supportedLine: emptyLine && isAbove(emptyLine.parsed, parsed) ? emptyLine.name : undefined,
    }),
    // A reason that the sentence already contains is not repeated in `because`.
    because: listGrounds(because.concat(support.reason ?? []), advisories, unproven).filter(
      (ground) => !sentence.endsWith(ground),
    ),
  };
}

/** Describes the release to move to: `2026.3`, or `Edge node 2.1.0` if it belongs to another component. */
function describeTarget(
  { moveTo, moveToParts }: Move,
  component: string,
  { successors }: Context,
): string | undefined {
  const findTitle = (part: string) => successors.find(({ name }) => name === part)!.title;
  if (moveToParts) {
    return describeParts(moveToParts, findTitle);
  }
  const isOwn = moveTo?.component === component;
  return moveTo && (isOwn ? moveTo.version : `${findTitle(moveTo.component)} ${moveTo.version}`);
}

function chooseMove(facts: VerdictFacts, isAffected: boolean, context: Context): Move {
  const { parsed, line, moveState: state, security, support, because } = facts;
  const until = support.supportedUntil;
  // A release may be deprecated only because the support of its line ends. Then users must move by the end of support. If there is another
  // reason for the deprecation, users must move at once.
  const deprecated = because.every((reason) => reason === support.reason) ? until : undefined;
  const deadlines = { affected: security?.dueBy, deprecated, 'ends-soon': until };
  return findMove({ parsed, line, state, isAffected }, deadlines, context);
}

/** Returns the first day on which a release was deprecated. Undefined if a reason has neither a date nor a reported event. */
function findDeprecatedSince(
  { because, line, support, parsed }: JudgedRelease,
  { reported }: Subject,
): Day | undefined {
  // The journal reports only the day on which support of the line ended. An `ended` policy with an end date may deprecate the line before
  // this day. So the reported day is used only for lines without an end date.
  const reportedLine = support.supportedUntil === undefined ? reported?.lines.get(line) : undefined;
  const reportedRelease = reported?.releases.get(parsed.text);
  const days = because.map((reason) => {
    const statedDay = findCertainDay(reason);
    const isOfLine = reason.rule === 'support policy';
    const toldDay = isOfLine ? reportedLine?.endedOn : reportedRelease?.deprecatedOn;
    return statedDay === '' ? toldDay : statedDay;
  });
  return days.includes(undefined) ? undefined : days.sort()[0];
}

/** The place of a release among the releases of its component. */
type Place = Pick<Release, 'isStop' | 'isLatest' | 'isLatestOfLine' | 'releasesBehind' | 'behind'>;

/** Finds whether each release is the latest, and how far it is behind the latest. The result has the order of `releases`. */
function findPlaces({ latest, lines, releases }: Judged, stops: readonly Stop[]): Place[] {
  const ofStops = new Set(stops.flatMap((stop) => stop.releases));
  const latestOfLines = new Set(lines.map(({ newest }) => newest));
  let newer = releases.filter(isUsable).length;
  return releases.map((release) => {
    // From here on, `newer` counts only releases newer than this one.
    newer -= Number(isUsable(release));
    const isBehind = latest !== undefined && release !== latest;
    return {
      isStop: ofStops.has(release) || undefined,
      isLatest: release === latest || undefined,
      isLatestOfLine: latestOfLines.has(release) || undefined,
      releasesBehind: isBehind ? newer : undefined,
      behind: isBehind ? countDaysBehind(findStatedDay(release), findStatedDay(latest)) : undefined,
    };
  });
}

/** Returns the release date that upstream gives. Undefined for an observed date. */
function findStatedDay({ day, recorded }: JudgedRelease): Day | undefined {
  return recorded.timestampKind === 'observed' ? undefined : day;
}

/**
 * Counts the days between a release and the latest release. Undefined if upstream gives no date for one of them, or if the release is dated
 * after the latest.
 */
function countDaysBehind(day: Day | undefined, latestDay: Day | undefined): number | undefined {
  return day !== undefined && latestDay !== undefined && day <= latestDay
    ? countDays(day, latestDay)
    : undefined;
}
