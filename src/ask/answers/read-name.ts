import { parsePurl } from '../../core/model/purl.ts';
import { findNames, openNames } from '../texts/find-names.ts';
import {
  isNonEmpty,
  listExactMatches,
  listNames,
  type Candidate,
  type IndexNames,
  type NamedComponent,
  type Candidates,
} from './match-names.ts';

/** A name, or a name with a version behind white space. */
const nameForm = /^(.*?\S)(?:\s+(v?\d[\w.+~*-]*|latest))?$/i;

/**
 * The components of which a text is exactly the name, title or alias, with or without a version; undefined for any other text.
 * `readQuestion` reads the same texts in the same way.
 */
export function readName(
  text: string,
  components: readonly NamedComponent[],
): Candidates | undefined {
  const clean = cleanText(text);
  const candidates = findExactly(clean, components);
  if (candidates) {
    return candidates;
  }

  const [, name = '', version] = nameForm.exec(clean) ?? [];
  if (version === undefined || version.includes('..')) {
    return undefined;
  }

  return findExactly(name, components, /^latest$/i.test(version) ? undefined : version);
}

function findExactly(
  text: string,
  components: readonly NamedComponent[],
  version?: string,
): Candidates | undefined {
  const lowerText = text.toLowerCase();
  const candidates = components
    .filter((component) => listNames(component).includes(lowerText))
    .map(({ name }): Candidate => ({ name, version, reason: 'name' }));
  return isNonEmpty(candidates) ? candidates : undefined;
}

/** Normalises quotes, and removes white space and punctuation at the end. */
export function cleanText(text: string): string {
  return text
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replace(/[?!.,;\s]+$/, '')
    .trim();
}

/** The end of a text behind a name: a separator, the version or tag, and a digest, as in `:2025.1@sha256:0f1e…`. */
const tagForm =
  /^[)"'`]*(?:\s*(?:[@:/_-]|={1,3}|\s)\s*(v?\d[\w.+~*:!-]*|latest|sha\d+:\w+)(@sha\d+:\w+)?)?$/i;
/** In a version: a sign of a range, or of the name of a file or of a package of a distribution. */
const fileForm = /\.\.|amd64|arm64|aarch64|x86_64|noarch|linux|darwin|windows/i;
/** The start of a text before a name: empty, or the registry of an image. */
const registryForm = /^(?:[\w.:-]+\/(?:library\/)?)?@?$/;

/** The components that a text names exactly, with or without a version; empty if none. */
export function readExactName(text: string, names: IndexNames): readonly Candidate[] {
  const purl = parsePurl(text);
  if (purl) {
    return listExactMatches(purl, names, purl.version);
  }

  // Punctuation is removed from the text of a person before, but makes the text of a program no name: `svc?`.
  const candidates = text === cleanText(text) ? readName(text, names.components) : undefined;
  if (candidates) {
    return candidates;
  }

  const named = listExactMatches(text, names);
  if (isNonEmpty(named)) {
    return named;
  }

  const [mention] = findNames(openNames(names), text) ?? [];
  const match = mention && tagForm.exec(text.slice(mention.end));
  const [, tag = ''] = match ?? [];
  if (!match || !registryForm.test(text.slice(0, mention.start)) || fileForm.test(tag)) {
    return [];
  }

  const version = /^(?:latest)?$/i.test(tag) ? undefined : tag;
  return listExactMatches(mention.name.purl ?? mention.name.name, names, version);
}
