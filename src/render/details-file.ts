import { claimsOf } from '../normalise/claims.ts';
import type { Component } from '../model/component.ts';
import type { JudgedLine, JudgedRelease } from '../policy/judge.ts';
import { describePolicy } from '../policy/describe.ts';
import type { Reason } from '../policy/reason.ts';
import { jsonLines, quote } from './json.ts';

/** `details/<component>.json`: the same releases with everything known about them, and why. */
export function* renderDetailsFile(component: Component): Generator<string> {
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
  yield* jsonLines(`${opening},\n  "lines": `, judgement.lines, lineDetails, '');
  yield* jsonLines(',\n  "releases": ', judgement.releases, renderDetails, '\n}\n');
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

/** Written by hand: of all documents, this one says most of each release. */
function renderDetails(release: JudgedRelease): string {
  const { version, line, isDeprecated, isPrerelease, releaseTimestamp, timestampKind, changelogUrl } =
    release;
  const { recorded, firstSeen, withdrawnSince, reasons, upcoming, corrections } = release;
  let text = `{"version":${quote(version)},"line":"${line}","status":"${statusOf(release)}"`;
  text += `,"isDeprecated":${isDeprecated},"isPrerelease":${isPrerelease}`;
  if (releaseTimestamp !== undefined) text += `,"releaseTimestamp":"${releaseTimestamp}"`;
  if (timestampKind !== undefined) text += `,"timestampKind":"${timestampKind}"`;
  if (changelogUrl !== undefined) text += `,"changelogUrl":${quote(changelogUrl)}`;
  if (recorded.source !== undefined) text += `,"sources":[${claimsOf(recorded).map(quote).join()}]`;
  if (firstSeen !== undefined) text += `,"firstSeen":"${firstSeen}"`;
  if (withdrawnSince !== undefined) text += `,"withdrawnSince":"${withdrawnSince}"`;
  if (reasons.length > 0) text += `,"reasons":${renderReasons(reasons)}`;
  if (upcoming.length > 0) text += `,"upcoming":${renderReasons(upcoming)}`;
  if (corrections.length > 0) text += `,"corrections":${JSON.stringify(corrections)}`;
  return `${text}}`;
}

/** The releases of a line share the reasons of the line. */
const texts = new WeakMap<readonly Reason[], string>();

function renderReasons(reasons: readonly Reason[]): string {
  let text = texts.get(reasons);
  if (text === undefined) texts.set(reasons, (text = JSON.stringify(reasons)));
  return text;
}

/** Everything known about one release, as it is published. */
export function detailsOf(release: JudgedRelease): object {
  return JSON.parse(renderDetails(release)) as object;
}

export type ReleaseStatus = 'supported' | 'deprecated' | 'withdrawn';

export function statusOf(release: JudgedRelease): ReleaseStatus {
  if (release.reasons.some((reason) => reason.rule === 'withdrawn')) return 'withdrawn';
  return release.isDeprecated ? 'deprecated' : 'supported';
}
