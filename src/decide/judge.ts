import type { Day } from '../core/model/dates.ts';
import { pick } from '../core/model/objects.ts';
import { findLastFreePhase } from '../core/model/phases.ts';
import {
  sortReasons,
  computeStates,
  type ComponentOn,
  type LineOn,
  type ReleaseOn,
} from '../core/model/states.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import { isStaticId } from '../core/schemas/definition/source.ts';
import type { Reason } from '../core/schemas/published/reason.ts';
import {
  listSourcesListing,
  type Advisory,
  type StatedLine,
} from '../core/schemas/recorded/recorded.ts';
import { createVersionTest } from '../core/schemas/scalars.ts';
import {
  createSecurityFinder,
  uniteAdvisories,
  type Security,
  type StatedAdvisory,
} from './advisories.ts';
import {
  groupByLine,
  listOwnEnds,
  readFirstDays,
  addStatedLines,
  type ReleaseLine,
} from './lines.ts';
import { findDeprecatedSince, type UnjudgedRelease } from './releases.ts';
import { findEndingWithNextLine, computeSupport, type LineSupport } from './support.ts';

/** A release with its own reasons for deprecation, oldest first. Reasons of its line are separate. */
export type Reasoned = UnjudgedRelease & Security & { readonly reasons: readonly Reason[] };

/** A release line and its support by the policy. */
interface PlannedLine extends Pick<ReleaseLine, 'name' | 'began'>, LineSupport {
  /** Oldest first. */
  readonly releases: readonly Reasoned[];
  /** Why the policy deprecates its releases. */
  readonly reason: Reason | undefined;
  /** Set if its support ends on the unknown day on which a newer line appears. */
  readonly undatedEnd: string | undefined;
}

export type JudgedRelease = ReleaseOn<Reasoned>;
export type JudgedLine = LineOn<PlannedLine, Reasoned>;

export interface Judgement extends ComponentOn<PlannedLine, Reasoned> {
  /** The advisories of the definition and its sources, by id. */
  readonly advisories: readonly Advisory[];
  /** False without an answer of a source of advisories: then a release without advisories is not known to be safe. */
  readonly watchesAdvisories: boolean;
}

/**
 * Applies a definition to releases in version order, and returns their states on a day. `recorded`: the advisories of its
 * sources, if any has answered; `statedLines`: those of its source of support; `exploitations`: as for `uniteAdvisories`.
 */
export function judge(
  releases: readonly UnjudgedRelease[],
  definition: Definition,
  day: Day,
  recorded?: readonly StatedAdvisory[],
  statedLines: readonly StatedLine[] = [],
  exploitations?: Parameters<typeof uniteAdvisories>[2],
): Judgement {
  const { advisories: definedAdvisories = [], sources } = definition;
  const advisories = uniteAdvisories(definedAdvisories, recorded ?? [], exploitations);
  const trusted = definedAdvisories.map((advisory) => ({ ...advisory, isTrusted: true }));
  const judgeSecurity = createSecurityFinder(advisories, [...trusted, ...(recorded ?? [])]);
  const policy = definition.support ?? { policy: 'none' };
  const firstDays = readFirstDays(statedLines, policy);
  const lines = addStatedLines(groupByLine(releases, day, firstDays), [
    ...statedLines,
    ...listOwnEnds(policy),
  ]);
  const supportOfLines = computeSupport(policy, lines, statedLines);
  const endingLines = findEndingWithNextLine(policy, lines);
  const listReasons = createReasonFinder(definition);

  const plannedLines = lines.map((line): PlannedLine => {
    const support = supportOfLines.get(line)!;
    return {
      ...pick(line, ['name', 'began']),
      ...support,
      releases: line.releases.map((release) => {
        const reasons = listReasons(release);
        return { ...release, reasons, ...judgeSecurity(release.parsed) };
      }),
      reason: findLastFreePhase(support.phases)?.reason,
      undatedEnd: endingLines.has(line) ? 'ends with the next line' : undefined,
    };
  });

  const asksOsv = sources.some(({ datasource }) => datasource === 'osv');
  return {
    ...computeStates<Reasoned, PlannedLine>(plannedLines, day),
    advisories,
    watchesAdvisories: (asksOsv ? recorded : definition.advisories) !== undefined,
  };
}

/** Finds a release's own reasons for deprecation: the definition, upstream, or its withdrawal. */
function createReasonFinder(definition: Definition): (release: UnjudgedRelease) => Reason[] {
  const rules = (definition.deprecated ?? []).map(
    ({ versions, reason: text, since: from, url }) => ({
      includes: createVersionTest(versions),
      reason: { rule: 'definition', text, from, url } as const,
    }),
  );

  return (release) => {
    const reasons = [
      ...rules.filter(({ includes }) => includes(release.version)).map(({ reason }) => reason),
      findUpstreamReason(definition, release),
      findWithdrawnReason(release),
    ];
    return sortReasons(reasons.filter((reason) => reason !== undefined));
  };
}

function findUpstreamReason(
  { ignoreUpstreamDeprecation }: Definition,
  { recorded }: UnjudgedRelease,
): Reason | undefined {
  const { deprecated } = recorded;
  if (ignoreUpstreamDeprecation || deprecated === undefined) {
    return undefined;
  }

  const sources = listSourcesListing(recorded);
  const isStatic = sources.length > 0 && sources.every(isStaticId);
  const text = `Deprecated ${isStatic ? 'in the definition' : 'upstream'}: ${deprecated}`;
  return { rule: 'upstream', text, from: findDeprecatedSince(recorded) };
}

function findWithdrawnReason(release: UnjudgedRelease): Reason | undefined {
  const { withdrawnSince, source = 'Upstream' } = release.recorded;
  if (withdrawnSince === undefined) {
    return undefined;
  }

  const text = `${isStaticId(source) ? 'The definition' : source} has not listed it since ${withdrawnSince}.`;
  return { rule: 'withdrawn', text, from: withdrawnSince };
}

/** Whether readers may still use a release of the line: support is not over, and a release is not deprecated. */
export function isLineOpen(line: Pick<JudgedLine, 'isSupported' | 'releases'>): boolean {
  const { isSupported, releases } = line;
  const isUsable = releases.length === 0 || releases.some((release) => !release.isDeprecated);
  return isSupported !== false && isUsable;
}

/** Whether the line is open and certainly supported. */
export function isLineSupported(line: JudgedLine): boolean {
  return line.isSupported === true && isLineOpen(line);
}
