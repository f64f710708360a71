import { parsePurl } from '../../core/model/purl.ts';
import { findNames } from '../texts/find-names.ts';
import {
  isNonEmpty,
  listExactMatches,
  listMatches,
  listNames,
  removeRepeated,
  type Candidate,
  type IndexNames,
  type NamedComponent,
  type Split,
} from './match-names.ts';

/**
 * The components of which a text is the name, title or alias, with or without a version; empty for any other text. Needs neither
 * packages nor the code for them, so a page answers most first questions with few bytes. `readQuestion` reads the same texts in the
 * same way.
 */
export function readComponentName(
  text: string,
  components: readonly NamedComponent[],
): readonly Candidate[] {
  return readNameAndVersion(cleanText(text), (name, version) => {
    const lowerName = name.toLowerCase();
    const named = components.filter((component) => listNames(component).includes(lowerName));
    return named.map((component) => ({ name: component.name, version, reason: 'name' }));
  });
}

/**
 * The components that a text names exactly: by a package URL, by the name of a component or of a package with or without a version,
 * or by an image with its registry and tag. Empty for any other text.
 */
export function readNameOrPackage(text: string, names: IndexNames): readonly Candidate[] {
  const purl = parsePurl(text);
  if (purl) {
    return listExactMatches(purl, names, purl.version);
  }

  const named = readNameAndVersion(text, (name, version) => listExactMatches(name, names, version));
  return isNonEmpty(named) ? named : readTaggedName(text, names);
}

/** Normalises quotes and signs, and removes white space at both ends and punctuation at the end. */
export function cleanText(text: string): string {
  return text
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll('≤', '<=')
    .replaceAll('≥', '>=')
    .replaceAll('≠', '!=')
    .replace(/[?!.,;\s]+$/, '')
    .trim();
}

/** A version in a question, also with an epoch such as in `1:2.0`, as the source of an expression. */
export const versionPart = String.raw`v?\d[\w.+~*:!-]*`;

/** A name and a version behind white space: `Build agent 2025.1`. */
const versionedName = new RegExp(String.raw`^(.*?\S)\s+(${versionPart}|latest)$`, 'i');

/** A part of a range, or of the name of a file or of a package of a distribution: `2025..2026`, `2025.1+`, `1.0-linux-amd64`. */
const rangeOrPlatform = /\.\.|\+$|amd64|arm64|aarch64|x86_64|noarch|linux|darwin|windows/i;

/** `svc`, `svc 2025.1`. `listNamed`: the components with exactly a name. */
function readNameAndVersion(
  text: string,
  listNamed: (name: string, version?: string) => readonly Candidate[],
): readonly Candidate[] {
  const exact = listNamed(text);
  if (isNonEmpty(exact)) {
    return exact;
  }

  const [, name, version = ''] = versionedName.exec(text) ?? [];
  return name === undefined || rangeOrPlatform.test(version)
    ? []
    : listNamed(name, readVersion(version));
}

/** The text before a name: empty, or the registry of an image, such as `docker.io/library/`. */
const registryForm = /^(?:[\w.:-]+\/(?:library\/)?)?@?$/;
/** The text behind a name: a separator, the version or tag, and a digest, such as `:2025.1@sha256:0f1e…`. */
const tagForm = new RegExp(
  String.raw`^[)"'\x60]*(?:\s*(?:[@:/_-]|={1,3}|\s)\s*(${versionPart}|latest|sha\d+:\w+)(@sha\d+:\w+)?)?$`,
  'i',
);

/** `registry.example.com/svc:2025.1`. */
function readTaggedName(text: string, names: IndexNames): readonly Candidate[] {
  const [mention] = findNames(names, text);
  if (!mention || !registryForm.test(text.slice(0, mention.start))) {
    return [];
  }

  const match = tagForm.exec(text.slice(mention.end));
  const [, tag = 'latest'] = match ?? [];
  if (!match || rangeOrPlatform.test(tag)) {
    return [];
  }

  const { name, purl } = mention.name;
  return listExactMatches(purl ?? name, names, readVersion(tag));
}

/** Undefined for `latest`: an answer about no version is about the latest one. */
function readVersion(text: string): string | undefined {
  return text.toLowerCase() === 'latest' ? undefined : text;
}

/** `svc 2025.1`, `svc@latest`, `2025.1`. */
const endingForm = new RegExp(
  String.raw`^(?:(.*?)[\s@:=_/-]+)??(?:(${versionPart})|latest)?$`,
  'i',
);
/** A word that is a version. */
const versionWord = new RegExp(`^${versionPart}$`, 'i');

/** Splits a text at the last word that is a version, else at a version or `latest` at its end. Leaves out words that say nothing. */
export function splitVersion(text: string): Split {
  const words = text
    // A decimal comma.
    .replace(/(?<=\d),(?=\d)/g, '.')
    .split(/[\s"'()<>=]+/)
    .filter((word) => word !== '');
  const position = words.findLastIndex((word) => versionWord.test(word));
  if (position === -1) {
    const rest = removeFillers(words.join(' '));
    const [, name = '', version] = endingForm.exec(rest) ?? [undefined, rest];
    return { name, version };
  }

  const name = removeFillers(words.toSpliced(position, 1).join(' '));
  return { name, version: words[position] };
}

/** Words around a name and a version in a question that say nothing about either. */
const fillers = [
  'a about affect affected affects all an and any are at between by can changelog current',
  'date dates days deprecated difference directly do does download due end ended ending',
  'ends eol expiry first fix fixed fixes for from go good have how i image in install is it',
  'latest left life line lines list long many me migrate move my need new newest news next',
  'notes number of off ok old on our out patch patches path please release released',
  'replaced replacement replaces run s should skip stable stay still straight successor',
  'support supported supports tell the there till to until update upgrade use using version',
  'versions vs vulnerable was we what whats when which who will with work working works you',
];

export function removeFillers(text: string): string {
  const fillerWords = new Set(fillers.join(' ').split(' '));
  return text
    .split(/\s+/)
    .filter((word) => word !== '' && !fillerWords.has(word.toLowerCase()))
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
