/** The notes of components as a template of Renovate, in Handlebars, that says those of a pull request. */
import type { Note } from './notes.ts';

/** What is said of packages. */
export interface NotesOfNames {
  /** In lower case. */
  names: string[];
  /** The beginning of each note. */
  heading: string;
  notes: Note[];
}

export function writeTemplate(group: readonly NotesOfNames[]): string {
  const version = '{{#if currentVersion}}{{{currentVersion}}}{{else}}{{{currentValue}}}{{/if}}';
  // In lower case, and versions without `v`. The version in use is the first text of the list.
  const values = [
    `'name' (lowercase packageName)`,
    String.raw`'current' (replace '^\[(null,)?"v?|".*' '' (lowercase (toJSON (toArray currentVersion currentValue))))`,
    `'proposed' (replace '^v' '' (lowercase newVersion))`,
  ];
  const texts = group.map(({ names, heading, notes }) => {
    const ofNames = names.map((name) => `'${name.replaceAll("'", String.raw`\'`)}'`).join(' ');
    return `{{#if (includes (toArray ${ofNames}) name)}}{{#*inline "heading"}}${heading}{{/inline}}${notes.map(writeNote).join('')}{{/if}}`;
  });
  return `{{#*inline "anchor"}}#v${version}{{/inline}}{{#with (toObject ${values.join(' ')})}}${texts.join('')}{{/with}}`;
}

function writeNote({ current, proposed, notCurrent, words }: Note): string {
  const conditions = [
    { block: 'if', value: 'current', pattern: current },
    { block: 'if', value: 'proposed', pattern: proposed },
    { block: 'unless', value: 'current', pattern: notCurrent },
  ].filter(({ pattern }) => pattern !== undefined);
  return conditions.reduceRight(
    (text, { block, value, pattern }) =>
      `{{#${block} (equals '!' (replace '^${pattern}$' '!' ${value}))}}${text}{{/${block}}}`,
    `{{> heading ..}}${words}\n\n`,
  );
}
