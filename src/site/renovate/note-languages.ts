/**
 * Writes notes in the two languages that Renovate evaluates for a dependency. The text is in Handlebars. The condition of a label is in
 * JSONata.
 *
 * Example: a note with the label `unsupported`, for pull requests whose version in use is in line 2025.1 of `svc`.
 *
 *     names: ['svc'], heading: '**[Server](…)**: ',
 *     notes: [{ current: '2025\.1(?:\D.*)?', labels: ['unsupported'], words: 'Support of this version ended.' }]
 *
 * `writeTemplate` returns the following text. The right column is what Renovate does for an update of `svc` from v2025.1.2 to 2026.1.0.
 *
 *     {{#with (toObject 'name' (lowercase packageName) 'current' …)}}     name: svc, current: 2025.1.2, proposed: 2026.1.0
 *     {{#if (equals 'svc' name)}}                                         svc is the name
 *     {{#if (replace '^(2025\.1(?:\D.*)?)$|^.*$' '$1' current)}}          2025.1.2 stays; 2025.2 would become empty, which is false
 *     **[Server](…)**: Support of this version ended.                     **[Server](…)**: Support of this version ended.
 *     {{/if}}{{/if}}{{/with}}
 *
 * `writeLabelCondition` returns the following expression. For the same update, it is true: `svc v2025.1.2` matches.
 *
 *     $contains(packageName & " " & currentVersion, /^(?:(?:svc) v?2025\.1(?:\D.*)?)$/i)
 */
import { escapePattern } from '../../core/text.ts';
import type { VersionPatterns } from './note-versions.ts';
import type { Note } from './notes.ts';

/** A note. Its patterns say for which versions it is written. */
type PlacedNote = VersionPatterns & Pick<Note, 'labels' | 'words'>;

/** The notes of a component. */
export interface Subject {
  /** The names under which Renovate finds the component, in lower case. */
  names: string[];
  /** The beginning of each note, in Handlebars. */
  heading: string;
  notes: PlacedNote[];
}

/**
 * The version in use, spelt as in the file that Renovate updates. Renovate gives this version in `currentVersion`, or else in
 * `currentValue`. The expression writes both fields as a JSON list, and takes the first text in the list: `[null,"v1.2"]` → `v1.2`.
 */
const versionInUse = String.raw`(replace '^\[(null,)?"|".*' '' (toJSON (toArray currentVersion currentValue)))`;

/** The anchor of the version in use. The heading of a note links to this version on the component's page. */
export const anchor = '#v{{inUse}}';

/**
 * Defines the fields that notes use:
 * - `name`: the name of the package, in lower case
 * - `inUse`: the version in use, spelt as in the file that Renovate updates: `V1.2-RC1`
 * - `current`: the version in use, in lower case and without `v`: `1.2-rc1`
 * - `proposed`: the proposed version, in lower case and without `v`
 */
const values = [
  `'name' (lowercase packageName)`,
  `'inUse' ${versionInUse}`,
  `'current' (replace '^v' '' (lowercase ${versionInUse}))`,
  `'proposed' (replace '^v' '' (lowercase newVersion))`,
];

/**
 * Writes all notes of components as one text in Handlebars. Renovate compiles this text for each pull request. Each helper or partial in
 * the text makes this slower.
 */
export function writeTemplate(subjects: readonly Subject[]): string {
  const texts = subjects.map(({ names, heading, notes }) => {
    const list = names.map((name) => `'${name.replaceAll("'", String.raw`\'`)}'`).join(' ');
    const test = names.length === 1 ? `equals ${list} name` : `includes (toArray ${list}) name`;
    const text = notes.map((note) => writeIf(note, `${heading}${note.words}\n\n`)).join('');
    return `{{#if (${test})}}${text}{{/if}}`;
  });
  return `{{#with (toObject ${values.join(' ')})}}${texts.join('')}{{/with}}`;
}

/**
 * Writes a text that appears only if the versions match the patterns. Renovate's Handlebars can replace a text, but not test it. So a
 * version that does not match is replaced by an empty text, which counts as false.
 */
function writeIf({ current, proposed, notCurrent }: VersionPatterns, text: string): string {
  const conditions = [
    { block: 'if', value: 'current', pattern: current },
    { block: 'if', value: 'proposed', pattern: proposed },
    { block: 'unless', value: 'current', pattern: notCurrent },
  ].filter(({ pattern }) => pattern !== undefined);
  return conditions.reduceRight(
    (inner, { block, value, pattern }) =>
      `{{#${block} (replace '^(${pattern})$|^.*$' '$1' ${value})}}${inner}{{/${block}}}`,
    text,
  );
}

/**
 * Writes a JSONata condition that is true if a pull request has a note with a label. It tests the version in use and the proposed version
 * in separate expressions.
 */
export function writeLabelCondition(subjects: readonly Subject[], label: string): string {
  const versions = [
    { kind: 'current', version: '(currentVersion ? currentVersion : currentValue)' },
    { kind: 'proposed', version: 'newVersion' },
  ] as const;
  const conditions = versions.flatMap(({ kind, version }) => {
    const patterns = subjects.flatMap(({ names, notes }) =>
      notes.flatMap((note) => {
        const pattern = note.labels.includes(label) ? note[kind] : undefined;
        return pattern === undefined ? [] : [`${matchNames(names)} v?${pattern}`];
      }),
    );
    const text = patterns.join('|').replaceAll('/', String.raw`\/`);
    const expression = `$contains(packageName & " " & ${version}, /^(?:${text})$/i)`;
    return patterns.length > 0 ? expression : [];
  });
  return conditions.join(' or ');
}

/** Writes a pattern for names, to be used inside another pattern. */
export function matchNames(names: readonly string[]): string {
  return `(?:${names.map(escapePattern).join('|')})`;
}
