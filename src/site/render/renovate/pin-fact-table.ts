import type { ComponentSummary } from '../../../decide/component-summary.ts';
import type { PinFacts, PinnedLineFacts } from '../../../decide/pin-facts.ts';
import { renderTable } from './text-table.ts';

// The facts are one text that a rule carries. A component has a record such as
//
//   <svc>$1.$2|2025.1=~261008|2026.1=+271231|v2025.1.3=0s|a0s=CVE-2026-1 (high)|p=p:1|
//
// Its first part makes the name of a line out of the groups of `digitGroups`. Behind it, each fact is a key and words between bars.
// If only some lines have two numbers in their names, as 9.6 and 17, `l17.=17.` says that 17.1 belongs to the line 17.
// Here, support of 2025.1 ends soon, on 2026-10-08. Versions with equal facts are a group, named by its position and marks, such as
// `0s`: 2025.1.3 is in the first group, which an advisory affects.
// The policy has a record of its own, `<p:1>A release line is supported for 12 months.`, since many components have the same.
//
// Renovate reads the text without our program: see pin-notes.ts.

export type PinnedComponent = Pick<ComponentSummary, 'name' | 'pinFacts' | 'replacement'>;

/** The name under which rules and templates find the facts. */
export function nameFactTable(index: string): string {
  return `${index} facts`;
}

/** The keys of facts. `@` is the name of a line, a version, or the name of a group of versions. */
export const factKeys = {
  /** The name of the line itself, where it does not follow from the form of a version. */
  line: 'l@',
  end: '@',
  lag: 'b@',
  /** The name of the group of a version. */
  group: 'v@',
  affected: 'a@',
  fixes: 'f@',
  withdrawn: 'w@',
  deprecated: 'd@',
  replacement: 'r',
  policy: 'p',
};

export type FactName = keyof typeof factKeys;

/** In front of the days of an end: `~261008`, `+!271231`. An end that is over has no mark. */
export const endMarks = { soon: '~', later: '+', over: '', deprecated: '!' };

/** An end without a known day. */
export const undatedEnd = '.';

/** Behind the position of a group: `0ds` has deprecated and affected versions. */
export const versionMarks = { deprecated: 'd', affected: 's', fixes: 'f' };

/** An expression of a version. Its two groups are the name of the version's line. */
export const digitGroups = String.raw`^[vV]?0*(\d+)(?:\.0*(\d+))?.*`;
/** The name of a line with one number; its second group is empty. */
export const oneNumber = '$1.';
const twoNumbers = '$1.$2';

/** Removed from a version: `vX.Y` and `X.Y` name one release. */
export const versionPrefix = '^[vV]';
/** Shortened to `X.Y`, which names the same release. */
export const versionWithZero = String.raw`^(\d+\.\d+)\.0$`;

/** The size of all facts, in characters: every run of every repository reads them. */
const maxFacts = 155_000;

/** The number of newest lines without an end that say how far behind they are. The first limit whose table fits is used. */
const lagLimits = [20, 6, 3, 1, 0];

/** The facts about all components; empty if there are none. Ends and facts about versions stay, whatever their size. */
export function tabulateFacts(components: readonly PinnedComponent[], baseUrl: string): string {
  let table = '';
  for (const limit of lagLimits) {
    table = renderFacts(components, baseUrl, limit);
    if (table.length <= maxFacts) {
      break;
    }
  }
  return table;
}

function renderFacts(
  components: readonly PinnedComponent[],
  baseUrl: string,
  lagLimit: number,
): string {
  const policyNames = new Map<string, string>();
  const records = new Map<string, string>();

  for (const component of components) {
    const { policy } = component.pinFacts;
    const policyName = policyNames.get(policy) ?? `p:${policyNames.size}`;
    policyNames.set(policy, policyName);
    records.set(component.name, renderRecord(component, policyName, baseUrl, lagLimit));
  }

  for (const [policy, name] of policyNames) {
    records.set(name, toMarkdown(policy));
  }

  return renderTable(records);
}

