/** Notes in pull requests of Renovate: what is known of the version in use and of the proposed one. */
import type { Day } from '../../core/day.ts';
import type { Component, Line, Release } from '../../core/schema/published.ts';
import { escapePattern } from '../../core/text.ts';
import { readVersion, keyLine, nameLine } from '../../core/version.ts';
import { isOpen, markEstimated, stateTones } from '../../core/words.ts';
import { findComponent, type Index } from '../load-index.ts';
import { describeSecurity } from '../words.ts';

/** A sentence in Markdown, and when it is said. Expressions are in lower case, for versions without `v`. */
export interface Note {
  /** The version in use. */
  current?: string;
  /** The proposed version. */
  proposed?: string;
  /** What the version in use is not. */
  notCurrent?: string;
  labels: string[];
  words: string;
}

/** What is said of a line or a release; without words, nothing. A blank at the end of words is trimmed. */
interface Draft {
  name: string;
  words: string;
  labels: string[];
}

/**
 * Lines and releases of which the same is said share a note. Days are absolute, so that it never becomes false. Lines that ended before
 * the day `datedFrom` share one, too.
 */
export function draftNotes(component: Component, index: Index) {
  const { releases, support } = component;
  const lengths = measureInner(component);
  const matchLines = createLineMatcher(component, lengths);
  // Of a line around others, only its listed releases are known to be of it.
  const lines = component.lines.filter(
    (line) => line.releases > 0 || !lengths.has(keyLine(line.line)),
  );
  const open = lines.filter((line) => line.phases.length > 0 && isOpen(line));
  // Of most releases, nothing is known besides their line: a large index has 100,000.
  const notable = releases.filter(
    ({ reasons, isDeprecated, advisories = [], fixes, lastProven }) =>
      isDeprecated || lastProven || reasons.length + advisories.length + fixes.length > 0,
  );
  const ofReleases = notable.map((release) => draftRelease(release, index.asOf));
  const endingInZero = releases.filter(({ version }) => version.endsWith('.0'));
  const longer = new Set(endingInZero.map(({ version }) => normalise(version)));
  const rest = [
    // Not twice for a line.
    ...uniteDrafts(open.map(draftProposedLine), (names) => {
      const proposed = matchLines(names);
      return { proposed, notCurrent: proposed };
    }),
    ...uniteDrafts(ofReleases, (names) => ({ current: matchAlike(names, longer) })),
    ...uniteDrafts(notable.map(draftProposed), (names) => ({ proposed: matchVersions(names) })),
  ];
  const replacement = findComponent(component.replacedBy, index);
  if (replacement) {
    const link = writeLink(replacement, index.settings.releasesUrl);
    rest.push({ labels: [], write: () => ({ labels: [], words: `Replaced by ${link}.` }) });
  }

  return (datedFrom: Day) => {
    const ofLines = [...open.map(draftOpen), ...draftEnded(lines, support, datedFrom)];
    return [...uniteDrafts(ofLines, (names) => ({ current: matchLines(names) })), ...rest];
  };
}

/** Notes before their versions are written: there may be more than are said. */
function uniteDrafts(drafts: readonly Draft[], match: (names: readonly string[]) => Partial<Note>) {
  const groups = Map.groupBy(drafts, ({ words }) => words);
  groups.delete('');
  return Array.from(groups, ([words, group]) => {
    const { labels } = group[0]!;
    const names = group.map(({ name }) => name);
    return { labels, write: () => ({ ...match(names), labels, words: escapeMarkdown(words) }) };
  });
}

/** Ecosystems write 2.0 as 2.0.0, too, unless that is another release, one of `longer`. */
function matchAlike(names: readonly string[], longer: ReadonlySet<string>): string {
  const isOnly = (name: string) => !longer.has(`${normalise(name)}.0`);
  return uniteVersions([
    { names: names.filter(isOnly), behind: String.raw`(?:\.0)?` },
    { names: names.filter((name) => !isOnly(name)), behind: '' },
  ]);
}

export function writeLink(
  { component, title }: Component,
  releasesUrl: string,
  anchor = '',
): string {
  return `[${escapeMarkdown(title)}](${releasesUrl}/${component}.html${anchor})`;
}

function draftOpen({ line: name, end, reason, state }: Line): Draft {
  const words = `Support: ${end}. ${reason?.text ?? ''}`;
  return { name, words, labels: stateTones[state] === 'soon' ? ['support-ends'] : [] };
}

function draftProposedLine({ line: name, end, isInferred }: Line): Draft {
  const words = `Support of the proposed version: ${markEstimated(end, isInferred)}.`;
  return { name, words, labels: [] };
}

