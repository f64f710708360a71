import { findNames } from '../texts/find-names.ts';
import {
  listExactMatches,
  listMatches,
  removeRepeated,
  type Candidate,
  type IndexNames,
  type Split,
} from './match-names.ts';

/** The source of a regular expression for a version. */
export const versionPart = String.raw`v?\d[\w.+~*-]*`;

/** `svc 2025.1`, `svc@latest`, `2025.1`. */
const endingForm = new RegExp(
  String.raw`^(?:(.*?)[\s@:=_/-]+)??(?:(${versionPart})|latest)?$`,
  'i',
);

/** Splits a text at the version at its end, or at `latest`. Without either, all of it is the name, except separators at its end. */
function splitEnding(text: string): Split {
  const [, name = '', version] = endingForm.exec(text) ?? [text, text];
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
    'replaced replacement replaces run s should skip stable stay still straight successor',
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
  const mentions = findNames(names, words);
  return mentions.flatMap(({ name }) => listExactMatches(name.purl ?? name.name, names));
}
