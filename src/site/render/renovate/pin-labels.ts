import type { PinnedLineFacts, PinFacts, PinLabel } from '../../../decide/pin-facts.ts';
import { jsonataTextInTable, tableText } from './package-table.ts';
import type { PinnedComponent } from './pin-notes.ts';
import { componentInCondition, isOfIndex } from './pin-packages.ts';
import { lineGroups, plainVersion } from './pin-versions.ts';

const pinLabels: readonly PinLabel[] = ['unsupported', 'support-ends', 'deprecated', 'security'];

/** A rule for each label, by the versions of all components. */
export function labelRules(index: string, components: readonly PinnedComponent[]): object[] {
  return pinLabels.flatMap((label) => {
    const versions = tableText(
      new Map(components.map(({ name, pinFacts }) => [name, versionsOf(pinFacts, label)])),
    );
    if (versions === '') {
      return [];
    }

    const prPriority = label === 'unsupported' ? 5 : undefined;

    return { matchJsonata: [isListed(index, versions)], addLabels: [label], prPriority };
  });
}

/**
 * JSONata, in which `$digits` are the first two digit groups of the version in use: true if the list of its component has all
 * versions of its major, its line, or the version itself.
 */
function isListed(index: string, versions: string): string {
  const digits = String.raw`$match($version, /^v?0*(\d+)(?:\.0*(\d+))?/).groups`;
  const plain = String.raw`$replace($replace($version, /^[vV]/, ""), /^(\d+\.\d+)\.0$/, "$1")`;
  const entries = [
    '$digits[0] & ".*"',
    '$digits[0] & ($digits[1] ? "." & $digits[1])',
    `"=" & ${plain}`,
  ];
  const steps = [
    `$component := ${componentInCondition(index)}`,
    `$list := ${jsonataTextInTable(JSON.stringify(versions), '$component')}`,
    '$version := $string(lockedVersion ? lockedVersion : currentVersion ? currentVersion : currentValue)',
    `$digits := ${digits}`,
    entries.map((entry) => `$contains($list, "|" & ${entry} & "|")`).join(' or '),
  ];

  return `${isOfIndex(index)} and (${steps.join('; ')})`;
}

/** `|2024.*|2025.1|=2025.3.1|`: all versions of a major, those of a line, and single ones. */
function versionsOf({ lines, versions }: PinFacts, label: PinLabel): string {
  const entries = linesOf(lines, ({ labels }) => labels.includes(label));
  for (const facts of versions) {
    if (facts.labels.includes(label)) {
      entries.push(...facts.versions.map((version) => `=${plainVersion(version)}`));
    }
  }

  return entries.length === 0 ? '' : `|${entries.join('|')}|`;
}

function linesOf(
  lines: readonly PinnedLineFacts[],
  isWanted: (line: PinnedLineFacts) => boolean,
): string[] {
  const byMajor = Map.groupBy(lines, ({ line }) => String(lineGroups(line)[0]));
  const entries: string[] = [];
  for (const [major, ofMajor] of byMajor) {
    const wanted = ofMajor.filter(isWanted);
    if (wanted.length === ofMajor.length) {
      entries.push(`${major}.*`);
    } else {
      entries.push(...wanted.map(({ line }) => lineGroups(line).slice(0, 2).join('.')));
    }
  }

  return entries;
}
