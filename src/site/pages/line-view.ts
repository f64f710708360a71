/** Views of lines and releases, for the page of a component and the first page. */
import { isDeepStrictEqual } from 'node:util';
import { countDays, type Day } from '../../core/day.ts';
import type { Component, Line, Release } from '../../core/schema/published.ts';
import { formatCount } from '../../core/text.ts';
import { findNewest } from '../../core/version.ts';
import {
  describeDay,
  describeRelease,
  isOpen,
  nameAnchor,
  stateLabels,
  stateTones,
  vulnerableLabel,
} from '../../core/words.ts';
import { describeSecurity } from '../words.ts';
import { layOutPicture } from './picture.ts';

/** Closed lines shown for comparison. */
const maxClosed = 3;
const maxPlain = 20;

/** A paragraph of a page, perhaps with a link behind it. `kind`: its class, `note` where absent. */
interface Note {
  kind?: string;
  text?: string | false | undefined;
  url?: string | undefined;
  link?: string;
}

/** For `notes.hbs`: those that say something. */
export function listNotes(...notes: readonly Note[]) {
  const shown = notes.filter(({ text, url }) => text || url);
  return shown.map(({ kind = 'note', text, url, link }) => ({ kind, text: text || '', url, link }));
}

/** Lines as bars, each with a fold, the newest first; of those below the last open one only some. The older ones have no picture. */
export function viewLines(
  lines: readonly Line[],
  shown: readonly Release[],
  head: Line | undefined,
  asOf: Day,
) {
  const byLine = Map.groupBy(shown, ({ line }) => line);
  const newestFirst = lines.toReversed();
  const drawn = newestFirst.slice(0, newestFirst.findLastIndex(isOpen) + 1 + maxClosed);
  const bars = drawn.map((line) => ({ line, releases: byLine.get(line.line) ?? [] }));
  const { tracks, ...picture } = layOutPicture(bars, asOf);
  // The page says it at its top already.
  const saidAbove = head?.because.join(' ');
  const rows = newestFirst.map((line, position) => {
    const { line: name, isLts, label } = line;
    const releases = byLine.get(name) ?? [];
    const newest = releases[0]?.version;
    const because = line.because.join(' ');
    const marks = [newest !== name && newest, isLts && 'LTS', label === vulnerableLabel && label];
    return {
      name,
      track: tracks[position],
      end: viewEnd(line, asOf),
      marks: marks.filter(Boolean),
      // A release with the name of its line has that address already.
      anchor: releases.every(({ version }) => version !== name) && nameAnchor(name),
      verdict: `${line.sentence} ${line.advice}`,
      notes: listNotes({ text: because === saidAbove ? '' : because }),
      releases: viewReleases(releases, [line]),
    };
  });
  const byState = Map.groupBy(newestFirst, ({ state }) => stateLabels[state].toLowerCase());
  const counts = Array.from(byState, ([state, { length }]) => `${state}: ${length}`);
  return {
    summary: `${formatCount(lines.length, 'line')} (${counts.join(', ')})`,
    picture,
    // `rows`, `older`, `olderSize`.
    ...fold(rows, drawn.length, 'older line'),
  };
}

/** Releases without lines of support. */
export function viewPlain(shown: readonly Release[], lines: readonly Line[]) {
  return fold(viewReleases(shown, lines), maxPlain, 'older release');
}

/** What is older than so many rows is behind a fold. */
function fold<T>(rows: readonly T[], size: number, noun: string) {
  const older = rows.slice(size);
  return { rows: rows.slice(0, size), older, olderSize: formatCount(older.length, noun) };
}

/** The latest release, else the newest one that is no prerelease. */
export function findHead({ releases, latest }: Component): Release | undefined {
  return releases.find(({ version }) => version === latest) ?? findNewest(releases);
}

/** The end of a line in words, with its distance if it is near. */
export function viewEnd(line: Line, asOf: Day) {
  const { label, state, end, isSupported, supportedUntil, supportedUntilAtMost } = line;
  return {
    tone: label === vulnerableLabel ? 'gone' : stateTones[state],
    text: end,
    asides: [
      state === 'ends-soon' && supportedUntil && describeDistance(asOf, supportedUntil),
      isSupported && supportedUntilAtMost && `${supportedUntilAtMost} at the latest`,
    ].filter(Boolean),
  };
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** `in 7 weeks`, of a day at most some months ahead. */
function describeDistance(from: Day, to: Day): string {
  const days = countDays(from, to);
  return days < 14 ? relative.format(days, 'day') : relative.format(Math.round(days / 7), 'week');
}

/** A release says its verdict unless its line, one of `lines`, says the same. */
function viewReleases(releases: readonly Release[], lines: readonly Line[]) {
  return releases.map((release, position) => {
    const { version, isDeprecated, isPrerelease } = release;
    const { label, sentence, advice } = describeRelease(release, lines);
    const reasons = listReasons(release);
    const isOfLine = release.sentence === undefined && release.advice === undefined;
    const isSaidAbove =
      reasons.length > 0 && isDeepStrictEqual(reasons, listReasons(releases[position - 1]));
    return {
      version,
      anchor: nameAnchor(version),
      released: describeDay(release) || 'day unknown',
      notes: listNotes(
        { text: isPrerelease && 'prerelease' },
        { kind: 'status', text: isDeprecated && reasons.length > 0 && label },
        { url: release.changelogUrl, link: `Notes of ${version}` },
        ...(isSaidAbove ? [] : reasons),
        { text: describeSecurity(release) },
        { kind: 'digest', text: release.digest },
        // Shown where an address leads to the row.
        { kind: 'verdict-here', text: !isOfLine && `${sentence} ${advice}` },
      ),
    };
  });
}

function listReasons({ reasons = [] }: Partial<Release> = {}) {
  const own = reasons.filter(({ rule }) => rule !== 'support policy');
  return own.map(({ text, url }) => ({ text, url, link: 'Read why' }));
}
