/** Judges the states of lines and releases on a day. The releases to move to are found later, from these states. */
import { addDays, countDays, type Day } from '../core/day.ts';
import type { SupportPolicy } from '../core/schema/policy.ts';
import type { Line, Phase, Reason, State } from '../core/schema/published.ts';
import type { Recorded } from '../core/schema/recorded.ts';
import type { Definition } from '../core/schema/written.ts';
import { compareVersions, findNewest, readVersion } from '../core/version.ts';
import { judgeAdvisories, type Security } from './advisories.ts';
import { listLines, type LineFacts } from './lines.ts';
import { findCertainDay, listReleases, sortReasons, type Listed } from './listed-releases.ts';
import { isUsable } from './move.ts';
import { describePaid } from './sentences.ts';
import {
  findLastFree,
  findLastPaid,
  hasEndedBy,
  listStatedLines,
  scheduleLines,
  type Schedule,
  type Support,
} from './support.ts';

export interface Subject {
  readonly name: string;
  readonly definition: Definition;
  readonly recorded: Recorded;
  /** Maps each version to an instant: the end of the run that recorded this version. */
  readonly availableAt?: ReadonlyMap<string, string>;
  /** What the journal has reported to readers so far. */
  readonly reported?: {
    readonly releases: ReadonlyMap<
      string,
      { readonly deprecatedOn?: Day | undefined; readonly lastProven?: string | undefined }
    >;
    readonly lines: ReadonlyMap<string, { readonly endedOn?: Day | undefined }>;
  };
}

export type Judged = ReturnType<typeof judgeStates>;

export type JudgedLine = ReturnType<typeof judgeLine>;
export type JudgedRelease = ReturnType<typeof judgeRelease>;
/** The facts from which a verdict follows. */
export type VerdictFacts = JudgedLine | JudgedRelease;

export function judgeStates(subject: Subject, day: Day) {
  const { definition, recorded } = subject;
  const policy: SupportPolicy = definition.support ?? { policy: 'none' };
  const statedLines = listStatedLines(policy, recorded.lines);
  const listed = listReleases(definition, recorded, statedLines, day);
  const scheduledLines = scheduleLines(policy, listLines(listed, policy, statedLines), statedLines);

  const { advisories, findSecurity } = judgeAdvisories(
    definition,
    recorded.advisories ?? [],
    listed.map(({ parsed }) => parsed),
  );
  const lines = scheduledLines.map(({ facts, schedule }) => {
    const support = judgeSupport(facts, schedule, day);
    const releases = facts.releases.map((release) => {
      return judgeRelease(subject, release, support, findSecurity(release.parsed), day);
    });
    return judgeLine(facts, support, releases);
  });

  // Lines may overlap: releases of a line 2 may come before and after releases of a line 2.2.
  const releases = lines.flatMap((line) => line.releases);
  releases.sort((a, b) => compareVersions(a.parsed, b.parsed));
  const unproven = releases.filter(({ lastProven }) => lastProven !== undefined);
  for (const release of unproven.length > 0 ? releases : []) {
    release.unprovenSibling = findUnprovenSibling(release, unproven);
  }
  const asksForAdvisories = definition.sources.some(({ datasource }) => datasource === 'osv');
  const watched = asksForAdvisories ? recorded : definition;
  return {
    subject,
    policy,
    /** The lines, in version order, like the releases. */
    lines,
    releases,
    latest: releases.findLast(isUsable),
    advisories,
    /** Whether an advisory source has answered. If so, a release without recorded advisories has no known advisories. */
    watchesAdvisories: watched.advisories !== undefined,
  };
}

/** Somebody who took over an account may publish releases of several lines within this many days. */
const siblingDays = 3;

/**
 * Finds a release of another line that lost its provenance a few days before or after a release without provenance. So a release of a line
 * that never had provenance is noticed, too. Undefined if the release itself was reported. Uses only recorded dates, so the result does not
 * depend on the run that fetched the release. Example:
 *
 * | version | provenance | reported after | day      | result |
 * | ------- | ---------- | -------------- | -------- | ------ |
 * | 0.30.4  | no         |                | 31 March | 1.14.1 |
 * | 1.14.1  | no         | 1.14.0         | 30 March |        |
 */
function findUnprovenSibling(
  { line, day, recorded, lastProven }: JudgedRelease,
  unproven: readonly JudgedRelease[],
): string | undefined {
  // Without `notBefore`, an observed date is only the latest possible one. All releases have it that existed when the component was added.
  const isDated = recorded.timestampKind !== 'observed' || recorded.notBefore !== undefined;
  if (recorded.hasProvenance !== false || lastProven !== undefined || !isDated || !day) {
    return undefined;
  }

  return unproven.find((other) => {
    const isNear = other.day !== undefined && Math.abs(countDays(other.day, day)) <= siblingDays;
    return isNear && other.line !== line;
  })?.version;
}

