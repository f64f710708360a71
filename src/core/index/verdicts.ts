/** The verdict on any version, from `details/<component>.json`. No zod and no Node: pages load it. */
import type { Verdict } from '../schema/documents.ts';
import type { Component as Details, Line, Release } from '../schema/published.ts';
import {
  compareVersions,
  createLineFinder,
  parseVersion,
  releaseKey,
  type Version,
} from '../version.ts';

/** One that is not listed has the verdict of its line. Undefined for a text that is no version. */
export function findVerdict(details: Details, text: string): Verdict | undefined {
  const version = text.replace(/(?:\.[x*])+$/i, '');
  const wanted = parseVersion(version);
  if (!wanted) {
    return undefined;
  }

  const { lines, releases } = details;
  const release = findRelease(releases, version);
  const name = release?.line ?? createLineFinder(lines.map((each) => each.line))(wanted);
  const line = lines.find((each) => each.line === name);
  if (release) {
    return {
      ...release,
      isListed: true,
      supportedUntil: line?.supportedUntil,
      supportedUntilAtMost: line?.supportedUntilAtMost,
    };
  }

  return line ? describeByLine(details, version, line) : describeUnknown(details, version, wanted);
}

const opened = new WeakMap<readonly Release[], ReadonlyMap<string, Release>>();

/** 2025.1.0 and 2025.1 are one version. */
export function findRelease(releases: readonly Release[], text: string): Release | undefined {
  const wanted = parseVersion(text);
  const byKey = opened.get(releases) ?? new Map(releases.map(keyRelease).reverse());
  opened.set(releases, byKey);
  return wanted && byKey.get(releaseKey(wanted));
}

function keyRelease(release: Release): [string, Release] {
  return [releaseKey(parseVersion(release.version)!), release];
}

function describeByLine({ title }: Details, version: string, ofLine: Line): Verdict {
  const { line, state: lineState, label, sentence, because, advice, isSupported } = ofLine;
  const { supportedUntil, supportedUntilAtMost, moveTo, moveReason, moveBy } = ofLine;
  return {
    ...{ version, line, isListed: false, state: 'not-listed', lineState },
    label: `Not listed; its line: ${label.toLowerCase()}`,
    sentence: `${title} ${version} is not listed. ${sentence}`,
    ...{ because, advice, isSupported, supportedUntil, supportedUntilAtMost },
    ...{ moveTo, moveReason, moveBy },
  };
}

function describeUnknown(
  { title, releases, latest }: Details,
  version: string,
  wanted: Version,
): Verdict {
  const greatest = releases.at(-1);
  const isFuture =
    greatest !== undefined && compareVersions(parseVersion(greatest.version)!, wanted) < 0;
  return {
    version,
    isListed: false,
    state: isFuture ? 'not-released' : 'unknown-line',
    label: isFuture ? 'Not released' : 'Unknown line',
    sentence: `${title} ${version} ${isFuture ? 'is not released yet' : 'belongs to no known release line'}.`,
    because: [],
    advice: latest === undefined ? 'No release is known.' : `The latest version is ${latest}.`,
  };
}
