import { escapeForExpression } from '../../../core/text/expression.ts';
import { parseVersion } from '../../../core/model/version.ts';
import type { ComponentSummary } from '../../../decide/component.ts';
import type { LineFacts, PinFacts, PinLabel, VersionFacts } from '../../../decide/pin-facts.ts';
import type { SiteContext } from '../site-context.ts';

// Rules for Renovate that add facts about the version in use to a pull request, in the order in which people need them.

type PinnedComponent = Pick<ComponentSummary, 'name' | 'definition' | 'latest' | 'pinFacts'>;

/** How many release lines of a component are told one by one: those with support, and in all the newest ones. */
interface Limits {
  readonly open: number;
  readonly all: number;
}

const usualLimits: Limits = { open: 20, all: 20 };

/** Every repository pays for each line of each component. */
const limitsOfMany: Limits = { open: 6, all: 3 };
const manyComponents = 100;

/** The versions that rules are about. */
export interface PinScope {
  /** The conditions for all of them. */
  readonly conditions: object;
  /** The conditions for the versions of one component. */
  conditionsOf(component: PinnedComponent): object;
  /** The component's name in Handlebars: `packageName` below a comment, else the name itself. */
  readonly name: string;
}

/**
 * Rules that add sentences on the version in use and on the proposed version, and labels. The sentences on lines are one template
 * for all components: a rule for each costs every run.
 */
export function pinRules(
  { baseUrl }: Pick<SiteContext, 'baseUrl'>,
  components: readonly PinnedComponent[],
  scope: PinScope,
): object[] {
  const tables = tablesOf(components);

  const noteOf = (make: (table: Table, writer: NoteWriter) => string): object[] => {
    const prBodyNotes = tables
      .map((table) => make(table, { baseUrl, name: scope.name }))
      .filter((note) => note !== '');
    return prBodyNotes.length > 0 ? [{ ...scope.conditions, prBodyNotes }] : [];
  };

  const onVersions = (
    make: (facts: VersionFacts, component: PinnedComponent) => object | undefined,
  ): object[] =>
    components.flatMap((component) => {
      const rules = component.pinFacts.versions.map((facts) => make(facts, component));
      return withConditions(rules, scope.conditionsOf(component));
    });

  return [
    ...onVersions(({ versions, advisories }, component) =>
      versionNote(versions, startOfNote(baseUrl, component.name, inUseOf(component)), advisories),
    ),
    ...noteOf(endNote),
    ...noteOf(behindNote),
    ...onVersions(({ versions, deprecated }, component) =>
      versionNote(versions, startOfNote(baseUrl, component.name, inUseOf(component)), deprecated),
    ),
    ...noteOf(proposalNote),
    ...components.flatMap((component) =>
      withConditions(labelRules(component.pinFacts.lines), scope.conditionsOf(component)),
    ),
    ...onVersions(({ versions, labels }) => versionLabels(versions, labels)),
  ];
}

function withConditions(rules: readonly (object | undefined)[], conditions: object): object[] {
  return rules.filter((rule) => rule !== undefined).map((rule) => ({ ...conditions, ...rule }));
}

/** Components whose versions are looked up in the same way. */
interface Table {
  readonly components: readonly PinnedComponent[];
  /** The digit groups in the name of a line. */
  readonly groups: number;
  /** Renovate's field with the version in use. */
  readonly inUse: string;
  readonly limits: Limits;
}

function tablesOf(components: readonly PinnedComponent[]): Table[] {
  const alike = Map.groupBy(components, (component) => {
    const groups = component.pinFacts.lines.every(({ line }) => groupsOf(line).length === 1)
      ? 1
      : 2;
    return `${groups} ${inUseOf(component)}`;
  });

  return Array.from(alike, ([key, members]) => {
    const [groups, inUse = ''] = key.split(' ');
    const limits = components.length > manyComponents ? limitsOfMany : usualLimits;

    return { components: members, groups: Number(groups), inUse, limits };
  });
}

/** If a component has no releases to offer, Renovate does not parse the version in use. */
function inUseOf({ latest }: PinnedComponent): string {
  return latest ? 'currentVersion' : 'currentValue';
}

interface NoteWriter {
  readonly baseUrl: string;
  readonly name: string;
}