function judgeSupport({ began }: LineFacts, schedule: Schedule, day: Day): Support {
  const end = findLastFree(schedule.phases);
  const judged = judgeEnd(end, day);
  // A source may list a line before its first day. Releases after `day` are left out, so the line has no stable release yet.
  const isUnreleased = began.from !== undefined && began.from > day && judged.isSupported !== false;
  const isOver = end !== undefined && hasEnded(end, day) === true;
  // Finds the first phase that may not have ended yet. After support has ended, only paid phases are considered.
  const present = schedule.phases.find((phase) => {
    return hasEnded(phase, day) !== true && (phase.paid || !isOver);
  });
  const isNamed = present !== undefined && !isUnreleased && hasEnded(present, day) === false;
  const paid = findLastPaid(schedule.phases);
  return {
    ...schedule,
    paidUntil: paid?.until,
    paidUntilAtMost: paid?.untilAtMost,
    paidSupport: paid && describePaid(paid, hasEnded(paid, day) === true, schedule.isInferred),
    // A phase that may have ended is not named.
    phase: isNamed ? present.name : undefined,
    supportedUntil: end?.until,
    supportedUntilAtMost: end?.untilAtMost,
    ...(isUnreleased ? { state: 'no-promise', isUnreleased } : judged),
  };
}

/** A line is `ends-soon` if its support ends in at most this many days. */
const soonDays = 90;

function judgeEnd(end: Phase | undefined, day: Day): Pick<Line, 'state' | 'isSupported'> {
  if (!end) {
    return { state: 'no-promise' };
  }

  switch (hasEnded(end, day)) {
    case undefined:
      return { state: 'may-have-ended' };
    case true:
      return { state: 'ended', isSupported: false };
    case false: {
      const isSoon = end.until !== undefined && countDays(day, end.until) <= soonDays;
      return { state: isSoon ? 'ends-soon' : 'supported', isSupported: true };
    }
  }
}

/** Tells whether a phase of support has ended. Undefined between the earliest and the latest day on which it may end. */
function hasEnded(phase: Phase, day: Day): boolean | undefined {
  return hasEndedBy(phase, addDays(day, -1));
}

function judgeLine(line: LineFacts, support: Support, releases: readonly JudgedRelease[]) {
  const { name } = line;
  const newest = releases.findLast(isUsable);
  return {
    ...line,
    /** The first day of the line, if it is after the build. */
    beginsOn: support.isUnreleased ? line.began.from : undefined,
    /** The version of the line's newest usable release (stable and not deprecated). */
    version: newest?.version,
    line: name,
    /** The version of the line's newest release, even if it is not usable. Without releases, the name of the line. */
    parsed: findNewest(releases)?.parsed ?? readVersion(name),
    state: support.state,
    /**
     * The state that decides whether users of the line should move. If all its releases are deprecated, it is `deprecated` or `withdrawn`,
     * even if the line is supported.
     */
    moveState: findMoveState(support, releases),
    isSupported: support.isSupported,
    support,
    security: newest?.security,
    because: [] as Reason[],
    lastProven: undefined,
    unprovenSibling: undefined,
    releases,
    /** The newest usable release of the line. */
    newest,
  };
}

function judgeRelease(
  { name: component, reported }: Subject,
  release: Listed,
  support: Support,
  security: Security,
  day: Day,
) {
  const reasons = support.reason ? [support.reason, ...release.reasons] : release.reasons;
  const because = sortReasons(reasons.filter((reason) => findCertainDay(reason) <= day));
  const isDeprecated = because.length > 0;
  const state = findState(release, isDeprecated, support);
  const version = release.parsed.text;
  const isProven = release.recorded.hasProvenance;
  return {
    ...release,
    version,
    component,
    support,
    beginsOn: undefined,
    security,
    /** Why the release is deprecated now, oldest reason first. */
    because,
    /**
     * The version of the last earlier release with provenance. Undefined unless the journal reported that this release lacks provenance.
     */
    lastProven: isProven ? undefined : reported?.releases.get(version)?.lastProven,
    /** The result of `findUnprovenSibling`. */
    unprovenSibling: undefined as string | undefined,
    isDeprecated,
    isAffected: security.advisories.length > 0,
    state,
    moveState: state,
    isSupported: findIsSupported(release, support),
  };
}

function findState(
  { isPrerelease, isWithdrawn }: Listed,
  isDeprecated: boolean,
  { state }: Support,
): State {
  if (isWithdrawn) {
    return 'withdrawn';
  }
  if (state === 'ended') {
    return 'ended';
  }
  if (isDeprecated) {
    return 'deprecated';
  }

  return isPrerelease ? 'no-promise' : state;
}

/**
 * Tells whether a release is supported. Undefined for a prerelease of a supported line, because vendors promise nothing about prereleases.
 */
function findIsSupported(
  { isPrerelease, isWithdrawn }: Listed,
  { isSupported }: Support,
): boolean | undefined {
  if (isWithdrawn) {
    return false;
  }

  return isPrerelease && isSupported ? undefined : isSupported;
}

function findMoveState(support: Support, releases: readonly JudgedRelease[]): State {
  const areDeprecated = releases.length > 0 && releases.every(({ isDeprecated }) => isDeprecated);
  if (support.state === 'ended' || !areDeprecated) {
    return support.state;
  }

  return releases.every(({ isWithdrawn }) => isWithdrawn) ? 'withdrawn' : 'deprecated';
}