function draftEnded(
  lines: readonly Line[],
  support: Component['support'],
  datedFrom: Day,
): Draft[] {
  const ended = lines.filter(({ state }) => state === 'ended');
  const older = ended.filter((line) => (findLastDay(line) ?? '') < datedFrom);
  // Made once: there may be many.
  const wordsOfOlder = older.length > 0 ? describeEnded(older, support) : '';
  return ended.map((line) => ({
    name: line.line,
    words: older.includes(line) ? wordsOfOlder : describeEnded([line], support),
    labels: ['unsupported'],
  }));
}

function findLastDay({ supportedUntil, supportedUntilAtMost }: Line): Day | undefined {
  return supportedUntilAtMost ?? supportedUntil;
}

/** Of several lines, the latest last day. */
function describeEnded(lines: readonly Line[], support: Component['support']): string {
  const { end, reason } = lines[0]!;
  const isSameEnd = lines.every((line) => line.end === end);
  const isSameReason = lines.every((line) => line.reason?.text === reason?.text);
  const days = lines.map(findLastDay);
  const shared = days.includes(undefined) ? 'ended' : `ended by ${days.sort().at(-1)}`;
  const isInferred = lines.some((line) => line.isInferred);
  const when = markEstimated(isSameEnd ? end : shared, isInferred);
  const why = isSameReason ? reason?.text : support.description;
  return `Support of this version ${when}. ${why ?? ''}`;
}

/** What is known of it besides the end of its line, of which the note of the line says why. */
function draftRelease(release: Release, asOf: Day): Draft {
  const { version: name, reasons, isDeprecated, isSupported } = release;
  const texts = reasons
    // A reason without a day holds always.
    .filter(({ rule, from = '' }) => from <= asOf && rule !== 'support policy')
    .map(({ rule, text }) => (rule === 'definition' ? `Deprecated: ${text}` : text));
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

function draftProposed({ version: name, advisories = [], fixes, lastProven }: Release): Draft {
  const fixed = fixes.length > 0 ? `The proposed version fixes ${fixes.join(', ')}.` : '';
  const affected = `The proposed version is affected by ${advisories.join(', ')}.`;
  const unproven = lastProven
    ? ` The proposed version was published without provenance, unlike ${lastProven}.`
    : '';
  const words = `${advisories.length > 0 ? affected : fixed}${unproven}`;
  return { name, words, labels: ['security'] };
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

/** By line, how many groups the longest line inside it has. */
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
 * Matches the versions of lines, also those that are not listed: `2025.1.9` is of the line 2025.1. Where a line is inside another, the
 * outer one has those alone that begin as its listed releases do.
 */
function createLineMatcher({ releases }: Component, lengths: ReadonlyMap<string, number>) {
  return (names: readonly string[]): string => {
    const beginnings: string[] = [];
    const whole: string[] = [];
    for (const name of names) {
      const length = lengths.get(keyLine(name));
      if (length === undefined) {
        beginnings.push(keyLine(name));
        continue;
      }
      for (const { version } of releases.filter(({ line }) => line === name)) {
        const parsed = readVersion(version);
        const place = parsed.groups.length < length ? whole : beginnings;
        place.push(nameLine(parsed, length));
      }
    }
    const pattern = uniteVersions([
      { names: [...new Set(beginnings)], behind: String.raw`(?:\D.*)?` },
      { names: [...new Set(whole)], behind: String.raw`(?:\.?[^\d.].*)?` },
    ]);
    // `22.4` is written `22.04`, too.
    return pattern.replaceAll(/\d+/g, '0*$&');
  };
}

/** Versions, and what may stand behind them; empty without versions. */
function uniteVersions(kinds: readonly { names: readonly string[]; behind: string }[]): string {
  const used = kinds.filter(({ names }) => names.length > 0);
  const patterns = used.map(({ names, behind }) => matchVersions(names) + behind);
  return patterns.length < 2 ? patterns.join() : `(?:${patterns.join('|')})`;
}

/** Those that differ only after their last dot are together, which is shorter. */
function matchVersions(versions: readonly string[]): string {
  const groups = Map.groupBy(versions.map(normalise), (name) =>
    name.slice(0, name.lastIndexOf('.') + 1),
  );
  const patterns = Array.from(groups, ([start, group]) => {
    const ends = group.map((name) => escapePattern(name.slice(start.length)));
    return `${escapePattern(start)}(?:${ends.join('|')})`;
  });
  return `(?:${patterns.join('|')})`;
}

function normalise(version: string): string {
  return removePrefix(version).toLowerCase();
}

export function removePrefix(version: string): string {
  return version.replace(/^v/i, '');
}
