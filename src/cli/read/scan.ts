import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describeList, describeUnread, sortEntries } from '../../ask/judged-list.ts';
import { toolCommands } from '../../ask/list-commands.ts';
import type { Names } from '../../ask/owners.ts';
import type { PublishedIndex } from '../../ask/published-index.ts';
import { readList } from '../../ask/read-list.ts';
import { findPolicy, scanItems, type Scanned } from '../../ask/scan.ts';
import type { Match } from '../../ask/verdicts.ts';
import { InputError, type Problem, UnavailableError, UsageError } from '../../core/errors.ts';
import { readNamedFile, saveFile } from '../../core/files.ts';
import { describeUnproven, describeUntil } from '../../core/phrases.ts';
import { decodeText, formatList, toLine } from '../../core/text.ts';
import type { Context, Define } from '../context.ts';
import { addEnds } from './bill.ts';
import { openPublished } from './published.ts';

export const define: Define = (command, context) => {
  command
    .argument(
      '<files...>',
      'lists with one item per line, CSV or TSV with names of columns, or bills of materials; - is standard input',
    )
    .addHelpText('after', `\nCommands that print such a list:\n${listCommands()}`)
    .option(
      '--policy <names>',
      'policies that each entry must satisfy, separated by commas (default: supported,secure)',
      splitNames,
    )
    .option(
      '--write <file>',
      'write the scanned CycloneDX bill with the end of support of each entry whose end is exact',
    )
    .action((files: string[], options: Options) => scan(files, options, context));
};

function listCommands(): string {
  return toolCommands
    .map(({ tool, command, note }) => `  ${tool}${note ? ` (${note})` : ''}: ${command}`)
    .join('\n');
}

interface Options {
  policy?: string[];
  write?: string;
}

function splitNames(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, ...text.split(',').map((name) => name.trim())];
}

type List = Awaited<ReturnType<typeof readLists>>[number];

interface JudgedEntry extends Scanned {
  /** The names of the policies that it does not satisfy. */
  readonly fails: readonly string[];
}

async function scan(
  files: readonly string[],
  { policy: policyNames = ['supported', 'secure'], write }: Options,
  context: Context,
): Promise<void> {
  if (write !== undefined && files.length > 1) {
    throw new UsageError(`--write: expected one bill; got ${files.length} files`);
  }

  const index = await openPublished(context);
  const { url } = await index.status();
  const age = await index.age();
  const policies = await Array.fromAsync(policyNames, (name) => findPolicy(index, name));
  const lists = await readLists(files, await index.names(), context);

  // Each file of the index is read once for all lists.
  const items = lists.flatMap((list) => list.items);
  const scanned = await scanItems(index, items, policies);
  const entries = scanned.map((each): JudgedEntry => {
    const failed = each.scans.filter(({ scan: { status } }) => status === 'unsatisfied');
    return { ...each, fails: failed.map(({ policy }) => policy.name) };
  });
  if (write !== undefined) {
    const [{ file, text }] = lists as [List];
    const dated = tryToRead(() => addEnds(file, text, entries), file);
    saveFile(write, dated);
  }
  reportLists(lists, entries, { ...age, url }, context);
}

/** Reads the list in each file. `notRead`: the entries that could not be read. */
async function readLists(files: readonly string[], names: Names, { signal }: Context) {
  return Array.fromAsync(new Set(files), async (file) => {
    const text = await readInput(file, signal);
    const { items, problems } = readList(text, names);
    const notRead = problems.map((each) => each.message);
    return { file, text, items: items.map((item) => ({ ...item, file })), notRead };
  });
}

/** Reads a file or standard input. No other verb reads standard input, so it is not in the context. */
async function readInput(file: string, signal: AbortSignal): Promise<string> {
  if (file === '-') {
    return decodeText(await buffer(addAbortSignal(signal, process.stdin)));
  }

  return tryToRead(() => decodeText(readNamedFile(file)), file);
}

/** Throws an `UnavailableError` (exit status 3) if a file cannot be read, because then no policy has judged it. */
function tryToRead<Value>(read: () => Value, file: string): Value {
  try {
    return read();
  } catch (error) {
    throw new UnavailableError(
      error instanceof InputError
        ? error.problems
        : [{ subject: file, message: toLine((error as Error).message) }],
    );
  }
}

