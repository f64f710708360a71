import { jsonataTextInTable } from './package-table.ts';
import { digitGroups, endMarks, keyOfFacts } from './pin-notes.ts';
import { componentInCondition, isOfIndex } from './pin-packages.ts';

/** The facts for each label: `$end` of the line in use, `$number` of the version in use, and `$newNumber` of the proposed one. */
const conditions = {
  unsupported: '$contains($end, /^[\\d.b]/)',
  'support-ends': `$contains($end, "${endMarks.soon}")`,
  deprecated: `$contains($end, "${endMarks.deprecated}") or $contains($number, "d")`,
  security: '$contains($number, "s") or $contains($newNumber, "f")',
};

/** A rule for each label. A label holds where its fact is, which is also a sentence. */
export function labelRules(index: string): object[] {
  return Object.entries(conditions).map(([label, condition]) => ({
    matchJsonata: [onFacts(index, condition)],
    addLabels: [label],
  }));
}

function onFacts(index: string, condition: string): string {
  const table = `prBodyDefinitions.\`${keyOfFacts(index)}\``;
  const plain = String.raw`$replace($replace($string($), /^[vV]/, ""), /^(\d+\.\d+)\.0$/, "$1")`;
  const steps = [
    `$component := ${componentInCondition(index)}`,
    `$facts := ${jsonataTextInTable(table, '$component')}`,
    // Without the fact, the text before the first bar.
    '$factOf := function($key) { $substringBefore($substringAfter($facts, "|" & $key & "="), "|") }',
    '$version := $string(currentVersion ? currentVersion : currentValue)',
    `$end := $factOf($replace($version, /${digitGroups}/, $substringBefore($facts, "|")))`,
    `$numberOf := function($version) { $factOf("v" & ($version.(${plain}))) }`,
    '$number := $numberOf($version)',
    '$newNumber := $numberOf(newVersion)',
    condition,
  ];

  return `${isOfIndex(index)} and (${steps.join('; ')})`;
}
