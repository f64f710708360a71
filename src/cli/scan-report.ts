import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { accountSentence, listUnjudged, shownUnjudged, type Account } from '../ask/scan/reports.ts';
import { applyExceptions } from '../ask/scan/exceptions.ts';
import { isForeign, isJudged, type ScannedItem } from '../ask/scan/scan-items.ts';
import { ScanExceptions } from '../core/schemas/scan-exceptions.ts';
import { rangeInWords } from '../core/words.ts';
import { problem, warning } from '../core/schemas/finding.ts';
import { counted, defined, grouped } from '../core/text.ts';
import { readDocument } from '../io/files/documents.ts';
import { fileErrorReason, isAbsent, writeFile } from '../io/files/file-system.ts';
import { inputError, requireValue, UsageError, type Invocation, type Options } from './command.ts';

const forms = ['json', 'ndjson', 'sarif', 'junit', 'annotate'] as const;

/** The form of standard output; undefined for people. */
export function formOf(options: Options): (typeof forms)[number] | undefined {
  const [form, ...others] = forms.filter((each) => options[each] === true);
  if (others.length > 0)
    throw new UsageError(`scan accepts one of ${forms.map((each) => `--${each}`).join(', ')}`);
  return form;
}

/** By the file of the command line, else by that beside each scanned file. */
export function withExceptions(
  { options, day, report }: Invocation,
  scanned: readonly ScannedItem[],
): readonly ScannedItem[] {
  const named = options['exceptions'];
  const fileFor = ({ item }: ScannedItem) =>
    typeof named === 'string' ? named : join(dirname(item.file ?? '.'), '.release-index-exceptions.json');
  const results = new Map<ScannedItem, ScannedItem>();
  for (const [file, group] of Map.groupBy(scanned, fileFor)) {
    if (named === undefined && isAbsent(file)) continue;
    const exceptions = requireValue(readDocument(file, file, ScanExceptions));
    const applied = applyExceptions(group, exceptions, day);
    for (const [index, result] of applied.scanned.entries()) results.set(group[index]!, result);
    report.finding(...applied.warnings.map((message) => warning(file, message)));
  }
  return scanned.map((result) => results.get(result) ?? result);
}

const Baseline = z.array(z.object({ thing: z.string(), policyUri: z.string(), status: z.string() }));

/** Marks what failed in an earlier report. */
export function withBaseline(
  { options: { baseline: file } }: Invocation,
  scanned: readonly ScannedItem[],
): readonly ScannedItem[] {
  if (typeof file !== 'string') return scanned;
  const before = requireValue(readDocument(file, file, Baseline));
  const keyOf = ({ thing, policyUri }: z.infer<typeof Baseline>[number]) => `${policyUri} ${thing}`;
  const failed = new Set(before.filter(({ status }) => status === 'unsatisfied').map(keyOf));
  return scanned.map((result) =>
    result.scan.status === 'unsatisfied' ? { ...result, isKnown: failed.has(keyOf(result.scan)) } : result,
  );
}

/** Files at which people expect results that belong to no file. */
const manifests = ['package.json', 'pom.xml', 'build.gradle.kts', 'build.gradle', 'Dockerfile'];

/** The file of the current folder to show results at that are of the command line or of standard input. */
export function elsewhere(): string {
  return manifests.find((file) => existsSync(file)) ?? 'README.md';
}

/** Writes a file that the command line names. */
export function writeOutput(file: string, content: string): void {
  try {
    writeFile(file, content);
  } catch (error) {
    const reason = fileErrorReason(error);
    throw reason === undefined ? error : inputError(file, `cannot be written: ${reason}`);
  }
}

/** Reports to people; returns the exit status. */
export function reportScan(
  { env, report, options }: Invocation,
  account: Account,
  scanned: readonly ScannedItem[],
  isOld: boolean,
): number {
  const unsatisfied = scanned.filter(({ scan }) => scan.status === 'unsatisfied');
  const failed = unsatisfied.filter(({ isKnown }) => isKnown !== true);
  const unjudged = listUnjudged(scanned);
  const isEach = options['all'] === true;
  const shown = new Set(
    isEach
      ? [...unjudged, ...scanned.filter(({ scan }) => isForeign(scan))]
      : unjudged.slice(0, shownUnjudged),
  );
  const isListed = ({ scan }: ScannedItem) => isJudged(scan) || scan.status === 'excepted';
  const rows = scanned.filter((result) => isListed(result) || shown.has(result)).map(rowOf);
  const headings = ['thing', 'policy', 'status', 'support ends', 'move to'];
  if (rows.length > 0) report.print({ headings, rows });
  // There may be more lines than a function takes arguments.
  for (const line of new Set([...unsatisfied, ...shown].map(explainResult))) report.print(line);
  const more = isEach ? 0 : unjudged.length - shown.size;
  if (more > 0)
    report.print(`${counted(more, 'more result')} of things that could not be judged: see --all.`);
  const sentence = accountSentence(account);
  const before = unsatisfied.length - failed.length;
  const ofBaseline = before > 0 ? `, ${grouped(before)} of them in the baseline` : '';
  const results = `${counted(scanned.length, 'result')}, ${grouped(unsatisfied.length)} unsatisfied`;
  report.print(`${sentence}. ${results}${ofBaseline}.`);

  const isUnknownWrong = options['require-known'] === true && unjudged.length > 0;
  const isNothingJudged = account.judged + account.excepted === 0 && options['allow-unknown'] !== true;
  const isTooOld = isOld && options['allow-stale'] !== true;
  if (isTooOld)
    report.finding(problem('scan', 'the index is too old to judge by; update it, or pass --allow-stale'));
  const isWrong = isUnknownWrong || isNothingJudged || account.missing > 0;
  const remedy = isNothingJudged ? '. Nothing could be judged; pass --allow-unknown where that is right' : '';
  const level = isWrong ? 'error' : unjudged.length > 0 ? 'warning' : 'notice';
  if (level !== 'notice' || forms.some((form) => options[form] === true))
    report.finding({ level, subject: 'scan', message: `${sentence}${remedy}` });
  for (const { item, policy, scan } of env['GITHUB_ACTIONS'] === 'true' ? failed : []) {
    const message = `does not satisfy "${policy.name}". ${scan.details.reason} ${scan.policyRemediation}`;
    report.finding({ ...problem(item.text, message), ...defined({ file: item.file }) });
  }
  return failed.length > 0 || isWrong || isTooOld ? 1 : 0;
}

function rowOf({ policy, scan: { thing, status, details } }: ScannedItem): string[] {
  const { supportedUntil: from, supportedUntilAtMost: atMost, moveTo } = details;
  const ends = rangeInWords({ from, atMost }) || '-';
  const target = moveTo && [moveTo.component, moveTo.version].filter(Boolean).join('@');
  return [thing, policy.name, status, ends, target ?? '-'];
}

function explainResult({ scan }: ScannedItem): string {
  const remedy = scan.status === 'unsatisfied' ? ` ${scan.policyRemediation}` : '';
  return `${scan.thing}: ${scan.details.reason}${remedy}`;
}
