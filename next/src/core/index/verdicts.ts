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

  const release = findRelease(details.releases, version);
  if (release) {
    const { supportedUntil, supportedUntilAtMost } =
      details.lines.find(({ line }) => line === release.line) ?? {};
    return { ...release, isListed: true, supportedUntil, supportedUntilAtMost };
  }

  const line = findLine(details.lines, wanted);
  return line ? describeByLine(details, version, line) : describeUnknown(details, version, wanted);
}

/** 2025.1.0 and 2025.1 are one version. */
export function findRelease(releases: readonly Release[], text: string): Release | undefined {
  const wanted = parseVersion(text);
  const rank = wanted && releaseKey(wanted);
  return rank === undefined
    ? undefined
    : releases.find(
        ({ version }) => version === text || releaseKey(parseVersion(version)!) === rank,
      );
}

function findLine(lines: readonly Line[], version: Version): Line | undefined {
  const name = createLineFinder(lines.map(({ line }) => line))(version);
  return lines.find(({ line }) => line === name);
}

function describeByLine({ title }: Details, version: string, line: Line): Verdict {
  return {
    version,
    line: line.line,
    isListed: false,
    state: 'not-listed',
    lineState: line.state,
    label: `Not listed; its line: ${line.label.toLowerCase()}`,
    sentence: `${title} ${version} is not listed. ${line.sentence}`,
    because: line.because,
    advice: line.advice,
    isSupported: line.isSupported,
    supportedUntil: line.supportedUntil,
    supportedUntilAtMost: line.supportedUntilAtMost,
    moveTo: line.moveTo,
    moveReason: line.moveReason,
    moveBy: line.moveBy,
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
