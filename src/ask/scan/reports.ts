import { addDays, newestFirst, type Day } from '../../core/dates.ts';
import { defined, grouped, pick } from '../../core/text.ts';
import type { Entry } from './items.ts';
import { isForeign, isJudged, type ScannedItem } from './scan-items.ts';

/** As many as a person reads; a document may list hundreds of thousands of things. */
export const shownUnjudged = 20;

/** The entries that no policy could judge although the index knows them, or that it cannot read. */
export function listUnjudged(scanned: readonly ScannedItem[]): ScannedItem[] {
  return scanned.filter(({ scan }) => !isJudged(scan) && scan.status !== 'excepted' && !isForeign(scan));
}

/** How many entries of the input came to what. */
export interface Account {
  readonly entries: number;
  readonly judged: number;
  /** An exception lets them pass. */
  readonly excepted: number;
  /** The index does not know them. */
  readonly foreign: number;
  /** The index knows them, but cannot judge them, or they cannot be read. */
  readonly unknown: number;
  readonly duplicates: number;
  /** Entries without a result, of which there are none unless the program is wrong. */
  readonly missing: number;
}

/** Counted from the results, so that no entry gets lost on the way to them. The worst result of an entry counts. */
export function accountFor(
  entries: readonly Entry[],
  unique: readonly Entry[],
  scanned: readonly ScannedItem[],
): Account {
  const byItem = Map.groupBy(scanned, ({ item }) => item);
  const counts = { judged: 0, excepted: 0, foreign: 0, unknown: 0 };
  for (const entry of unique) {
    const scans = entry.flatMap((item) => byItem.get(item) ?? []).map(({ scan }) => scan);
    if (scans.length === 0) continue;
    const isFailed = scans.some(({ status }) => status === 'unsatisfied');
    if (isFailed || scans.every(isJudged)) counts.judged += 1;
    else if (scans.some(({ status }) => status === 'excepted')) counts.excepted += 1;
    else if (scans.every(isForeign)) counts.foreign += 1;
    else counts.unknown += 1;
  }
  const found = counts.judged + counts.excepted + counts.foreign + counts.unknown;
  const duplicates = entries.length - unique.length;
  return { entries: entries.length, ...counts, duplicates, missing: unique.length - found };
}

/** `412 entries: 380 judged, 30 not ours, 1 unknown, 1 duplicate`. */
export function accountSentence(account: Account): string {
  const { entries, judged, excepted, foreign, unknown, duplicates, missing } = account;
  const counts: [number, string][] = [
    [judged, 'judged'],
    [excepted, 'excepted'],
    [foreign, 'not ours'],
    [unknown, 'unknown'],
    [duplicates, duplicates === 1 ? 'duplicate' : 'duplicates'],
    [missing, 'without a result'],
  ];
  const parts = counts.filter(([count, name]) => count > 0 || name === 'judged');
  const texts = parts.map(([count, name]) => `${grouped(count)} ${name}`);
  return `${grouped(entries)} ${entries === 1 ? 'entry' : 'entries'}: ${texts.join(', ')}`;
}

export interface SarifContext {
  readonly informationUri: string;
  /** The file to show what stands in none: GitHub rejects a result without a physical location. */
  readonly elsewhere: string;
}

/** GitHub rejects a file with more results (https://docs.github.com/en/code-security/reference/code-scanning/sarif-support). */
const mostResults = 25_000;

/**
 * The items that do not satisfy a policy, for programs that show the findings of analyses
 * (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html). Items that were not judged are counted in
 * a notification, and the first ones have one each: readers limit the size of a file.
 */