/** The record of a component; empty where nothing is known. */
function renderRecord(
  { pinFacts, replacement }: PinnedComponent,
  policyName: string,
  baseUrl: string,
  lagLimit: number,
): string {
  const { lines, versions, policy } = pinFacts;

  const lineForm = lines.some(({ line }) => hasTwoNumbers(line)) ? twoNumbers : oneNumber;
  const lineFacts = writeLineFacts(lines, lineForm, lagLimit);
  const lineNames = lineFacts.length > 0 ? writeLineNames(lines, lineForm) : [];
  const facts = [...lineNames, ...lineFacts, ...versions.flatMap(writeVersionFacts)];

  if (replacement) {
    const link = `[${toMarkdown(replacement.title)}](${baseUrl}/${replacement.name}.html)`;
    facts.push(writeFact('replacement', '', link));
  }
  if (policy !== '') {
    facts.push(writeFact('policy', '', policyName));
  }

  return facts.length === 0 ? '' : `${lineForm}|${facts.join('|')}|`;
}

function hasTwoNumbers(line: string): boolean {
  return line.includes('.');
}

/** The lines with one number beside others with two, and those with two that begin with the same number and take precedence. */
function writeLineNames(lines: PinFacts['lines'], lineForm: string): string[] {
  if (lineForm === oneNumber) {
    return [];
  }

  const majors = lines
    .filter(({ line }) => !hasTwoNumbers(line))
    .map(({ line }) => nameLine(line, oneNumber));
  const names = lines.map(({ line }) => nameLine(line, lineForm));
  return names
    .filter((name) => majors.some((major) => name.startsWith(major)))
    .map((name) => writeFact('line', name, name));
}

/** `form`: the name of a line out of the groups of `digitGroups`. */
function nameLine(line: string, form: string): string {
  return line.replace(new RegExp(digitGroups), form);
}

function writeLineFacts(lines: PinFacts['lines'], lineForm: string, lagLimit: number): string[] {
  const facts: string[] = [];
  for (const line of lines) {
    if (line.support !== undefined) {
      const end = encodeEnd(line, endMarks[line.support]);
      facts.push(writeFact('end', nameLine(line.line, lineForm), end));
    }
  }

  const linesWithLag = lines.filter(({ lag }) => lag !== '');
  // The last lines are the newest.
  const first = Math.max(0, linesWithLag.length - lagLimit);
  for (const { line, lag } of linesWithLag.slice(first)) {
    facts.push(writeFact('lag', nameLine(line, lineForm), toMarkdown(lag)));
  }
  return facts;
}

/** The end of a line, with days of this century in six digits. */
function encodeEnd({ end, isDeprecated }: PinnedLineFacts, mark: string): string {
  const days = end.replaceAll(/\b20(\d\d)-(\d\d)-(\d\d)\b/g, '$1$2$3');
  return `${mark}${isDeprecated ? endMarks.deprecated : ''}${days || undatedEnd}`;
}

/** The facts that some versions share. `position`: in the list of all such facts. */
function writeVersionFacts(facts: PinFacts['versions'][number], position: number): string[] {
  const marks = [
    facts.isDeprecated ? versionMarks.deprecated : '',
    facts.affected === '' ? '' : versionMarks.affected,
    facts.fixes === '' ? '' : versionMarks.fixes,
  ];
  const group = `${position}${marks.join('')}`;

  const written = facts.versions.map((version) =>
    writeFact('group', simplifyVersion(version), group),
  );
  for (const name of ['affected', 'fixes', 'withdrawn', 'deprecated'] as const) {
    const words = facts[name];
    if (words !== '') {
      written.push(writeFact(name, group, toMarkdown(words)));
    }
  }
  return written;
}

function simplifyVersion(version: string): string {
  return version.replace(new RegExp(versionPrefix), '').replace(new RegExp(versionWithZero), '$1');
}

function writeFact(name: FactName, subject: string, words: string): string {
  return `${factKeys[name].replace('@', subject)}=${words}`;
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
