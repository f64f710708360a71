import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import { InputError, UnavailableError, type Problem } from '../../core/errors.ts';
import { readNamedFile } from '../../core/files.ts';
import type { Match } from '../../core/index/verdicts.ts';
import { readList } from '../../core/read-list.ts';
import { describeReading, isUnread, sortReading } from '../../core/reading.ts';
import type { Policy } from '../../core/schema/documents.ts';
import { decodeText, toLine } from '../../core/text.ts';
import { describeUntil } from '../../core/words.ts';
import { findPolicy, scanItems, type Scanned } from '../../serve/scan.ts';
import type { Context } from '../context.ts';
import { openPublished } from './published.ts';

export function define(command: Command, context: Context): void {
  command
    .argument(
      '<files...>',
      'lists, tables, lock files or bills of materials (use.html lists all kinds); - is standard input',
    )
    .option(
      '--policy <names>',
      'policies that each entry must satisfy, separated by commas (default: supported,secure)',
      splitNames,
    )
    .action((files: string[], { policy = ['supported', 'secure'] }: { policy?: string[] }) =>
      scan(files, policy, context),
    );
}

function splitNames(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, ...text.split(',').map((name) => name.trim())];
}

interface Entry extends Scanned {
  /** The names of the policies that it does not satisfy. */
  readonly fails: readonly string[];
}

async function scan(files: readonly string[], policyNames: string[], context: Context) {
  const { report, signal } = context;
  const index = await openPublished(context);
  const { asOf, staleness } = await index.age();
  const policies = await Array.fromAsync(policyNames, (name) => findPolicy(index, name));
  const names = await index.names();
  const lists = await Array.fromAsync(new Set(files), async (file) => {
    const { items, problems } = await readList(await readInput(file, signal), names);
    const notRead = problems.map(({ message }) => message);
    return { file, items: items.map((item) => ({ ...item, file })), notRead };
  });
  const notRead = lists.flatMap((list) => list.notRead.map((message) => ({ ...list, message })));
  report.problem(
    ...notRead.map(({ file, message }): Problem => {
      return { subject: file, message: `${message}: not read`, level: 'warning' };
    }),
  );

  // Each file of the index is read once for all lists.
  const items = lists.flatMap((list) => list.items);
  const scanned = await scanItems(index, items, policies);
  const entries = scanned.map((each): Entry => ({ ...each, fails: listFailed(each, policies) }));
  const reading = sortReading(
    entries,
    notRead.map(({ message }) => message),
  );
  const { matched } = reading;
  const failing = matched.filter(({ fails }) => fails.length > 0);
  const unjudged = matched.filter(isUnjudged);
  report.mark(...[...failing, ...unjudged].map(annotate));
  report.print({
    headings: ['thing', 'verdict', 'until', 'move to', 'fails'],
    rows: matched.map(listCells),
  });

  const unread = lists.flatMap((list): Problem | [] => {
    const listed = entries.filter(({ item }) => item.file === list.file);
    const ofList = sortReading(listed, list.notRead);
    const message = `nothing was judged. ${describeReading(ofList)}`;
    return isUnread(ofList) ? { subject: list.file, message } : [];
  });
  if (unread.length < lists.length) {
    const counts = `${failing.length} fail, ${unjudged.length} cannot be judged`;
    report.print(`On ${asOf}, ${counts}. ${describeReading(reading)}`);
  }
  const stale = staleness === undefined ? [] : [{ subject: 'index', message: staleness }];
  const problems = [...unread, ...stale];
  report.problem(...problems);
  report.document({
    asOf,
    ...(problems.length > 0 && { problems }),
    entries: entries.map(listFacts),
    results: entries.flatMap(({ scans }) => scans),
  });
  const status = failing.length > 0 ? 1 : 0;
  context.status = problems.length > 0 ? 3 : status;
}

/** No other verb reads standard input: the context does not have it. */
async function readInput(file: string, signal: AbortSignal): Promise<string> {
  if (file === '-') {
    return decodeText(await buffer(addAbortSignal(signal, process.stdin)));
  }

  try {
    return decodeText(readNamedFile(file));
  } catch (error) {
    throw new UnavailableError(
      error instanceof InputError
        ? error.problems
        : [{ subject: file, message: toLine((error as Error).message) }],
    );
  }
}

function listFailed({ scans }: Scanned, policies: readonly Policy[]): string[] {
  const failed = policies.filter((_, position) => scans[position]?.status === 'unsatisfied');
  return failed.map(({ name }) => name);
}

/** It fails no policy, and one has no answer. */
function isUnjudged({ scans, fails }: Entry): boolean {
  return fails.length === 0 && scans.some(({ status }) => status === 'not-applicable');
}

function listCells({ item, match, fails }: Entry & { match: Match }): string[] {
  const { component, verdict } = match;
  if (!verdict) {
    return [item.text, 'No verdict', '', '', ''];
  }

  const { label, moveTo } = verdict;
  const ofAnother = moveTo && moveTo.component !== component ? `${moveTo.component} ` : '';
  const target = `${ofAnother}${moveTo?.version ?? ''}`;
  return [item.text, label, describeUntil(verdict), target, fails.join(', ')];
}

/** An error where it fails. */
function annotate(entry: Entry): Problem {
  const { thing, file, line, fails } = listFacts(entry);
  const { sentence, advice } = entry.match?.verdict ?? {};
  const message = sentence === undefined ? 'It has no verdict.' : `${sentence} ${advice}`;
  return { subject: thing, message, file, line, level: fails.length > 0 ? undefined : 'warning' };
}

/** Where an entry is stated, and what it fails. */
function listFacts({ item, match, fails }: Entry) {
  const { text, file, line } = item;
  const { component, verdict } = match ?? {};
  return { thing: text, file, line, component, version: verdict?.version, fails };
}
