import { newestFirst, type Day } from '../core/dates.ts';
import { isPhaseOver, lastFreePhase, phaseOn } from '../core/phases.ts';
import type { Definition } from '../core/schemas/definition.ts';
import { isSelected } from '../core/schemas/selected-versions.ts';
import { isStaticId } from '../core/schemas/source.ts';
import { listingSources, type StatedLine } from '../core/schemas/recorded.ts';
import { defined, pick } from '../core/text.ts';
import type { Advisory } from '../core/schemas/advisory.ts';
import { securityBy, uniteAdvisories, type Security, type StatedAdvisory } from './advisories.ts';
import { groupByLine, type ReleaseLine } from './lines.ts';
import type { Reason } from '../core/schemas/published/details-file.ts';
import { deprecatedSince, type Release } from './releases.ts';
import { endWithNextLine, supportOf, type JudgedPhase, type LineSupport } from './support.ts';

/** A release and what is decided about it on one day. */
export interface JudgedRelease extends Release, Security {
  readonly isDeprecated: boolean;
  /** Why it is deprecated, the oldest reason first. Empty if it is not. */
  readonly reasons: readonly Reason[];
  /** Reasons that will hold later, soonest first. */
  readonly upcoming: readonly Reason[];
  /** As of its line. */
  readonly isSupported: boolean | undefined;
}

/** A release line and what is decided about it on one day. */
export interface JudgedLine
  extends Pick<ReleaseLine, 'name' | 'firstReleaseDay' | 'firstReleaseKind'>, LineSupport {
  /** Oldest first. */
  readonly releases: readonly JudgedRelease[];
  /** The present one, where it has several. */
  readonly phase?: JudgedPhase;
  /** Whether a phase runs that everybody has, also where it is deprecated; absent without a policy, which nobody has promised then. */
  readonly isSupported?: boolean;
  /** The first day after the last phase that is not paid, past or future, where one is known. */
  readonly eolFrom?: Day;
  /** That day follows from an observed one: support ends no later than that. */
  readonly eolKind?: 'observed';
  readonly reason?: Reason;
  /** The line is supported and has no end date: its support ends when a newer line appears. */
  readonly endsWithNextLine?: true;
}

export interface Judgement {
  /** The day it holds for. */
  readonly day: Day;
  /** Oldest first. */
  readonly releases: readonly JudgedRelease[];
  /** Oldest first. */
  readonly lines: readonly JudgedLine[];
  /** Those of the definition and of its sources, by id. */
  readonly advisories: readonly Advisory[];
  /** The greatest version that is stable and not deprecated. */
  readonly latest?: JudgedRelease;
  /** The next day on which a verdict changes although no data does. */
  readonly nextChangeOn?: Day;
}

/**
 * Applies every rule of a definition to releases in version order, as of a day. `recorded`: what its sources advise; `stated`: what
 * that of its support states. Pure.
 */
export function judge(
  releases: readonly Release[],
  definition: Definition,
  day: Day,
  recorded: readonly StatedAdvisory[] = [],
  stated: readonly StatedLine[] = [],
): Judgement {
  const own = definition.advisories ?? [];
  const advisories = uniteAdvisories(own, recorded);
  const trusted = own.map((advisory) => ({ ...advisory, isTrusted: true }));
  const securityOf = securityBy(advisories, [...trusted, ...recorded]);
  const lines = groupByLine(releases, day, stated);
  const policy = definition.support ?? { policy: 'none' };
  const support = supportOf(policy, lines, day, stated);
  const withNextLine = endWithNextLine(policy, lines, support, day);
  const ownReasonsOf = ownReasons(definition);
  const judgedLines = lines.map((line, index): JudgedLine => {
    const { phases, isLts } = support[index]!;
    const free = lastFreePhase(phases);
    const { reason, until: eolFrom, untilKind: eolKind } = free ?? {};
    const isSupported = free && !isPhaseOver(free, day);
    return defined({
      ...pick(line, ['name', 'firstReleaseDay', 'firstReleaseKind']),
      ...{ phases, phase: phaseOn(phases, day), isLts },
      releases: line.releases.map((release) => ({
        ...release,
        ...verdictOf([...(reason ? [reason] : []), ...ownReasonsOf(release)], day),
        ...securityOf(release.parsed),
        isSupported,
      })),
      ...{ isSupported, eolFrom, eolKind, reason },
      endsWithNextLine: withNextLine[index] || undefined,
    });
  });
  // The releases of a line stand together in version order.
  const all = judgedLines.flatMap((line) => line.releases);
  return defined({
    day,
    releases: all,
    lines: judgedLines,
    advisories,
    latest: all.findLast((release) => !release.isDeprecated && !release.isPrerelease),
    nextChangeOn: earliestChange(judgedLines, day),
  });
}

