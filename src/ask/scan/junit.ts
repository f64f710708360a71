import { accountSentence, type Account } from './account.ts';
import { isForeign, type ScannedItem } from './scan-items.ts';

/**
 * The results in the XML of JUnit, which most CI systems read: a suite for each policy, a case for each thing of the index
 * (https://github.com/jenkinsci/xunit-plugin, junit-10.xsd).
 */
export function junitOf(scanned: readonly ScannedItem[], account: Account): string {
  const suites = Map.groupBy(
    scanned.filter(({ scan }) => !isForeign(scan)),
    ({ policy }) => policy.name,
  );
  const parts = Array.from(suites, ([policy, cases]) => {
    const failed = cases.filter(({ scan }) => scan.status === 'unsatisfied').length;
    const skipped = cases.filter(({ scan }) => !['satisfied', 'unsatisfied'].includes(scan.status)).length;
    const counts = attributes({ tests: cases.length, failures: failed, errors: 0, skipped });
    return [
      `  <testsuite${attributes({ name: `release-index ${policy}` })}${counts}>`,
      ...cases.map(caseOf),
      `    <system-out>${escape(accountSentence(account))}</system-out>`,
      '  </testsuite>',
    ].join('\n');
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...parts, '</testsuites>', ''].join('\n');
}

function caseOf({ policy, scan }: ScannedItem): string {
  const { thing, status, details, policyRemediation, file } = scan;
  const name = attributes({ name: thing, classname: `${policy.name}.${file ?? 'arguments'}` });
  const text = `${details.reason} ${status === 'unsatisfied' ? policyRemediation : (details.exception?.reason ?? '')}`;
  const message = attributes({ message: text.trim() });
  if (status === 'satisfied') return `    <testcase${name}/>`;
  const result =
    status === 'unsatisfied' ? `<failure${message} type="${policy.name}"/>` : `<skipped${message}/>`;
  return `    <testcase${name}>${result}</testcase>`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escape(String(value))}"`)
    .join('');
}

/** XML has no place for most control characters and for half a surrogate pair. */
function escape(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll(/[&<>"\n\r\t]/g, (character) => `&#${character.codePointAt(0)};`);
}
