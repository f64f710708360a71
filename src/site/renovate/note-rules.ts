/** Rules that add notes and labels to pull requests, for names in comments and for packages that Renovate finds by itself. */
import { addMonths, type Day } from '../../core/day.ts';
import type { Problem } from '../../core/errors.ts';
import type { Component } from '../../core/schema/published.ts';
import { escapePattern, formatCount } from '../../core/text.ts';
import type { Index } from '../load-index.ts';
import { matchComments, listPackageConditions, writeCondition } from './conditions.ts';
import { draftNotes, writeLink, type Note } from './notes.ts';

/** What is said of a component. */
interface Subject {
  component: Component;
  /** In lower case. */
  names: string[];
  /** The beginning of each note. */
  heading: string;
  notes: Note[];
}

/**
 * Renovate takes time for every rule, and compares every dependency with every rule, so components share them. For a pull request,
 * it reads all templates of a rule.
 */
const maxSubjects = 12;

/** A note takes bytes, and time in pull requests. */
const maxNotes = 1000;

/** A line that ended within so many months has a note of its own. */
const recentMonths = 24;

/** Above the limit, ended lines share notes; if that is not enough, notes without a label are left out, with a warning. */
export function createNoteRules(index: Index) {
  const drafts = index.components.map((component) => draftNotes(component, index));
  const listNotes = (datedFrom: Day) => drafts.map((list) => list(datedFrom));
  const dated = listNotes(addMonths(index.asOf, -recentMonths));
  const all = dated.flat().length <= maxNotes ? dated : listNotes(index.asOf);
  const labelled = all.map((notes) => notes.filter(({ labels }) => labels.length > 0));
  const said = all.flat().length <= maxNotes ? all : labelled;

  const { datasource, releasesUrl } = index.settings;
  const subjects = index.components.map((component, place): Subject => {
    const places = listPlaces([component], datasource);
    const names = places.flatMap(({ matchPackageNames }) => matchPackageNames);
    return {
      component,
      names: [...new Set(names.map((name) => name.toLowerCase()))],
      heading: `**${writeLink(component, releasesUrl, '{{> anchor}}')}**: `,
      notes: said[place]!.map((note) => note.write()),
    };
  });
  const rules = groupSubjects(subjects).flatMap((group) => createGroupRules(group, datasource));
  const omitted = all.flat().length - said.flat().length;
  const message = `leaves out ${formatCount(omitted, 'note')} without a label, since there are more than 1,000`;
  const warning: Problem = { level: 'warning', subject: 'renovate.json', message };
  return { rules, warnings: omitted > 0 ? [warning] : [] };
}

/** In a comment, and where Renovate finds their packages by itself. */
function listPlaces(components: readonly Component[], datasource: string) {
  return [matchComments(components, datasource), ...listPackageConditions(components)];
}

/** Those that share rules. */
function groupSubjects(subjects: readonly Subject[]): Subject[][] {
  const groups: Subject[][] = [];
  for (const subject of subjects.filter(({ notes }) => notes.length > 0)) {
    const group = groups.at(-1);
    // A template knows the name of a package, not its registry.
    const names = new Set(group?.flatMap((other) => other.names));
    if (!group || group.length === maxSubjects || subject.names.some((name) => names.has(name))) {
      groups.push([subject]);
    } else {
      group.push(subject);
    }
  }
  return groups;
}

/** One for the notes, of which each knows when it is said, and one for each label. */
function createGroupRules(group: readonly Subject[], datasource: string): object[] {
  const components = group.map(({ component }) => component);
  const matchPackageNames = [`/^${writeNames(group.flatMap(({ names }) => names))}$/i`];
  // Before the look-up, there is nothing to say.
  const places = listPlaces(components, datasource).map(writeCondition);
  const condition = `$exists(updateType) and (${places.join(' or ')})`;
  const labels = new Set(group.flatMap(({ notes }) => notes.flatMap((note) => note.labels)));
  const labelRules = Array.from(labels, (label) => ({
    matchPackageNames,
    matchJsonata: [`${condition} and (${writeCases(group, label)})`],
    addLabels: [label],
  }));
  const prBodyNotes = [writeTemplate(group)];
  return [{ matchPackageNames, matchJsonata: [condition], prBodyNotes }, ...labelRules];
}

/** The versions with a label, of all components, as one expression for each kind of version. */
function writeCases(group: readonly Subject[], label: string): string {
  const kinds = [
    { kind: 'current', version: '(currentVersion ? currentVersion : currentValue)' },
    { kind: 'proposed', version: 'newVersion' },
  ] as const;
  const cases = kinds.flatMap(({ kind, version }) => {
    const patterns = group.flatMap(({ names, notes }) =>
      notes.flatMap((note) => {
        const pattern = note.labels.includes(label) ? note[kind] : undefined;
        return pattern === undefined ? [] : [`${writeNames(names)} v?${pattern}`];
      }),
    );
    const text = patterns.join('|').replaceAll('/', String.raw`\/`);
    const expression = `$contains(packageName & " " & ${version}, /^(?:${text})$/i)`;
    return patterns.length > 0 ? expression : [];
  });
  return cases.join(' or ');
}

function writeNames(names: readonly string[]): string {
  return `(?:${names.map(escapePattern).join('|')})`;
}

/**
 * All notes of these components, in Handlebars. For one with a note on the version in use, shortened:
 *
 *     {{#with (toObject 'name' (lowercase packageName) 'current' …)}}
 *     {{#if (includes (toArray 'svc') name)}}{{#*inline "heading"}}**[Server](…)**: {{/inline}}
 *     {{#if (equals '!' (replace '^2025\.1$' '!' current))}}{{> heading ..}}Support of this version ended.{{/if}}
 *     {{/if}}{{/with}}
 */
function writeTemplate(group: readonly Subject[]): string {
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

/** Handlebars of Renovate has no match: a version that the pattern matches as a whole becomes `!`. The heading reads what is outside `with`. */
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
