/** The view of `<component>.html`. */
import { isDeepStrictEqual } from 'node:util';
import type { Day } from '../../core/day.ts';
import type { Component, Line, Release } from '../../core/schema/published.ts';
import { formatCount, formatList } from '../../core/text.ts';
import { findNewest } from '../../core/version.ts';
import {
  describeDay,
  findWords,
  isOpen,
  markEstimated,
  nameAnchor,
  stateLabels,
  stateTones,
  vulnerableLabel,
} from '../../core/words.ts';
import { listNews } from '../documents/changes.ts';
import { describeTrouble } from '../freshness.ts';
import type { Index } from '../load-index.ts';
import { writeComment } from '../renovate/comments.ts';
import { describeSecurity } from '../words.ts';
import { layOutPicture, type Row } from './picture.ts';

/** Larger tables are slow in a browser; `details/` has all. */
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
    trouble: describeTrouble(index.freshness.get(name)!, index),
    lineList: hasPhases && viewLines(lines, shown, headLine, index.asOf),
    plain: !hasPhases && shown.length > 0 && viewPlain(shown, lines),
    unshown: hidden > 0 && formatCount(hidden, 'older release'),
    advisories: viewAdvisories(component),
    changes: listNews(component, index)
      .filter(({ type }) => type !== 'released')
      .slice(0, maxChanges),
    files: viewFiles(component),
    comment: writeComment(index.settings.datasource, name),
    // A shell accepts no name that begins with a digit.
    variable: `${name.replace(/^(?=\d)/, '_').replaceAll('-', '_')}_version`.toUpperCase(),
  };
}

/** The SHA-256 of the files of the greatest release that has all, if possible of one that is not deprecated. */
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
  // Not of releases that this index leaves out.
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
  // A reason to move says more than the rule.
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
      { text: !release.advisories && 'Advisories: not checked.' },
      { text: describeSecurity(release) },
    ),
  };
}

/* Views of lines and releases, for the page of a component and the first page. */

/** Closed lines shown for comparison. */
const maxClosed = 3;
const maxPlain = 20;

/** Lines as bars, each with a fold, the newest first; of those below the last open one only some. The older ones have no picture. */
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
  // The page says it at its top already.
  const saidAbove = head?.because.join(' ');
  const views = [...drawn, ...rows.slice(count)].map((row) => viewLine(row, saidAbove));
  const byState = Map.groupBy(rows, ({ line }) => stateLabels[line.state].toLowerCase());
  const counts = Array.from(byState, ([state, { length }]) => `${state}: ${length}`);
  return {
    summary: `${formatCount(lines.length, 'line')} (${counts.join(', ')})`,
    picture,
    ...fold(views, count, 'older line'),
  };
}

/** `track`: its bar, where it has one. `saidAbove`: facts that need not be said again. */
function viewLine(
  { line, releases, track }: Row & { track?: object },
  saidAbove: string | undefined,
) {
  const { line: name, isLts, label } = line;
  const newest = releases[0]?.version;
  const because = line.because.join(' ');
  const marks = [newest !== name && newest, isLts && 'LTS', label === vulnerableLabel && label];
  return {
    name,
    track,
    end: viewEnd(line),
    marks: marks.filter(Boolean),
    // A release with the name of its line has that address already.
    anchor: releases.every(({ version }) => version !== name) && nameAnchor(name),
    verdict: writeVerdict(line),
    remarks: listRemarks({ text: because === saidAbove ? '' : because }),
    releases: viewReleases(releases, [line]),
  };
}

/** Releases without lines of support. */
function viewPlain(shown: readonly Release[], lines: readonly Line[]) {
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

/** The end of a line in words. `until`: a near end, whose distance a page tells by its script. */
export function viewEnd(line: Line) {
  const { label, state, end, isSupported, supportedUntil, supportedUntilAtMost } = line;
  return {
    tone: label === vulnerableLabel ? 'gone' : stateTones[state],
    text: end,
    until: state === 'ends-soon' && supportedUntil,
    atMost: isSupported && supportedUntilAtMost && `${supportedUntilAtMost} at the latest`,
  };
}

/** A release says its verdict unless its line, one of `lines`, says the same. */
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
        // Shown where an address leads to the row.
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

/** A paragraph of a page, perhaps with a link behind it. `kind`: its class. */
interface Remark {
  kind?: string;
  text?: string | false | undefined;
  url?: string | undefined;
  link?: string;
}

/** For `remarks.hbs`: those that say something. */
export function listRemarks(...remarks: readonly Remark[]) {
  const shown = remarks.filter(({ text, url }) => text || url);
  return shown.map(({ kind = 'note', text, url, link }) => ({ kind, text: text || '', url, link }));
}
