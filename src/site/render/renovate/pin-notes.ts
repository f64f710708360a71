import type { ComponentSummary } from '../../../decide/component.ts';
import type { PinFacts, PinnedLineFacts } from '../../../decide/pin-facts.ts';
import { matchIndex, writeComponentInCondition, writeComponentInNote } from './pin-packages.ts';
import {
  renderTable,
  writeJsonataLookup,
  writeTableLookup,
  writeTextBetween,
} from './text-table.ts';

// Sentences and labels of pull requests: one text with the facts on all components, which a Handlebars template and conditions of
// labels search. A label holds where a fact with its sentence is there.
//
// The facts on a component begin with the name of a line, as a replacement for the digit groups of a version. Behind it, each
// fact is `key=words` between bars: `2025.1=261008` is the end of a line with a day of this century. `describeFacts` writes all
// keys, and `listSentences` reads them.

type PinnedComponent = Pick<ComponentSummary, 'name' | 'pinFacts' | 'replacement'>;

/** Rules that add facts about the version in use to a pull request: sentences, and labels. One template and few rules for all. */
export function createPinRules(
  baseUrl: string,
  index: string,
  components: readonly PinnedComponent[],
): object[] {
  const facts = tabulateFacts(baseUrl, components);
  if (facts === '') {
    return [];
  }

  const notes = {
    matchJsonata: [matchIndex(index)],
    prBodyDefinitions: { [writeKeyOfFacts(index)]: facts },
    prBodyNotes: [renderNote(baseUrl, index)],
  };
  return [notes, ...createLabelRules(index)];
}

/** In front of the end of a line that still has support; the second, where its versions are deprecated. */
const endMarks = { soon: '~', later: '+', over: '', deprecated: '!' };

const undatedEnd = '.';

/** The digit groups that name a line. */
const digitGroups = String.raw`^[vV]?0*(\d+)(?:\.0*(\d+))?.*`;

/** The size of all facts, in characters: every run of every repository reads them. */
const maxFacts = 155_000;

/** For how many of its newest lines without an end a component says how far behind they are. */
const behindLimits = [20, 6, 3, 1, 0];

/** The facts on all components: every end and every fact on a version, and how far lines are behind if there is room. */
function tabulateFacts(baseUrl: string, components: readonly PinnedComponent[]): string {
  const policies = [...new Set(components.map(({ pinFacts }) => pinFacts.policy))];
  const texts = policies.map((policy, index) => [`p:${index}`, toMarkdown(policy)] as const);
  let table = '';

  for (const limit of behindLimits) {
    const facts = components.map(
      (component) => [component.name, describeFacts(component, limit, policies, baseUrl)] as const,
    );
    table = renderTable(new Map([...facts, ...texts]));
    if (table.length <= maxFacts) {
      break;
    }
  }

  return table;
}

/** The facts on a component; empty where nothing is known. */
function describeFacts(
  { pinFacts, replacement }: PinnedComponent,
  limit: number,
  policies: readonly string[],
  baseUrl: string,
): string {
  const { lines, versions, policy } = pinFacts;
  const digits = lines.every(({ line }) => /^v?\d+$/i.test(line)) ? '$1.' : '$1.$2';
  const facts: string[] = [];

  for (const line of lines) {
    if (line.support !== undefined) {
      facts.push(
        `${createLineKey(line.line, digits)}=${describeEnd(line, endMarks[line.support])}`,
      );
    }
  }

  const lagging = lines.filter(({ behind }) => behind !== '');
  for (const { line, behind } of lagging.slice(Math.max(0, lagging.length - limit))) {
    facts.push(`b${createLineKey(line, digits)}=${toMarkdown(behind)}`);
  }

  facts.push(...versions.flatMap(renderVersionFacts));
  if (replacement) {
    const { name, title } = replacement;
    facts.push(`r=[${toMarkdown(title)}](${baseUrl}/${name}.html)`);
  }
  if (policy !== '') {
    facts.push(`p=p:${policies.indexOf(policy)}`);
  }

  return facts.length === 0 ? '' : `${digits}|${facts.join('|')}|`;
}

