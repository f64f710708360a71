import { addDays, countDays, hasCome, type Day } from '../core/day.ts';
import type { Advisory } from '../core/schema/advisory.ts';
import type { Definition } from '../core/schema/definition.ts';
import type { Component, Line, Phase, Reason, Release, State } from '../core/schema/published.ts';
import type { Recorded } from '../core/schema/recorded.ts';
import { nameSources } from '../core/schema/source-id.ts';
import { nameSourcePackage } from '../core/datasources.ts';
import { formatPackage, parsePurl } from '../core/purl.ts';
import { compareVersions, findNewest, readVersion } from '../core/version.ts';
import { stateLabels } from '../core/words.ts';
import { createSecurityFinder, uniteAdvisories, type Security } from './advisories.ts';
import { listLines, type LineFacts } from './lines.ts';
import { findMove, listChoices, type Choices, type Movable } from './move.ts';
import { findCertainDay, listReleases, sortReasons, type Listed } from './releases.ts';
import {
  describePolicy,
  findLastFree,
  listStatedLines,
  planSupport,
  type LineSupport,
} from './support.ts';
import { describeAdvice, describeLineEnd, describeState, listGrounds } from './words.ts';

export interface Subject {
  readonly name: string;
  readonly definition: Definition;
  readonly recorded: Recorded;
  /** By version, when the run that recorded it ended. */
  readonly availableAt?: ReadonlyMap<string, string>;
}

/** A component with its states, before what to move to is known. */
interface Judged {
  readonly subject: Subject;
  readonly lines: readonly JudgedLine[];
  readonly releases: readonly JudgedRelease[];
  readonly latest: JudgedRelease | undefined;
  readonly advisories: readonly Advisory[];
  readonly watchesAdvisories: boolean;
  /** Recorded versions that the definition does not admit. */
  readonly omitted: readonly string[];
}

interface JudgedLine extends LineFacts, LineSupport {
  readonly described: ReturnType<typeof describeLine>;
  readonly reason: Reason | undefined;
  /** Regardless of its releases. */
  readonly support: { readonly state: State; readonly isSupported: boolean | undefined };
  readonly state: State;
}

interface JudgedRelease extends Listed, Movable {
  readonly line: string;
  readonly parsed: Listed['parsed'];
  readonly of: JudgedLine;
  readonly security: Security;
  /** Those in force, with that of its line. */
  readonly because: readonly Reason[];
  readonly isSupported: boolean | undefined;
}

/** Judges all components of an index on a day: a component may be replaced by another. */
export function judgeAll(subjects: readonly Subject[], day: Day): Component[] {
  const names = new Set(subjects.map(({ definition }) => definition.replacedBy));
  const replacements = new Map(
    subjects
      .filter(({ name }) => names.has(name))
      .map((subject) => [subject.name, judge(subject, day)]),
  );
  return subjects.map((subject) => {
    return completeComponent(
      replacements.get(subject.name) ?? judge(subject, day),
      replacements.get(subject.definition.replacedBy ?? ''),
      day,
    );
  });
}

/** The states of a component on a day. */
export function judge(subject: Subject, day: Day): Judged {
  const { definition, recorded } = subject;
  const policy = definition.support ?? { policy: 'none' };
  const statedLines = listStatedLines(policy, recorded.lines);
  const { listed, omitted } = listReleases(definition, recorded, statedLines, day);
  const lineFacts = listLines(listed, policy, statedLines);
  const plans = planSupport(policy, lineFacts, statedLines);

  const advisories = uniteAdvisories(definition, recorded.advisories ?? []);
  const findSecurity = createSecurityFinder(advisories, definition, recorded.advisories ?? []);
  const lines: JudgedLine[] = [];
  const releases: JudgedRelease[] = [];
  for (const [index, facts] of lineFacts.entries()) {
    const line = judgeLine(facts, plans[index]!, day);
    lines.push(line);
    releases.push(
      ...facts.releases.map((release) =>
        judgeRelease(release, line, findSecurity(release.parsed), day),
      ),
    );
  }

  // The releases of a line such as 2 may be on both sides of those of 2.2.
  releases.sort((a, b) => compareVersions(a.parsed, b.parsed));
  const isAsked = definition.sources.some(({ datasource }) => datasource === 'osv');
  return {
    subject,
    lines,
    releases,
    latest: releases.findLast(isUsable),
    advisories,
    watchesAdvisories: (isAsked ? recorded.advisories : definition.advisories) !== undefined,
    omitted,
  };
}

