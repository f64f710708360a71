/** Sentences and labels of pull requests. Renovate runs these rules without our program, so expressions find the facts in a table. */
import { matchIndex, writeComponentInCondition, writeComponentInNote } from './package-rules.ts';
import {
  digitGroups,
  endMarks,
  factKeys,
  nameFactTable,
  oneNumber,
  tabulateFacts,
  undatedEnd,
  versionMarks,
  versionPrefix,
  versionWithZero,
  type FactName,
  type PinnedComponent,
} from './pin-fact-table.ts';
import { writeJsonataLookup, writeTableLookup, writeTextBetween } from './text-table.ts';

/** Rules that add the facts about the version in use to a pull request: one template, and a condition for each label. */
export function createPinRules(
  baseUrl: string,
  index: string,
  components: readonly PinnedComponent[],
): object[] {
  const factTable = tabulateFacts(components, baseUrl);
  if (factTable === '') {
    return [];
  }

  const notes = {
    matchJsonata: [matchIndex(index)],
    prBodyDefinitions: { [nameFactTable(index)]: factTable },
    prBodyNotes: [renderNote(baseUrl, index)],
  };
  return [notes, ...createLabelRules(index)];
}

/**
 * The template of a note: a paragraph about a dependency, its sentences in the order in which people need them.
 *
 *     {{#with … as |name|}}{{#with … as |facts|}}…{{#if (or …)}}**[svc 2025.1.3](…)**:
 *     {{#with (lookup …) as |words|}}Affected by {{{words}}}. {{/with}}…{{/if}}…{{/with}}{{/with}}
 */
function renderNote(baseUrl: string, index: string): string {
  const table = `@root.prBodyDefinitions.[${nameFactTable(index)}]`;
  const sentences = listTemplateSentences(table);
  const lookups = sentences.map(([fact, subject]) => writeFactInNote(fact, subject));
  const blocks = sentences.map(([, , text], at) => writeBlock('words', lookups[at]!, `${text} `));
  const start = `**[{{{name}}} {{{version}}}](${baseUrl}/{{{name}}}.html#v{{{version}}})**: `;

  // Each value may use the values before it, so the first is the outermost block.
  const values = {
    name: writeComponentInNote(index),
    facts: writeTableLookup(table, 'name'),
    version: versionInNote,
    line: writeLineInNote('version'),
    // The group of the version, which names the facts about it.
    group: writeGroupInNote('version'),
    newLine: writeLineInNote('@root.newVersion'),
    newGroup: writeGroupInNote('@root.newVersion'),
  };
  let note = `{{#if (or ${lookups.join(' ')})}}${start}${blocks.join('')}{{/if}}`;
  for (const [name, expression] of Object.entries(values).reverse()) {
    note = writeBlock(name, expression, note);
  }
  return note;
}

/** A text in which the value of an expression has a name; left out where the value is empty. */
function writeBlock(name: string, expression: string, text: string): string {
  return `{{#with ${expression} as |${name}|}}${text}{{/with}}`;
}

/** Each sentence of a note: its fact, the name of the value of the note that it is about, and the words. The fact is `words` in them. */
function listTemplateSentences(table: string): (readonly [FactName, string, string])[] {
  const proposed = '{{{@root.newVersion}}}';
  // The facts about the component itself have no line and no group.
  const noSubject = '""';
  const policy = writeTableLookup(table, writeFactInNote('policy', noSubject));
  const end = writeEndSentence('') + writeBlock('policy', policy, ' {{{policy}}}');
  const newEnd = writeEndSentence(` of ${proposed}`);
  const lag = 'No end of support is stated. The newest release of its line is {{{words}}}.';

  return [
    ['affected', 'group', 'Affected by {{{words}}}.'],
    ['affected', 'newGroup', `${proposed} is affected by {{{words}}}.`],
    ['fixes', 'newGroup', `${proposed} fixes {{{words}}}.`],
    ['withdrawn', 'group', '{{{words}}}'],
    ['end', 'line', end],
    ['lag', 'line', lag],
    ['deprecated', 'group', '{{{words}}}'],
    ['replacement', noSubject, 'Replaced by {{{words}}}.'],
    ['end', 'newLine', `{{#unless (equals newLine line)}}${newEnd}{{/unless}}`],
  ];
}

/** The sentence about an end of support, which may be over. `subject`: empty, or begins with a space. */
function writeEndSentence(subject: string): string {
  return `{{#if (${undatedInNote})}}Support${subject} has ended.{{else}}End of support${subject}: {{{${endInNote}}}}.{{/if}}`;
}