/** The end of a line, with days of this century in six digits. */
function describeEnd({ end, isDeprecated }: PinnedLineFacts, mark: string): string {
  const days = end.replaceAll(/\b20(\d\d)-(\d\d)-(\d\d)\b/g, '$1$2$3');
  return `${mark}${isDeprecated ? endMarks.deprecated : ''}${days || undatedEnd}`;
}

/** As `digitGroups` and the name of a line in the facts make it from a version. */
function createLineKey(line: string, digits: string): string {
  const [, major = '', minor = ''] = new RegExp(digitGroups).exec(line) ?? [];
  return digits.replace('$1', major).replace('$2', minor);
}

function renderVersionFacts(
  { versions, affected, fixes, withdrawn, deprecated, isDeprecated }: PinFacts['versions'][number],
  index: number,
): string[] {
  const marks = [isDeprecated && 'd', affected && 's', fixes && 'f'].filter(Boolean).join('');
  const number = `${index}${marks}`;
  const words = Object.entries({ a: affected, f: fixes, w: withdrawn, d: deprecated });
  return [
    ...versions.map((version) => `v${simplifyVersion(version)}=${number}`),
    ...words
      .filter(([, text]) => text !== '')
      .map(([key, text]) => `${key}${number}=${toMarkdown(text)}`),
  ];
}

/** The key of the facts in the definitions of columns, next to that of the names of components. */
function writeKeyOfFacts(index: string): string {
  return `${index} facts`;
}

/** The template of a note: one paragraph for a dependency, with its sentences in the order in which people need them. */
function renderNote(baseUrl: string, index: string): string {
  const table = `@root.prBodyDefinitions.[${writeKeyOfFacts(index)}]`;
  const values = {
    name: writeComponentInNote(index),
    facts: writeTableLookup(table, 'name'),
    // Renovate does not parse the version in use where it finds no releases.
    version: '(replace "^$" @root.currentValue @root.currentVersion)',
    line: matchLine('version'),
    number: matchNumber('version'),
    newLine: matchLine('@root.newVersion'),
    newNumber: matchNumber('@root.newVersion'),
  };
  const sentences = listSentences(table);
  const isAny = `(or ${sentences.map(([fact]) => fact).join(' ')})`;
  const words = sentences.map(([fact, text]) => `{{#with ${fact} as |words|}}${text} {{/with}}`);
  let note = `{{#if ${isAny}}}${writeNoteStart(baseUrl)}${words.join('')}{{/if}}`;
  for (const [name, expression] of Object.entries(values).reverse()) {
    note = `{{#with ${expression} as |${name}|}}${note}{{/with}}`;
  }
  return note;
}

const proposed = '{{{@root.newVersion}}}';

/** Each sentence with its fact, whose text is `words`. */
function listSentences(table: string): [fact: string, sentence: string][] {
  const policy = writeTableLookup(table, readFact('p', '""'));

  return [
    [readFact('a@', 'number'), 'Affected by {{{words}}}.'],
    [readFact('a@', 'newNumber'), `${proposed} is affected by {{{words}}}.`],
    [readFact('f@', 'newNumber'), `${proposed} fixes {{{words}}}.`],
    [readFact('w@', 'number'), '{{{words}}}'],
    [
      readFact('@', 'line'),
      `${endSentence('')}{{#with ${policy} as |policy|}} {{{policy}}}{{/with}}`,
    ],
    [
      readFact('b@', 'line'),
      'No end of support is stated. The newest release of its line is {{{words}}}.',
    ],
    [readFact('d@', 'number'), '{{{words}}}'],
    [readFact('r', '""'), 'Replaced by {{{words}}}.'],
    [
      readFact('@', 'newLine'),
      `{{#unless (equals newLine line)}}${endSentence(` of ${proposed}`)}{{/unless}}`,
    ],
  ];
}

