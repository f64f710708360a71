import type { ComponentSummary } from '../../../decide/component.ts';
import type { PinnedLineFacts, VersionFacts } from '../../../decide/pin-facts.ts';
import { tableText, textBetween, textInTable } from './package-table.ts';
import { componentInNote } from './pin-packages.ts';
import { lineGroups, plainVersion } from './pin-versions.ts';

// Sentences in pull requests: a Handlebars template for many components, with their facts as a text. A fact is `key=words` between
// bars: `e2025.1=2026-10-08` is the end of a line, `b` how far it is behind, `o` the sentence on older lines, `p` the number of the
// policy, `v` the number of the facts on a version, and `a1` and `d1` these facts.

export type PinnedComponent = Pick<ComponentSummary, 'name' | 'latest' | 'pinFacts'>;

/** How many release lines of a component are told one by one: those with support, and in all the newest ones. */
interface Limits {
  readonly open: number;
  readonly all: number;
}

const usualLimits: Limits = { open: 20, all: 20 };

/** Every repository pays for each line of each component. */
const limitsOfMany: Limits = { open: 6, all: 3 };
const manyComponents = 100;

/** Components whose versions are looked up in the same way. */
interface Table {
  readonly components: readonly PinnedComponent[];
  /** The digit groups in the name of a line. */
  readonly groups: number;
  /** Renovate's field with the version in use. */
  readonly inUse: string;
  readonly limits: Limits;
  /** Why support ends, each once. */
  readonly policies: readonly string[];
}

/** One template for each table. Its sentences come in the order in which people need them. */
export function pinNotes(
  baseUrl: string,
  index: string,
  components: readonly PinnedComponent[],
): string[] {
  return tablesOf(components)
    .map((table) => noteOf(table, baseUrl, index))
    .filter((note) => note !== '');
}

function tablesOf(components: readonly PinnedComponent[]): Table[] {
  const limits = components.length > manyComponents ? limitsOfMany : usualLimits;
  const alike = Map.groupBy(components, ({ latest, pinFacts }) => {
    const isMajor = pinFacts.lines.every(({ line }) => lineGroups(line).length === 1);
    // Renovate does not parse the version in use where it finds no releases.
    return `${isMajor ? 1 : 2} ${latest ? 'currentVersion' : 'currentValue'}`;
  });

  return Array.from(alike, ([key, members]) => {
    const [groups, inUse = ''] = key.split(' ');
    const policies = [...new Set(members.map(({ pinFacts }) => pinFacts.policy))];

    return { components: members, groups: Number(groups), inUse, limits, policies };
  });
}

function noteOf(table: Table, baseUrl: string, index: string): string {
  const facts = tableText(
    new Map(table.components.map((component) => [component.name, factsOf(table, component)])),
  );
  if (facts === '') {
    return '';
  }

  const sentences = sentencesOf(table, startOfNote(table, baseUrl))
    .filter(([key]) => facts.includes(`|${key}`))
    .map(([, sentence]) => sentence);
  const ofComponent = textInTable(`"${facts}"`, 'name');

  return `{{#with ${componentInNote(index)} as |name|}}{{#with ${ofComponent} as |facts|}}${sentences.join('')}{{/with}}{{/with}}`;
}

/** The facts on a component, each between bars; empty where nothing is known. */
function factsOf(table: Table, { pinFacts }: PinnedComponent): string {
  const { lines, versions, policy } = pinFacts;
  const older = olderEnds(lines, table.limits);
  const facts = [
    ...endsOf(lines, table.limits).map(({ line, end }) => `e${lineKey(line)}=${toMarkdown(end)}`),
    ...(older === '' ? [] : [`o=${older}`]),
    ...behindOf(lines, table.limits).map(
      ({ line, behind }) => `b${lineKey(line)}=${toMarkdown(behind)}`,
    ),
    ...versions.flatMap(factsOfVersions),
  ];
  if (facts.length === 0) {
    return '';
  }

  if (policy !== '') {
    facts.push(`p=${table.policies.indexOf(policy)}`);
  }

  return `|${facts.join('|')}|`;
}

function factsOfVersions(
  { versions, advisories, deprecated }: VersionFacts,
  index: number,
): string[] {
  const words = Object.entries({ a: advisories, d: deprecated }).filter(([, text]) => text !== '');
  const numbers =
    words.length === 0 ? [] : versions.map((version) => `v${plainVersion(version)}=${index}`);

  return [...numbers, ...words.map(([key, text]) => `${key}${index}=${toMarkdown(text)}`)];
}

