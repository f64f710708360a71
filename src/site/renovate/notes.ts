/** Notes in pull requests of Renovate: what is known of the version in use and of the proposed one. */
import type { Index } from '../load-index.ts';
import type { Component, Line, Release } from '../../core/schema/published.ts';
import { addMonths, type Day } from '../../core/day.ts';
import { escapePattern } from '../../core/text.ts';
import { isOpen, markEstimated, stateTones } from '../../core/words.ts';
import { describeSecurity, findComponent } from '../words.ts';

interface Conditions {
  matchCurrentVersion?: string;
  matchJsonata?: string;
}

/** How a note finds the lines or releases of which it is said, in use or proposed. */
const conditions = {
  line: (names) => ({ matchCurrentVersion: matchLines(names) }),
  // Not twice for a line.
  proposedLine: (names) => ({
    matchCurrentVersion: `!${matchLines(names)}`,
    matchJsonata: `$contains($string(newVersion), ${matchLines(names)})`,
  }),
  // Ecosystems write 2.0 as 2.0.0, too.
  release: (names) => ({ matchCurrentVersion: matchVersions(names, '(?:\\.0)?') }),
  proposed: (names) => ({ matchJsonata: `newVersion in ${listSpellings(names)}` }),
} satisfies Record<string, (names: readonly string[]) => Conditions>;

type Draft = [
  about: keyof typeof conditions,
  name: string,
  words: string,
  ...labels: (string | false)[],
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
  const datedFrom = datesEnds ? addMonths(index.asOf, -recentMonths) : '9999-12-31';
  const drafts = [
    ...draftLineNotes(component, datedFrom),
    ...component.releases.map((release) => draftReleaseNote(release, index.asOf)),
    ...component.releases.map(draftProposedNote),
  ].filter(([, , words]) => words !== '');
  const groups = Map.groupBy(drafts, ([about, , words]) => `${about} ${words}`);
  const notes = Array.from(groups.values(), (group) => {
    const [about, , words, ...labels] = group[0]!;
    const found: Conditions = conditions[about](group.map(([, name]) => name));
    const addLabels = labels.filter((label) => label !== false);
    const prBodyNotes = [`${heading}: ${escapeMarkdown(words)}`];
    return { ...found, ...(addLabels.length > 0 && { addLabels }), prBodyNotes };
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

/** `datedFrom`: the first last day with a note of its own. */
function draftLineNotes({ lines, support }: Component, datedFrom: Day): Draft[] {
  const open = lines.filter((line) => line.phases.length > 0 && isOpen(line));
  const ended = lines.filter(({ state }) => state === 'ended');
  const older = ended.filter((line) => findLastDay(line) < datedFrom);
  return [
    ...open.map(({ line, end, reason, state }): Draft => {
      const label = stateTones[state] === 'soon' && 'support-ends';
      return ['line', line, `Support: ${end}. ${reason?.text ?? ''}`, label];
    }),
    ...ended.map((line): Draft => {
      const group = older.includes(line) ? older : [line];
      return ['line', line.line, describeEnded(group, support), 'unsupported'];
    }),
    ...open.map(({ line, end, isInferred }): Draft => {
      const words = `Support of the proposed version: ${markEstimated(end, isInferred)}.`;
      return ['proposedLine', line, words];
    }),
  ];
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
function matchLines(lines: readonly string[]): string {
  return matchVersions(lines, '(?:\\D.*)?');
}

function matchVersions(versions: readonly string[], ending: string): string {
  const names = versions.map((version) => escapePattern(removePrefix(version)));
  return `/^v?(?:${names.join('|')})${ending}$/i`;
}

export function removePrefix(version: string): string {
  return version.replace(/^v/i, '');
}

/** The versions with and without the `v` before them, for JSONata. */
export function listSpellings(versions: readonly string[]): string {
  return JSON.stringify([
    ...new Set(versions.flatMap((version) => [version, removePrefix(version)])),
  ]);
}

/** What is known of it besides the end of its line, of which the note of the line says why. */
function draftReleaseNote(release: Release, asOf: Day): Draft {
  const { version, reasons, isDeprecated, isSupported } = release;
  const texts = reasons
    .filter(({ rule, from = '' }) => from <= asOf && rule !== 'support policy')
    .map(({ rule, text }) => (/withdrawn|upstream/.test(rule) ? text : `Deprecated: ${text}`));
  if (isDeprecated && isSupported !== false && texts.length === 0) {
    texts.push('Deprecated.');
  }
  const security = describeSecurity(release);
  const words = [security, ...texts].join(' ').trim();
  return [
    'release',
    version,
    words,
    security !== '' && 'security',
    texts.length > 0 && 'deprecated',
  ];
}

function draftProposedNote({ version, advisories = [], fixes }: Release): Draft {
  const fixed = fixes.length > 0 ? `The proposed version fixes ${fixes.join(', ')}.` : '';
  const affected = `The proposed version is affected by ${advisories.join(', ')}.`;
  return ['proposed', version, advisories.length > 0 ? affected : fixed, 'security'];
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
