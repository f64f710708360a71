/** Notes in pull requests of Renovate: what is known of the version in use and of the proposed one. */
import type { Index } from '../load-index.ts';
import type { Component, Line, Release } from '../../core/schema/published.ts';
import { addMonths, type Day } from '../../core/day.ts';
import { escapePattern } from '../../core/text.ts';
import { isOpen, markEstimated, stateTones } from '../../core/words.ts';
import { describeSecurity, findComponent } from '../words.ts';

type Draft = [
  words: string,
  labels: (string | false)[],
  conditions: { matchCurrentVersion?: string; matchJsonata?: string },
];

/** A line that ended within so many months has a note of its own. */
const recentMonths = 24;

/**
 * Rules that add a sentence. Lines and releases of which the same is said share one. Days are absolute, so that it never becomes
 * false. `datesEnds`: whether lines that ended lately have notes of their own.
 */
export function createNotes(component: Component, index: Index, datesEnds: boolean) {
  const { releasesUrl } = index.settings;
  const version = '{{#if currentVersion}}{{{currentVersion}}}{{else}}{{{currentValue}}}{{/if}}';
  const heading = `**${writeLink(component, releasesUrl, `#v${version}`)}**`;
  const replacement = findComponent(component.replacedBy, index);
  const drafts = [
    ...createLineNotes(component, datesEnds ? addMonths(index.asOf, -recentMonths) : ''),
    ...createReleaseNotes(component, index.asOf),
  ];
  const notes = drafts.map(([words, labels, conditions]) => {
    const addLabels = labels.filter((label) => label !== false);
    const prBodyNotes = [`${heading}: ${escapeMarkdown(words)}`];
    return { ...conditions, ...(addLabels.length > 0 && { addLabels }), prBodyNotes };
  });
  if (replacement) {
    const link = writeLink(replacement, releasesUrl);
    notes.push({ prBodyNotes: [`${heading}: Replaced by ${link}.`] });
  }
  return notes;
}

function writeLink({ component, title }: Component, releasesUrl: string, anchor = ''): string {
  return `[${escapeMarkdown(title)}](${releasesUrl}/${component}.html${anchor})`;
}

/** `datedFrom`: the first last day with a note of its own; empty for none. */
function* createLineNotes({ lines, support }: Component, datedFrom: Day | ''): Generator<Draft> {
  const open = lines.filter((line) => line.phases.length > 0 && isOpen(line));
  const ended = lines.filter(({ state }) => state === 'ended');

  const describe = ({ end, reason }: Line) => `Support: ${end}. ${reason?.text ?? ''}`;
  for (const [words, group] of Map.groupBy(open, describe)) {
    const label = stateTones[group[0]!.state] === 'soon' && 'support-ends';
    yield [words, [label], { matchCurrentVersion: matchLines(group) }];
  }
  const isDated = (line: Line) => datedFrom !== '' && findLastDay(line) >= datedFrom;
  const byWords = Map.groupBy(ended, (line) =>
    isDated(line) ? describeEnded([line], support) : '',
  );
  for (const [words, group] of byWords) {
    const matchCurrentVersion = matchLines(group);
    yield [words || describeEnded(group, support), ['unsupported'], { matchCurrentVersion }];
  }
  const propose = ({ end, isInferred }: Line) =>
    `Support of the proposed version: ${markEstimated(end, isInferred)}.`;
  for (const [words, group] of Map.groupBy(open, propose)) {
    const pattern = matchLines(group);
    const matchJsonata = `$contains($string(newVersion), ${pattern})`;
    // Not twice for a line.
    yield [words, [], { matchCurrentVersion: `!${pattern}`, matchJsonata }];
  }
}

/** Empty where it is unknown. */
function findLastDay({ supportedUntil, supportedUntilAtMost }: Line): Day | '' {
  return supportedUntilAtMost ?? supportedUntil ?? '';
}

/** Of several lines, the latest last day. */
function describeEnded(lines: readonly Line[], support: Component['support']): string {
  const [why, ...otherReasons] = new Set(lines.map(({ reason }) => reason?.text));
  const [end, ...otherEnds] = new Set(lines.map((line) => line.end));
  const days = lines.map(findLastDay).sort();
  const shared = days[0] === '' ? 'ended' : `ended by ${days.at(-1)}`;
  const isInferred = lines.some((line) => line.isInferred);
  const when = markEstimated(otherEnds.length === 0 ? end! : shared, isInferred);
  const reason = otherReasons.length === 0 ? why : support.description;
  return `Support of this version ${when}. ${reason ?? ''}`;
}

/** Also versions that are not listed: `2025.1.9` is of the line 2025.1. */
function matchLines(lines: readonly Line[]): string {
  return matchVersions(
    lines.map(({ line }) => line),
    '(?:\\D.*)?',
  );
}

function matchVersions(versions: readonly string[], ending: string): string {
  const names = versions.map((version) => escapePattern(removePrefix(version)));
  return `/^v?(?:${names.join('|')})${ending}$/i`;
}

export function removePrefix(version: string): string {
  return version.replace(/^v/i, '');
}

/** What is known of single releases, besides the end of their lines. */
function* createReleaseNotes({ releases }: Component, asOf: string): Generator<Draft> {
  for (const [words, group] of Map.groupBy(releases, (each) => describeRelease(each, asOf))) {
    if (words !== '') {
      const { advisories = [], isDeprecated } = group[0]!;
      const labels = [advisories.length > 0 && 'security', isDeprecated && 'deprecated'];
      const versions = group.map(({ version }) => version);
      // Ecosystems write 2.0 as 2.0.0, too.
      yield [words, labels, { matchCurrentVersion: matchVersions(versions, '(?:\\.0)?') }];
    }
  }
  for (const [words, group] of Map.groupBy(releases, describeProposed)) {
    if (words !== '') {
      yield [words, ['security'], { matchJsonata: `newVersion in ${listSpellings(group)}` }];
    }
  }
}

/** The versions with and without the `v` before them, for JSONata. */
export function listSpellings(releases: readonly Release[]): string {
  const versions = releases.flatMap(({ version }) => [version, removePrefix(version)]);
  return JSON.stringify([...new Set(versions)]);
}

/** Empty where nothing is known. */
function describeRelease(release: Release, asOf: string): string {
  const reasons = release.reasons.filter(
    ({ rule, from = '' }) =>
      from <= asOf && (rule !== 'support policy' || release.isSupported !== false),
  );
  const texts = reasons.map(({ rule, text }) =>
    /withdrawn|upstream/.test(rule) ? text : `Deprecated: ${text}`,
  );
  return [describeSecurity(release), ...texts].join(' ').trim();
}

function describeProposed({ advisories = [], fixes }: Release): string {
  if (advisories.length > 0) {
    return `The proposed version is affected by ${advisories.join(', ')}.`;
  }

  return fixes.length > 0 ? `The proposed version fixes ${fixes.join(', ')}.` : '';
}

/** Foreign words must neither mention, link nor be a template. A zero-width space breaks names, numbers and addresses. */
function escapeMarkdown(text: string): string {
  return text
    .trim()
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[@#]|www\./gi, '$&\u200B')
    .replaceAll('://', ':\u200B//')
    .replaceAll(/[&"\\`*_{}[\]<>|~\u200B]/g, (special) => `&#${special.charCodeAt(0)};`);
}
