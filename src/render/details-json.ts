import { claimsOf } from '../model/recorded.ts';
import type { Component } from '../policy/component.ts';
import type { JudgedLine, JudgedRelease } from '../policy/judge.ts';
import { describePolicy } from '../policy/describe-policy.ts';
import type { Reason } from '../policy/reason.ts';
import { statusOf } from '../policy/release-status.ts';
import { areAlike, makeOnceForAlike } from './alike.ts';
import { jsonLines, quote, versionInJson } from './json.ts';

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
  yield* jsonLines(',\n  "releases": ', judgement.releases, detailsRenderer(), '\n}\n');
}

function lineDetails({ name, isSupported, firstReleaseDay, eolFrom, reason, releases }: JudgedLine): string {
  const latest = releases.findLast((release) => !release.isPrerelease) ?? releases.at(-1)!;
  let text = `{"line":"${name}","isSupported":${isSupported}`;
  if (firstReleaseDay !== undefined) text += `,"firstReleaseDate":"${firstReleaseDay}"`;
  if (eolFrom !== undefined) text += `,"eolFrom":"${eolFrom}"`;
  if (reason) text += `,"reason":${quote(reason.text)}`;
  return `${text},"latest":"${versionInJson(latest)}","releases":${releases.length}}`;
}

/** Written by hand: of all documents, this one says most of each release. */
function detailsRenderer(): (release: JudgedRelease) => string {
  const sharedTexts = makeOnceForAlike(haveSameTexts, shareTexts);
  return (release) => {
    const { releaseTimestamp, changelogUrl } = release;
    const { firstSeen, withdrawnSince, corrections } = release.recorded;
    const { verdict, kind, sources, reasons } = sharedTexts(release);
    let text = `{"version":"${versionInJson(release)}${verdict}`;
    if (releaseTimestamp !== undefined) text += `,"releaseTimestamp":"${releaseTimestamp}${kind}`;
    if (changelogUrl !== undefined) text += `,"changelogUrl":"${changelogUrl}"`;
    text += sources;
    if (firstSeen !== undefined) text += `,"firstSeen":"${firstSeen}"`;
    if (withdrawnSince !== undefined) text += `,"withdrawnSince":"${withdrawnSince}"`;
    text += reasons;
    if (corrections !== undefined) text += `,"corrections":${JSON.stringify(corrections)}`;
    return `${text}}`;
  };
}

/** Whether `shareTexts` says the same of both. */
function haveSameTexts(a: JudgedRelease, b: JudgedRelease): boolean {
  return (
    areAlike(a, b) &&
    a.recorded.source === b.recorded.source &&
    a.recorded.alsoListedBy === b.recorded.alsoListedBy
  );
}

function shareTexts(release: JudgedRelease) {
  const { line, isDeprecated, isPrerelease, timestampKind, recorded, reasons, upcoming } = release;
  const status = `","line":"${line}","status":"${statusOf(release)}"`;
  const sources = claimsOf(recorded).map(quote);
  return {
    verdict: `${status},"isDeprecated":${isDeprecated},"isPrerelease":${isPrerelease}`,
    kind: `","timestampKind":"${timestampKind}"`,
    sources: sources.length > 0 ? `,"sources":[${sources.join()}]` : '',
    reasons: renderReasons('reasons', reasons) + renderReasons('upcoming', upcoming),
  };
}

function renderReasons(key: string, reasons: readonly Reason[]): string {
  return reasons.length > 0 ? `,"${key}":${JSON.stringify(reasons)}` : '';
}

/** Everything known about one release, as it is published. */
export function detailsOf(release: JudgedRelease): object {
  return JSON.parse(detailsRenderer()(release)) as object;
}