function reportLists(
  lists: readonly List[],
  entries: readonly JudgedEntry[],
  { asOf, staleness, url }: Awaited<ReturnType<PublishedIndex['age']>> & { url: string },
  context: Context,
): void {
  const { report } = context;
  const notRead = lists.flatMap((list) => list.notRead);
  const list = sortEntries(entries, notRead);
  const matched = [...list.judged, ...list.unjudged];
  const failing = matched.filter(({ fails }) => fails.length > 0);
  report.mark(...matched.filter(isOpen).map(annotate));
  report.print({
    headings: ['thing', 'verdict', 'until', 'move to', 'fails'],
    rows: matched.map(listCells),
  });

  report.print(...failing.flatMap(explainFailure), ...matched.flatMap(explainProvenance));
  report.print(`On ${asOf}: ${describeList(list, url, failing.length)}`);
  const unread = lists.flatMap((each) => findGaps(each, entries, url));
  const stale = staleness === undefined ? [] : [{ subject: 'index', message: staleness }];
  const problems = [...unread, ...stale];
  report.problem(...problems);
  report.document({
    asOf,
    ...(problems.length > 0 && { problems }),
    entries: entries.map(listFacts),
    results: entries.flatMap(({ scans }) => scans.map(({ scan }) => scan)),
  });
  const status = problems.length > 0 ? 3 : 0;
  context.status = failing.length > 0 ? 1 : status;
}

/** Tells whether an entry fails a policy, or whether a policy could not judge it. */
function isOpen({ scans }: JudgedEntry): boolean {
  return scans.some(({ scan: { status } }) => status !== 'satisfied');
}

/** Describes an entry as a problem of its file: an error if it fails a policy, else a warning. */
function annotate(entry: JudgedEntry): Problem {
  const { thing, file, line, fails } = listFacts(entry);
  const { sentence, advice } = entry.match?.verdict ?? {};
  const message = sentence === undefined ? 'It has no verdict.' : `${sentence} ${advice}`;
  return { subject: thing, message, file, line, level: fails.length > 0 ? undefined : 'warning' };
}

function listCells({ item, match, fails }: JudgedEntry & { match: Match }): string[] {
  const { component, verdict } = match;
  if (!verdict) {
    return [item.text, 'No verdict', '', '', ''];
  }

  const { label, moveTo } = verdict;
  const ofAnother = moveTo && moveTo.component !== component ? `${moveTo.component} ` : '';
  const target = `${ofAnother}${moveTo?.version ?? ''}`;
  return [item.text, label, describeUntil(verdict), target, fails.join(', ')];
}

/** Lists the reasons that the table does not show: digests or a repository that contradict the recorded ones. */
function explainFailure({ item, scans }: JudgedEntry): string[] {
  const messages = scans.flatMap(({ scan: { details } }) => details.message ?? []);
  return [...new Set(messages)].map((message) => `${item.text}: ${message}`);
}

/** Describes the provenance that an entry lacks and its predecessor had. */
function explainProvenance({ item, match }: JudgedEntry): string[] {
  const lastProven = match?.verdict?.lastProven;
  return lastProven === undefined ? [] : [`${item.text}: ${describeUnproven(lastProven)}`];
}

/** Lists the entries of a list that were not judged, as a problem. */
function findGaps(
  { file, notRead }: List,
  entries: readonly JudgedEntry[],
  url: string,
): Problem[] {
  const list = sortEntries(
    entries.filter(({ item }) => item.file === file),
    notRead,
  );
  const { gaps, total } = list;
  if (total > 0 && notRead.length === total) {
    return [{ subject: file, message: describeUnread(list, url)! }];
  }

  const message = `not judged: ${formatList(gaps, 20) || 'it has no entry'}`;
  return gaps.length > 0 || total === 0 ? [{ subject: file, message }] : [];
}

/** Lists the place of an entry and the policies that it fails. */
function listFacts({ item, match, fails }: JudgedEntry) {
  const { text, file, line } = item;
  const { component, verdict } = match ?? {};
  return { thing: text, file, line, component, version: verdict?.version, fails };
}
