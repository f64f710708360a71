import { escapeForExpression } from '../../core/expression.ts';
import { parseVersion } from '../../core/version.ts';
import type { ComponentSummary } from '../../decide/component.ts';
import type { FactsOnLine, PinLabel } from '../../decide/pin-facts.ts';
import type { SiteContext } from './site-context.ts';

// Rules for Renovate that add facts about the version in use to a pull request.

type PinnedComponent = Pick<ComponentSummary, 'latest' | 'factsOnLines' | 'factsOnVersions'>;

const labelsOfLines: readonly PinLabel[] = ['unsupported', 'support-ends', 'deprecated'];

/** Rules that add a sentence on the version in use, and labels. */
export function pinRules({ baseUrl }: Pick<SiteContext, 'baseUrl'>) {
  return ({ latest, factsOnLines, factsOnVersions }: PinnedComponent): object[] => {
    // If a component has no releases to offer, Renovate does not parse the version in use.
    const version = latest ? 'currentVersion' : 'currentValue';
    const start = startOfNote(baseUrl, version);
    const known = factsOnLines.filter(({ text }) => text !== '');
    return [
      ...(known.length > 0 ? [{ prBodyNotes: [noteOnLines(known, version, start)] }] : []),
      ...labelsOfLines.flatMap((label) => {
        const patterns = linePatterns(factsOnLines, label);
        if (patterns.length === 0) {
          return [];
        }
        const matchCurrentVersion = `/^v?0*(?:${patterns.join('|')})/`;
        return {
          matchCurrentVersion,
          addLabels: [label],
          prPriority: label === 'unsupported' ? 5 : undefined,
        };
      }),
      ...factsOnVersions.map(({ versions, text, labels }) => ({
        matchCurrentVersion: `/^v?(?:${versions.map((version) => escapeForExpression(version.replace(/^v/i, ''))).join('|')})$/`,
        addLabels: labels.length > 0 ? labels : undefined,
        prBodyNotes: [start + toMarkdown(text)],
      })),
    ];
  };
}

/** `**[svc 2025.1](…)**: `, with a link to the page from this version to the proposed version. */
function startOfNote(baseUrl: string, version: string): string {
  const target = '{{#if newVersion}}...{{{newVersion}}}{{/if}}';
  return `**[{{{packageName}}} {{{${version}}}}](${baseUrl}/{{{packageName}}}.html#v{{{${version}}}}${target})**: `;
}

/** One template for all lines: one rule for each line would make the preset several times as large. */
function noteOnLines(facts: readonly FactsOnLine[], version: string, start: string): string {
  const texts = facts.map(({ line, text }) => [
    `"${groupsOf(line).join('.')}"`,
    `"${toMarkdown(text)}"`,
  ]);
  const [pattern, line] = facts.every((each) => groupsOf(each.line).length === 1)
    ? [String.raw`^v?0*(\d+).*`, '$1']
    : [String.raw`^v?0*(\d+)\.0*(\d+).*`, '$1.$2'];
  const key = `(replace "${pattern}" "${line}" ${version})`;
  const isKnown = `(includes (toArray ${texts.map(([name]) => name).join(' ')}) ${key})`;
  return `{{#if ${isKnown}}}${start}{{{lookup (toObject ${texts.flat().join(' ')}) ${key}}}}{{/if}}`;
}

/** Patterns for the lines with a label. If all lines of a major version have it, one pattern matches the major version. */
function linePatterns(facts: readonly FactsOnLine[], label: PinLabel): string[] {
  const byMajor = Map.groupBy(facts, ({ line }) => String(groupsOf(line)[0]));
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
