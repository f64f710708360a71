import type { Day } from '../core/model/dates.ts';
import {
  sortReasons,
  computeStates,
  type ComponentOn,
  type LineOn,
  type ReleaseOn,
} from '../core/model/states.ts';
import type { Definition } from '../core/schemas/definition/definition.ts';
import { isStaticId, mapSourcesById } from '../core/schemas/definition/source-ids.ts';
import { isOsv } from '../core/schemas/definition/source.ts';
import type { Finding } from '../core/schemas/finding.ts';
import type { Reason } from '../core/schemas/published/reason.ts';
import type { Advisory } from '../core/schemas/advisory.ts';
import {
  listSourcesListing,
  type RecordedAdvisory,
  type RecordedData,
  type RecordedRelease,
} from '../core/schemas/recorded/recorded.ts';
import { createVersionTest } from '../core/model/version-range.ts';
import { endSentence } from '../core/text/wording.ts';
import { createSecurityFinder, uniteAdvisories, type Security } from './advisories.ts';
import { listLines, listStatedLines } from './lines.ts';
import { normaliseReleases, type UnjudgedRelease } from './releases.ts';
import { computeSupport, type LineWithSupport } from './support.ts';

/** A release with its own reasons for deprecation, oldest first. Reasons of its line are separate. */
export type Reasoned = UnjudgedRelease & Security & { readonly reasons: readonly Reason[] };

/** A release line and its support by the policy. */
type PlannedLine = Omit<LineWithSupport, 'releases'> & {
  /** Oldest first. */
  readonly releases: readonly Reasoned[];
};

export type JudgedRelease = ReleaseOn<Reasoned>;
export type JudgedLine = LineOn<PlannedLine, Reasoned>;

export interface Judgement extends ComponentOn<PlannedLine, Reasoned> {
  /** The advisories of the definition and its sources, by id. */
  readonly advisories: readonly Advisory[];
  /**
   * False where no source of advisories has answered, or where there is no such source and the definition states none: then a
   * release without advisories is not known to be safe. Of several sources, the loader of a component asks for each.
   */
  readonly watchesAdvisories: boolean;
}

/** A component as judged on a day. */
export interface Judged {
  readonly name: string;
  readonly definition: Definition;
  readonly judgement: Judgement;
  /** Recorded versions that the definition does not admit; only lists of changes show them. Oldest first. */
  readonly unadmitted: readonly string[];
}

/** Judges a component's recorded data by a definition, as of a day. */
export function judgeRecorded(
  name: string,
  definition: Definition,
  recorded: RecordedData,
  day: Day,
): Judged & { findings: Finding[] } {
  const statedLines = listStatedLines(recorded, definition);
  const { releases, unadmitted, findings } = normaliseReleases(
    { name, definition },
    recorded.releases,
    statedLines,
    day,
  );

  const { advisories, findSecurity } = readAdvisories(definition, recorded.advisories);
  const listOwnReasons = createReasonFinder(definition);
  const { support = { policy: 'none' } } = definition;
  const releaseLines = listLines(releases, support, statedLines, day);
  const lines = computeSupport(support, releaseLines, statedLines).map((line) => ({
    ...line,
    releases: line.releases.map((release) => ({
      ...release,
      reasons: listOwnReasons(release),
      ...findSecurity(release.parsed),
    })),
  }));

  const watched = definition.sources.some(isOsv) ? recorded.advisories : definition.advisories;
  const judgement = {
    ...computeStates<PlannedLine, Reasoned>(lines, day),
    advisories,
    watchesAdvisories: watched !== undefined,
  };
  return { name, definition, judgement, unadmitted, findings };
}

/** The advisories of a definition and its sources, and a function that finds those on a version. */
function readAdvisories(
  { advisories: inDefinition = [], sources }: Definition,
  recorded: readonly RecordedAdvisory[] = [],
) {
  const sourcesById = mapSourcesById(sources);
  const inSources: Advisory[] = [];
  const trusted = [...inDefinition];

  for (const { source: id, affected, ...facts } of recorded) {
    const source = sourcesById.get(id);
    // The definition may no longer name the source, and a catalogue does not say what is affected.
    if (source && affected !== undefined) {
      const advisory = { ...facts, affected };
      inSources.push(advisory);
      if (source.trusted) {
        trusted.push(advisory);
      }
    }
  }

  const advisories = uniteAdvisories(inDefinition, inSources, recorded);
  return { advisories, findSecurity: createSecurityFinder(advisories, trusted) };
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
    const matchingRules = rules.filter(({ includes }) => includes(release.version));
    const reasons = [
      ...matchingRules.map(({ reason }) => reason),
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
  const { deprecated, deprecatedSince, firstSeen } = recorded;
  if (ignoreUpstreamDeprecation || deprecated === undefined) {
    return undefined;
  }

  const sources = listSourcesListing(recorded);
  const isStatic = sources.length > 0 && sources.every(isStaticId);
  const text = `Deprecated ${isStatic ? 'in the definition' : 'upstream'}: ${deprecated}`;

  // Upstream states no day: it is deprecated since the day on which the reason was first read.
  return { rule: 'upstream', text, from: deprecatedSince ?? firstSeen };
}

function findWithdrawnReason(release: UnjudgedRelease): Reason | undefined {
  const { withdrawnSince } = release.recorded;
  if (withdrawnSince === undefined) {
    return undefined;
  }

  const text = `${nameListingSource(release.recorded)} has not listed it since ${withdrawnSince}.`;
  return { rule: 'withdrawn', text, from: withdrawnSince };
}

/** The first source that listed a release, as the subject of a sentence. */
export function nameListingSource({ source = 'Upstream' }: RecordedRelease): string {
  return isStaticId(source) ? 'The definition' : source;
}

interface SupportedLine {
  readonly isSupported: boolean | undefined;
  readonly releases: readonly { readonly isDeprecated: boolean }[];
}

/** Whether readers may still use the line: support is not over, and it has a release that is not deprecated, or none yet. */
export function isLineOpen({ isSupported, releases }: SupportedLine): boolean {
  const isUsable = releases.length === 0 || releases.some((release) => !release.isDeprecated);
  return isSupported !== false && isUsable;
}

/** Whether the line is open and certainly supported. */
export function isLineSupported(line: SupportedLine): boolean {
  return line.isSupported === true && isLineOpen(line);
}

/** Why a component has no latest version. */
export function explainNoLatest({
  releases,
}: {
  readonly releases: readonly Pick<JudgedRelease, 'isDeprecated' | 'because'>[];
}): string {
  const newest = releases.at(-1);
  if (!newest) {
    return 'No release of it is known yet.';
  }
  if (releases.some(({ isDeprecated }) => !isDeprecated)) {
    return 'All its releases that are not deprecated are prereleases.';
  }

  const [reason] = newest.because;
  return `Every release of it is deprecated: ${endSentence(reason!.text)}`;
}
