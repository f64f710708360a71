/** Notes in pull requests of Renovate: what is known of the version in use and of the proposed one. */
import type { Index } from '../../core/judged-index.ts';
import type { Component, Line, Release } from '../../core/schema/published.ts';
import { escapePattern } from '../../core/text.ts';
import { stateTones } from '../../core/words.ts';
import { describeSecurity, viewReplacement } from '../words.ts';

/** A rule that adds a sentence, with its conditions. Days in it are absolute, so that it never becomes false. */
interface Note {
  prBodyNotes: string[];
  addLabels?: string[];
  matchCurrentVersion?: string;
  matchJsonata?: string;
}

/** Lines and releases of which the same is said share a note. */
export function createNotes(component: Component, index: Index): Note[] {
  const page = `${index.settings.releasesUrl}/${component.component}.html`;
  const version = '{{#if currentVersion}}{{{currentVersion}}}{{else}}{{{currentValue}}}{{/if}}';
  const heading = `**[${escapeMarkdown(component.title)}](${page}#v${version})**`;
  const replacement = viewReplacement(component, index);
  const notes = [...createLineNotes(component), ...createReleaseNotes(component, index.asOf)].map(
    ([words, labels, conditions]): Note => ({
      ...conditions,
      ...(labels.length > 0 && { addLabels: labels }),
      prBodyNotes: [`${heading}: ${escapeMarkdown(words)}`],
    }),
  );
  if (replacement) {
    const link = `[${escapeMarkdown(replacement.title)}](${index.settings.releasesUrl}/${replacement.name}.html)`;
    notes.push({ prBodyNotes: [`${heading}: Replaced by ${link}.`] });
  }
  return notes;
}

type Draft = [words: string, labels: string[], conditions: Omit<Note, 'prBodyNotes' | 'addLabels'>];

function createLineNotes({ lines, support }: Component): Draft[] {
  const open = lines.filter(
    ({ state, phases }) => phases.length > 0 && stateTones[state] !== 'over',
  );
  const ended = lines.filter(({ state }) => state === 'ended');
  const notes: Draft[] = [];

  const describe = ({ end, because }: Line) => `Support: ${end}. ${because[0] ?? ''}`;
  for (const [words, group] of Map.groupBy(open, describe)) {
    const labels = stateTones[group[0]!.state] === 'soon' ? ['support-ends'] : [];
    notes.push([words, labels, { matchCurrentVersion: matchLines(group) }]);
  }
  if (ended.length > 0) {
    const [why, ...others] = new Set(ended.map(({ reason }) => reason?.text));
    const reason = others.length === 0 ? why : support.description;
    const words = `Support of this version has ended${markInferred(ended)}. ${reason ?? ''}`;
    notes.push([words, ['unsupported'], { matchCurrentVersion: matchLines(ended) }]);
  }
  for (const [words, group] of Map.groupBy(open, describeProposedEnd)) {
    const pattern = matchLines(group);
    const matchJsonata = `$contains($string(newVersion), ${pattern})`;
    // Not twice for a line.
    notes.push([words, [], { matchCurrentVersion: `!${pattern}`, matchJsonata }]);
  }
  return notes;
}

function describeProposedEnd(line: Line): string {
  return `Support of the proposed version: ${line.end}${markInferred([line])}.`;
}

function markInferred(lines: readonly Line[]): string {
  return lines.some(({ isInferred }) => isInferred) ? ' (inferred)' : '';
}

/** Also versions that are not listed: `2025.1.9` is of the line 2025.1. */
function matchLines(lines: readonly Line[]): string {
  return matchVersions(
    lines.map(({ line }) => line),
    String.raw`(?:\D.*)?`,
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
function createReleaseNotes({ releases }: Component, asOf: string): Draft[] {
  const notes: Draft[] = [];
  for (const [words, group] of Map.groupBy(releases, (each) => describeRelease(each, asOf))) {
    const { advisories = [], isDeprecated } = group[0]!;
    const labels = [
      ...(advisories.length > 0 ? ['security'] : []),
      ...(isDeprecated ? ['deprecated'] : []),
    ];
    const versions = group.map(({ version }) => version);
    // Ecosystems write 2.0 as 2.0.0, too.
    const matchCurrentVersion = matchVersions(versions, String.raw`(?:\.0)?`);
    notes.push([words, labels, { matchCurrentVersion }]);
  }
  for (const [words, group] of Map.groupBy(releases, describeProposed)) {
    notes.push([words, ['security'], { matchJsonata: `newVersion in ${listSpellings(group)}` }]);
  }
  return notes.filter(([words]) => words !== '');
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
  return [
    ...(release.advisories?.length ? [describeSecurity(release)] : []),
    ...reasons.map(({ rule, text }) => (rule === 'withdrawn' ? text : `Deprecated: ${text}`)),
  ].join(' ');
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
