/** Lists the notes in Renovate's pull requests about the version in use and the proposed version. */
import type { Day } from '../../core/day.ts';
import {
  describeUnproven,
  findLatestEnd,
  isOpen,
  markEstimated,
  stateTones,
} from '../../core/phrases.ts';
import type { Component, Line, Release } from '../../core/schema/published.ts';
import { endSentence, joinList } from '../../core/text.ts';
import { describeSecurity } from '../descriptions.ts';
import { findComponent, type Index } from '../load-index.ts';
import { listOwnLines, type Audience } from './note-versions.ts';

/** A note in Markdown, and the labels that it adds to the pull request. */
export interface Note extends Audience {
  labels: string[];
  words: string;
}

/** A draft of a note about one line or release. A draft without words does not become a note. */
interface Draft {
  name: string;
  words: string;
  labels: string[];
}

/**
 * Lists the notes of a component. Lines or releases with the same words share a note. A note names dates, never "in 3 weeks", so it stays
 * true while the pull request is open.
 *
 * | occasion              | words, for example                                            | label                |
 * | --------------------- | ------------------------------------------------------------- | -------------------- |
 * | `line in use`         | Support: until 2026-12-30. Estimated: 18 months …             | support-ends         |
 * | `line in use`         | Support of this version ended 2025-09-01. …                   | unsupported          |
 * | `proposed line`       | Support of the proposed version: until 2027-09-01.            |                      |
 * | `proposed ended line` | Support of the proposed version has ended. Move to 3.2.1.     |                      |
 * | `release in use`      | Affected by CVE-2026-1 (high). Deprecated: Use 2.0.           | security, deprecated |
 * | `proposed release`    | The proposed version fixes CVE-2026-1.                        | security             |
 * | `component`           | Replaced by [Next](…). Split into [Orders](…) and [Bills](…). |                      |
 * | `component`           | Upgrades must pass through 17.3, 17.5 and 17.8.               |                      |
 *
 * @param datedFrom Lines that ended before this day share one note. Example: lines that ended on 2024-01-31 and 2025-09-01 → `ended by 2025-09-01`.
 */
export function listNotes(component: Component, index: Index, datedFrom: Day): Note[] {
  const { releases, support } = component;
  const lines = listOwnLines(component);
  const open = lines.filter((line) => line.phases.length > 0 && isOpen(line));
  const ended = lines.filter(({ state }) => state === 'ended');
  // Skips releases about which there is nothing to say, before any words are written. A large index has 100,000 releases, and most of them
  // have no facts of their own.
  const notable = releases.filter((release) => {
    const { reasons, isDeprecated, advisories = [], fixes } = release;
    return (
      isDeprecated ||
      describeUnproven(release) ||
      reasons.length + advisories.length + fixes.length > 0
    );
  });
  return [
    ...uniteDrafts('line in use', [
      ...open.map(draftOpen),
      ...draftEnded(ended, support, datedFrom),
    ]),
    ...uniteDrafts('proposed line', open.map(draftProposedLine)),
    ...uniteDrafts('proposed ended line', ended.map(draftProposedEnd)),
    ...uniteDrafts(
      'release in use',
      notable.map((release) => draftRelease(release, index.asOf)),
    ),
    ...uniteDrafts('proposed release', notable.map(draftProposed)),
    ...listReplacement(component, index),
    ...listStops(component),
  ];
}

/** Joins all drafts with the same words into one note. */
function uniteDrafts(occasion: Audience['occasion'], drafts: readonly Draft[]): Note[] {
  const groups = Map.groupBy(drafts, ({ words }) => words);
  groups.delete('');
  return Array.from(groups, ([words, group]) => ({
    occasion,
    names: group.map(({ name }) => name),
    labels: group[0]!.labels,
    words: escapeMarkdown(words),
  }));
}

function draftOpen({ line: name, end, paidSupport, reason, state }: Line): Draft {
  const words = [`Support: ${end}.`, paidSupport, reason?.text].filter(Boolean).join(' ');
  return { name, words, labels: stateTones[state] === 'soon' ? ['support-ends'] : [] };
}

function draftProposedLine({ line: name, end, isInferred }: Line): Draft {
  const words = `Support of the proposed version: ${markEstimated(end, isInferred)}.`;
  return { name, words, labels: [] };
}

function draftProposedEnd({ line: name, isInferred, advice }: Line): Draft {
  const end = markEstimated('has ended', isInferred);
  return { name, words: `Support of the proposed version ${end}. ${advice}`, labels: [] };
}

