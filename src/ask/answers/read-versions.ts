import type { NonEmpty } from '../../core/model/objects.ts';
import { findVersions, type TextVersions } from '../texts/find-versions.ts';
import { isVersion } from '../texts/read-number.ts';
import type { Entry, Item } from '../texts/text-entries.ts';
import {
  isNonEmpty,
  listExactMatches,
  type Candidate,
  type Candidates,
  type IndexNames,
} from './match-names.ts';
import { createVersionQuery, joinAlternatives } from './range-query.ts';
import { findNamed, removeFillers, splitVersion } from './read-name.ts';

interface Unread {
  /** Words that were not read. */
  readonly unread?: string | undefined;
}

/** Asks about several versions. */
export interface ListQuestion extends Unread {
  readonly kind: 'list';
  /** The versions with an exact name. */
  readonly candidates: readonly (Candidate & Pick<Item, 'onlyIfReleaseOf'>)[];
  /** The parts of the text with another version, with a range, or with only a name. */
  readonly texts: readonly string[];
}

/**
 * Asks whether the first component works with the others, or which of its releases does if it has no version. A single one asks
 * what works with it.
 */
export interface PairQuestion extends Unread {
  readonly kind: 'pair';
  readonly sides: NonEmpty<PairSide>;
}

/** A component with or without a version, or a version of a component that the text does not name. */
export type PairSide = Candidate | { readonly name?: undefined; readonly version: string };

/** Asks for the releases in ranges, in the query language. */
export interface RangeQuestion extends Unread {
  readonly kind: 'query';
  readonly query: string;
}

type VersionsQuestion =
  | ListQuestion
  | PairQuestion
  | (Unread & { readonly kind: 'components'; readonly candidates: Candidates })
  | RangeQuestion;

/**
 * Reads the exact names in a text: several versions, one version, a range, or a name without other words. The sides of a pair may
 * also have similar names.
 */
export function readVersions(text: string, names: IndexNames): VersionsQuestion | undefined {
  const textVersions = findVersions(text, names);
  const readings = listReadings(textVersions.entries, names);
  const whole = { ...textVersions, text, readings };
  return (
    readSeveral(whole, names) ?? readSingle(whole) ?? readRanges(whole) ?? readWholeName(whole)
  );
}

/** The whole text, and its parts that name components exactly. */
interface WholeText extends TextVersions {
  readonly text: string;
  readonly readings: readonly Reading[];
}

/** A part of a text that names components exactly. */
interface Reading {
  /** The part as written. */
  readonly text: string;
  readonly candidates: Candidates;
  readonly range: string | undefined;
}

function hasVersion({ candidates }: Reading): boolean {
  return candidates[0].version !== undefined;
}

function hasOnlyRange(reading: Reading): boolean {
  return reading.range !== undefined && !hasVersion(reading);
}

/** The first version. All components of its name stay, since the version or a person can decide between them. */
function readSingle({ unreadText, readings }: WholeText): VersionsQuestion | undefined {
  const candidates = readings.find(hasVersion)?.candidates;
  const unread = findUnread(unreadText, listLeftOut(readings, candidates));
  return candidates && { kind: 'components', candidates, unread };
}

/** The releases in any of the ranges. Undefined if the query language cannot express one of them: without it, the question would be another. */
function readRanges({ unreadText, readings }: WholeText): RangeQuestion | undefined {
  const ranges = readings.filter(hasOnlyRange);
  const queries: string[] = [];
  for (const { candidates, range = '' } of ranges) {
    const query = createVersionQuery(range);
    if (query === undefined) {
      return undefined;
    }

    queries.push(`component:${candidates[0].name} ${query}`);
  }

  if (queries.length === 0) {
    return undefined;
  }

  // The answer lists releases, so words that ask what goes together are named as not read.
  const bare = readings.filter(({ range }) => range === undefined);
  const candidates = ranges.flatMap((range) => range.candidates);
  const leftOut = [listJoints(unreadText), ...listLeftOut(bare, candidates)].filter(Boolean);
  return {
    kind: 'query',
    query: joinAlternatives(queries),
    unread: findUnread(unreadText, leftOut),
  };
}

