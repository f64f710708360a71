import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describeList, findKind, sortEntries } from '../../ask/judged-list.ts';
import type { Names } from '../../ask/owners.ts';
import {
  describeResults,
  type Judgement,
  type Outcome,
  usualPolicies,
} from '../../ask/policy-result.ts';
import type { PublishedIndex } from '../../ask/published-index.ts';
import { readList } from '../../ask/read-list.ts';
import { findPolicy, scanItems, type Scanned } from '../../ask/scan.ts';
import { describeObstacle, type Match } from '../../ask/verdicts.ts';
import { InputError, type Problem, UnavailableError, UsageError } from '../../core/errors.ts';
import { readNamedFile, saveFile } from '../../core/files.ts';
import {
  describeUnproven,
  describeUntil,
  describeWay,
  distributionRemark,
} from '../../core/phrases.ts';
import type { ScanPolicy } from '../../core/schema/documents.ts';
import { decodeText, formatCount, formatList, toLine } from '../../core/text.ts';
import type { Context, Define } from '../context.ts';
import { addEnds } from './bill.ts';
import { openPublished } from './published.ts';

export const define: Define = (command, context) => {
  command
    .argument(
      '<files...>',
      'lists with one item per line, CSV, TSV or SBOMs; - is standard input. Commands for tools: use.html#lists',
    )
    .addHelpText('after', exits)
    .option(
      '--policy <names>',
      'policies that each entry must satisfy, separated by commas (default: supported,secure)',
      splitNames,
    )
    .option('--write <file>', 'copy a CycloneDX SBOM, and add exact ends of support')
    .action((files: string[], options: Options) => scan(files, options, context));
};

const exits = `
Exit status:
  0  each policy is satisfied or does not apply
  1  an entry fails a policy
  3  no entry fails, but a policy cannot tell, no policy applies, or something was not read
     Without advisories: --policy supported`;

interface Options {
  policy?: string[];
  write?: string;
}

function splitNames(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, ...text.split(',').map((name) => name.trim())];
}

type List = Awaited<ReturnType<typeof readLists>>[number];

interface JudgedEntry extends Scanned {
  /** The names of the policies that the entry fails. */
  readonly fails: readonly string[];
  /** The names of the policies that cannot decide whether the entry passes. */
  readonly cannotTell: readonly string[];
}

async function scan(
  files: readonly string[],
  { policy: policyNames = Object.keys(usualPolicies), write }: Options,
  context: Context,
): Promise<void> {
  if (write !== undefined && files.length > 1) {
    throw new UsageError(`--write: expected one SBOM; got ${files.length} files`);
  }

  const index = await openPublished(context);
  const { url } = await index.status();
  const age = await index.age();
  const policies = await Array.fromAsync(policyNames, (name) => findPolicy(index, name));
  const lists = await readLists(files, await index.names(), context);

  // All lists are judged together, so each file of the index is read once.
  const items = lists.flatMap((list) => list.items);
  const scanned = await scanItems(index, items, policies);
  const entries = scanned.map((each): JudgedEntry => {
    const name = (outcome: Outcome) =>
      each.scans.flatMap(({ policy, result }) => (result.outcome === outcome ? policy.name : []));
    return { ...each, fails: name('unsatisfied'), cannotTell: name('cannot-tell') };
  });
  if (write !== undefined) {
    const [{ file, text }] = lists as [List];
    const dated = tryToRead(() => addEnds(file, text, entries), file);
    saveFile(write, dated);
  }
  reportLists(lists, entries, { ...age, url, policies }, context);
}

/** Reads the list in each file. */
async function readLists(files: readonly string[], names: Names, { signal }: Context) {
  return Array.fromAsync(new Set(files), async (file) => {
    const text = await readInput(file, signal);
    const { items, ...unread } = readList(text, names);
    return { file, text, items: items.map((item) => ({ ...item, file })), unread };
  });
}

/** Reads a file, or standard input if `file` is `-`. Takes standard input from `process`, because `Context` does not contain it. */
async function readInput(file: string, signal: AbortSignal): Promise<string> {
  if (file === '-') {
    return decodeText(await buffer(addAbortSignal(signal, process.stdin)));
  }

  return tryToRead(() => decodeText(readNamedFile(file)), file);
}

/**
 * Calls `read`, and turns its errors into an `UnavailableError` (exit status 3). The exit status 1 would look as if an entry failed a
 * policy.
 */
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

interface Answered extends Awaited<ReturnType<PublishedIndex['age']>> {
  readonly url: string;
  readonly policies: readonly ScanPolicy[];
}