export function sarifOf(
  scanned: readonly ScannedItem[],
  account: Account,
  { informationUri, elsewhere }: SarifContext,
): object {
  const rules = new Map(scanned.map(({ policy }) => [policy.name, policy]));
  const ids = [...rules.keys()];
  const unjudged = listUnjudged(scanned).slice(0, shownUnjudged);
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'release-index',
            informationUri,
            rules: Array.from(rules.values(), ({ name, description, remediation }) => ({
              id: name,
              shortDescription: { text: description },
              help: { text: remediation },
              // Readers group by it.
              defaultConfiguration: { level: 'error' },
            })),
          },
        },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: [
              { level: 'note', message: { text: `${accountSentence(account)}.` } },
              ...unjudged.map(({ policy, scan }) => ({
                level: 'note',
                associatedRule: { id: policy.name, index: ids.indexOf(policy.name) },
                message: { text: `${scan.thing}: ${scan.details.reason}` },
              })),
            ],
          },
        ],
        results: scanned
          .filter(({ scan }) => scan.status === 'unsatisfied' || scan.status === 'excepted')
          .slice(0, mostResults)
          .map(({ item, policy, scan, isKnown }) => {
            const { details, policyRemediation } = scan;
            return defined({
              ruleId: policy.name,
              ruleIndex: ids.indexOf(policy.name),
              level: 'error',
              message: { text: `${item.text}: ${details.reason} ${policyRemediation}` },
              locations: [locationOf(item, elsewhere)],
              suppressions:
                scan.status === 'excepted'
                  ? [{ kind: 'external', status: 'accepted', justification: details.exception?.reason }]
                  : undefined,
              baselineState: isKnown === undefined ? undefined : isKnown ? 'unchanged' : 'new',
              properties: pick(scan, ['thing', 'purl']),
              partialFingerprints: { 'thingAndPolicy/v1': `${item.text} ${policy.name}` },
            });
          }),
      },
    ],
  };
}

function locationOf({ text, file, line = 1 }: ScannedItem['item'], elsewhere: string): object {
  const uri = (file ?? elsewhere).split(/[\\/]/).map(encodeURIComponent).join('/');
  return {
    physicalLocation: { artifactLocation: { uri }, region: { startLine: file === undefined ? 1 : line } },
    logicalLocations: [{ fullyQualifiedName: text, kind: 'package' }],
  };
}

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
    const skipped = cases.filter(({ scan }) => !isJudged(scan)).length;
    const counts = attributes({ tests: cases.length, failures: failed, errors: 0, skipped });
    return [
      `  <testsuite${attributes({ name: `release-index ${policy}` })}${counts}>`,
      ...cases.map(caseOf),
      `    <system-out>${escapeXml(accountSentence(account))}</system-out>`,
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
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
}

/** XML has no place for most control characters and for half a surrogate pair. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll(/[&<>"\n\r\t]/g, (character) => `&#${character.codePointAt(0)};`);
}

/** Days that are soon enough to plan for. */
const soonDays = 90;

const headings = ['In use', 'Supported until', 'Status', 'Move to', 'Found in'];

/** For people who plan: what is used, until when it is supported, and what ends next. Markdown. */
export function reportOf(scanned: readonly ScannedItem[], account: Account, day: Day): string {
  const known = scanned.filter(({ scan }) => !isForeign(scan));
  const endOf = ({ scan }: ScannedItem) => scan.details.supportedUntil ?? '9999';
  const byEnd = known.toSorted((a, b) => newestFirst(endOf(b), endOf(a)));
  const soon = addDays(day, soonDays);
  const sections = [
    { title: 'Support has ended', has: (end: string) => end <= day },
    { title: `Support ends within ${soonDays} days`, has: (end: string) => end > day && end <= soon },
    { title: 'Support ends later', has: (end: string) => end > soon && end < '9999' },
    { title: 'No end of support is stated', has: (end: string) => end === '9999' },
  ].map(({ title, has }) => ({ title, rows: byEnd.filter((item) => has(endOf(item))).map(rowOf) }));
  const tables = sections.flatMap(({ title, rows }) => {
    if (rows.length === 0) return [];
    const lines = [headings, headings.map(() => '---'), ...rows.map((row) => row.map(escapeMarkdown))];
    return `## ${title}\n\n${lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('')}`;
  });
  return [`# Releases in use on ${day}\n\n${escapeMarkdown(accountSentence(account))}.\n`, ...tables].join(
    '\n',
  );
}

function rowOf({ policy, scan }: ScannedItem): string[] {
  const { thing, status, file = '', line, details } = scan;
  const { component, version, supportedUntil = '', moveTo, exception } = details;
  const name = component === undefined ? thing : [component, version].filter(Boolean).join(' ');
  const until = status === 'excepted' ? `${status} until ${exception?.until}` : status;
  const target = moveTo ? [moveTo.component, moveTo.version].filter(Boolean).join(' ') : '';
  const place = line === undefined ? file : `${file}:${line}`;
  return [name, supportedUntil, `${until} (${policy.name})`, target, place];
}

function escapeMarkdown(text: string): string {
  const line = text.toWellFormed().replaceAll(/\s+/g, ' ');
  const escaped = line.replaceAll(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`);
  return escaped.replaceAll(/[\\`*_{}[\]()#+!|~@]/g, (mark) => `\\${mark}`);
}
