/** The rules of a scan: its policies, and the exceptions in files. */
import { dirname, join } from 'node:path';
import type { PublishedIndex } from '../ask/answers/published-index.ts';
import { applyExceptions } from '../ask/scan/scan-exceptions.ts';
import {
  defaultPolicies,
  describeUnknownPolicy,
  parsePublishedPolicy,
  type ReadPolicy,
} from '../ask/scan/scan-policies.ts';
import type { ScannedItem } from '../ask/scan/scan-results.ts';
import { createEntryKey, type Entry } from '../ask/texts/text-entries.ts';
import type { Day } from '../core/model/dates.ts';
import { QuestionError } from '../core/query/question-error.ts';
import { ScanExceptions } from '../core/schemas/definition/scan-rules.ts';
import { inputError, throwErrors, warning } from '../core/schemas/finding.ts';
import type { PublishedNamedPolicy } from '../core/schemas/published/policy-scan.ts';
import { isAbsent } from '../io/files/file-system.ts';
import { readDocument, unwrapNamed } from '../io/files/read-documents.ts';
import { readPolicies } from '../io/files/read-policies.ts';
import { throwUsage, type Invocation } from './command.ts';

/**
 * The policies of --policy, in order. Those of the root take precedence over others of the index with their names. Throws an
 * InputError for wrong ones of the root, and a UsageError with every unknown name. `url`: the address of a published index.
 */
export async function choosePolicies(
  { root }: Invocation,
  index: PublishedIndex,
  url: string | undefined,
  names: readonly string[] = defaultPolicies,
): Promise<ReadPolicy[]> {
  const day = await index.day();
  const { policies: rootPolicies, findings } = readPolicies(root, day);
  throwErrors(findings);

  const ownPolicies = [...rootPolicies.values()].filter(({ isBuiltIn }) => !isBuiltIn);
  const available = [...(await index.policies()), ...ownPolicies];
  const policies = new Map(available.map((policy) => [policy.name, policy]));
  const chosen = [...new Set(names)];
  const unknown = chosen.filter((name) => !policies.has(name));
  throwUsage(
    unknown.map((name) => `--policy: ${describeUnknownPolicy(name, [...policies.keys()])}`),
  );
  return chosen.map((name) => parsePolicy(policies.get(name)!, day, url));
}

/** Throws an InputError for a query that this program cannot read. */
function parsePolicy(policy: PublishedNamedPolicy, day: Day, url: string | undefined): ReadPolicy {
  try {
    return parsePublishedPolicy(policy, day);
  } catch (error) {
    if (!(error instanceof QuestionError && error.reason === 'query')) {
      throw error;
    }

    const message = `the query of its policy "${policy.name}" cannot be read here: ${error.message}. If a newer program wrote it, update this one`;
    throw inputError(url ?? 'scan', message);
  }
}

/** The file with the exceptions for the items of each scanned file; `undefined` has those for items of the command line. */
type ExceptionFiles = ReadonlyMap<string | undefined, string>;

/** The file of --exceptions, also without any item, as its name may be wrong; else the one next to each scanned file, if there is one. */
export function findExceptionFiles(
  path: string | undefined,
  entries: readonly Entry[],
): ExceptionFiles {
  const exceptionFiles = new Map<string | undefined, string>();
  for (const file of new Set(entries.map(([item]) => item.file))) {
    const besideFile = join(dirname(file ?? '.'), '.release-index-exceptions.json');
    if (path !== undefined || !isAbsent(besideFile)) {
      exceptionFiles.set(file, path ?? besideFile);
    }
  }
  if (path !== undefined) {
    exceptionFiles.set(undefined, path);
  }
  return exceptionFiles;
}

/** A key that entries with the same results share: different exceptions may give the same item different ones. */
export function createScanKey(entry: Entry, exceptionFiles: ExceptionFiles): string {
  return `${createEntryKey(entry)} ${exceptionFiles.get(entry[0].file)}`;
}

/** Applies the exceptions of each file to the results of its items, and reports those that have ended or match nothing. */
export function applyExceptionFiles(
  { day, report }: Pick<Invocation, 'day' | 'report'>,
  exceptionFiles: ExceptionFiles,
  scanned: readonly ScannedItem[],
): ScannedItem[] {
  const groups = Map.groupBy(scanned, ({ item }) => exceptionFiles.get(item.file));
  const results: ScannedItem[][] = [groups.get(undefined) ?? []];
  for (const file of new Set(exceptionFiles.values())) {
    const exceptions = unwrapNamed(readDocument(file, file, ScanExceptions));
    const applied = applyExceptions(groups.get(file) ?? [], exceptions, day);
    report.finding(...applied.warnings.map((message) => warning(file, message)));
    results.push(applied.scanned);
  }

  // In the order of the command line again, as files of one folder need not be neighbours.
  return results.flat().sort((a, b) => a.position - b.position);
}
