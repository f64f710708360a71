import { cutDay } from '../core/model/dates.ts';
import { dropEmpty, dropUndefined, listDistinct, pick } from '../core/model/objects.ts';
import { findLastFreePhase } from '../core/model/phases.ts';
import { findNewestRelease } from '../core/model/version.ts';
import { listSourceIds, createSupportSourceId } from '../core/schemas/definition/source-ids.ts';
import { isOsv } from '../core/schemas/definition/source.ts';
import type { SupportPolicy } from '../core/schemas/definition/support-policy.ts';
import type {
  DetailsFile,
  PublishedEnd,
  PublishedLine,
  PublishedPolicy,
  PublishedRelease,
} from '../core/schemas/published/details-file.ts';
import { listSourcesListing } from '../core/schemas/recorded/recorded.ts';
import { findGreatestSeverity, describeSecurity } from './advisories.ts';
import type { Component } from './component.ts';
import type { JudgedLine, JudgedRelease } from './judge.ts';
import { createEndKey, foldJournal } from './fold-journal.ts';
import { describePolicy } from './policy-sentences.ts';

/** The parts of a component that its document describes. */
type DescribedComponent = Pick<
  Component,
  'name' | 'definition' | 'judgement' | 'journal' | 'statedBy'
>;

/** All published data on the releases of a component. Only `onBuildDay` depends on the day. */
export function describeDetails(component: DescribedComponent): DetailsFile {
  const { name, definition, judgement } = component;
  const { sources } = definition;
  const releaseSources = listSourceIds(sources.filter((source) => !isOsv(source)));
  const isSeenWhenReleased = areSeenWhenReleased(judgement.releases) || undefined;
  const usualFacts = { sources: releaseSources.join(' '), isSeenWhenReleased };
  const packages = sources.map(({ packageName }) => packageName);
  const released = component.journal.filter(({ type }) => type === 'released');
  const instants = new Map(released.map(({ version, at }) => [version, at]));

  return dropUndefined({
    component: name,
    ...pick(definition, ['title', 'description', 'homepage', 'sourceRepository', 'changelogUrl']),
    support: describeSupport(definition.support),
    datasource: listDistinct(sources.map(({ datasource }) => datasource)),
    package: listDistinct(packages.filter((value) => value !== undefined)),
    sources: releaseSources,
    label: definition.labels,
    replacedBy: definition.replacedBy,
    onBuildDay: { latest: judgement.latest?.version, nextChangeOn: judgement.nextChangeOn },
    isSeenWhenReleased,
    advisories: dropEmpty(judgement.advisories),
    watchesAdvisories: judgement.watchesAdvisories || undefined,
    worksWith: definition.worksWith,
    statedBy: component.statedBy,
    upgradeStops: definition.upgradeStops,
    lines: judgement.lines.map(describeLine),
    ends: dropEmpty(listEnds(component)),
    releases: judgement.releases.map((release) =>
      describeRelease(release, usualFacts, instants.get(release.version)),
    ),
  });
}

/** A support policy in its published form, with a description. */
function describeSupport(support: SupportPolicy = { policy: 'none' }): PublishedPolicy {
  const description = describePolicy(support);
  return support.policy === 'stated'
    ? { ...support, source: createSupportSourceId(support), description }
    : { ...support, description };
}

function describeLine(line: JudgedLine): PublishedLine {
  const { name, phases, releases, began } = line;
  const end = findLastFreePhase(phases);

  return dropUndefined({
    line: name,
    isLts: line.isLts,
    ltsFrom: line.ltsFrom,
    phases: dropEmpty(phases.map(({ reason: _, ...published }) => published)),
    firstReleaseDate: began.from,
    firstReleaseDateAtMost: began.atMost,
    supportedUntil: end?.until,
    supportedUntilAtMost: end?.untilAtMost,
    inferred: line.inferred,
    undatedEnd: line.undatedEnd,
    reason: line.reason,
    latest: findNewestRelease(releases)?.version,
    releases: releases.length,
  });
}

/** The present ends of release lines, each with the day since which the journal states it. */
function listEnds({ judgement, journal }: DescribedComponent): PublishedEnd[] {
  const statedEnds = foldJournal(journal).ends;
  const ends: PublishedEnd[] = [];

  for (const { name: line, phases } of judgement.lines) {
    for (const { name, until, untilAtMost } of phases) {
      const statedEnd = statedEnds.get(createEndKey({ line, phase: name }));
      const isStated = (until ?? untilAtMost) === (statedEnd?.until ?? statedEnd?.untilAtMost);
      if (statedEnd?.statedSince && isStated) {
        const phase = phases.length > 1 ? name : undefined;
        ends.push(dropUndefined({ line, phase, statedSince: statedEnd.statedSince }));
      }
    }
  }

  return ends;
}

/** Whether every release with a day was also first seen on a known day, and one of them on that day. */
function areSeenWhenReleased(releases: readonly JudgedRelease[]): boolean {
  const dated = releases.filter(({ releaseTimestamp }) => releaseTimestamp !== undefined);
  return (
    dated.every(({ recorded }) => recorded.firstSeen !== undefined) && dated.some(isSeenAtRelease)
  );
}

function isSeenAtRelease({ releaseTimestamp, recorded }: JudgedRelease): boolean {
  return releaseTimestamp !== undefined && cutDay(releaseTimestamp) === recorded.firstSeen;
}

/** Facts that most releases of a component share. */
interface UsualFacts {
  /** The ids of all sources, separated by spaces. */
  readonly sources: string;
  readonly isSeenWhenReleased: true | undefined;
}

function describeRelease(
  release: JudgedRelease,
  usualFacts: UsualFacts,
  recordedAt: string | undefined,
): PublishedRelease {
  const { version, line, releaseTimestamp, timestampKind, changelogUrl, recorded } = release;
  const { notes, notListedOn, withdrawnSince, digests } = recorded;
  const sources = listSourcesListing(recorded);
  const isUsual = sources.join(' ') === usualFacts.sources;
  const isSeenAsUsual = usualFacts.isSeenWhenReleased && isSeenAtRelease(release);

  // One form for all releases: most keys are undefined, which JSON leaves out.
  return {
    version,
    line,
    isPrerelease: release.isPrerelease || undefined,
    releaseTimestamp,
    timestampKind: timestampKind === 'observed' ? timestampKind : undefined,
    changelogUrl,
    notes,
    sources: isUsual ? undefined : sources,
    firstSeen: isSeenAsUsual ? undefined : recorded.firstSeen,
    recordedAt,
    notListedOn,
    withdrawnSince,
    reasons: dropEmpty(release.reasons),
    ...describeAdvisories(release),
    digests,
    disagreements: recorded.dissent,
    republishedOn: recorded.republished?.on,
  };
}

/** Undefined for most releases, which no advisory mentions. */
function describeAdvisories(release: JudgedRelease) {
  const { advisories, fixes, exploitedSince, dueBy } = release;
  if (advisories.length + fixes.length === 0) {
    return undefined;
  }

  return dropUndefined({
    advisories: dropEmpty(advisories.map(({ id }) => id)),
    advisoryAliases: dropEmpty(advisories.flatMap(({ aliases = [] }) => aliases)),
    fixes: dropEmpty(fixes.map(({ id }) => id)),
    isVulnerable: release.isVulnerable || undefined,
    severity: findGreatestSeverity(advisories),
    exploitedSince,
    dueBy,
    security: describeSecurity(release).join(' '),
  });
}
