/** Creates the view of `<component>.html`. */
import { isDeepStrictEqual } from 'node:util';
import { nameAnchor } from '../../core/anchors.ts';
import { describeRange, isUnknown, type Day } from '../../core/day.ts';
import {
  describeDay,
  describeFault,
  findTone,
  findWords,
  hasLts,
  isOpen,
  markEstimated,
  nameState,
  stateTones,
  vulnerableLabel,
} from '../../core/phrases.ts';
import type { Component, Line, Phase, Release } from '../../core/schema/published.ts';
import { formatCount, formatList } from '../../core/text.ts';
import { findNewest } from '../../core/version.ts';
import { describeSecurity } from '../descriptions.ts';
import { listNews } from '../documents/changes.ts';
import { describeTrouble } from '../freshness.ts';
import type { Index } from '../load-index.ts';
import { writeComment } from '../renovate/comments.ts';
import { layOutPicture, type Row } from './picture.ts';

/** The greatest number of releases on a page, because larger tables are slow in a browser. `details/` has all releases. */
const maxReleases = 300;
const maxChanges = 5;

export function viewComponent(component: Component, index: Index) {
  const { component: name, title, homepage, changelogUrl, latest, lines, releases } = component;
  const shown = releases.slice(-maxReleases).reverse();
  const newest = findHead(component);
  const headLine = lines.find(({ line }) => line === newest?.line);
  const hasPhases = lines.some(({ phases }) => phases.length > 0);
  const hidden = releases.length - shown.length;
  return {
    name,
    title,
    about: component.description,
    homepage,
    changelogUrl,
    latest,
    count: formatCount(releases.length, 'release'),
    head: newest && headLine && viewHead(component, headLine, newest),
    trouble: describeTrouble(index.freshness.get(name)!),
    stops: component.requiredStops,
    offer: component.requiredStops
      ? 'Renovate offers no version beyond the next required stop.'
      : 'Renovate offers every newer version that is not deprecated.',
    lineList: hasPhases && viewLines(lines, shown, headLine, index.asOf),
    plain: !hasPhases && shown.length > 0 && viewPlain(shown, lines),
    unshown: hidden > 0 && formatCount(hidden, 'older release'),
    advisories: viewAdvisories(component),
    changes: listNews(component, index)
      .filter(({ type }) => type !== 'released')
      .slice(0, maxChanges),
    files: viewFiles(component),
    comment: writeComment(index.settings.datasource, name),
    // The name of a shell variable must not begin with a digit.
    variable: `${name.replace(/^(?=\d)/, '_').replaceAll('-', '_')}_version`.toUpperCase(),
  };
}

/**
 * Lists the files of the greatest stable release that has all files. Each file has its SHA-256. Prefers releases that are not deprecated.
 */
function viewFiles({ component, releases }: Component) {
  const whole = releases.filter(({ hasAllFiles, isPrerelease }) => hasAllFiles && !isPrerelease);
  const newest = whole.findLast(({ isDeprecated }) => !isDeprecated) ?? whole.at(-1);
  const rows = Object.entries(newest?.files ?? {}).map(([name, digest]) => {
    return { name, path: `${component}/${name}.json`, digest: digest.slice('sha256:'.length) };
  });
  return newest && { version: newest.version, rows };
}

function viewAdvisories({ advisories, releases }: Component) {
  const views = advisories.map(({ id, url, summary, fixed }) => {
    const affected = releases.filter((release) => release.advisories?.includes(id));
    const versions = affected.map(({ version }) => version).reverse();
    const remedy = fixed ? `Fixed in ${formatList(fixed, 4)}.` : 'No fixed version is known.';
    const remarks = listRemarks({ text: remedy }, { text: summary, url, link: `About ${id}` });
    return { id, affected: formatList(versions, 4), remarks };
  });
  // An advisory that affects only excluded releases is not shown.
  return views.filter(({ affected }) => affected !== '');
}