/** `**[svc 2025.1](…)**: `, with a link to the page from this version to the proposed version. */
function startOfNote(baseUrl: string, name: string, inUse: string): string {
  const version = `{{{@root.${inUse}}}}`;
  const target = '{{#if @root.newVersion}}...{{{@root.newVersion}}}{{/if}}';

  return `**[${name} ${version}](${baseUrl}/${name}.html#v${version}${target})**: `;
}

/** Ends before those of the table share a sentence, which is true of every version. */
function endNote(table: Table, { baseUrl, name }: NoteWriter): string {
  const start = startOfNote(baseUrl, name, table.inUse);
  const because = policyNote(table, name);
  const older = valueByName(table, name, ({ lines }) => quoted(olderEnds(lines, table.limits)));
  const otherwise = older === '' ? '' : `{{else}}{{#with ${older}}}${start}{{{this}}}{{/with}}`;

  return noteOnLines(
    table,
    name,
    table.inUse,
    ({ lines }) => endsOf(lines, table.limits).map(({ line, end }) => [line, end]),
    `${start}End of support: {{{this}}}.${because}${otherwise}`,
  );
}

/** Why support ends. Many components share a policy. */
function policyNote({ components }: Table, name: string): string {
  const byPolicy = Map.groupBy(components, ({ pinFacts }) => pinFacts.policy);
  byPolicy.delete('');

  return Array.from(byPolicy, ([policy, members]) => {
    const text = ` ${toMarkdown(policy)}`;
    const names = members.flatMap(namesOf).map((each) => `"${each}"`);

    return name.startsWith('{')
      ? `{{#if (includes (toArray ${names.join(' ')}) @root.packageName)}}${text}{{/if}}`
      : text;
  }).join('');
}

function namesOf({ name, definition }: PinnedComponent): string[] {
  return [name, ...(definition.renamedFrom ?? [])];
}

/** Lines with an end, as many as are told one by one. */
function endsOf(lines: readonly LineFacts[], limits: Limits): LineFacts[] {
  const ends = lines.filter(({ end }) => end !== '');
  const open = ends.filter(({ isOver }) => !isOver).slice(-limits.open);
  const others = ends.filter(({ isOver }) => isOver);
  const newest = others.slice(others.length - Math.max(0, limits.all - open.length));

  return ends.filter((line) => open.includes(line) || newest.includes(line));
}

/** `Support of releases before 2024.1 ended by 2023-05-01.`; empty where no end is left, or where one of them lies ahead. */
function olderEnds(lines: readonly LineFacts[], limits: Limits): string {
  const [first, ...others] = endsOf(lines, limits);
  const older = lines.filter((line) => line.end !== '' && line !== first && !others.includes(line));
  const days = older.map(({ endedBy }) => endedBy);
  if (!first || older.length === 0 || days.includes(undefined)) {
    return '';
  }

  return `Support of releases before ${first.line} ended by ${days.toSorted().at(-1)}.`;
}

function behindNote(table: Table, { baseUrl, name }: NoteWriter): string {
  return noteOnLines(
    table,
    name,
    table.inUse,
    ({ lines }) =>
      lines
        .filter(({ behind }) => behind !== '')
        .slice(-table.limits.all)
        .map(({ line, behind }) => [line, behind]),
    `${startOfNote(baseUrl, name, table.inUse)}Nobody states how long it is supported. The newest release of its line is {{{this}}}.`,
  );
}

/** Until when the proposed version is supported, if it is of another line than the version in use. */
function proposalNote(table: Table, { baseUrl, name }: NoteWriter): string {
  const start = startOfNote(baseUrl, name, table.inUse);
  const lineInUse = lineOf('@root.newVersion', table);
  const isOther = `{{#unless (equals ${lineInUse} ${lineOf(`@root.${table.inUse}`, table)})}}`;

  const note = noteOnLines(
    table,
    name,
    'newVersion',
    ({ lines }) =>
      endsOf(lines, table.limits)
        .filter(({ isOver }) => !isOver)
        .map(({ line, end }) => [line, end]),
    `${isOther}${start}End of support of {{{@root.newVersion}}}: {{{this}}}.{{/unless}}`,
  );

  return note === '' ? '' : `{{#if newVersion}}${note}{{/if}}`;
}