function reportLists(
  lists: readonly List[],
  entries: readonly JudgedEntry[],
  { asOf, staleness, url, policies }: Answered,
  context: Context,
): void {
  const { report } = context;
  const list = sortEntries(entries, {
    problems: lists.flatMap(({ unread }) => unread.problems),
    fault: describeFaults(lists),
  });
  const { judged, unjudged } = list;
  const matched = [...judged, ...unjudged];
  const failing = matched.filter(({ fails }) => fails.length > 0);
  const sums = policies.map((policy, place) => sumUp(policy, place, judged));
  report.print({
    headings: ['entry', 'verdict', 'until', 'move to', 'fails'],
    rows: matched.map(listCells),
  });
  report.print(failing.flatMap(explainFailure), matched.flatMap(explainProvenance));
  report.print(`On ${asOf}: ${describeList(list, url, failing.length)}`);
  report.print(sums.flatMap(({ words }) => words ?? []));

  const gaps = lists.flatMap((each) => findGaps(each, entries));
  const stale = staleness === undefined ? [] : [{ subject: 'index', message: staleness }];
  const problems = [
    ...gaps,
    ...sums.flatMap((sum) => describeDoubt(sum, sums)),
    ...findUnjudged(sums),
    ...stale,
  ];
  report.problem(problems);
  // GitHub shows only ten warnings, so entries that were not judged come first.
  report.mark([
    ...[...unjudged, ...entries.filter((entry) => findKind(entry) === 'uncertain')].map(annotate),
    ...judged.filter(({ fails, cannotTell }) => fails.length + cannotTell.length > 0).map(annotate),
    ...sums.flatMap(describeInapplicable),
  ]);
  report.document({
    asOf,
    ...(problems.length > 0 && { problems }),
    entries: entries.map(listFacts),
    results: entries.flatMap(({ scans }) => scans.map(({ scan }) => scan)),
  });
  const status = problems.length > 0 ? 3 : 0;
  context.status = failing.length > 0 ? 1 : status;
}

/** Says why nothing could be read in some of the lists. Names these lists if there are others. Undefined if all lists were read. */
function describeFaults(lists: readonly List[]): string | undefined {
  const faults = lists.flatMap(({ file, unread: { fault } }) =>
    fault === undefined ? [] : [lists.length > 1 ? `${file} ${fault}` : fault],
  );
  return faults.length > 0 ? faults.join('; ') : undefined;
}

/** The results of a policy for all judged entries. */
type Sum = ReturnType<typeof sumUp>;

function sumUp({ name }: ScanPolicy, place: number, entries: readonly JudgedEntry[]) {
  const judgements = entries.map(({ item, scans }): Judgement => ({
    text: item.text,
    result: scans[place]!.result,
  }));
  const take = (outcome: Outcome) => judgements.filter(({ result }) => result.outcome === outcome);
  return {
    name,
    words: describeResults(name, judgements),
    doubtful: take('cannot-tell'),
    inapplicable: take('does-not-apply'),
    isJudged: take('does-not-apply').length < judgements.length,
  };
}

/** Says for how many entries a policy cannot tell. If the reason is missing advisories, also suggests policies that need none. */
function describeDoubt({ name, doubtful }: Sum, sums: readonly Sum[]): Problem[] {
  if (doubtful.length === 0) {
    return [];
  }

  const count = doubtful.length === 1 ? '1 entry' : `${doubtful.length} entries`;
  const causes = new Set(doubtful.map(({ result }) => result.cause?.many));
  const which = causes.size === 1 ? `, which ${[...causes].join()}` : '';
  const others = sums.filter((sum) => !lacksAdvisories(sum)).map((sum) => sum.name);
  const way = ` To judge without advisories: --policy ${others.join(',') || 'supported'}`;
  const message = `cannot tell for ${count}${which}.${lacksAdvisories({ doubtful }) ? way : ''}`;
  return [{ subject: name, message }];
}

function lacksAdvisories({ doubtful }: Pick<Sum, 'doubtful'>): boolean {
  return doubtful.some(({ result }) => result.cause?.subject === 'advisories');
}

/** Warns if no policy applies to any judged entry. Without a warning, readers could think that these entries are supported. */
function findUnjudged(sums: readonly Sum[]): Problem[] {
  const isNone = sums.every(({ isJudged, inapplicable }) => !isJudged && inapplicable.length > 0);
  const message = 'applies to no entry, so nothing was judged. Others: --policy current,patched';
  const names = sums.map(({ name }) => name).join(',');
  return isNone ? [{ subject: `--policy ${names}`, message }] : [];
}