function viewHead({ support, latest }: Component, line: Line, release: Release) {
  const { moveReason, version, changelogUrl } = release;
  const { label, sentence, advice } = findWords(release, [line]);
  const isBad = latest === undefined || label === vulnerableLabel;
  const mustMove = isBad || moveReason !== undefined;
  const verdict = mustMove ? `${sentence} ${advice}` : '';
  const hasEnd = !mustMove && line.phases.length > 0;
  const day = describeDay(release);
  // If users must move, the verdict says why. Then the description of the support policy is left out.
  const policy = mustMove ? '' : support.description;
  const ground = line.reason?.text ?? policy;
  const rule = [
    day ? `Released ${day}.` : 'Release day unknown.',
    verdict.includes(ground) ? '' : ground,
    line.isInferred && support.inferred,
  ];
  return {
    state: isBad ? `Newest version, ${label.toLowerCase()}` : 'Newest version',
    version,
    changelogUrl,
    tone: isBad ? 'gone' : stateTones[line.state],
    remarks: listRemarks(
      { kind: 'until', text: hasEnd && `Support: ${markEstimated(line.end, line.isInferred)}` },
      {
        text: rule.filter(Boolean).join(' '),
        url: line.reason?.url ?? support.url,
        link: 'The rule',
      },
      { kind: 'sentence', text: verdict },
      { text: !release.advisories && 'Advisories are not checked.' },
      { text: describeSecurity(release) },
    ),
  };
}

/* Creates views of release lines and releases, for a component's page and the home page. */

/** The number of releases that a line shows when a reader opens it. */
const maxOfLine = 5;
/** The number of ended lines that are shown for comparison. */
const maxClosed = 3;
const maxPlain = 20;

/**
 * Returns the views of release lines, the newest first:
 * - lines down to the oldest line that has not ended, with bars that show their support time
 * - the next `maxClosed` older lines, also with bars
 * - all other lines, in a fold and without bars
 */
function viewLines(
  lines: readonly Line[],
  shown: readonly Release[],
  head: Line | undefined,
  asOf: Day,
) {
  const byLine = Map.groupBy(shown, ({ line }) => line);
  const rows = lines.map((line) => ({ line, releases: byLine.get(line.line) ?? [] })).reverse();
  const count = rows.findLastIndex(({ line }) => isOpen(line)) + 1 + maxClosed;
  const { rows: drawn, ...picture } = layOutPicture(rows.slice(0, count), asOf);
  // The top of the page already shows the facts about the line of the newest version.
  const saidAbove = head?.because.join(' ');
  const views = [...drawn, ...rows.slice(count)].map((row) => viewLine(row, saidAbove, asOf));
  const byState = Map.groupBy(rows, ({ line }) => nameState(line).toLowerCase());
  const counts = Array.from(byState, ([state, { length }]) => `${state}: ${length}`);
  return {
    summary: `${formatCount(lines.length, 'line')} (${counts.join(', ')})`,
    picture,
    ...fold(views, count, 'older line'),
  };
}

/**
 * Returns the view of a line.
 * - `track`: the bar of the line, if a bar is drawn
 * - `saidAbove`: a text at the top of the page, which is not repeated here
 */
function viewLine(
  { line, releases, track }: Row & { track?: object },
  saidAbove: string | undefined,
  asOf: Day,
) {
  const { line: name, ltsFrom } = line;
  const usable = releases.find(({ isDeprecated }) => !isDeprecated);
  // An ended line shows its newest release, because all its releases are deprecated. Any other line shows its newest release that is not
  // deprecated.
  const newest = (usable ?? (isOpen(line) ? undefined : releases[0]))?.version;
  const because = line.because.join(' ');
  const lts = hasLts(line, asOf) ? 'LTS' : ltsFrom && `LTS from ${ltsFrom}`;
  const marks = [newest !== name && newest, lts, describeFault(line)];
  return {
    name,
    track,
    end: viewEnd(line),
    marks: marks.filter(Boolean),
    // If a release has the same name as the line, the row of the release already has this anchor.
    anchor: releases.every(({ version }) => version !== name) && nameAnchor(name),
    verdict: writeVerdict(line),
    remarks: listRemarks(
      { text: describePhases(line) },
      { text: because === saidAbove ? '' : because },
    ),
    list: fold(viewReleases(releases, [line]), maxOfLine, 'older release'),
  };
}

