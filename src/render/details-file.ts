import { claimsOf } from '../normalise/claims.ts';
import type { Component } from '../model/component.ts';
import type { JudgedLine, JudgedRelease } from '../policy/judge.ts';
import type { Reason } from '../policy/reason.ts';
import { describePolicy } from '../policy/describe.ts';
import { jsonLines, quote } from './json.ts';

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
  const releases = jsonLines(',\n  "releases": ', judgement.releases.map(releaseDetails), '\n}\n');
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

function releaseDetails(release: JudgedRelease): string {
  const { releaseTimestamp, timestampKind, changelogUrl, firstSeen, withdrawnSince } = release;
  const { reasons, upcoming, corrections } = release;
  const claims = claimsOf(release.recorded);
  let text =
    `{"version":${quote(release.version)},"line":"${release.line}","status":"${statusOf(release)}",` +
    `"isDeprecated":${release.isDeprecated},"isPrerelease":${release.isPrerelease}`;
  if (releaseTimestamp !== undefined) text += `,"releaseTimestamp":"${releaseTimestamp}"`;
  if (timestampKind !== undefined) text += `,"timestampKind":"${timestampKind}"`;
  if (changelogUrl !== undefined) text += `,"changelogUrl":${quote(changelogUrl)}`;
  if (claims.length > 0) text += `,"sources":[${claims.map(quote).join(',')}]`;
  if (firstSeen !== undefined) text += `,"firstSeen":"${firstSeen}"`;
  if (withdrawnSince !== undefined) text += `,"withdrawnSince":"${withdrawnSince}"`;
  if (reasons.length > 0) text += `,"reasons":[${reasons.map(reasonText).join(',')}]`;
  if (upcoming.length > 0) text += `,"upcoming":[${upcoming.map(reasonText).join(',')}]`;
  if (corrections.length > 0) text += `,"corrections":${JSON.stringify(corrections)}`;
  return `${text}}`;
}

/** The releases of a line share the reason of the line. */
const reasonTexts = new WeakMap<Reason, string>();

function reasonText(reason: Reason): string {
  let text = reasonTexts.get(reason);
  if (text === undefined) reasonTexts.set(reason, (text = JSON.stringify(reason)));
  return text;
}

export type ReleaseStatus = 'supported' | 'deprecated' | 'withdrawn';

export function statusOf(release: JudgedRelease): ReleaseStatus {
  if (release.reasons.some((reason) => reason.rule === 'withdrawn')) return 'withdrawn';
  return release.isDeprecated ? 'deprecated' : 'supported';
}
