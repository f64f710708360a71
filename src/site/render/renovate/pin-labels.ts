import type { PinnedLineFacts, PinFacts, PinLabel } from '../../../decide/pin-facts.ts';
import { jsonataTextInTable, tableText } from './package-table.ts';
import type { PinnedComponent } from './pin-notes.ts';
import { componentInCondition, isOfIndex } from './pin-packages.ts';
import { lineGroups, plainVersion } from './pin-versions.ts';

const pinLabels: readonly PinLabel[] = ['unsupported', 'support-ends', 'deprecated', 'security'];

/** A rule for each label, by the versions of all components. */
export function labelRules(index: string, components: readonly PinnedComponent[]): object[] {
  return pinLabels
    .map((label) => {
      const versions = tableText(
        new Map(components.map(({ name, pinFacts }) => [name, labelTexts(pinFacts)[label]])),
      );
      if (versions === '') {
        return undefined;
      }

      return { matchJsonata: [isListed(index, versions)], addLabels: [label] };
    })
    .filter((value) => value !== undefined);
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

const textsByFacts = new WeakMap<PinFacts, Readonly<Record<PinLabel, string>>>();

/** The versions with each label. Three presets ask for them. */
function labelTexts(facts: PinFacts): Readonly<Record<PinLabel, string>> {
  const cached = textsByFacts.get(facts);
  if (cached) {
    return cached;
  }

  const byMajor = Map.groupBy(facts.lines, ({ line }) => String(lineGroups(line)[0]));
  const texts = Object.fromEntries(
    pinLabels.map((label) => [label, versionsOf(facts, byMajor, label)]),
  ) as Record<PinLabel, string>;

  textsByFacts.set(facts, texts);

  return texts;
}

/** `|2024.*|2025.1|=2025.3.1|`: all versions of a major, those of a line, and single ones. */
function versionsOf(
  { versions }: PinFacts,
  byMajor: ReadonlyMap<string, readonly PinnedLineFacts[]>,
  label: PinLabel,
): string {
  const entries: string[] = [];

  for (const [major, ofMajor] of byMajor) {
    const labelled = ofMajor.filter(({ labels }) => labels.includes(label));

    if (labelled.length === ofMajor.length) {
      entries.push(`${major}.*`);
    } else {
      entries.push(...labelled.map(({ line }) => lineGroups(line).slice(0, 2).join('.')));
    }
  }

  for (const { labels, versions: labelled } of versions) {
    if (labels.includes(label)) {
      entries.push(...labelled.map((version) => `=${plainVersion(version)}`));
    }
  }

  return entries.length === 0 ? '' : `|${entries.join('|')}|`;
}
