/** The view of `<component>.html`. The template decides nothing. */
import type { Index } from '../core/judged-index.ts';
import type { Component, Line, Release } from '../core/schema/published.ts';
import type { ShortRelease } from '../core/search.ts';
import { formatCount, formatList } from '../core/text.ts';
import { formatDay, nameAnchor, stateLabels, stateTones } from '../core/words.ts';
import { describeDistance, describeSecurity, listOwnReasons, viewReplacement } from './words.ts';
import type { ComponentFreshness } from '../core/schema/documents.ts';
import { listChanges } from './documents/changes.ts';
import { layOutPicture, type Row } from './picture.ts';
import { renderSnippets } from './snippets.ts';

/** Larger tables are slow in a browser; `details/` has all. */
const maxReleases = 300;
/** Closed lines shown for comparison; more if none is open. */
const maxClosed = 3;
const maxClosedAlone = 12;
const openYears = 2;
const maxUnfolded = 5;
const maxChanges = 5;

export function viewComponent(component: Component, short: readonly ShortRelease[], index: Index) {
  const { asOf, settings } = index;
  const { component: name, lines, releases, latest, support } = component;
  const freshness = index.freshness.get(name)!;
  const shown = releases.toReversed().slice(0, maxReleases);
  // Of the others, their lines say it.
  const own = new Set(
    short.filter(({ sentence, advice }) => sentence ?? advice).map(({ version }) => version),
  );
  const latestRelease = releases.find(({ version }) => version === latest);
  const headLine = lines.find(({ line }) => line === latestRelease?.line) ?? lines.at(-1);

  return {
    ...component,
    name,
    replacedBy: viewReplacement(component, index),
    freshness: { ...freshness, sentence: describeFreshness(freshness) },
    count: formatCount(releases.length, 'release'),
    isTroubled: freshness.state === 'stale' || freshness.state === 'held',
    head: headLine && viewHead(component, headLine, latestRelease),
    lineList:
      lines.some(({ phases }) => phases.length > 0) && viewLines(lines, shown, headLine, asOf, own),
    years: lines.every(({ phases }) => phases.length === 0) && viewYears(shown, own),
    left:
      releases.length > shown.length &&
      formatCount(releases.length - shown.length, 'older release'),
    advisories: viewAdvisories(component),
    changes: listChanges(component, index.journals.get(name) ?? [])
      .slice(0, maxChanges)
      .map(({ on: day, text }) => ({ day, text })),
    hasPolicy: support.policy !== 'none',
    ...renderSnippets(settings, name, latest),
  };
}

function viewAdvisories({ advisories, releases }: Component) {
  return advisories.flatMap(({ id, url, summary, fixed = [] }) => {
    const affected = releases
      .filter((release) => release.advisories?.includes(id))
      .map(({ version }) => version);
    const remedy =
      fixed.length > 0 ? `Fixed in ${formatList(fixed, 4)}.` : 'No fixed version is known.';
    return affected.length > 0
      ? [{ id, url, summary, affected: formatList(affected.reverse(), 4), remedy }]
      : [];
  });
}

export function describeFreshness({
  state,
  lastChecked,
  failures = [],
  held = [],
}: ComponentFreshness): string {
  if (state === 'static') {
    return 'Kept by hand.';
  }

  const checked =
    lastChecked === undefined ? 'No source has answered yet.' : `Last checked on ${lastChecked}.`;
  const [hold] = held;
  return hold
    ? `${checked} A change waits since ${hold.since}.`
    : failures.length > 0
      ? `${checked} ${formatCount(failures.length, 'source')} failed.`
      : checked;
}

function viewHead({ support, lines }: Component, line: Line, release: Release | undefined) {
  const tone = release ? stateTones[line.state] : 'none';
  return {
    tone: tone === 'over' ? 'gone' : tone,
    end: line.phases.length > 0 && line.end,
    changelogUrl: release?.changelogUrl,
    released: release?.releaseTimestamp?.slice(0, 10),
    isObserved: release?.timestampKind === 'observed',
    move: release?.moveTo && `${release.sentence} ${release.advice}`,
    policySentence: support.description,
    security: release && describeSecurity(release),
    why: lines.length > 0 ? 'No release of it is usable.' : 'No release is known.',
  };
}