/** A Handlebars template with a text for each line of each component, in which `this` is the value of the line. */
function noteOnLines(
  table: Table,
  name: string,
  version: string,
  valuesOf: (facts: PinFacts) => (readonly [line: string, value: string])[],
  text: string,
): string {
  const lines = valueByName(table, name, (facts) => {
    const entries = valuesOf(facts).map(
      ([line, value]) => `"${groupsOf(line).join('.')}" ${quoted(value)}`,
    );
    return entries.length > 0 ? `(toObject ${entries.join(' ')})` : '';
  });

  const line = lineOf(`@root.${version}`, table);

  return lines === ''
    ? ''
    : `{{#with ${lines}}}{{#with (lookup this ${line})}}${text}{{/with}}{{/with}}`;
}

/** A Handlebars expression with the value of the component; empty where no component has one. */
function valueByName(
  { components }: Table,
  name: string,
  valueOf: (facts: PinFacts) => string,
): string {
  const values = components
    .flatMap((component) => {
      const value = valueOf(component.pinFacts);
      return namesOf(component).map((each) => ({ name: each, value }));
    })
    .filter(({ value }) => value !== '' && value !== '""');
  if (values.length === 0) {
    return '';
  }

  if (!name.startsWith('{')) {
    return values[0]!.value;
  }

  const entries = values.map((each) => `"${each.name}" ${each.value}`);

  return `(lookup (toObject ${entries.join(' ')}) @root.packageName)`;
}

/** The line of a version, as a Handlebars expression. */
function lineOf(version: string, { groups }: Table): string {
  return groups === 1
    ? String.raw`(replace "^v?0*(\d+).*" "$1" ${version})`
    : String.raw`(replace "^v?0*(\d+)\.0*(\d+).*" "$1.$2" ${version})`;
}

function quoted(text: string): string {
  return `"${toMarkdown(text)}"`;
}

function versionNote(versions: readonly string[], start: string, text: string): object | undefined {
  return text === ''
    ? undefined
    : { matchCurrentVersion: exactly(versions), prBodyNotes: [start + toMarkdown(text)] };
}

function versionLabels(
  versions: readonly string[],
  addLabels: readonly PinLabel[],
): object | undefined {
  return addLabels.length === 0 ? undefined : { matchCurrentVersion: exactly(versions), addLabels };
}

/** `X.Y` and `X.Y.0` name one release. */
function exactly(versions: readonly string[]): string {
  const texts = versions.map((version) => {
    const [, feature] = /^v?(\d+\.\d+)(?:\.0)?$/i.exec(version) ?? [];
    return feature === undefined
      ? escapeForExpression(version.replace(/^v/i, ''))
      : `${escapeForExpression(feature)}(?:\\.0)?`;
  });

  return `/^v?(?:${texts.join('|')})$/`;
}

function labelRules(lines: readonly LineFacts[]): (object | undefined)[] {
  return (['unsupported', 'support-ends', 'deprecated'] as const).map((label) => {
    const matchCurrentVersion = patternOf(lines, ({ labels }) => labels.includes(label));
    const prPriority = label === 'unsupported' ? 5 : undefined;

    return matchCurrentVersion === undefined
      ? undefined
      : { matchCurrentVersion, addLabels: [label], prPriority };
  });
}

/** Matches the versions of some lines. If all lines of a major version are among them, it names the major version alone. */
function patternOf(
  lines: readonly LineFacts[],
  isWanted: (line: LineFacts) => boolean,
): string | undefined {
  const whole: string[] = [];
  const single: string[] = [];
  const parts: string[] = [];

  for (const [major, ofMajor] of Map.groupBy(lines, ({ line }) => String(groupsOf(line)[0]))) {
    const wanted = ofMajor.filter(isWanted).map(({ line }) => groupsOf(line));
    if (wanted.length === ofMajor.length) {
      whole.push(major);
      continue;
    }

    const minors = wanted.filter((groups) => groups.length > 1).map((groups) => groups[1]);
    if (wanted.length > minors.length) {
      single.push(major);
    }

    if (minors.length > 0) {
      parts.push(`${major}\\.0*(?:${minors.join('|')})(?:\\D|$)`);
    }
  }

  if (whole.length > 0) {
    parts.push(`(?:${whole.join('|')})(?:\\D|$)`);
  }

  if (single.length > 0) {
    parts.push(`(?:${single.join('|')})(?:[^.\\d]|$)`);
  }

  return parts.length > 0 ? `/^v?0*(?:${parts.join('|')})/` : undefined;
}

function groupsOf(line: string): readonly (number | bigint)[] {
  return parseVersion(line)!.groups;
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