/** A name without other words: they may be a span of days, or a part of another name. */
function readWholeName({ text, unidentified, readings }: WholeText): VersionsQuestion | undefined {
  const [first] = readings;
  if (!first || unidentified.length > 0) {
    return undefined;
  }

  const words = removeFillers(text.replaceAll(/[^\p{L}\p{N}\s]/gu, ' ')).split(' ');
  if (words.length > first.text.split(/[^\p{L}\p{N}]+/u).length) {
    return undefined;
  }

  // The query language cannot express its range: `svc [1.0,2.0)`.
  const unread = findUnread('', listLeftOut(readings, first.candidates));
  return { kind: 'components', candidates: first.candidates, unread };
}

/** The parts of a text without a version that an answer about components leaves out: ranges, and names of other components. */
function listLeftOut(readings: readonly Reading[], answered: readonly PairSide[] = []): string[] {
  const names = new Set(answered.map(({ name }) => name));
  const leftOut: string[] = [];
  for (const reading of readings) {
    const isAnswered = reading.candidates.some(({ name }) => names.has(name));
    if (!hasVersion(reading) && (reading.range !== undefined || !isAnswered)) {
      leftOut.push(reading.text);
    }
  }

  return [...new Set(leftOut)];
}

/** The readings of the entries that name components exactly. */
function listReadings(entries: readonly Entry[], names: IndexNames): Reading[] {
  const readings: Reading[] = [];
  for (const entry of entries) {
    const candidates = listCandidates(entry, names);
    const range = entry.find((item) => item.range !== undefined)?.range;
    if (isNonEmpty(candidates)) {
      readings.push({ text: entry[0].text, candidates, range });
    }
  }

  return readings;
}

/** The components that an entry names exactly; for a version without a name, the one before it in its line. */
function listCandidates(entry: Entry, names: IndexNames): ListQuestion['candidates'][number][] {
  const version = entry.findLast((item) => item.version !== undefined)?.version;
  for (const { name, purl, precedingComponent, onlyIfReleaseOf } of entry) {
    const nameOrPurl = name ?? purl;
    if (nameOrPurl !== undefined) {
      return listExactMatches(nameOrPurl, names, version);
    }
    if (precedingComponent !== undefined) {
      return [{ name: precedingComponent, version, reason: 'name', onlyIfReleaseOf }];
    }
  }

  return [];
}

/**
 * The first words with a version such as `7.2`, or with a range such as `5..6`, that were not read: `redis 7.2` in `|||||||||| and redis 7.2`. Behind them, the parts
 * that an answer leaves out.
 */
function findUnread(unreadText: string, leftOut: readonly string[]): string | undefined {
  const part = unreadText.split(/\|+/).find((each) => /\d\.+[\dx*]/i.test(each));
  const words = part ? [removeFillers(part.replaceAll(/[,;()&]/g, ' '))] : [];
  return [...words, ...leftOut].join(', ') || undefined;
}

/**
 * The words between two components that go together: `with` in "svc with agent", `for` in "agent for 2025.1". In the unread text,
 * a bar stands for each character that was read.
 */
const togetherForm =
  /\b(?:with|together|compatible|fits?|goes|works?)\b|\bfor (?:the )?(?=\||v?\d)/gi;

/** The words of a text that ask what goes together. */
export function listJoints(text: string): string {
  return Array.from(text.matchAll(togetherForm), ([words]) => words.trim()).join(' ');
}

