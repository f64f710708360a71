/** The expressions by which Renovate reads the table of facts: by Handlebars in sentences, and by JSONata in conditions. */
import { writeComponentInCondition } from './package-rules.ts';
import {
  digitGroups,
  factKeys,
  nameFactTable,
  oneNumber,
  undatedEnd,
  versionPrefix,
  versionWithZero,
  type FactName,
} from './pin-fact-table.ts';
import { writeJsonataLookup, writeTextBetween } from './text-table.ts';

/**
 * A Handlebars expression: the words of a fact about a line, a version or the component. `facts` is the record of the component.
 * `writeFactLookup('affected', 'number')` finds `|a0s=` and what follows as far as the next bar.
 */
export function writeFactLookup(fact: FactName, subject: string): string {
  return writeTextBetween('facts', `|${factKeys[fact]}=`, subject, '|');
}

/** A Handlebars expression: the name of the line of a version in the facts, as stated for it or for its first number, or by form. */
export function writeLineLookup(version: string): string {
  const name = `(replace "${digitGroups}" (lookup (split facts "|") 0) ${version})`;
  const major = `(replace "${digitGroups}" "${oneNumber}" ${version})`;
  // A replacement must be a text, also where the lookup finds nothing.
  const ofMajor = `(replace "^" "" ${writeFactLookup('line', major)})`;
  const stated = `(replace "^$" ${ofMajor} ${writeFactLookup('line', name)})`;
  return avoidEmpty(`(replace "^$" ${name} ${stated})`);
}

/** A Handlebars expression: the number of the facts about a version. */
export function writeNumberLookup(version: string): string {
  const withoutPrefix = `(replace "${versionPrefix}" "" ${version})`;
  return avoidEmpty(
    writeFactLookup('number', `(replace "${versionWithZero}" "$1" ${withoutPrefix})`),
  );
}

/** A Handlebars expression: the end in `words` without its marks, in whole days. `~261008` is 2026-10-08. */
export const readEnd = String.raw`replace "^[~+]?!?" "" (replace "\b(\d\d)(\d\d)(\d\d)\b" "20$1-$2-$3" words)`;

/** A Handlebars expression: whether the end in `words` has no known day. */
export const isEndUndated = `equals words "${undatedEnd}"`;

/** Gives a hyphen for an empty value, whose block would be left out. */
function avoidEmpty(expression: string): string {
  return `(replace "^$" "-" ${expression})`;
}

/**
 * The variables of a JSONata condition: `$end` is the end of the line in use, `$number` belongs to the version in use, and
 * `$newNumber` to the proposed one.
 */
export function writeDefinitions(index: string): string {
  const table = `prBodyDefinitions.\`${nameFactTable(index)}\``;
  const simplified = `$replace($replace($string($), /${versionPrefix}/, ""), /${versionWithZero}/, "$1")`;

  return [
    `$component := ${writeComponentInCondition(index)}`,
    `$facts := ${writeJsonataLookup(table, '$component')}`,
    // The appended empty fact is the result for a missing key.
    '$findFact := function($key) { $substringBefore($substringAfter($facts & "|" & $key & "=|", "|" & $key & "="), "|") }',
    '$version := $string(currentVersion ? currentVersion : currentValue)',
    `$nameLine := function($form) { $replace($version, /${digitGroups}/, $form) }`,
    '$name := $nameLine($substringBefore($facts, "|"))',
    `$lines := [$findFact("l" & $name), $findFact("l" & $nameLine("${oneNumber}")), $name]`,
    '$end := $findFact($lines[$ != ""][0])',
    `$findNumber := function($version) { $findFact("v" & ($version.(${simplified}))) }`,
    '$number := $findNumber($version)',
    '$newNumber := $findNumber(newVersion)',
  ].join('; ');
}