/** Before its end, a line is `ends-soon` for so many days. */
const soonDays = 90;

function judgeLine(facts: LineFacts, plan: LineSupport, day: Day): JudgedLine {
  const end = findLastFree(plan.phases);
  const support = judgeSupport(end, day);
  const { reason } = end ?? {};
  const verdicts = facts.releases.map((release) => judgeState(release, reason, support.state, day));
  const areAllDeprecated =
    verdicts.length > 0 && verdicts.every(({ because }) => because.length > 0);
  const areAllWithdrawn = verdicts.every(({ state }) => state === 'withdrawn');
  const deprecated = areAllWithdrawn ? 'withdrawn' : 'deprecated';
  const state = support.state !== 'ended' && areAllDeprecated ? deprecated : support.state;
  return { ...facts, ...plan, described: describeLine(plan, day), reason, support, state };
}

function judgeSupport(end: Phase | undefined, day: Day): JudgedLine['support'] {
  if (!end) {
    return { state: 'no-promise', isSupported: undefined };
  }

  const isOver = hasEnded(end, day);
  if (isOver === undefined) {
    return { state: 'may-have-ended', isSupported: undefined };
  }
  if (isOver) {
    return { state: 'ended', isSupported: false };
  }

  const isSoon = end.until !== undefined && countDays(day, end.until) <= soonDays;
  return { state: isSoon ? 'ends-soon' : 'supported', isSupported: true };
}

/** Undefined between the earliest and the latest possible last day. */
function hasEnded({ until, untilAtMost, isOver }: Phase, day: Day): boolean | undefined {
  if (until === undefined && untilAtMost === undefined) {
    return isOver === true;
  }

  return hasCome({ from: until, atMost: untilAtMost }, addDays(day, -1));
}

function judgeState(release: Listed, lineReason: Reason | undefined, lineState: State, day: Day) {
  const reasons = lineReason ? [lineReason, ...release.reasons] : release.reasons;
  const because = sortReasons(reasons.filter((reason) => findCertainDay(reason) <= day));
  return { because, state: findState(release, because, lineState) };
}

function findState(
  { isPrerelease, isWithdrawn }: Listed,
  because: readonly Reason[],
  lineState: State,
): State {
  if (isWithdrawn) {
    return 'withdrawn';
  }
  if (lineState === 'ended') {
    return 'ended';
  }
  if (because.length > 0) {
    return 'deprecated';
  }

  return isPrerelease ? 'no-promise' : lineState;
}

function judgeRelease(
  release: Listed,
  line: JudgedLine,
  security: Security,
  day: Day,
): JudgedRelease {
  const { because, state } = judgeState(release, line.reason, line.support.state, day);
  const { isSupported } = line.support;
  const ownSupport = release.isPrerelease && isSupported ? undefined : isSupported;
  return {
    ...release,
    version: release.recorded.version,
    of: line,
    security,
    state,
    because,
    isSupported: state === 'withdrawn' ? false : ownSupport,
    isStable: !release.isPrerelease,
    isDeprecated: because.length > 0,
    isAffected: security.advisories.length > 0,
  };
}

function isUsable({ isStable, isDeprecated }: JudgedRelease): boolean {
  return isStable && !isDeprecated;
}

