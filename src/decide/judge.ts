import { oldestFirst, type Day } from '../core/dates.ts';
import { lastFreePhase } from '../core/phases.ts';
import type { Definition } from '../core/schemas/definition.ts';
import { isSelected } from '../core/schemas/selected-versions.ts';
import { isStaticId } from '../core/schemas/source.ts';
import { listingSources, type StatedLine } from '../core/schemas/recorded.ts';
import { certainFrom, statesOn, type ComponentOn, type LineOn, type ReleaseOn } from '../core/states.ts';
import { defined } from '../core/text.ts';
import type { Advisory } from '../core/schemas/advisory.ts';
import { securityBy, uniteAdvisories, type Security, type StatedAdvisory } from './advisories.ts';
import { groupByLine, type ReleaseLine } from './lines.ts';
import type { Reason } from '../core/schemas/published/details-file.ts';
import { deprecatedSince, type Release } from './releases.ts';
import { endWithNextLine, supportOf, type LineSupport } from './support.ts';

/** A release with the reasons to deprecate it, apart from its line's; the oldest first. */
type Reasoned = Release & Security & { readonly reasons: readonly Reason[] };

/** A release line and the support that the policy gives it. */
export interface PlannedLine extends Pick<ReleaseLine, 'name' | 'began'>, LineSupport {
  /** Oldest first. */
  readonly releases: readonly Reasoned[];
  /** Why its releases are deprecated by the policy. */
  readonly reason?: Reason;
  /** It is supported without a known end, until a newer line appears. */
  readonly undatedEnd?: string;
}

export type JudgedRelease = ReleaseOn<Reasoned>;
export type JudgedLine = LineOn<PlannedLine, Reasoned>;

export interface Judgement extends ComponentOn<PlannedLine, Reasoned> {
  /** The definition's and its sources', by id. */
  readonly advisories: readonly Advisory[];
  /** False where its source of advisories has never answered, or there is none: then a release without advisories is not known to be safe. */
  readonly watchesAdvisories: boolean;
}

/**
 * Applies every rule of a definition to releases in version order, and gives their states on a day. `recorded`: the advisories of
 * its sources, if any has answered; `stated`: the lines of its source of support. Pure.
 */
export function judge(
  releases: readonly Release[],
  definition: Definition,
  day: Day,
  recorded?: readonly StatedAdvisory[],
  stated: readonly StatedLine[] = [],
): Judgement {
  const { advisories: own = [], sources } = definition;
  const advisories = uniteAdvisories(own, recorded ?? []);
  const trusted = own.map((advisory) => ({ ...advisory, isTrusted: true }));
  const securityOf = securityBy(advisories, [...trusted, ...(recorded ?? [])]);
  const lines = groupByLine(releases, day, stated);
  const policy = definition.support ?? { policy: 'none' };
  const support = supportOf(policy, lines, stated);
  const withNextLine = endWithNextLine(policy, lines, support);
  const reasonsOf = ownReasons(definition);
  const planned = lines.map(({ name, began, releases: ofLine }, index): PlannedLine => {
    const { phases } = support[index]!;
    return defined({
      ...{ name, began },
      ...support[index]!,
      releases: ofLine.map((release) => ({
        ...release,
        reasons: reasonsOf(release),
        ...securityOf(release.parsed),
      })),
      reason: lastFreePhase(phases)?.reason,
      undatedEnd: withNextLine[index] ? 'ends with the next line' : undefined,
    });
  });
  const hasSource = sources.some(({ datasource }) => datasource === 'osv');
  return {
    ...statesOn<Reasoned, PlannedLine>(planned, day),
    advisories,
    watchesAdvisories: (hasSource ? recorded : definition.advisories) !== undefined,
  };
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
    ]
      .filter((reason) => reason !== undefined)
      .sort((a, b) => oldestFirst(certainFrom(a) ?? '', certainFrom(b) ?? ''));
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

/** Whether it has a release that readers may still use: its support is not over, and not every release is deprecated. */
export function isLineOpen(line: Pick<JudgedLine, 'isSupported' | 'releases'>): boolean {
  return line.isSupported !== false && line.releases.some((release) => !release.isDeprecated);
}

/** An open line whose support certainly runs. */
export function isLineSupported(line: JudgedLine): boolean {
  return line.isSupported === true && isLineOpen(line);
}
