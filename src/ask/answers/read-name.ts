import {
  isNonEmpty,
  namesOf,
  type Candidate,
  type NamedComponent,
  type NonEmpty,
} from './match-names.ts';

/** A name, or a name with a version behind white space. */
const form = /^(.*?\S)(?:\s+(v?\d[\w.+~*-]*|latest))?$/i;

/**
 * The components of which a text is exactly the name, title or alias, with or without a version; undefined for any other text.
 * What it reads, `readQuestion` reads in the same way.
 */
export function readName(
  text: string,
  components: readonly NamedComponent[],
): NonEmpty<Candidate> | undefined {
  const clean = cleanText(text);
  const whole = namedExactly(clean, components);

  if (isNonEmpty(whole)) {
    return whole;
  }

  const [, name = '', version] = form.exec(clean) ?? [];
  if (version === undefined || version.includes('..')) {
    return undefined;
  }

  const named = namedExactly(name, components);
  const exactVersion = /^latest$/i.test(version) ? undefined : version;

  return isNonEmpty(named)
    ? [
        withVersion(named[0], exactVersion),
        ...named.slice(1).map((each) => withVersion(each, exactVersion)),
      ]
    : undefined;
}

function withVersion(candidate: Candidate, version: string | undefined): Candidate {
  return { ...candidate, version };
}

function namedExactly(text: string, components: readonly NamedComponent[]): Candidate[] {
  const wanted = text.toLowerCase();

  return components
    .filter((component) => namesOf(component).includes(wanted))
    .map(({ name }) => ({ name, reason: 'name', owner: { component: name } }));
}

/** Normalises quotes, and removes white space and punctuation at the end. */
export function cleanText(text: string): string {
  return text
    .replaceAll(/[“”„«»]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replace(/[?!.,;\s]+$/, '')
    .trim();
}
