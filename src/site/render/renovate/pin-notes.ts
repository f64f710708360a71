import {
  digitGroups,
  endMarks,
  factKeys,
  tabulateFacts,
  undatedEnd,
  versionMarks,
  versionPrefix,
  versionWithZero,
  type FactName,
  type PinnedComponent,
} from './pin-fact-table.ts';
import { matchIndex, writeComponentInCondition, writeComponentInNote } from './pin-packages.ts';
import { writeJsonataLookup, writeTableLookup, writeTextBetween } from './text-table.ts';

// Sentences and labels of pull requests. Renovate runs these rules without our program, so a Handlebars template and JSONata
// conditions look the facts up.

/** Rules that add the facts about the version in use to a pull request: one template, and a condition for each label. */
export function createPinRules(
  baseUrl: string,
  index: string,
  components: readonly PinnedComponent[],
): object[] {
  const facts = tabulateFacts(components, baseUrl);
  if (facts === '') {
    return [];
  }

  const notes = {
    matchJsonata: [matchIndex(index)],
    prBodyDefinitions: { [nameFactTable(index)]: facts },
    prBodyNotes: [renderNote(baseUrl, index)],
  };
  return [notes, ...createLabelRules(index)];
}

/** The name under which rules and templates find the facts. */
function nameFactTable(index: string): string {
  return `${index} facts`;
}

/** The template of a note: a paragraph about a dependency, its sentences in the order in which people need them. */
function renderNote(baseUrl: string, index: string): string {
  const table = `@root.prBodyDefinitions.[${nameFactTable(index)}]`;
  const sentences = listSentences(table);
  const facts = sentences.map(([fact, subject]) => findFact(fact, subject));
  const blocks = sentences.map(([fact, subject, text]) =>
    writeBlock('words', findFact(fact, subject), `${text} `),
  );
  const start = `**[{{{name}}} {{{version}}}](${baseUrl}/{{{name}}}.html#v{{{version}}})**: `;

  // Each value may use the values before it.
  const values = {
    name: writeComponentInNote(index),
    facts: writeTableLookup(table, 'name'),
    // Renovate does not parse the version in use where it finds no releases.
    version: '(replace "^$" @root.currentValue @root.currentVersion)',
    line: findLine('version'),
    number: findNumber('version'),
    newLine: findLine('@root.newVersion'),
    newNumber: findNumber('@root.newVersion'),
  };
  let note = `{{#if (or ${facts.join(' ')})}}${start}${blocks.join('')}{{/if}}`;
  for (const [name, expression] of Object.entries(values).reverse()) {
    note = writeBlock(name, expression, note);
  }
  return note;
}

/** A text in which the value of an expression has a name; left out where the value is empty. */
function writeBlock(name: string, expression: string, text: string): string {
  return `{{#with ${expression} as |${name}|}}${text}{{/with}}`;
}

/** Each sentence, for a fact about a subject. The text of the fact is `words`. */
function listSentences(table: string): [fact: FactName, subject: string, text: string][] {
  const proposed = '{{{@root.newVersion}}}';
  const policy = writeTableLookup(table, findFact('policy', '""'));
  const end = describeEnd('') + writeBlock('policy', policy, ' {{{policy}}}');
  const newEnd = describeEnd(` of ${proposed}`);
  const behind = 'No end of support is stated. The newest release of its line is {{{words}}}.';

  return [
    ['affected', 'number', 'Affected by {{{words}}}.'],
    ['affected', 'newNumber', `${proposed} is affected by {{{words}}}.`],
    ['fixes', 'newNumber', `${proposed} fixes {{{words}}}.`],
    ['withdrawn', 'number', '{{{words}}}'],
    ['end', 'line', end],
    ['behind', 'line', behind],
    ['deprecated', 'number', '{{{words}}}'],
    ['replacement', '""', 'Replaced by {{{words}}}.'],
    ['end', 'newLine', `{{#unless (equals newLine line)}}${newEnd}{{/unless}}`],
  ];
}

/** The sentence about an end, without its marks and with whole days: `~261008` is 2026-10-08. */
function describeEnd(subject: string): string {
  const days = String.raw`{{{replace "^[~+]?!?" "" (replace "\b(\d\d)(\d\d)(\d\d)\b" "20$1-$2-$3" words)}}}`;
  return `{{#if (equals words "${undatedEnd}")}}Support${subject} has ended.{{else}}End of support${subject}: ${days}.{{/if}}`;
}

/** A Handlebars expression: the words of a fact about a line, a version or the component. */
function findFact(fact: FactName, subject: string): string {
  return writeTextBetween('facts', `|${factKeys[fact]}=`, subject, '|');
}

/** A Handlebars expression: the name of the line of a version in the facts. */
function findLine(version: string): string {
  const name = '(lookup (split facts "|") 0)';
  return avoidEmpty(`(replace "${digitGroups}" ${name} ${version})`);
}

/** A Handlebars expression: the number of the facts about a version. */
function findNumber(version: string): string {
  const withoutPrefix = `(replace "${versionPrefix}" "" ${version})`;
  return avoidEmpty(findFact('number', `(replace "${versionWithZero}" "$1" ${withoutPrefix})`));
}

/** A hyphen for an empty value, whose block would be left out. */
function avoidEmpty(expression: string): string {
  return `(replace "^$" "-" ${expression})`;
}

/**
 * The condition of each label: `$end` is the end of the line in use, `$number` belongs to the version in use, and `$newNumber` to the
 * proposed one. Each is also the condition of a sentence.
 */
const labelConditions = {
  // No mark, and not `$1.$2`, which is found where a line has no end.
  unsupported: `$contains($end, /^[^${endMarks.soon}${endMarks.later}$]/)`,
  'support-ends': `$contains($end, "${endMarks.soon}")`,
  deprecated: `$contains($end, "${endMarks.deprecated}") or $contains($number, "${versionMarks.deprecated}")`,
  security: `$contains($number, "${versionMarks.affected}") or $contains($newNumber, "${versionMarks.fixes}")`,
};

function createLabelRules(index: string): object[] {
  return Object.entries(labelConditions).map(([label, condition]) => ({
    matchJsonata: [`${matchIndex(index)} and (${writeDefinitions(index)}; ${condition})`],
    addLabels: [label],
  }));
}

/** The variables of the conditions, in JSONata. */
function writeDefinitions(index: string): string {
  const table = `prBodyDefinitions.\`${nameFactTable(index)}\``;
  const simplified = `$replace($replace($string($), /${versionPrefix}/, ""), /${versionWithZero}/, "$1")`;

  return [
    `$component := ${writeComponentInCondition(index)}`,
    `$facts := ${writeJsonataLookup(table, '$component')}`,
    // Without the fact, the text before the first bar.
    '$factOf := function($key) { $substringBefore($substringAfter($facts, "|" & $key & "="), "|") }',
    '$version := $string(currentVersion ? currentVersion : currentValue)',
    `$end := $factOf($replace($version, /${digitGroups}/, $substringBefore($facts, "|")))`,
    `$numberOf := function($version) { $factOf("v" & ($version.(${simplified}))) }`,
    '$number := $numberOf($version)',
    '$newNumber := $numberOf(newVersion)',
  ].join('; ');
}