/** Adds what to move to, and the sentences. */
function completeComponent(judged: Judged, replacement: Judged | undefined, day: Day): Component {
  const { subject, lines, releases, latest } = judged;
  const { name, definition } = subject;
  const successor = replacement && listChoices(replacement.subject.name, replacement.releases);
  const context: Context = {
    judged,
    day,
    choices: listChoices(name, releases, successor),
    successor,
    nameComponent: (component) =>
      component === name ? '' : `${replacement!.subject.definition.title} `,
  };
  const ids = nameSources(definition.sources);
  const newerCounts = countNewer(releases);
  const latestOfLine = new Map(releases.filter(isUsable).map((release) => [release.of, release]));
  const { support = { policy: 'none' as const } } = definition;
  const {
    title,
    description,
    homepage,
    sourceRepository,
    changelogUrl,
    aliases,
    renamedFrom,
    replacedBy,
  } = definition;

  return {
    component: name,
    title,
    description,
    homepage,
    sourceRepository,
    changelogUrl,
    aliases,
    renamedFrom,
    replacedBy,
    support: {
      policy: support.policy,
      description: describePolicy(support),
      ...('url' in support && { url: support.url }),
      ...('inferred' in support && { inferred: support.inferred }),
    },
    latest: latest?.version,
    packages: listPackageUrls(definition),
    sources: definition.sources.map((source, position) => ({
      id: ids[position]!,
      datasource: source.datasource,
      packageName: source.packageName,
      registryUrl: source.registryUrl,
      field: source.field,
      extractVersion: source.extractVersion,
    })),
    watchesAdvisories: judged.watchesAdvisories,
    advisories: [...judged.advisories],
    lines: lines.map((line) => completeLine(line, latestOfLine.get(line)?.version, context)),
    releases: releases.map((release) =>
      completeRelease(
        release,
        newerCounts.get(release)!,
        latestOfLine.get(release.of) === release,
        context,
      ),
    ),
  };
}

/** Of its sources and aliases. */
function listPackageUrls({ sources, aliases = [] }: Definition): string[] {
  const ofAliases = aliases
    .map(parsePurl)
    .map((purl) => purl && formatPackage(purl.type, purl.name));
  return [...new Set([...sources.map(nameSourcePackage), ...ofAliases])].filter(
    (purl) => purl !== undefined,
  );
}

interface Context {
  readonly judged: Judged;
  readonly day: Day;
  readonly choices: Choices;
  readonly successor: Choices | undefined;
  readonly nameComponent: (component: string) => string;
}

/** The number of usable releases above each. */
function countNewer(releases: readonly JudgedRelease[]): Map<JudgedRelease, number> {
  const counts = new Map<JudgedRelease, number>();
  let newer = 0;
  for (const release of releases.toReversed()) {
    counts.set(release, newer);
    newer += Number(isUsable(release));
  }
  return counts;
}

function describeLine(line: LineSupport, day: Day) {
  const { phases } = line;
  const end = findLastFree(phases);
  const present = phases.find((phase) => hasEnded(phase, day) !== true);
  return {
    phases: phases.map(({ reason: _, ...phase }) => phase),
    phase: present && hasEnded(present, day) === false ? present.name : undefined,
    supportedUntil: end?.until,
    supportedUntilAtMost: end?.untilAtMost,
    isInferred: line.isInferred,
    endsWithNextLine: line.endsWithNextLine,
  };
}

