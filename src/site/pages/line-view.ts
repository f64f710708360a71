/** Views of lines and releases, for the page of a component and the first page. */
import { countDays, type Day } from '../../core/day.ts';
import type { Line, Release } from '../../core/schema/published.ts';
import { formatCount } from '../../core/text.ts';
import {
  formatDay,
  isOpen,
  nameAnchor,
  stateLabels,
  stateTones,
  vulnerableLabel,
} from '../../core/words.ts';
import { describeSecurity } from '../words.ts';
import { layOutPicture, type Row } from './picture.ts';

/** Closed lines shown for comparison. */
const maxClosed = 3;
const maxPlain = 20;

/** What the views of a component have in common. */
interface Context {
  asOf: Day;
  /** The releases that the page shows, newest first. */
  shown: readonly Release[];
  /** Versions whose rows have a verdict of their own. */
  own: ReadonlySet<string>;
}

/** The open lines and the last closed ones as bars, each with a fold; the older ones without a picture. Newest first. */
export function viewLines(lines: readonly Line[], head: Line | undefined, context: Context) {
  const byLine = Map.groupBy(context.shown, ({ line }) => line);
  const newestFirst = lines.toReversed();
  const closed = newestFirst.filter((line) => !isOpen(line));
  const older = closed.splice(maxClosed);

  const drawn = [...newestFirst.filter(isOpen), ...closed];
  const rows = drawn.map((line) => createRow(line, byLine.get(line.line)));
  const { tracks, ...picture } = layOutPicture(rows, context.asOf);
  // At the top of the page.
  const said = head?.because.join(' ');
  const viewRow = (line: Line, track?: object) => {
    const releases = byLine.get(line.line) ?? [];
    const view = viewLine(line, releases, context);
    return { ...view, because: view.because !== said && view.because, track };
  };
  const byState = Map.groupBy(newestFirst, ({ state }) => stateLabels[state].toLowerCase());
  const counts = Array.from(
    byState,
    ([state, { length }]) => `${length} ${length === 1 ? state : state.replace('ends', 'end')}`,
  );
  return {
    summary: `${formatCount(lines.length, 'line')}: ${counts.join(', ')}`,
    picture,
    rows: drawn.map((line, index) => viewRow(line, tracks[index])),
    older: older.map((line) => viewRow(line)),
    olderSize: formatCount(older.length, 'older line'),
  };
}

/** Releases without lines of support; older ones in a fold. */
export function viewPlain(context: Context) {
  const newest = viewReleases(context.shown, context);
  const older = newest.splice(maxPlain);
  return { newest, older, olderSize: formatCount(older.length, 'older release') };
}

/** A line and the days of its releases, for a picture. */
export function createRow(line: Line, releases: readonly Release[] = []): Row {
  const days = releases.map(({ releaseTimestamp }) => releaseTimestamp?.slice(0, 10));
  return { line, releaseDays: days.filter((day) => day !== undefined).sort() };
}

function viewLine(line: Line, releases: readonly Release[], context: Context) {
  const { line: name, because } = line;
  const newest = releases[0]?.version;
  return {
    ...line,
    ...viewEnd(line, context.asOf),
    marks: [line.isLts && 'LTS', line.label === vulnerableLabel && line.label]
      .filter(Boolean)
      .join(', '),
    newest: newest !== name && newest,
    // A release with the name of its line has that address already.
    lineAnchor: releases.every(({ version }) => version !== name) && nameAnchor(name),
    because: because.join(' '),
    releases: viewReleases(releases, context),
  };
}

/** The end of a line in words, with its distance if it is near. */
export function viewEnd(line: Line, asOf: Day) {
  const { label, state, end, supportedUntil, supportedUntilAtMost } = line;
  return {
    tone: label === vulnerableLabel ? 'gone' : stateTones[state],
    end,
    distance: state === 'ends-soon' && describeDistance(asOf, supportedUntil!),
    atMost: line.isSupported && supportedUntil && supportedUntilAtMost,
  };
}

/** `in 7 weeks`, of a day at most some months ahead. */
function describeDistance(from: Day, to: Day): string {
  const days = countDays(from, to);
  const distance = days < 14 ? formatCount(days, 'day') : formatCount(Math.round(days / 7), 'week');
  return days === 0 ? 'today' : `in ${distance}`;
}

function viewReleases(releases: readonly Release[], { own }: Context) {
  let above = '';
  return releases.map((release) => {
    const { version, state, isDeprecated, isPrerelease, changelogUrl } = release;
    const { day, isObserved } = viewDay(release);
    const security = describeSecurity(release);
    const reasons = release.reasons.filter(({ rule }) => rule !== 'support policy');
    // A row does not repeat the reasons of the row above.
    const last = above;
    above = JSON.stringify(reasons);
    // Shown where an address leads to the row, unless its line says the same.
    const hasVerdict = own.has(version);
    return {
      ...release,
      day,
      exactDay: day && !isObserved && formatDay(day),
      anchor: nameAnchor(version),
      hasVerdict,
      security,
      // Without them, a template asks for none of them: each condition takes time.
      hasNotes:
        hasVerdict || security || isPrerelease || changelogUrl || reasons[0] || release.digest,
      label: isDeprecated && reasons[0] && stateLabels[state],
      reasons: above === last ? [] : reasons,
    };
  });
}

/** The release day, and whether it is only an upper bound. */
export function viewDay({ releaseTimestamp, timestampKind }: Partial<Release> = {}) {
  return { day: releaseTimestamp?.slice(0, 10), isObserved: timestampKind === 'observed' };
}