/** Finds the reasons to deprecate a release regardless of its line: the definition, upstream's word, or its withdrawal. */
function ownReasons(definition: Definition): (release: Release) => Reason[] {
  const rules = (definition.deprecated ?? []).map(({ versions, reason: text, since: from, url }) => ({
    includes: isSelected(versions),
    reason: defined({ rule: 'definition', text, from, url } as const),
  }));
  return (release) =>
    [
      ...rules.filter(({ includes }) => includes(release.version)).map(({ reason }) => reason),
      upstreamReason(definition, release),
      withdrawnReason(release),
    ].filter((reason) => reason !== undefined);
}

function upstreamReason(
  { ignoreUpstreamDeprecation }: Definition,
  { recorded }: Release,
): Reason | undefined {
  const { deprecated } = recorded;
  if (ignoreUpstreamDeprecation || deprecated === undefined) return undefined;
  const sources = listingSources(recorded);
  const isOwn = sources.length > 0 && sources.every(isStaticId);
  const text = `Deprecated ${isOwn ? 'in the definition' : 'upstream'}: ${deprecated}`;
  return defined({ rule: 'upstream', text, from: deprecatedSince(recorded) } as const);
}

function withdrawnReason(release: Release): Reason | undefined {
  const { withdrawnSince, source = 'Upstream' } = release.recorded;
  if (withdrawnSince === undefined) return undefined;
  const text = `${isStaticId(source) ? 'The definition' : source} has not listed it since ${withdrawnSince}.`;
  return { rule: 'withdrawn', text, from: withdrawnSince };
}

function holdsOn({ from }: Reason, day: Day): boolean {
  return from === undefined || from <= day;
}

function verdictOf(all: readonly Reason[], day: Day) {
  // A reason without a day has always held.
  const sorted = all.toSorted(({ from: a = '' }, { from: b = '' }) => newestFirst(b, a));
  const reasons = sorted.filter((reason) => holdsOn(reason, day));
  const upcoming = sorted.filter((reason) => !holdsOn(reason, day));
  return { isDeprecated: reasons.length > 0, reasons, upcoming };
}

/** Whether it has a release that one may still use: the policy, if there is one, covers it, and not every release is deprecated. */
export function isLineOpen(line: JudgedLine): boolean {
  return line.isSupported !== false && line.releases.some((release) => !release.isDeprecated);
}

/** An open line whose support somebody has promised. */
export function isLineSupported(line: JudgedLine): boolean {
  return line.isSupported === true && isLineOpen(line);
}

function earliestChange(lines: readonly JudgedLine[], day: Day): Day | undefined {
  return lines
    .flatMap(({ phases, releases }) => [
      ...phases.map((phase) => (isPhaseOver(phase, day) ? [] : (phase.until ?? []))),
      ...releases.map(({ isDeprecated, upcoming }) => (isDeprecated ? [] : (upcoming[0]?.from ?? []))),
    ])
    .flat()
    .sort()[0];
}