/** Reads components that go together, or a list of versions. More than two are a list, also with a word such as "with" between them. */
function readSeveral(whole: WholeText, names: IndexNames): ListQuestion | PairQuestion | undefined {
  const { unidentified, unreadText, readings } = whole;
  const versioned = readings.filter(hasVersion);
  // A name may mean several components. In a pair or a list, it means the first of them.
  const candidates = versioned.map(({ candidates: [candidate] }) => candidate);
  const phrases = unidentified.filter(({ isPhrase }) => isPhrase).map((phrase) => phrase.text);
  const count = candidates.length + phrases.length;
  const pair = count > 2 ? undefined : readPair(whole, candidates, names);
  if (pair || count < 2) {
    return pair;
  }

  // Further versions of a name, such as `2025.2` in "svc 2025.1, 2025.2", have no bars in the unread text.
  const listed = [...phrases, ...versioned.map((reading) => reading.text)];
  const wordsLeft = listed.reduce((left, part) => left.replace(part, '|'), unreadText);
  const texts = [...phrases, ...listLeftOut(readings, candidates)];
  // A plan says how several components go together, but not what goes with each version of one.
  const joints = namesSeveral(candidates) ? '' : listJoints(unreadText);
  const unread = (findUnread(wordsLeft, []) ?? joints) || undefined;
  return { kind: 'list', candidates, texts, unread };
}

/** The components that go together: those with a version, or with fewer than two of these, what stands around the joints. */
function readPair(
  { text, unreadText, readings }: WholeText,
  versioned: readonly Candidate[],
  names: IndexNames,
): PairQuestion | undefined {
  const joints = [...unreadText.matchAll(togetherForm)];
  // Several versions of one component are a list.
  if (joints.length === 0 || (versioned.length > 1 && !namesSeveral(versioned))) {
    return undefined;
  }

  const ranges = readings.filter(hasOnlyRange);
  const spokenSides = versioned.length > 1 ? [] : readSides(splitAt(text, joints), ranges, names);
  const sides = isNonEmpty(spokenSides) ? spokenSides : versioned;
  // The words that were not read may be similar names, which are sides then.
  const unreadWords = sides === versioned ? unreadText : '';
  const unread = findUnread(unreadWords, listLeftOut(readings, sides));
  return isNonEmpty(sides) ? { kind: 'pair', sides, unread } : undefined;
}

/**
 * The sides of a pair, by exact or similar names; none unless they name two components, one of them with a version. A side with a
 * range has no version.
 */
function readSides(
  parts: readonly string[],
  ranges: readonly Reading[],
  names: IndexNames,
): PairSide[] {
  const sides: PairSide[] = [];
  for (const part of parts) {
    const range = ranges.find((reading) => part.includes(reading.text));
    const side = range ? range.candidates[0] : readSide(part, names);
    if (side) {
      sides.push(side);
    }
  }

  sides.sort((a, b) => rankSide(a) - rankSide(b));
  const isPair = namesSeveral(sides) && sides.some(({ version }) => version !== undefined);
  return isPair ? sides : [];
}

function namesSeveral(sides: readonly PairSide[]): boolean {
  return new Set(sides.map(({ name }) => name)).size > 1;
}

/** The parts of a text before, between and behind matches. */
function splitAt(text: string, matches: readonly RegExpExecArray[]): string[] {
  const ends = matches.map(({ 0: match, index }) => index + match.length);
  return [0, ...ends].map((start, part) => text.slice(start, matches[part]?.index));
}

/** Sides without a version come first, and a version without a name comes last. */
function rankSide({ name, version }: PairSide): number {
  return Number(version !== undefined) + Number(name === undefined);
}

/** A side by an exact or a similar name. */
function readSide(text: string, names: IndexNames): PairSide | undefined {
  const { name, version } = splitVersion(text);
  if (name === '' && version !== undefined && isVersion(version)) {
    return { version };
  }

  const [side, another] = findNamed(name, names);
  // Without a version, nothing tells two components apart that match equally well.
  const isUnclear = version === undefined && side?.reason === another?.reason;
  return side && !isUnclear ? { ...side, version } : undefined;
}