/**
 * Describes phases with their last days: `Phases: active until 2026-10-20, security until 2028-04-30.` Empty for a single phase, because it
 * ends with the line.
 */
function describePhases({ phases }: Line): string {
  return phases.length > 1 ? `Phases: ${phases.map(describePhase).join(', ')}.` : '';
}

function describePhase({ name, until: from, untilAtMost: atMost, isOver, paid }: Phase): string {
  const subject = paid ? `${name} (paid)` : name;
  if (isUnknown({ from, atMost })) {
    return `${subject} ${isOver ? 'has ended' : 'has no stated end'}`;
  }

  return `${subject} ${atMost === undefined ? 'until' : 'ends'} ${describeRange({ from, atMost })}`;
}

/** Returns the view of releases for a component without any end of support. */
function viewPlain(shown: readonly Release[], lines: readonly Line[]) {
  return fold(viewReleases(shown, lines), maxPlain, 'older release');
}

/** Splits rows: the first `size` rows are shown, and the older rows are in a fold. */
function fold<T>(rows: readonly T[], size: number, noun: string) {
  const older = rows.slice(size);
  return { rows: rows.slice(0, size), older, olderSize: formatCount(older.length, noun) };
}

/** Returns the latest release, or else the newest stable release, or else the newest prerelease. */
export function findHead({ releases, latest }: Component): Release | undefined {
  return releases.find(({ version }) => version === latest) ?? findNewest(releases);
}

/** Returns the view of a line's end. The page's script reads the date in `until`, and shows how far away it is. */
export function viewEnd(line: Line) {
  const { end, isSupported, supportedUntil, supportedUntilAtMost } = line;
  return {
    tone: findTone(line),
    text: end,
    until: isSupported && supportedUntil,
    atMost: isSupported && supportedUntilAtMost && `${supportedUntilAtMost} at the latest`,
  };
}

/** Lists releases. The verdict on a release is shown only if it differs from the verdict on the line. */
function viewReleases(releases: readonly Release[], lines: readonly Line[]) {
  return releases.map((release, position) => {
    const { version, isDeprecated, isPrerelease } = release;
    const reasons = listReasons(release);
    const isOfLine = release.sentence === undefined && release.advice === undefined;
    const isSaidAbove =
      reasons.length > 0 && isDeepStrictEqual(reasons, listReasons(releases[position - 1]));
    return {
      version,
      anchor: nameAnchor(version),
      released: describeDay(release) || 'day unknown',
      remarks: listRemarks(
        { text: isPrerelease && 'prerelease' },
        {
          kind: 'status',
          text: isDeprecated && reasons.length > 0 && findWords(release, lines).label,
        },
        { url: release.changelogUrl, link: `Notes of ${version}` },
        ...(isSaidAbove ? [] : reasons),
        { text: describeSecurity(release) },
        { kind: 'digest', text: release.digest },
        // This remark is shown only if the URL has the anchor of the row.
        { kind: 'verdict-here', text: !isOfLine && writeVerdict(findWords(release, lines)) },
      ),
    };
  });
}

function writeVerdict({ sentence, advice }: Pick<Line, 'sentence' | 'advice'>): string {
  return `${sentence} ${advice}`;
}

function listReasons({ reasons = [] }: Partial<Release> = {}) {
  const own = reasons.filter(({ rule }) => rule !== 'support policy');
  return own.map(({ text, url }) => ({ text, url, link: 'Read why' }));
}

/** A paragraph of a page, with or without a link at its end. `kind`: its class. */
interface Remark {
  kind?: string;
  text?: string | false | undefined;
  url?: string | undefined;
  link?: string;
}

/** Prepares remarks for `remarks.hbs`. Drops remarks that have neither a text nor a link. */
export function listRemarks(...remarks: readonly Remark[]) {
  const shown = remarks.filter(({ text, url }) => text || url);
  return shown.map(({ kind = 'note', text, url, link }) => ({ kind, text: text || '', url, link }));
}