function completeLine(line: JudgedLine, latest: string | undefined, context: Context): Line {
  const { day, judged, choices, successor } = context;
  const { described } = line;
  const newest = findNewest(line.releases);
  const parsed = newest?.parsed ?? readVersion(line.name);
  const deadlines = { 'ends-soon': described.supportedUntil, deprecated: described.supportedUntil };
  const move = findMove(
    { parsed, line: line.name, state: line.state, isAffected: false, deadlines },
    choices,
    successor,
    day,
  );
  const advice = describeAdvice({
    ...move,
    version: latest ?? line.name,
    isBack: isBack(move.moveTo, parsed, judged),
    latest: judged.latest?.version,
    isUnwatched: !judged.watchesAdvisories,
    nameComponent: context.nameComponent,
  });

  return {
    line: line.name,
    since: line.began.from,
    sinceAtMost: line.began.atMost,
    isLts: line.isLts,
    ltsFrom: line.ltsFrom,
    ...described,
    reason: line.reason,
    latest,
    releases: line.releases.length,
    state: line.support.state,
    label: stateLabels[line.support.state],
    end: describeLineEnd({
      ...described,
      state: line.support.state,
      isSupported: line.support.isSupported,
    }),
    because: listGrounds(line.reason ? [line.reason] : []),
    isSupported: line.support.isSupported,
    ...move,
    sentence: describeState(
      `${judged.subject.definition.title} ${line.name}`,
      { state: line.support.state, isSupported: line.support.isSupported },
      described,
    ),
    advice,
  };
}

function completeRelease(
  release: JudgedRelease,
  newer: number,
  isLatestOfLine: boolean,
  context: Context,
): Release {
  const { day, judged, choices, successor } = context;
  const { latest } = judged;
  const { recorded, parsed, line, state, isSupported, because, security } = release;
  const { described } = release.of;
  const hasOwnReason = release.reasons.some((reason) => findCertainDay(reason) <= day);
  const deadlines = {
    affected: security.dueBy,
    'ends-soon': described.supportedUntil,
    deprecated: hasOwnReason ? undefined : described.supportedUntil,
  };
  const move = findMove(
    { parsed, line, state, isAffected: release.isAffected, deadlines },
    choices,
    successor,
    day,
  );
  const releasesBehind = latest && release !== latest ? newer : undefined;
  const advice = describeAdvice({
    ...move,
    version: release.version,
    isBack: isBack(move.moveTo, parsed, judged),
    latest: latest?.version,
    isUnwatched: !judged.watchesAdvisories && !release.isAffected,
    nameComponent: context.nameComponent,
  });

  return {
    version: release.version,
    line,
    releaseTimestamp: recorded.releaseTimestamp,
    timestampKind: release.day === undefined ? undefined : (recorded.timestampKind ?? 'published'),
    notBefore: recorded.notBefore,
    firstSeen: recorded.firstSeen,
    availableAt: judged.subject.availableAt?.get(release.version),
    changelogUrl: release.changelogUrl,
    sources: recorded.sources,
    digests: recorded.digests,
    isPrerelease: release.isPrerelease || undefined,
    withdrawnSince: recorded.withdrawnSince,
    republishedOn: recorded.republishedOn,
    isDeprecated: release.isDeprecated,
    reasons: sortReasons([
      ...because,
      ...release.reasons.filter((reason) => !because.includes(reason)),
    ]),
    ...security,
    advisories: release.isAffected || judged.watchesAdvisories ? security.advisories : undefined,
    isLatest: release === latest || undefined,
    isLatestOfLine: isLatestOfLine || undefined,
    releasesBehind,
    behind: latest && release !== latest ? countDaysBehind(release, latest) : undefined,
    state,
    label: stateLabels[state],
    because: listGrounds(
      release.of.reason && !because.includes(release.of.reason)
        ? [...because, release.of.reason]
        : because,
      security.advisories,
    ),
    isSupported,
    ...move,
    sentence: describeState(
      `${judged.subject.definition.title} ${release.version}`,
      { state, isSupported, reasons: [...because] },
      described,
    ),
    advice,
  };
}

function isBack(target: Release['moveTo'], parsed: Listed['parsed'], { subject }: Judged): boolean {
  return (
    target?.component === subject.name && compareVersions(readVersion(target.version), parsed) < 0
  );
}

/** Days between two releases whose days upstream states. */
function countDaysBehind(release: JudgedRelease, latest: JudgedRelease): number | undefined {
  const [from, to] = [release, latest].map(({ day, recorded }) =>
    recorded.timestampKind === 'observed' ? undefined : day,
  );
  return from === undefined || to === undefined || from > to ? undefined : countDays(from, to);
}