/** Each sentence with the key of its facts. `facts` are all facts on the component, `words` those of the key. */
function sentencesOf(table: Table, start: string): [key: string, sentence: string][] {
  const inUse = `@root.${table.inUse}`;
  const [line, newLine] = [lineOf(inUse, table), lineOf('@root.newVersion', table)];
  const ofVersion = factOf('v@', plainVersionOf(inUse));
  const end = `${start}End of support: {{{words}}}.${policyNote(table)}\n\n`;
  const older = withFact(factOf('o', line), `${start}{{{words}}}`);

  return [
    ['a', withFact(factOf('a@', ofVersion), `${start}{{{words}}}`)],
    ['e', `{{#with ${factOf('e@', line)} as |words|}}${end}{{else}}${older}{{/with}}`],
    [
      'b',
      withFact(
        factOf('b@', line),
        `${start}Nobody states how long it is supported. The newest release of its line is {{{words}}}.`,
      ),
    ],
    ['d', withFact(factOf('d@', ofVersion), `${start}{{{words}}}`)],
    [
      'e',
      `{{#if @root.newVersion}}{{#unless (equals ${newLine} ${line})}}${withFact(
        factOf('e@', newLine),
        `${start}End of support of {{{@root.newVersion}}}: {{{words}}}.`,
      )}{{/unless}}{{/if}}`,
    ],
  ];
}

function withFact(fact: string, text: string): string {
  return `{{#with ${fact} as |words|}}${text}\n\n{{/with}}`;
}

function factOf(key: string, value: string): string {
  return textBetween('facts', `|${key}=`, value, '|');
}

/** `**[svc 2025.1](…)**: `, with a link to the page from this version to the proposed version. */
function startOfNote({ inUse }: Table, baseUrl: string): string {
  const version = `{{{@root.${inUse}}}}`;
  const target = '{{#if @root.newVersion}}...{{{@root.newVersion}}}{{/if}}';

  return `**[{{{name}}} ${version}](${baseUrl}/{{{name}}}.html#v${version}${target})**: `;
}

/** Why support ends. Many components share a policy. */
function policyNote({ policies }: Table): string {
  const texts = policies.map((policy) => `"${policy === '' ? '' : ` ${toMarkdown(policy)}`}"`);

  return policies.join('') === ''
    ? ''
    : `{{{lookup (toArray ${texts.join(' ')}) ${factOf('p', '')}}}}`;
}

/** Lines with an end, as many as are told one by one. */
function endsOf(lines: readonly PinnedLineFacts[], limits: Limits): PinnedLineFacts[] {
  const ends = lines.filter(({ end }) => end !== '');
  const open = ends.filter(({ isOver }) => !isOver).slice(-limits.open);
  const others = ends.filter(({ isOver }) => isOver);
  const newest = others.slice(others.length - Math.max(0, limits.all - open.length));

  return ends.filter((line) => open.includes(line) || newest.includes(line));
}

/** `Support of releases before 2024.1 ended by 2023-05-01.`; empty where no end is left, or where one of them lies ahead. */
function olderEnds(lines: readonly PinnedLineFacts[], limits: Limits): string {
  const [first, ...others] = endsOf(lines, limits);
  const older = lines.filter((line) => line.end !== '' && line !== first && !others.includes(line));
  const days = older.map(({ endedBy }) => endedBy);
  if (!first || older.length === 0 || days.includes(undefined)) {
    return '';
  }

  return `Support of releases before ${first.line} ended by ${days.toSorted().at(-1)}.`;
}

function behindOf(lines: readonly PinnedLineFacts[], limits: Limits): PinnedLineFacts[] {
  return lines.filter(({ behind }) => behind !== '').slice(-limits.all);
}

function lineKey(line: string): string {
  return lineGroups(line).join('.');
}

/** The line of a version, as a Handlebars expression. */
function lineOf(version: string, { groups }: Table): string {
  return groups === 1
    ? String.raw`(replace "^v?0*(\d+).*" "$1" ${version})`
    : String.raw`(replace "^v?0*(\d+)\.0*(\d+).*" "$1.$2" ${version})`;
}

/** `plainVersion` as a Handlebars expression. */
function plainVersionOf(version: string): string {
  return String.raw`(replace "^(\d+\.\d+)\.0$" "$1" (replace "^[vV]" "" ${version}))`;
}

/**
 * Escapes a text for Markdown inside a Handlebars string. Reasons come from upstream, and a forge would turn their names, numbers
 * and addresses into mentions and links. Removes invisible characters, since Renovate warns about them.
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