/** The condition of each label, with the variables of `writeDefinitions`. Each rests on facts that have a sentence. */
const labelConditions = {
  // Neither the mark of a near end nor that of a later one.
  unsupported: `$contains($end, /^[^${endMarks.soon}${endMarks.later}]/)`,
  'support-ends': `$contains($end, "${endMarks.soon}")`,
  deprecated: `$contains($end, "${endMarks.deprecated}") or $contains($group, "${versionMarks.deprecated}")`,
  security: `$contains($group, "${versionMarks.affected}") or $contains($newGroup, "${versionMarks.fixes}")`,
};

function createLabelRules(index: string): object[] {
  return Object.entries(labelConditions).map(([label, condition]) => ({
    matchJsonata: [`${matchIndex(index)} and (${writeDefinitions(index)}; ${condition})`],
    addLabels: [label],
  }));
}

// Notes find facts in Handlebars, and labels in JSONata: Renovate has no language for both. Here, each expression of notes precedes
// the one of conditions. Both have their forms from pin-fact-table.ts; conditions repeat the keys `l@` and `v@` of `factKeys`. The
// tests in pin-notes.test.ts expect the note and the labels of each dependency together.

/** The version in use. Renovate does not parse it where it finds no releases, and then knows only its text. */
const versionInNote = '(replace "^$" @root.currentValue @root.currentVersion)';
export const versionInCondition = '$string(currentVersion ? currentVersion : currentValue)';

/**
 * The words of a fact about a line, a version or the component. `facts` is the record of the component.
 * `writeFactInNote('affected', 'group')` finds `|a0s=` and what follows as far as the next bar.
 */
function writeFactInNote(fact: FactName, subject: string): string {
  return writeTextBetween('facts', `|${factKeys[fact]}=`, subject, '|');
}

/** The appended empty fact is the result for a missing key. */
const factInCondition =
  '$findFact := function($key) { $substringBefore($substringAfter($facts & "|" & $key & "=|", "|" & $key & "="), "|") }';

/** The name of the line of a version in the facts, as stated for it or for its first number, or by form. */
function writeLineInNote(version: string): string {
  const name = `(replace "${digitGroups}" (lookup (split facts "|") 0) ${version})`;
  const major = `(replace "${digitGroups}" "${oneNumber}" ${version})`;
  // A replacement must be a text, also where the lookup finds nothing.
  const ofMajor = `(replace "^" "" ${writeFactInNote('line', major)})`;
  const lineFact = `(replace "^$" ${ofMajor} ${writeFactInNote('line', name)})`;
  return avoidEmpty(`(replace "^$" ${name} ${lineFact})`);
}

const lineInCondition = [
  `$nameLine := function($form) { $replace($version, /${digitGroups}/, $form) }`,
  '$name := $nameLine($substringBefore($facts, "|"))',
  `$lines := [$findFact("l" & $name), $findFact("l" & $nameLine("${oneNumber}")), $name]`,
  '$line := $lines[$ != ""][0]',
];

/** The name of the group of a version. */
function writeGroupInNote(version: string): string {
  const withoutPrefix = `(replace "${versionPrefix}" "" ${version})`;
  return avoidEmpty(
    writeFactInNote('group', `(replace "${versionWithZero}" "$1" ${withoutPrefix})`),
  );
}

const groupInCondition = `$findGroup := function($version) { $findFact("v" & $replace($replace($string($version), /${versionPrefix}/, ""), /${versionWithZero}/, "$1")) }`;

/** The end in `words` without its marks, in whole days. `~261008` is 2026-10-08. */
const endInNote = String.raw`replace "^[${endMarks.soon}${endMarks.later}]?${endMarks.deprecated}?" "" (replace "\b(\d\d)(\d\d)(\d\d)\b" "20$1-$2-$3" words)`;

/** The condition that the end in `words` has no known day. */
const undatedInNote = `equals words "${undatedEnd}"`;

/** Gives a hyphen for an empty value, whose block would be left out. */
function avoidEmpty(expression: string): string {
  return `(replace "^$" "-" ${expression})`;
}

/**
 * The variables of a JSONata condition: `$end` is the end of the line in use, `$group` names the group of the version in use, and
 * `$newGroup` that of the proposed one.
 */
function writeDefinitions(index: string): string {
  const table = `prBodyDefinitions.\`${nameFactTable(index)}\``;

  return [
    `$component := ${writeComponentInCondition(index)}`,
    `$facts := ${writeJsonataLookup(table, '$component')}`,
    factInCondition,
    `$version := ${versionInCondition}`,
    ...lineInCondition,
    '$end := $findFact($line)',
    groupInCondition,
    '$group := $findGroup($version)',
    '$newGroup := $findGroup(newVersion)',
  ].join('; ');
}
