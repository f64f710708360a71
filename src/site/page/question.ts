import { fields } from '../../core/query/fields.ts';

export interface Named {
  readonly name: string;
  readonly title: string;
  /** All that is said of it where it is listed. */
  readonly words: string;
}

export interface Question<Component extends Named> {
  /** The components that it names; all of them where it names none. */
  readonly named: readonly Component[];
  /** The version that it is about, if it is about one. */
  readonly version?: string;
  /** Whether it is in the language of queries, which also finds what is in no list of components. */
  readonly isQuery: boolean;
}

const booleans = fields
  .filter(({ type }) => type === 'Boolean')
  .map(({ name }) => name)
  .join('|');
/** What no plain word has, what negates or joins, and what is asked by its name alone. */
const ofQuery = new RegExp(`[:<>=()"*]|(?:^|\\s)(?:-|(?:(?:and|or|not)\\s|!?(?:${booleans})(?:\\s|$)))`, 'i');

/** What somebody wants to know who writes this. */
export function readQuestion<Component extends Named>(
  text: string,
  components: readonly Component[],
): Question<Component> {
  const [, name = '', version = ''] = /^(.*\S)\s+(v?\d\S*)$/i.exec(text) ?? [];
  const called = name ? componentsCalled(name.toLowerCase(), components) : [];
  if (called[0]) return { named: called, version, isQuery: false };
  if (ofQuery.test(text)) return { named: components, isQuery: true };
  const named = components.filter((component) => hasWords(component.words, text));
  return { named, isQuery: !named[0] };
}

/** The component of this name or title; else those that have all of its words in them. */
function componentsCalled<Component extends Named>(
  called: string,
  components: readonly Component[],
): readonly Component[] {
  const same = components.filter(({ name, title }) => name === called || title.toLowerCase() === called);
  return same[0] ? same : components.filter(({ name, title }) => hasWords(`${name} ${title}`, called));
}

function hasWords(text: string, words: string): boolean {
  const all = words.toLowerCase().split(/\s+/);
  return all.every((word) => text.toLowerCase().includes(word));
}
