import { findNames, openNames } from '../texts/find-names.ts';
import type { Entry, UnidentifiedText } from '../texts/text-entries.ts';
import {
  isNonEmpty,
  listExactMatches,
  listMatches,
  removeRepeated,
  type Candidate,
  type IndexNames,
  type Candidates,
  type Split,
} from './match-names.ts';
import { isVersion } from '../texts/read-line.ts';

/** The source of a regular expression for a version. */
export const versionPart = String.raw`v?\d[\w.+~*-]*`;

/** `svc 2025.1`, `svc@latest`, `2025.1`. */
const endingForm = new RegExp(
  String.raw`^(?:(.*?)[\s@:=_/-]+)??(?:(${versionPart})|latest)?$`,
  'i',
);

/** Splits a text at the version at its end, or at `latest`. Without either, all of it is the name, except separators at its end. */
function splitEnding(text: string): Split {
  const match = endingForm.exec(text);
  if (!match) {
    return { name: text };
  }

  const [, name = '', version] = match;
  return { name, version };
}

/** Further words of a text are not read. */
const maxWords = 12;

/** Splits a text at the last word that is a version, else at the version at its end. Leaves out words that say nothing. */
export function splitVersion(text: string): Split {
  const words = text
    // A decimal comma.
    .replace(/(?<=\d),(?=\d)/g, '.')
    .split(/[\s"'()<>=]+/)
    .filter((word) => word !== '')
    .slice(0, maxWords);
  const position = words.findLastIndex((word) => /^v?\d[\w.+~*:!-]*$/i.test(word));
  if (position === -1) {
    return splitEnding(removeFillers(words.join(' ')));
  }

  const name = removeFillers(words.toSpliced(position, 1).join(' '));
  return { name, version: words[position] };
}

/** Words around a name and a version in a question that say nothing about either. */
const fillers = new Set(
  [
    'a about affect affected affects all an and any are at between by can changelog current',
    'date dates days deprecated difference directly do does download due end ended ending',
    'ends eol expiry first fix fixed fixes for from go good have how i image in install is it',
    'latest left life line lines list long many me migrate move my need new newest news next',
    'notes number of off ok old on our out patch patches path please release released',
    'replaced replacement replaces run should skip stable stay still straight successor',
    'support supported supports tell the there till to until update upgrade use using version',
    'versions vs vulnerable was we what whats when which who will with work working works you',
  ].flatMap((line) => line.split(' ')),
);

export function removeFillers(text: string): string {
  return text
    .split(/\s+/)
    .filter((word) => word !== '' && !fillers.has(word.toLowerCase()))
    .join(' ');
}

/** The components that words name or resemble, the surest first. */
export function findNamed(words: string, names: IndexNames): Candidate[] {
  return removeRepeated([...listMentioned(words, names), ...listMatches({ name: words }, names)]);
}

/** The components with an exact name in a text. */
export function listMentioned(words: string, names: IndexNames): Candidate[] {
  const mentions = findNames(openNames(names), words) ?? [];
  return mentions.flatMap(({ name }) => listExactMatches(name.purl ?? name.name, names));
}

/** A part of a text that names components exactly. */
export interface Reading {
  /** The part as written. */
  readonly text: string;
  readonly candidates: Candidates;
  readonly range: string | undefined;
}

/** The readings of the entries that name components exactly. */
export function listReadings(entries: readonly Entry[], names: IndexNames): Reading[] {
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

/** The first words with a version that were not read: `redis 7.2` in `|||||||||| and redis 7.2`. */
export function findUnread(unreadText: string): string | undefined {
  const part = unreadText.split(/\|+/).find((each) => /\d\.\d/.test(each));
  return part && removeFillers(part.replaceAll(/[,;()&]/g, ' '));
}

/** The parts of a text with a version that was not read, if the text has another version. */
export function listUnreadVersions(unidentified: readonly UnidentifiedText[]): string[] {
  const parts = unidentified.filter(({ countsAsOther }) => !countsAsOther);

  // A text that counts is all of a line, or with further texts the first part of it.
  const [first, second] = unidentified;
  if (first?.countsAsOther && second && !second.countsAsOther) {
    parts.unshift(first);
  }

  return parts.map(({ text }) => text);
}

/** The words between two components that go together. Bars replace what was read, so places in the text stay the same. */
const togetherForm =
  /\b(?:with|together|compatible|fits?|goes|works?)\b|\bfor (?:the )?(?=\||v?\d)/gi;

/** The components that go together in a text; empty if it does not ask that. */
export function readPair(
  text: string,
  unreadText: string,
  candidates: readonly Candidate[],
  names: IndexNames,
): readonly Candidate[] {
  const joints = [...unreadText.matchAll(togetherForm)];
  if (joints.length === 0) {
    return [];
  }
  if (candidates.length > 1) {
    return candidates;
  }

  const sides = readSides(text, joints, names);
  return sides.length > 0 ? sides : candidates;
}

/**
 * The sides with exact or similar names, of which one at least has a version. In this order: without a version, with a version,
 * only a version, whose name is then empty.
 */
function readSides(
  text: string,
  joints: readonly RegExpExecArray[],
  names: IndexNames,
): Candidate[] {
  const sides: Candidate[] = [];
  let start = 0;
  const textEnd = { 0: '', index: text.length };

  // A side ends where the next joint begins, and the last one at the end of the text.
  for (const { 0: joint, index } of [...joints, textEnd]) {
    const side = readSide(removeFillers(text.slice(start, index)), names);
    if (side) {
      sides.push(side);
    }

    start = index + joint.length;
  }

  sides.sort((a, b) => rankSide(a) - rankSide(b));
  const isPair = new Set(sides.map(({ name }) => name)).size > 1;
  return isPair && sides.at(-1)?.version !== undefined ? sides : [];
}

/** Sides without a version come first, and a version without a name comes last. */
function rankSide({ name, version }: Candidate): number {
  if (version === undefined) {
    return 0;
  }

  return name === '' ? 2 : 1;
}

function readSide(text: string, names: IndexNames): Candidate | undefined {
  const { name, version } = splitEnding(text);
  if (name === '' && version !== undefined && isVersion(version)) {
    return { name: '', reason: 'words', version };
  }

  const [side, another] = findNamed(name, names);
  // Without a version, nothing tells two components apart that match equally well.
  const isUnclear = version === undefined && side?.reason === another?.reason;
  return side && !isUnclear ? { ...side, version } : undefined;
}
