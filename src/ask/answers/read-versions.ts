import type { NonEmpty } from '../../core/model/objects.ts';
import { findVersions, type TextVersions } from '../texts/find-versions.ts';
import { isVersion } from '../texts/read-number.ts';
import type { Entry } from '../texts/text-entries.ts';
import {
  isNonEmpty,
  listExactMatches,
  type Candidate,
  type Candidates,
  type IndexNames,
} from './match-names.ts';
import { createRangeQuery, joinAlternatives } from './range-query.ts';
import { findNamed, removeFillers, splitVersion } from './read-name.ts';

/** Asks about several versions. */
export interface ListQuestion {
  readonly kind: 'list';
  /** The versions with an exact name. */
  readonly candidates: readonly Candidate[];
  /** The parts of the text with another version, or with a range. */
  readonly texts: readonly string[];
  /** Words that were not read. */
  readonly unread?: string | undefined;
}

/**
 * Asks whether the first component works with the others, or which of its releases does if it has no version. A single one asks
 * what works with it.
 */
export interface PairQuestion {
  readonly kind: 'pair';
  readonly sides: NonEmpty<PairSide>;
  /** Words that were not read. */
  readonly unread?: string | undefined;
}

/** A component with or without a version, or a version of a component that the text does not name. */
export type PairSide = Candidate | { readonly name?: undefined; readonly version: string };

type VersionsQuestion =
  | ListQuestion
  | PairQuestion
  | {
      readonly kind: 'components';
      readonly candidates: Candidates;
      /** Words that were not read. */
      readonly unread?: string | undefined;
    }
  | RangeQuestion;

/** Asks for the releases in ranges, in the query language. */
export interface RangeQuestion {
  readonly kind: 'query';
  readonly query: string;
  /** Words that were not read. */
  readonly unread?: string | undefined;
}

/**
 * Reads the exact names in a text: several versions, one version, a range, or a name without other words. The sides of a pair may
 * also have similar names.
 */
export function readVersions(text: string, names: IndexNames): VersionsQuestion | undefined {
  const textVersions = findVersions(text, names);
  const readings = listReadings(textVersions.entries, names);
  const readingsWithVersion = readings.filter(hasVersion);
  const rangeReadings = readings.filter((reading) => reading.range && !hasVersion(reading));
  const severalVersions = readSeveral(
    text,
    textVersions,
    readingsWithVersion,
    rangeReadings,
    names,
  );
  if (severalVersions) {
    return severalVersions;
  }

  const [withVersion] = readingsWithVersion;
  if (withVersion) {
    // All components of the name stay, since the version or a person can decide between them.
    const unread = findUnread(textVersions.unreadText, rangeReadings);
    return { kind: 'components', candidates: withVersion.candidates, unread };
  }

  if (isNonEmpty(rangeReadings)) {
    return readRanges(rangeReadings, findUnread(textVersions.unreadText));
  }

  const [first] = readings;
  return first && textVersions.unidentified.length === 0 && isWholeName(text, first)
    ? { kind: 'components', candidates: first.candidates }
    : undefined;
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

/** The releases in any of the ranges. The query language may lack one; the name without it would be another question. */
function readRanges(
  readings: readonly Reading[],
  unread: string | undefined,
): RangeQuestion | undefined {
  const queries: string[] = [];
  for (const { candidates, range = '' } of readings) {
    const query = createRangeQuery(candidates[0].name, range);
    if (query === undefined) {
      return undefined;
    }

    queries.push(query);
  }

  return { kind: 'query', query: joinAlternatives(queries), unread };
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
function listCandidates(entry: Entry, names: IndexNames): Candidate[] {
  const version = entry.findLast((item) => item.version !== undefined)?.version;
  for (const { name, purl, precedingComponent } of entry) {
    const nameOrPurl = name ?? purl;
    if (nameOrPurl !== undefined) {
      return listExactMatches(nameOrPurl, names, version);
    }
    if (precedingComponent !== undefined) {
      return [{ name: precedingComponent, version, reason: 'name' }];
    }
  }

  return [];
}

/** Whether a text is only a name. Other words may be a span of days, or a part of another name. */
function isWholeName(text: string, { text: name }: Reading): boolean {
  const words = removeFillers(text.replaceAll(/[^\p{L}\p{N}\s]/gu, ' ')).split(' ');
  return words.length <= name.split(/[^\p{L}\p{N}]+/u).length;
}

/**
 * The first words with a version such as `7.2` that were not read: `redis 7.2` in `|||||||||| and redis 7.2`. Behind them, the ranges
 * that an answer leaves out.
 */
function findUnread(unreadText: string, ranges: readonly Reading[] = []): string | undefined {
  const part = unreadText.split(/\|+/).find((each) => /\d\.\d/.test(each));
  const words = part ? [removeFillers(part.replaceAll(/[,;()&]/g, ' '))] : [];
  return [...words, ...ranges.map((range) => range.text)].join(', ') || undefined;
}

/** Reads components that go together, or a list of versions. */
function readSeveral(
  text: string,
  { unidentified, unreadText }: TextVersions,
  readings: readonly Reading[],
  ranges: readonly Reading[],
  names: IndexNames,
): ListQuestion | PairQuestion | undefined {
  // A name may mean several components. In a pair or a list, it means the first of them.
  const candidates = readings.map(({ candidates: [candidate] }) => candidate);
  const phrases = unidentified.filter(({ isPhrase }) => isPhrase);
  const texts = phrases.map((phrase) => phrase.text);
  const wordsLeft = texts.reduce((left, phrase) => left.replace(phrase, '|'), unreadText);

  const count = candidates.length + texts.length;
  // More than two versions are a list, also with a word such as "with" between them.
  const joints = count > 2 ? [] : [...unreadText.matchAll(togetherForm)];
  if (joints.length > 0) {
    const spokenSides =
      candidates.length > 1 ? [] : readSides(splitAt(text, joints), ranges, names);
    if (isNonEmpty(spokenSides)) {
      // The words that were not read may be similar names, which are sides now.
      return { kind: 'pair', sides: spokenSides, unread: findUnread('', ranges) };
    }
    if (isNonEmpty(candidates)) {
      return { kind: 'pair', sides: candidates, unread: findUnread(unreadText, ranges) };
    }
  }

  texts.push(...ranges.map((range) => range.text));
  return count > 1 ? { kind: 'list', candidates, texts, unread: findUnread(wordsLeft) } : undefined;
}

/**
 * The words between two components that go together: `with` in "svc with agent", `for` in "agent for 2025.1". In the unread text,
 * a bar stands for each character that was read.
 */
const togetherForm =
  /\b(?:with|together|compatible|fits?|goes|works?)\b|\bfor (?:the )?(?=\||v?\d)/gi;

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
  const isPair = new Set(sides.map(({ name }) => name)).size > 1;
  const hasVersion = sides.some(({ version }) => version !== undefined);
  return isPair && hasVersion ? sides : [];
}

/** The parts of a text before, between and behind matches. */
function splitAt(text: string, matches: readonly RegExpExecArray[]): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const { 0: match, index } of matches) {
    parts.push(text.slice(start, index));
    start = index + match.length;
  }

  return [...parts, text.slice(start)];
}

/** Sides without a version come first, and a version without a name comes last. */
function rankSide({ name, version }: PairSide): number {
  if (version === undefined) {
    return 0;
  }

  return name === undefined ? 2 : 1;
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
