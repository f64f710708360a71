import { escapeForExpression } from '../../core/expression.ts';
import { parseVersion } from '../../core/version.ts';
import type { ComponentSummary } from '../../decide/component.ts';
import type { LineFacts, PinFacts, PinLabel } from '../../decide/pin-facts.ts';
import type { SiteContext } from './site-context.ts';

// Rules for Renovate that add facts about the version in use to a pull request, in the order in which people need them.

type PinnedComponent = Pick<ComponentSummary, 'name' | 'latest' | 'pinFacts'>;

const labelsOfLines: readonly PinLabel[] = ['unsupported', 'support-ends', 'deprecated'];

/** Rules that add sentences on the version in use, on the proposed version, and labels. */
export function pinRules({ baseUrl }: Pick<SiteContext, 'baseUrl'>) {
  return ({ name, latest, pinFacts }: PinnedComponent): object[] => {
    const { policy, lines, versions } = pinFacts;
    // If a component has no releases to offer, Renovate does not parse the version in use.
    const inUse = latest ? 'currentVersion' : 'currentValue';
    const start = startOfNote(baseUrl, name, inUse);
    const ends = lines.filter(({ end }) => end !== '');
    const behind = lines.filter((line) => line.behind !== '');

    const rules = [
      ...versions.map((facts) => versionRule(facts.versions, start, facts.advisories)),
      endRule(ends, inUse, start, policy),
      behindRule(behind, inUse, start),
      ...versions.map((facts) => versionRule(facts.versions, start, facts.deprecated)),
      proposalRule(ends, inUse, start),
      ...labelsOfLines.map((label) => lineLabelRule(lines, label)),
      ...versions.map((facts) => versionLabelRule(facts.versions, facts.labels)),
    ];
    return rules.filter((rule) => rule !== undefined);
  };
}

/** `**[svc 2025.1](…)**: `, with a link to the page from this version to the proposed version. */
function startOfNote(baseUrl: string, name: string, inUse: string): string {
  const target = '{{#if newVersion}}...{{{newVersion}}}{{/if}}';
  return `**[${name} {{{${inUse}}}}](${baseUrl}/${name}.html#v{{{${inUse}}}}${target})**: `;
}

function endRule(
  ends: readonly LineFacts[],
  inUse: string,
  start: string,
  policy: string,
): object | undefined {
  if (ends.length === 0) {
    return undefined;
  }
  const { isListed, value } = lookUp(ends, ({ end }) => end, inUse);
  const why = policy === '' ? '' : ` ${toMarkdown(policy)}`;
  return {
    prBodyNotes: [`{{#if ${isListed}}}${start}End of support: {{{${value}}}}.${why}{{/if}}`],
  };
}

function behindRule(
  behind: readonly LineFacts[],
  inUse: string,
  start: string,
): object | undefined {
  if (behind.length === 0) {
    return undefined;
  }
  const { isListed, value } = lookUp(behind, (line) => line.behind, inUse);
  const text = `Nobody states how long it is supported. The newest release of its line is {{{${value}}}}.`;
  return { prBodyNotes: [`{{#if ${isListed}}}${start}${text}{{/if}}`] };
}

/** Until when the proposed version is supported, if that differs from the version in use. */
function proposalRule(
  ends: readonly LineFacts[],
  inUse: string,
  start: string,
): object | undefined {
  const open = ends.filter(({ isOver }) => !isOver);
  if (open.length === 0) {
    return undefined;
  }
  const { isListed, value, key } = lookUp(open, ({ end }) => end, 'newVersion');
  const isOther = `{{#unless (equals ${key} ${lookUp(open, () => '', inUse).key})}}`;
  const text = `End of support of {{{newVersion}}}: {{{${value}}}}.`;
  return {
    prBodyNotes: [
      `{{#if newVersion}}{{#if ${isListed}}}${isOther}${start}${text}{{/unless}}{{/if}}{{/if}}`,
    ],
  };
}

/** Handlebars expressions on the line of a version. One template for all lines: a rule for each would cost every run. */
function lookUp(
  lines: readonly LineFacts[],
  valueOf: (line: LineFacts) => string,
  version: string,
): { key: string; isListed: string; value: string } {
  const entries = lines.map((line) => [
    `"${groupsOf(line.line).join('.')}"`,
    `"${toMarkdown(valueOf(line))}"`,
  ]);
  const [pattern, group] = lines.every(({ line }) => groupsOf(line).length === 1)
    ? [String.raw`^v?0*(\d+).*`, '$1']
    : [String.raw`^v?0*(\d+)\.0*(\d+).*`, '$1.$2'];
  const key = `(replace "${pattern}" "${group}" ${version})`;
  return {
    key,
    isListed: `(includes (toArray ${entries.map(([line]) => line).join(' ')}) ${key})`,
    value: `lookup (toObject ${entries.flat().join(' ')}) ${key}`,
  };
}

function versionRule(versions: readonly string[], start: string, text: string): object | undefined {
  return text === ''
    ? undefined
    : { matchCurrentVersion: exactly(versions), prBodyNotes: [start + toMarkdown(text)] };
}

function versionLabelRule(
  versions: readonly string[],
  addLabels: readonly PinLabel[],
): object | undefined {
  return addLabels.length === 0 ? undefined : { matchCurrentVersion: exactly(versions), addLabels };
}

function exactly(versions: readonly string[]): string {
  const texts = versions.map((version) => escapeForExpression(version.replace(/^v/i, '')));
  return `/^v?(?:${texts.join('|')})$/`;
}

function lineLabelRule(lines: PinFacts['lines'], label: PinLabel): object | undefined {
  const patterns = linePatterns(lines, label);
  if (patterns.length === 0) {
    return undefined;
  }
  return {
    matchCurrentVersion: `/^v?0*(?:${patterns.join('|')})/`,
    addLabels: [label],
    prPriority: label === 'unsupported' ? 5 : undefined,
  };
}

/** Patterns for the lines with a label. If all lines of a major version have it, one pattern matches the major version. */
function linePatterns(lines: readonly LineFacts[], label: PinLabel): string[] {
  const byMajor = Map.groupBy(lines, ({ line }) => String(groupsOf(line)[0]));
  return Array.from(byMajor).flatMap(([major, ofMajor]) => {
    const labelled = ofMajor.filter(({ labels }) => labels.includes(label));
    if (labelled.length === ofMajor.length) {
      return [`${major}(?:\\D|$)`];
    }
    return labelled.map(({ line }) => {
      const groups = groupsOf(line);
      return groups.length === 1 ? `${major}(?:[^.\\d]|$)` : `${groups.join('\\.0*')}(?:\\D|$)`;
    });
  });
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
