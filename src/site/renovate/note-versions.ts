/** Writes the patterns of versions for which pull requests get a note. */
import type { Component, Line } from '../../core/schema/published.ts';
import { escapePattern } from '../../core/text.ts';
import { keyLine, nameLine, readVersion } from '../../core/version.ts';

/** The pull requests that get a note. */
export interface Audience {
  /** Which version decides whether a note is written: the version in use or the proposed version. `component`: any version. */
  occasion:
    | 'line in use'
    | 'proposed line'
    | 'proposed ended line'
    | 'release in use'
    | 'proposed release'
    | 'component';
  /** The names of lines or releases. Empty for `component`. */
  names: string[];
}

/** Regular expressions for whole versions, in lower case and without `v`. A note is written if a pull request fits all given patterns. */
export interface VersionPatterns {
  /** The pattern that the version in use must match. */
  current?: string;
  /** The pattern that the proposed version must match. */
  proposed?: string;
  /** The pattern that the version in use must not match. */
  notCurrent?: string;
}

/**
 * Returns a function that writes the patterns of a component's notes. Examples of patterns:
 *
 * | a note about           | pattern                                       | matches              | not    |
 * | ---------------------- | --------------------------------------------- | -------------------- | ------ |
 * | lines 2025.1, 2025.2   | `(?:0*2025\.(?:0*1\|0*2))(?:\D.*)?`           | 2025.1, 2025.02.9    | 2025.10 |
 * | releases 1.0, 2.0.1    | `(?:1\.(?:0)\|2\.0\.(?:1))(?:\.0)?`           | 1.0, 1.0.0           | 1.0.1  |
 * | proposed release 2.0.1 | `(?:2\.0\.(?:1))`                             | 2.0.1                | 2.0.10 |
 */
export function createPatternWriter(component: Component): (audience: Audience) => VersionPatterns {
  const matchLines = createLineMatcher(component);
  const matchReleases = createReleaseMatcher(component);
  return ({ occasion, names }) => {
    switch (occasion) {
      case 'line in use':
        return { current: matchLines(names) };
      case 'proposed line': {
        // The note about the line in use is enough for an update within a line.
        const proposed = matchLines(names);
        return { proposed, notCurrent: proposed };
      }
      case 'proposed ended line':
        // Updates within the line also get this note, such as react 18.2.0 to 18.3.1. Without it, the proposed version would seem to be
        // supported.
        return { proposed: matchLines(names) };
      case 'release in use':
        return { current: matchReleases(names) };
      case 'proposed release':
        return { proposed: matchVersions(names) };
      case 'component':
        return {};
    }
  };
}

/**
 * Returns the lines whose versions can be matched. If a line contains other lines, `createLineMatcher` needs its listed releases. So line 3
 * is left out if it contains line 3.1 and has no listed release.
 */
export function listOwnLines(component: Component): Line[] {
  const lengths = measureInner(component);
  return component.lines.filter((line) => line.releases > 0 || !lengths.has(keyLine(line.line)));
}

/**
 * Maps each line that contains other lines to the length of the longest inner name, counted in numbers. With the lines 3 and 3.1: `3` → 2.
 */
function measureInner({ lines }: Component): Map<string, number> {
  const lengths = new Map<string, number>();
  for (const { groups } of lines.map(({ line }) => readVersion(line))) {
    for (let end = 1; end < groups.length; end += 1) {
      const outer = groups.slice(0, end).join('.');
      lengths.set(outer, Math.max(groups.length, lengths.get(outer) ?? 0));
    }
  }
  return lengths;
}

/**
 * Matches the versions of lines, including unlisted versions: `2025.1.9` belongs to line 2025.1.
 *
 * If a line contains other lines, its listed releases show which versions belong to it. Example: the lines 3 and 3.1, and release 3.2.0 of
 * line 3. The name of the longest inner line, 3.1, has two numbers. So the first two numbers of the release are used: 3.2. All versions
 * that begin with 3.2, such as `3.2.5`, belong to line 3.
 */
function createLineMatcher(component: Component) {
  const lengths = measureInner(component);
  return (names: readonly string[]): string => {
    const beginnings: string[] = [];
    const whole: string[] = [];
    for (const name of names) {
      const length = lengths.get(keyLine(name));
      if (length === undefined) {
        beginnings.push(keyLine(name));
        continue;
      }
      for (const { version } of component.releases.filter(({ line }) => line === name)) {
        const parsed = readVersion(version);
        const place = parsed.groups.length < length ? whole : beginnings;
        place.push(nameLine(parsed, length));
      }
    }
    const pattern = uniteVersions([
      { names: [...new Set(beginnings)], behind: String.raw`(?:\D.*)?` },
      { names: [...new Set(whole)], behind: String.raw`(?:\.?[^\d.].*)?` },
    ]);
    // Some people write `22.4` as `22.04`.
    return pattern.replaceAll(/\d+/g, '0*$&');
  };
}

/** Matches releases. `2.0.0` also means the release 2.0, unless the component has a release 2.0.0. */
function createReleaseMatcher({ releases }: Component) {
  const endingInZero = releases.filter(({ version }) => version.endsWith('.0'));
  const longer = new Set(endingInZero.map(({ version }) => normalise(version)));
  const isOnly = (name: string) => !longer.has(`${normalise(name)}.0`);
  return (names: readonly string[]): string =>
    uniteVersions([
      { names: names.filter(isOnly), behind: String.raw`(?:\.0)?` },
      { names: names.filter((name) => !isOnly(name)), behind: '' },
    ]);
}

/** Writes a regular expression for versions and the text that may follow them. Empty if there are no versions. */
function uniteVersions(kinds: readonly { names: readonly string[]; behind: string }[]): string {
  const used = kinds.filter(({ names }) => names.length > 0);
  const patterns = used.map(({ names, behind }) => matchVersions(names) + behind);
  return patterns.length < 2 ? patterns.join() : `(?:${patterns.join('|')})`;
}

/**
 * Writes a pattern for versions. Shortens it by joining versions that differ only after their last dot: 1.2.3, 1.2.4 → `(?:1\.2\.(?:3|4))`.
 */
function matchVersions(versions: readonly string[]): string {
  const groups = Map.groupBy(versions.map(normalise), (name) =>
    name.slice(0, name.lastIndexOf('.') + 1),
  );
  const patterns = Array.from(groups, ([start, group]) => {
    const ends = group.map((name) => matchText(name.slice(start.length)));
    return `${matchText(start)}(?:${ends.join('|')})`;
  });
  return `(?:${patterns.join('|')})`;
}

/** Matches a part of a version. Helm writes the chart with the tag `1.2.0_build.5` as `1.2.0+build.5`. */
function matchText(part: string): string {
  return escapePattern(part).replaceAll('_', '[_+]');
}

function normalise(version: string): string {
  return removePrefix(version).toLowerCase();
}

export function removePrefix(version: string): string {
  return version.replace(/^v/i, '');
}