/** Returns one warning about all entries to which a policy does not apply. */
function describeInapplicable({ name, inapplicable }: Sum): Problem[] {
  const message = describeResults(name, inapplicable);
  return message === undefined ? [] : [{ subject: name, message, level: 'warning' }];
}

/** Describes an entry as a problem of its file: an error if it fails a policy, else a warning. */
function annotate(entry: JudgedEntry): Problem {
  const { item, match, fails, scans } = entry;
  const { sentence, advice, because = [] } = match?.verdict ?? {};
  const doubts = scans
    .filter(({ result }) => result.outcome === 'cannot-tell' && result.cause !== undefined)
    .map(({ policy, result }) => `${policy.name} cannot tell, because it ${result.cause!.one}.`);
  const words = sentence === undefined ? [describeObstacle(entry)] : [sentence, advice, ...because];
  return {
    subject: item.text,
    message: [...words, ...doubts].join(' '),
    ...findPlace(item),
    level: fails.length > 0 ? undefined : 'warning',
  };
}

/** Returns the file and the line of an entry. Standard input is not a file. */
function findPlace({ file, line }: { file?: string | undefined; line?: number | undefined }) {
  return file === '-' ? {} : { file, line };
}

function nameFile(file: string): string {
  return file === '-' ? 'standard input' : file;
}

function listCells({ item, match, fails }: JudgedEntry & { match: Match }): string[] {
  const { component, verdict } = match;
  if (!verdict) {
    return [item.text, 'No verdict', '', '', ''];
  }

  const { moveTo, moveToParts = [], through } = verdict;
  const label = verdict.mayBePatched ? `${verdict.label}. ${distributionRemark}` : verdict.label;
  const ofAnother = moveTo && moveTo.component !== component ? `${moveTo.component} ` : '';
  const parts = moveToParts.map((part) => `${part.component} ${part.version ?? ''}`.trim());
  const own = `${ofAnother}${moveTo?.version ?? ''}${describeWay(through)}`;
  const target = parts.length > 0 ? parts.join(' or ') : own;
  return [item.text, label, describeUntil(verdict), target, fails.join(', ')];
}

/** Lists the reasons for a failure that the table does not show, such as a digest that contradicts the recorded digest. */
function explainFailure({ item, scans }: JudgedEntry): string[] {
  const messages = scans.flatMap(({ scan: { details } }) => details.message ?? []);
  return [...new Set(messages)].map((message) => `${item.text}: ${message}`);
}

/** Says that an entry's release unexpectedly lacks provenance. */
function explainProvenance({ item, match }: JudgedEntry): string[] {
  const sentence = describeUnproven(match?.verdict ?? {});
  return sentence === undefined ? [] : [`${item.text}: ${sentence}`];
}

/** The greatest number of unread lines that the report names per file. */
const shownLines = 20;

/** Lists the entries of a list that were not judged, and the lines that were not read, each once. */
function findGaps({ file, unread }: List, entries: readonly JudgedEntry[]): Problem[] {
  const subject = nameFile(file);
  const { problems, fault } = unread;
  const list = sortEntries(
    entries.filter(({ item }) => item.file === file),
    { problems: [] },
  );
  if (fault !== undefined) {
    return [{ subject, message: fault }];
  }
  if (list.total === 0) {
    const none = `has ${formatCount(problems.length, 'line')}, none of which was read`;
    return [{ subject, message: problems.length > 0 ? none : 'does not contain an entry' }];
  }

  const lines = problems.slice(0, shownLines).map(({ line, entry }) => ({
    subject: `${subject}, line ${line}`,
    message: `was not read: ${entry}`,
    ...findPlace({ file, line }),
  }));
  const more = problems.length - shownLines;
  return [
    ...(list.gaps.length > 0
      ? [{ subject, message: `not judged: ${formatList(list.gaps, 20)}` }]
      : []),
    ...lines,
    ...(more > 0 ? [{ subject, message: `has ${more} more lines that were not read` }] : []),
  ];
}

/** Returns the facts about an entry for `--json`: its place, the policies that it fails, and the policies that cannot decide. */
function listFacts({ item, match, fails, cannotTell }: JudgedEntry) {
  const { text, file, line } = item;
  const { component, verdict } = match ?? {};
  return { thing: text, file, line, component, version: verdict?.version, fails, cannotTell };
}