/** The open lines and the last closed ones as bars, each with a fold; the older ones without a picture. Newest first. */
function viewLines(
  lines: readonly Line[],
  shown: readonly Release[],
  unfolded: Line | undefined,
  asOf: string,
  own: ReadonlySet<string>,
) {
  const byLine = Map.groupBy(shown, ({ line }) => line);
  const newestFirst = lines.toReversed();
  const open = newestFirst.filter(isOpen);
  const closed = newestFirst.filter((line) => !isOpen(line));
  const shownClosed = closed.slice(0, open.length > 0 ? maxClosed : maxClosedAlone);
  const older = closed.slice(shownClosed.length);

  const rows = [...open, ...shownClosed].map((line) => createRow(line, byLine));
  const { tracks, ...picture } = layOutPicture(rows, asOf);
  const view = (line: Line) =>
    viewLine(line, byLine.get(line.line) ?? [], asOf, line === unfolded, own);
  return {
    summary: summarise(lines),
    picture,
    rows: rows.map(({ line }, index) => ({ ...view(line), track: tracks[index] })),
    older: older.map((line) => ({ ...view(line), track: undefined })),
    olderSize: formatCount(older.length, 'older line'),
  };
}

function isOpen({ state }: Line): boolean {
  return stateTones[state] !== 'over';
}

export function createRow(line: Line, byLine: ReadonlyMap<string, readonly Release[]>): Row {
  const days = (byLine.get(line.line) ?? []).map(({ releaseTimestamp }) =>
    releaseTimestamp?.slice(0, 10),
  );
  return { line, releaseDays: days.filter((day) => day !== undefined).sort() };
}

function viewLine(
  line: Line,
  releases: readonly Release[],
  asOf: string,
  isUnfolded: boolean,
  own: ReadonlySet<string>,
) {
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
    isUnfolded: isUnfolded && releases.length <= maxUnfolded,
  };
}

/** The end of a line in words, with its distance if it is near. */
export function viewEnd(line: Line, asOf: string) {
  const day = line.supportedUntil ?? line.supportedUntilAtMost;
  return {
    tone: stateTones[line.state],
    end: line.end,
    distance: line.state === 'ends-soon' && day ? describeDistance(asOf, day) : '',
    atMost: isOpen(line) && line.supportedUntil ? line.supportedUntilAtMost : undefined,
  };
}

export function viewReleases(releases: readonly Release[], own: ReadonlySet<string>) {
  return releases.map((release, index) => {
    const reasons = listOwnReasons(release);
    return {
      ...release,
      anchor: nameAnchor(release.version),
      day: release.releaseTimestamp?.slice(0, 10),
      dayText: release.releaseTimestamp && formatDay(release.releaseTimestamp.slice(0, 10)),
      isObserved: release.timestampKind === 'observed',
      // Shown where an address leads to the row, unless its line says the same.
      verdict: own.has(release.version) && `${release.sentence} ${release.advice}`,
      security: release.advisories?.length ? describeSecurity(release) : '',
      label: release.isDeprecated && reasons.length > 0 && stateLabels[release.state],
      // A row does not repeat the reasons of the row above.
      reasons:
        index > 0 &&
        reasons.length > 0 &&
        JSON.stringify(reasons) === JSON.stringify(listOwnReasons(releases[index - 1]!))
          ? []
          : reasons,
    };
  });
}

function summarise(lines: readonly Line[]): string {
  const byState = Map.groupBy(lines.toReversed(), ({ state }) => stateLabels[state].toLowerCase());
  const counts = Array.from(byState, ([state, { length }]) => `${length} ${state}`);
  return `${formatCount(lines.length, 'line')}: ${counts.join(', ')}`;
}

/** Releases without lines of support, by year; those without a day last. */
function viewYears(shown: readonly Release[], own: ReadonlySet<string>) {
  const groups = Map.groupBy(
    shown,
    ({ releaseTimestamp }) => releaseTimestamp?.slice(0, 4) ?? 'Release days unknown',
  );
  const years = Array.from(groups, ([year, releases]) => ({
    year,
    releases: viewReleases(releases, own),
  }));
  const older = years.slice(openYears);
  const olderCount = older.reduce((sum, { releases }) => sum + releases.length, 0);
  return {
    newest: years.slice(0, openYears),
    older,
    olderSize: formatCount(olderCount, 'older release'),
  };
}
