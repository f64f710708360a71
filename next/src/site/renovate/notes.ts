/** Notes in pull requests of Renovate: what is known of the version in use and of the proposed one. */
import type { Index } from '../../core/judged-index.ts';
import type { Component, Line, Reason, Release } from '../../core/schema/published.ts';
import { escapePattern } from '../../core/text.ts';
import { stateTones } from '../../core/words.ts';
import { describeSecurity, listOwnReasons, viewReplacement } from '../words.ts';

/** A rule that adds a sentence, with its conditions. Days in it are absolute, so that it never becomes false. */
export interface Note {
  words: string;
  labels: readonly string[];
  matchCurrentVersion?: string;
  matchJsonata?: string[];
}

/** Lines and releases with the same words share a note. */
export function createNotes(component: Component, index: Index): Note[] {
  return [
    ...createLineNotes(component),
    ...createReplacementNotes(component, index),
    ...createReleaseNotes(component, index.asOf),
  ];
}

function createLineNotes(component: Component): Note[] {
  const { lines, support } = component;
  const patterns = listPatterns(component);
  const match = (group: readonly Line[]) =>
    `/^v?(?:${group.flatMap(({ line }) => patterns.get(line) || []).join('|')})$/i`;
  const open = lines.filter(
    ({ state, phases }) => phases.length > 0 && stateTones[state] !== 'over',
  );
  const ended = lines.filter(({ state }) => state === 'ended');
  const notes: Note[] = [];

  for (const [words, members] of groupByWords(open, describeEnd)) {
    const labels = stateTones[members[0]!.state] === 'soon' ? ['support-ends'] : [];
    notes.push({ words, labels, matchCurrentVersion: match(members) });
  }
  for (const [words, members] of groupByWords(open, describeProposedEnd)) {
    const pattern = match(members);
    const matchJsonata = [`$contains($string(newVersion), ${pattern})`];
    // Not twice for a line.
    notes.push({ words, labels: [], matchCurrentVersion: `!${pattern}`, matchJsonata });
  }
  if (ended.length > 0) {
    const [why, ...others] = new Set(ended.map(({ reason }) => reason?.text));
    const reason = others.length === 0 ? why : support.description;
    const words = `Support of this version has ended${markInferred(ended)}. ${reason ?? ''}`;
    notes.push({ words, labels: ['unsupported'], matchCurrentVersion: match(ended) });
  }
  return notes.map((note) => ({ ...note, words: escapeMarkdown(note.words.trim()) }));
}

function describeEnd({ end, because }: Line): string {
  return `Support: ${end}. ${because[0] ?? ''}`;
}

function describeProposedEnd(line: Line): string {
  return `Support of the proposed version: ${line.end}${markInferred([line])}.`;
}

function markInferred(lines: readonly Line[]): string {
  return lines.some(({ isInferred }) => isInferred) ? ' (inferred)' : '';
}

/** By line, an expression for its versions, also for those that are not listed: `2025.1.9` is of the line 2025.1. */
function listPatterns({ lines, releases }: Component): Map<string, string> {
  const byLine = Map.groupBy(releases, ({ line }) => line);
  // `2` beside `2.1`: only its listed versions.
  const prefixes = new Set(lines.map(({ line }) => /^(.+)\./.exec(line)?.[1]));
  return new Map(
    lines.map(({ line }) => [
      line,
      prefixes.has(line)
        ? (byLine.get(line) ?? []).map(({ version }) => matchVersion(version)).join('|')
        : `${matchVersion(line)}(?:\\D.*)?`,
    ]),
  );
}

function matchVersion(version: string): string {
  return escapePattern(version.replace(/^v/i, ''));
}

function createReplacementNotes(component: Component, index: Index): Note[] {
  const replacement = viewReplacement(component, index);
  if (replacement === undefined) {
    return [];
  }

  const { title, name } = replacement;
  const url = `${index.settings.releasesUrl}/${name}.html`;
  return [{ words: `Replaced by [${escapeMarkdown(title)}](${url}).`, labels: [] }];
}

/** What is known of single releases, besides their lines. */
function createReleaseNotes({ releases }: Component, asOf: string): Note[] {
  const notes: Note[] = [];
  for (const [words, members] of groupByWords(releases, (release) =>
    describeRelease(release, asOf),
  )) {
    const { advisories = [], isDeprecated } = members[0]!;
    notes.push({
      words: escapeMarkdown(words),
      labels: [
        ...(advisories.length > 0 ? ['security'] : []),
        ...(isDeprecated ? ['deprecated'] : []),
      ],
      // Ecosystems write 2.0 as 2.0.0, too.
      matchCurrentVersion: `/^v?(?:${members.map(({ version }) => matchVersion(version)).join('|')})(?:\\.0)?$/i`,
    });
  }
  for (const [words, members] of groupByWords(releases, describeProposed)) {
    const matchJsonata = [`newVersion in ${JSON.stringify(listSpellings(members))}`];
    notes.push({ words: escapeMarkdown(words), labels: ['security'], matchJsonata });
  }
  return notes;
}

/** With and without the `v` before a version. */
export function listSpellings(releases: readonly Release[]): string[] {
  const versions = releases.flatMap(({ version }) => [version, version.replace(/^v/i, '')]);
  return [...new Set(versions)];
}

function describeRelease(release: Release, asOf: string): string {
  const { advisories = [], state, reasons } = release;
  const own = listOwnReasons(release);
  // By the support policy, before the end of support.
  const isByPolicy = state === 'deprecated' && reasons.length > 0 && own.length === 0;
  return [
    ...(advisories.length > 0 ? [describeSecurity(release)] : []),
    ...(isByPolicy ? ['Deprecated.'] : own.map((reason) => describeReason(reason, asOf))),
  ].join(' ');
}

function describeReason({ rule, text, from }: Reason, asOf: string): string {
  if (rule === 'withdrawn') {
    return text;
  }

  const words = from !== undefined && from > asOf ? ` from ${from} on` : '';
  return `Deprecated${words}: ${text}`;
}

function describeProposed({ advisories = [], fixes }: Release): string {
  if (advisories.length > 0) {
    return `The proposed version is affected by ${advisories.join(', ')}.`;
  }

  return fixes.length > 0 ? `The proposed version fixes ${fixes.join(', ')}.` : '';
}

/** Without those of which nothing is said. */
function groupByWords<T>(items: readonly T[], describe: (item: T) => string) {
  const groups = Map.groupBy(items, describe);
  groups.delete('');
  return groups;
}

/** Foreign words must neither mention, link nor be a template. A zero-width space breaks names, numbers and addresses. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/:\/\/|[&"\\`*_{}[\]<>|~]|[@#]|www\./gi, (special) => {
      if (special === '://') {
        return '&#58;//';
      }

      return /^[@#w]/i.test(special) ? `${special}&#8203;` : `&#${special.charCodeAt(0)};`;
    });
}
