/** Views of lines and releases, for the page of a component and the first page. */
import type { Day } from '../../core/day.ts';
import type { Line, Release } from '../../core/schema/published.ts';
import { formatCount } from '../../core/text.ts';
import { nameAnchor, stateLabels, stateTones } from '../../core/words.ts';
import { describeDistance, describeSecurity, listOwnReasons } from '../words.ts';
import { layOutPicture, type Row } from './picture.ts';

/** Closed lines shown for comparison. */
const maxClosed = 3;
/** A line with more releases is not unfolded at first. */
const maxUnfolded = 5;
const maxPlain = 20;

/** What the views of a component have in common. */
export interface LineContext {
  readonly asOf: Day;
  /** The releases that the page shows, newest first. */
  readonly shown: readonly Release[];
  /** Versions whose rows have a verdict of their own. */
  readonly own: ReadonlySet<string>;
}

/** The open lines and the last closed ones as bars, each with a fold; the older ones without a picture. Newest first. */
export function viewLines(
  lines: readonly Line[],
  unfolded: Line | undefined,
  { asOf, shown, own }: LineContext,
) {
  const byLine = Map.groupBy(shown, ({ line }) => line);
  const newestFirst = lines.toReversed();
  const open = newestFirst.filter(isOpen);
  const closed = newestFirst.filter((line) => !isOpen(line));
  const older = closed.slice(maxClosed);

  const rows = [...open, ...closed.slice(0, maxClosed)].map((line) =>
    createRow(line, byLine.get(line.line)),
  );
  const { tracks, ...picture } = layOutPicture(rows, asOf);
  const view = (line: Line) => {
    const releases = byLine.get(line.line) ?? [];
    return {
      ...viewLine(line, releases, asOf, own),
      isUnfolded: line === unfolded && releases.length <= maxUnfolded,
    };
  };
  return {
    summary: summarise(lines),
    picture,
    rows: rows.map(({ line }, index) => ({ ...view(line), track: tracks[index] })),
    older: older.map((line) => ({ ...view(line), track: undefined })),
    olderSize: formatCount(older.length, 'older line'),
  };
}

/** Releases without lines of support; older ones in a fold. */
export function viewPlain({ shown, own }: LineContext) {
  const rows = viewReleases(shown, own);
  const older = rows.slice(maxPlain);
  return {
    newest: rows.slice(0, maxPlain),
    older,
    olderSize: formatCount(older.length, 'older release'),
  };
}

function isOpen({ state }: Line): boolean {
  return stateTones[state] !== 'over';
}

/** A line and the days of its releases, for a picture. */
export function createRow(line: Line, releases: readonly Release[] = []): Row {
  const days = releases.map(({ releaseTimestamp }) => releaseTimestamp?.slice(0, 10));
  return { line, releaseDays: days.filter((day) => day !== undefined).sort() };
}

function viewLine(line: Line, releases: readonly Release[], asOf: Day, own: ReadonlySet<string>) {
  const newest = releases[0]?.version ?? line.line;
  return {
    ...line,
    name: line.line,
    sentence: `${line.sentence} ${line.advice}`,
    ...viewEnd(line, asOf),
    small: newest === line.line ? '' : newest,
    // A release with the name of its line has that address already.
    lineAnchor: releases.some(({ version }) => version === line.line) ? '' : nameAnchor(line.line),
    because: line.because.join(' '),
    releases: viewReleases(releases, own),
  };
}

/** The end of a line in words, with its distance if it is near. */
export function viewEnd(line: Line, asOf: Day) {
  const day = line.supportedUntil ?? line.supportedUntilAtMost;
  return {
    tone: stateTones[line.state],
    end: line.end,
    distance: line.state === 'ends-soon' && day ? describeDistance(asOf, day) : '',
    atMost: isOpen(line) && line.supportedUntil ? line.supportedUntilAtMost : undefined,
  };
}

function viewReleases(releases: readonly Release[], own: ReadonlySet<string>) {
  let above = '';
  return releases.map((release) => {
    const reasons = listOwnReasons(release);
    const reasonsText = JSON.stringify(reasons);
    // A row does not repeat the reasons of the row above.
    const isRepeated = reasonsText === above;
    above = reasonsText;
    return {
      ...release,
      anchor: nameAnchor(release.version),
      ...viewDay(release),
      // Shown where an address leads to the row, unless its line says the same.
      verdict: own.has(release.version) && `${release.sentence} ${release.advice}`,
      security: release.advisories?.length ? describeSecurity(release) : '',
      label: release.isDeprecated && reasons.length > 0 && stateLabels[release.state],
      reasons: isRepeated ? [] : reasons,
    };
  });
}

/** The release day, and whether it is only an upper bound. */
export function viewDay({ releaseTimestamp, timestampKind }: Release) {
  return { day: releaseTimestamp?.slice(0, 10), isObserved: timestampKind === 'observed' };
}

function summarise(lines: readonly Line[]): string {
  const byState = Map.groupBy(lines.toReversed(), ({ state }) => stateLabels[state].toLowerCase());
  const counts = Array.from(byState, ([state, { length }]) => `${length} ${state}`);
  return `${formatCount(lines.length, 'line')}: ${counts.join(', ')}`;
}
