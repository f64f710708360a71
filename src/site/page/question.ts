export interface ListedComponent {
  readonly name: string;
  readonly title: string;
  /** All that the list says of it. */
  readonly words: string;
}

/** The intention behind a text in the box. */
export type Question<Component extends ListedComponent> =
  /** Components by their words. */
  | { readonly kind: 'components'; readonly components: readonly Component[] }
  /** A version of the components that the name could mean. */
  | { readonly kind: 'version'; readonly components: readonly Component[]; readonly version: string }
  /** Releases. `isPlain`: in words that no component has, and not in the query language. */
  | { readonly kind: 'query'; readonly isPlain: boolean };

/** Punctuation and operators of the query language, which names and titles do not have. */
const querySyntax = /[:<>=()"*]|(?:^|\s)(?:[-!]|(?:and|or|not)\s)/i;

export function readQuestion<Component extends ListedComponent>(
  text: string,
  components: readonly Component[],
): Question<Component> {
  const [, name = '', version = ''] = /^(.*\S)\s+(v?\d\S*)$/i.exec(text) ?? [];
  const named = name === '' ? [] : findByName(name.toLowerCase(), components);
  if (named.length > 0) return { kind: 'version', components: named, version };
  if (querySyntax.test(text)) return { kind: 'query', isPlain: false };
  const found = components.filter(({ words }) => hasWords(words, text));
  return found.length > 0 || text === ''
    ? { kind: 'components', components: found }
    : { kind: 'query', isPlain: true };
}

/** The component of this name or title; else those that have all of its words in them. */
function findByName<Component extends ListedComponent>(
  wanted: string,
  components: readonly Component[],
): readonly Component[] {
  const same = components.filter(({ name, title }) => name === wanted || title.toLowerCase() === wanted);
  return same.length > 0
    ? same
    : components.filter(({ name, title }) => hasWords(`${name} ${title}`, wanted));
}

function hasWords(text: string, words: string): boolean {
  const searched = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}
