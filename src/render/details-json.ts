import { describeUndatedEnd, newestRelease } from '../answers/line-words.ts';
import { componentFields } from '../answers/rows.ts';
import { verdictOf, verdictOfLine } from '../answers/verdict-sentences.ts';
import type { Day } from '../dates.ts';
import type { Definition, SupportPolicy } from '../model/definition.ts';
import type { PublishedPolicy } from '../model/published/details-file.ts';
import { claimsOf } from '../model/recorded.ts';
import type { Component } from '../policy/component.ts';
import { completeCorrections } from '../policy/corrections.ts';
import { disagreementsIn, type Disagreement } from '../policy/disagreements.ts';
import { describePolicy } from '../policy/describe-policy.ts';
import type { JudgedLine, JudgedRelease } from '../policy/judge.ts';
import { statusOf } from '../policy/release-status.ts';
import { arrayByLine } from './array-by-line.ts';

/** `details/<component>.json`: the same releases with everything known about them, and why. */
export function renderDetailsFile(component: Component): string {
  const { name, definition, judgement } = component;
  const { datasource, package: packages, label } = componentFields(component);
  const head = {
    component: name,
    title: definition.title,
    description: definition.description,
    homepage: definition.homepage,
    changelogUrl: definition.changelogUrl,
    support: publishedPolicy(definition.support, judgement.day),
    datasource,
    package: packages,
    label,
    replacedBy: definition.replacedBy,
    latest: judgement.latest?.version,
    nextChangeOn: judgement.nextChangeOn,
  };
  const opening = JSON.stringify(head, undefined, 2).slice(0, -'\n}'.length);
  const lines = arrayByLine(judgement.lines.map(lineDetails));
  const releases = arrayByLine(allReleaseDetails(component));
  return `${opening},\n  "lines": ${lines},\n  "releases": ${releases}\n}\n`;
}

/** A support policy as it is published, with its sentence. */
export function publishedPolicy(support: SupportPolicy = { policy: 'none' }, day: Day): PublishedPolicy {
  return { ...support, description: describePolicy(support, day) };
}

function lineDetails(line: JudgedLine): object {
  const { name, isSupported, firstReleaseDay, eolFrom, undatedEnd, reason, releases } = line;
  return {
    line: name,
    isSupported,
    firstReleaseDate: firstReleaseDay,
    eolFrom,
    undatedEnd: undatedEnd && describeUndatedEnd(undatedEnd),
    reason: reason?.text,
    verdict: verdictOfLine(line),
    latest: newestRelease(releases).version,
    releases: releases.length,
  };
}

/** Everything known about each release, oldest first. */
export function allReleaseDetails({ definition, judgement }: Component): object[] {
  const detailsOf = releaseDetails(definition);
  return judgement.lines.flatMap((line) => line.releases.map((release) => detailsOf(release, line)));
}

/** Everything known about one release of a line, as it is published. */
export function releaseDetails(definition: Definition): (release: JudgedRelease, line: JudgedLine) => object {
  const disagreementsOf = disagreementsIn(definition);
  return (release, line) => detailsOf(release, line, disagreementsOf(release.recorded));
}

function detailsOf(release: JudgedRelease, line: JudgedLine, disagreements: readonly Disagreement[]): object {
  const { recorded } = release;
  return {
    version: release.version,
    line: release.line,
    status: statusOf(release),
    isDeprecated: release.isDeprecated,
    isPrerelease: release.isPrerelease,
    verdict: verdictOf(release, line),
    releaseTimestamp: release.releaseTimestamp,
    timestampKind: release.timestampKind,
    changelogUrl: release.changelogUrl,
    sources: unlessEmpty(claimsOf(recorded)),
    firstSeen: recorded.firstSeen,
    withdrawnSince: recorded.withdrawnSince,
    reasons: unlessEmpty(release.reasons),
    upcoming: unlessEmpty(release.upcoming),
    digests: recorded.digests,
    disagreements: unlessEmpty(disagreements),
    corrections: unlessEmpty(completeCorrections(recorded)),
  };
}

function unlessEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length > 0 ? items : undefined;
}