function draftEnded(
  ended: readonly Line[],
  support: Component['support'],
  datedFrom: Day,
): Draft[] {
  const older = ended.filter((line) => (findLatestEnd(line) ?? '') < datedFrom);
  // The words for all older lines are written only once, because there may be many lines.
  const wordsOfOlder = older.length > 0 ? describeEnded(older, support) : '';
  return ended.map((line) => ({
    name: line.line,
    words: older.includes(line) ? wordsOfOlder : describeEnded([line], support),
    labels: ['unsupported'],
  }));
}

/** Describes the end of support of lines. If the dates differ, names the latest date: `ended by 2025-09-01`. */
function describeEnded(lines: readonly Line[], support: Component['support']): string {
  const { end, paidSupport, reason } = lines[0]!;
  const isSamePaid = lines.every((line) => line.paidSupport === paidSupport);
  const isSameEnd = lines.every((line) => line.end === end);
  const isSameReason = lines.every((line) => line.reason?.text === reason?.text);
  const days = lines.map(findLatestEnd);
  const shared = days.includes(undefined) ? 'ended' : `ended by ${days.sort().at(-1)}`;
  const isInferred = lines.some((line) => line.isInferred);
  const when = markEstimated(isSameEnd ? end : shared, isInferred);
  const why = isSameReason ? reason?.text : support.description;
  const sentences = [`Support of this version ${when}.`, isSamePaid && paidSupport, why];
  return sentences.filter(Boolean).join(' ');
}

/** Drafts a note about a release. It leaves out the end of support, which the note about the line explains. */
function draftRelease(release: Release, asOf: Day): Draft {
  const { version: name, reasons, isDeprecated, isSupported } = release;
  const texts = reasons
    // Skips reasons that are not in force yet. A reason without `from` is in force from the date of the release. Also skips support
    // policies, because the note about the line explains them.
    .filter(({ rule, from = '' }) => from <= asOf && rule !== 'support policy')
    .map(({ rule, text }) => endSentence(rule === 'definition' ? `Deprecated: ${text}` : text));
  if (isDeprecated && isSupported !== false && texts.length === 0) {
    texts.push('Deprecated.');
  }
  const security = describeSecurity(release);
  const label = texts.length > 0 ? ['deprecated'] : [];
  return {
    name,
    words: [security, ...texts].join(' ').trim(),
    labels: security === '' ? label : ['security', ...label],
  };
}

function draftProposed(release: Release): Draft {
  const { version: name, advisories = [], fixes } = release;
  const fixed = fixes.length > 0 ? `The proposed version fixes ${fixes.join(', ')}.` : '';
  const affected = `The proposed version is affected by ${advisories.join(', ')}.`;
  const unproven = (describeUnproven(release) ?? '').replace(/^P/, ' The proposed version was p');
  const words = `${advisories.length > 0 ? affected : fixed}${unproven}`;
  return { name, words, labels: ['security'] };
}

function listReplacement({ replacedBy, splitInto = [] }: Component, index: Index): Note[] {
  const links = [replacedBy, ...splitInto].flatMap((name) => {
    const successor = findComponent(name, index);
    return successor ? writeLink(successor, index.settings.releasesUrl) : [];
  });
  if (links.length === 0) {
    return [];
  }

  const words = `${links.length > 1 ? 'Split into' : 'Replaced by'} ${joinList(links)}.`;
  return [{ occasion: 'component', names: [], labels: [], words }];
}

/** Lists a note that names all stops. So there is one note for each component, even if each of its lines is a stop. */
function listStops({ requiredStops }: Component): Note[] {
  const words = escapeMarkdown(requiredStops?.description ?? '');
  return words === '' ? [] : [{ occasion: 'component', names: [], labels: [], words }];
}

export function writeLink(
  { component, title }: Component,
  releasesUrl: string,
  anchor = '',
): string {
  return `[${escapeMarkdown(title)}](${releasesUrl}/${component}.html${anchor})`;
}

/**
 * Escapes texts from upstream. They must not mention people, contain links or act as templates. A zero-width space breaks `@name`, `#12`
 * and URLs.
 */
function escapeMarkdown(text: string): string {
  return text
    .trim()
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[@#]|www\./gi, '$&\u200B')
    .replaceAll('://', ':\u200B//')
    .replaceAll(/[&"\\`*_{}[\]<>|~\u200B]/g, (special) => `&#${special.charCodeAt(0)};`);
}
