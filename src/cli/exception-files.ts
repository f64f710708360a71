import { dirname, join } from 'node:path';
import { applyExceptions } from '../ask/scan/scan-exceptions.ts';
import type { ScannedItem } from '../ask/scan/scan-results.ts';
import { createEntryKey, type Entry } from '../ask/texts/text-entries.ts';
import { warning } from '../core/schemas/finding.ts';
import { ScanExceptions } from '../core/schemas/definition/scan-rules.ts';
import { isAbsent } from '../io/files/file-system.ts';
import { readDocument, unwrapResult } from '../io/files/read-documents.ts';
import type { Invocation } from './command.ts';

/** By the file of an item, the file with the exceptions for it. */
export type ExceptionFiles = ReadonlyMap<string | undefined, string>;

/** The file of --exceptions, or the one next to each scanned file, if there is one. */
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
  const results = Array.from(groups, ([file, group]) => {
    if (file === undefined) {
      return group;
    }

    const exceptions = unwrapResult(readDocument(file, file, ScanExceptions));
    const applied = applyExceptions(group, exceptions, day);
    report.finding(...applied.warnings.map((message) => warning(file, message)));
    return applied.scanned;
  });

  // In the order of the command line again, as files of one folder need not be neighbours.
  return results.flat().sort((a, b) => a.entry - b.entry);
}
