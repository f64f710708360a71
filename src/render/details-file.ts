import { claimsOf } from '../normalise/claims.ts';
import type { Component } from '../model/component.ts';
import type { JudgedLine, JudgedRelease } from '../policy/judge.ts';
import { describePolicy } from '../policy/describe.ts';
import { jsonLines } from './json.ts';

/** `details/<component>.json`: the same releases with everything known about them, and why. */
export function renderDetailsFile(component: Component): string {
  const { name, definition, judgement } = component;
  const head = {
    component: name,
    title: definition.title,
    description: definition.description,
    homepage: definition.homepage,
    changelogUrl: definition.changelogUrl,
    support: {
      ...(definition.support ?? { policy: 'none' }),
      description: describePolicy(definition.support),
    },
    latest: judgement.latest?.version,
    nextChangeOn: judgement.nextChangeOn,
  };
  const opening = JSON.stringify(head, undefined, 2).slice(0, -2);
  const lines = jsonLines(',\n  "lines": ', judgement.lines.map(lineDetails), '');
  const releases = jsonLines(
    ',\n  "releases": ',
    judgement.releases.map((release) => JSON.stringify(detailsOf(release))),
    '\n}\n',
  );
  return opening + lines + releases;
}

function lineDetails(line: JudgedLine): string {
  const latest = line.releases.findLast((release) => !release.isPrerelease) ?? line.releases.at(-1)!;
  return JSON.stringify({
    line: line.name,
    isSupported: line.isSupported,
    firstReleaseDate: line.firstReleaseDay,
    eolFrom: line.eolFrom,
    reason: line.reason?.text,
    latest: latest.version,
    releases: line.releases.length,
  });
}

/** Everything known about one release; keys without a value are undefined. */
export function detailsOf(release: JudgedRelease): object {
  const claims = claimsOf(release.recorded);
  return {
    version: release.version,
    line: release.line,
    status: statusOf(release),
    isDeprecated: release.isDeprecated,
    isPrerelease: release.isPrerelease,
    releaseTimestamp: release.releaseTimestamp,
    timestampKind: release.timestampKind,
    changelogUrl: release.changelogUrl,
    sources: claims.length > 0 ? claims : undefined,
    firstSeen: release.firstSeen,
    withdrawnSince: release.withdrawnSince,
    reasons: release.reasons.length > 0 ? release.reasons : undefined,
    upcoming: release.upcoming.length > 0 ? release.upcoming : undefined,
    corrections: release.corrections.length > 0 ? release.corrections : undefined,
  };
}

export type ReleaseStatus = 'supported' | 'deprecated' | 'withdrawn';

export function statusOf(release: JudgedRelease): ReleaseStatus {
  if (release.reasons.some((reason) => reason.rule === 'withdrawn')) return 'withdrawn';
  return release.isDeprecated ? 'deprecated' : 'supported';
}