function endSentence(subject: string): string {
  const days = String.raw`{{{replace "^[~+]?!?" "" (replace "\b(\d\d)(\d\d)(\d\d)\b" "20$1-$2-$3" words)}}}`;
  return `{{#if (equals words "${undatedEnd}")}}Support${subject} has ended.{{else}}End of support${subject}: ${days}.{{/if}}`;
}

/** The words of a fact on the component. */
function readFact(key: string, value: string): string {
  return writeTextBetween('facts', `|${key}=`, value, '|');
}

/** The line of a version; never empty, so that a block with it is rendered. */
function matchLine(version: string): string {
  return `(replace "^$" "-" (replace "${digitGroups}" (lookup (split facts "|") 0) ${version}))`;
}

/** The number of the facts on a version; never empty. */
function matchNumber(version: string): string {
  const plain = String.raw`(replace "^(\d+\.\d+)\.0$" "$1" (replace "^[vV]" "" ${version}))`;
  return `(replace "^$" "-" ${readFact('v@', plain)})`;
}

/** `**[svc 2025.1](…)**: `, with a link to the verdict on this version. */
function writeNoteStart(baseUrl: string): string {
  return `**[{{{name}}} {{{version}}}](${baseUrl}/{{{name}}}.html#v{{{version}}})**: `;
}

/** `X.Y` for `vX.Y.0`, which name one release. */
function simplifyVersion(version: string): string {
  return version.replace(/^v/i, '').replace(/^(\d+\.\d+)\.0$/, '$1');
}

/** The facts for each label: `$end` of the line in use, `$number` of the version in use, and `$newNumber` of the proposed one. */
const labelConditions = {
  // No mark, and not `$1.$2`, which is found where a line has no end.
  unsupported: '$contains($end, /^[^~+$]/)',
  'support-ends': `$contains($end, "${endMarks.soon}")`,
  deprecated: `$contains($end, "${endMarks.deprecated}") or $contains($number, "d")`,
  security: '$contains($number, "s") or $contains($newNumber, "f")',
};

/** A rule for each label. A label holds where its fact is, which is also a sentence. */
function createLabelRules(index: string): object[] {
  return Object.entries(labelConditions).map(([label, condition]) => ({
    matchJsonata: [writeFactsCondition(index, condition)],
    addLabels: [label],
  }));
}

function writeFactsCondition(index: string, condition: string): string {
  const table = `prBodyDefinitions.\`${writeKeyOfFacts(index)}\``;
  const plain = String.raw`$replace($replace($string($), /^[vV]/, ""), /^(\d+\.\d+)\.0$/, "$1")`;
  const steps = [
    `$component := ${writeComponentInCondition(index)}`,
    `$facts := ${writeJsonataLookup(table, '$component')}`,
    // Without the fact, the text before the first bar.
    '$factOf := function($key) { $substringBefore($substringAfter($facts, "|" & $key & "="), "|") }',
    '$version := $string(currentVersion ? currentVersion : currentValue)',
    `$end := $factOf($replace($version, /${digitGroups}/, $substringBefore($facts, "|")))`,
    `$numberOf := function($version) { $factOf("v" & ($version.(${plain}))) }`,
    '$number := $numberOf($version)',
    '$newNumber := $numberOf(newVersion)',
    condition,
  ];

  return `${matchIndex(index)} and (${steps.join('; ')})`;
}

/**
 * Escapes a text for Markdown. Reasons come from upstream, and a forge would turn their names, numbers and addresses into mentions
 * and links. Removes invisible characters, since Renovate warns about them.
 */
function toMarkdown(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[@#]|www\.|:\/\/|[&"\\`*_{}[\]<>|~]/gi, (special) => {
      if (special === '://') {
        return '&#58;//';
      }

      // A zero-width space breaks the name, number or address.
      return /^[@#w]/i.test(special) ? `${special}&#8203;` : `&#${special.charCodeAt(0)};`;
    });
}
